"""Runs pairs of statements over generated rows and says whether they ever differ.

One JSON object a line: `schema`, `original`, `mutant`. One line of answer each: `same`, `differs`, or why neither can
be said. Rows are drawn so that they meet what the statements speak of: literals, what lies just beside them, and NULL
where a column may hold it. Keys are unique and references lead to rows, as the schema states them.
"""

import datetime as dt
import json
import random
import re
import sys

import duckdb

SETS_MAX = 40
ROWS_MAX = 9
WORD = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|[A-Za-z_][\w]*|\d+(?:\.\d+)?|<=|>=|<>|!=|[^\s]")


def literals(texts):
    """Literals by the column name they stand nearest to, and all of them under None."""
    found = {}
    for text in texts:
        last = None
        for token in WORD.findall(text):
            if token[0] == "'":
                value = token[1:-1].replace("''", "'")
            elif token[0].isdigit():
                value = float(token) if "." in token else int(token)
            else:
                if re.match(r"[A-Za-z_]", token) and token.upper() not in WORDS:
                    last = token.lower()
                continue
            found.setdefault(last, set()).add(value)
            found.setdefault(None, set()).add(value)
    return found


WORDS = set(
    "AND OR NOT IN LIKE ILIKE BETWEEN IS NULL DATE TIMESTAMP INTERVAL CAST AS TRUE FALSE CASE WHEN THEN ELSE END "
    "SELECT FROM WHERE GROUP BY ORDER LIMIT HAVING LOWER UPPER".split()
)


def moments(values):
    for value in values:
        if isinstance(value, str):
            try:
                yield dt.datetime.fromisoformat(value)
            except ValueError:
                pass


def pool(column, found, luck):
    """Values for one column."""
    kind = column["type"]
    near, everywhere = found.get(column["name"].lower(), set()), found.get(None, set())
    if kind == "BOOLEAN":
        return [True, False]
    if kind in ("BIGINT", "DOUBLE") or kind.startswith("DECIMAL"):
        whole = kind == "BIGINT"
        out = [0, 1, 2, 3, 10]
        for value in [v for v in near if not isinstance(v, str)] * 3 + [v for v in everywhere if not isinstance(v, str)]:
            out += [value, value - 1, value + 1] + ([] if whole else [value + 0.5])
        for value in everywhere:
            if isinstance(value, str) and re.fullmatch(r"\d{1,9}", value):
                out += [int(value), int(value) + 1]
        return [int(v) for v in out if abs(v) < 10**9] if whole else [round(v, 2) for v in out if abs(v) < 10**9]
    if kind in ("DATE", "TIMESTAMP", "TIMESTAMPTZ"):
        known = [m.replace(tzinfo=None) for m in moments(near)] * 3 + [m.replace(tzinfo=None) for m in moments(everywhere)]
        today = dt.datetime.combine(dt.date.today(), dt.time())
        known += [today - dt.timedelta(days=luck.choice([0, 1, 4, 9, luck.randrange(0, 900)])) for _ in range(4)]
        out = []
        for moment in known:
            day = dt.timedelta(days=1)
            steps = [dt.timedelta(), day, -day, 20 * day, -20 * day]
            if kind != "DATE":
                steps += [dt.timedelta(seconds=1), dt.timedelta(seconds=-1), dt.timedelta(hours=13)]
            out += [moment + step for step in steps]
        return [m.date() for m in out] if kind == "DATE" else out
    if kind == "TIME":
        return [dt.time(0), dt.time(9, 30), dt.time(23, 59, 59)]
    if kind in ("BLOB", "INTERVAL"):
        return [None]
    texts = [v for v in near if isinstance(v, str)] * 4 + [v for v in everywhere if isinstance(v, str)]
    out = ["aa", "ab"] + list(column.get("values") or []) * 2
    for text in texts:
        out += [text, text.replace("%", "").replace("_", "x"), "x" + text.replace("%", "") + "y"]
    return out


def generate(schema, found, luck):
    """Rows of every table, by name."""
    tables = {table["name"]: table for table in schema["tables"]}
    rows = {}
    references = {}
    for r in schema["relationships"]:
        references.setdefault(r["from"], []).append(r)
    order, left = [], list(tables)
    while left:
        ready = [
            n for n in left
            if all(r["to"] in order or r["to"] == n or r["to"] not in tables for r in references.get(n, []))
        ] or [left[0]]
        order += ready
        left = [n for n in left if n not in ready]
    for name in order:
        table, made = tables[name], []
        pools = {c["name"]: pool(c, found, luck) for c in table["columns"]}
        single = {key[0] for key in table["keys"] if len(key) == 1}
        for index in range(luck.randrange(1, ROWS_MAX)):
            row = {}
            for c in table["columns"]:
                null = c["nullable"] and luck.random() < 0.15
                row[c["name"]] = None if null else luck.choice(pools[c["name"]])
                if c["name"] in single:
                    row[c["name"]] = index + 1 if c["type"] == "BIGINT" else row[c["name"]]
            for r in references.get(name, []):
                targets = rows.get(r["to"], made if r["to"] == name else [])
                nullable = all(c["nullable"] for c in table["columns"] if c["name"] in r["from_columns"])
                if nullable and luck.random() < 0.15:
                    values = [None] * len(r["from_columns"])
                elif targets:
                    target = luck.choice(targets)
                    values = [target[c] for c in r["to_columns"]]
                else:
                    continue
                row.update(zip(r["from_columns"], values))
            clash = any(
                None not in [row[c] for c in key] and any(all(row[c] == other[c] for c in key) for other in made)
                for key in table["keys"]
            ) or any(row[c] is None for key in table["keys"][:1] for c in key)
            if not clash:
                made.append(row)
        rows[name] = made
    return rows


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def place(table):
    return ".".join(quoted(part) for part in table["path"]) if len(table["path"]) == 2 else quoted(table["name"])


def create(db, schema):
    for table in schema["tables"]:
        if len(table["path"]) == 2:
            db.execute(f"create schema if not exists {quoted(table['path'][0])}")
        columns = ", ".join(f"{quoted(c['name'])} {c['type']}" for c in table["columns"])
        db.execute(f"create table {place(table)} ({columns})")
        if len(table["path"]) == 2:
            # A statement may leave the schema out.
            db.execute(f"create or replace view {quoted(table['name'])} as select * from {place(table)}")


def fill(db, schema, rows, luck):
    for table in schema["tables"]:
        db.execute(f"delete from {place(table)}")
        made = list(rows[table["name"]])
        luck.shuffle(made)
        if made:
            rows_of = ", ".join("(" + ", ".join(written(row[c["name"]]) for c in table["columns"]) + ")" for row in made)
            db.execute(f"insert into {place(table)} values {rows_of}")


def written(value):
    if value is None or isinstance(value, (bool, int, float)):
        return "null" if value is None else str(value).lower()
    return "'" + str(value).replace("'", "''") + "'"


def plain(value):
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (int, bool)) or value is None:
        return str(value)
    try:
        return f"{float(value):.6g}"
    except (TypeError, ValueError):
        return str(value)


def run(db, text):
    return sorted(tuple(plain(v) for v in row) for row in db.execute(text).fetchall())


def judge(case):
    schema, original, mutant = case["schema"], case["original"], case["mutant"]
    words = set(re.findall(r"\w+", (original + " " + mutant).lower()))
    named = [t for t in schema["tables"] if t["name"].lower() in words]
    names = {t["name"] for t in named}
    schema = {"tables": named, "relationships": [r for r in schema["relationships"] if r["from"] in names and r["to"] in names]}
    found = literals([original, mutant])
    luck = random.Random(original)
    db = duckdb.connect()
    try:
        create(db, schema)
    except duckdb.Error as error:
        return f"the tables: {str(error).splitlines()[0]}"
    shown = set()
    for _ in range(SETS_MAX):
        rows = generate(schema, found, luck)
        fill(db, schema, rows, luck)
        try:
            first = run(db, original)
        except duckdb.Error as error:
            return f"the original: {str(error).splitlines()[0]}"
        try:
            other = run(db, mutant)
        except duckdb.Error as error:
            return f"the mutant: {str(error).splitlines()[0]}"
        shown.add(str(first))
        if first != other:
            fill(db, schema, rows, luck)
            if run(db, original) == first and run(db, mutant) == other:
                return "differs"
    return "same" if len(shown) > 1 else "the original always shows the same"


def main():
    for line in sys.stdin:
        print(judge(json.loads(line)), flush=True)


main()
