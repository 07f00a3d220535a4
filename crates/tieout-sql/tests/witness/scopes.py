"""What sqlglot says of statements: the tables each reads, and the base columns behind each column of its result.

One JSON object a line: `sql`, `dialect`, `schema` (tables as `execute.py` reads them). One JSON object of answer each:
`tables` and `columns` (a list of lists of [table, column]), or `error`.
"""

import json
import sys

from sqlglot import exp, parse_one
from sqlglot.lineage import lineage
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import traverse_scope

from schemas import DIALECTS, mapping


def lowered(tree):
    for ident in tree.find_all(exp.Identifier):
        ident.set("this", ident.this.lower())
        ident.set("quoted", False)
    return tree


def leaves(node):
    found = set()
    for step in node.walk():
        if isinstance(step.expression, exp.Table):
            found.add((step.expression.name.lower(), step.name.split(".")[-1].strip('"`').lower()))
    return found


def told(case):
    schema, deep = mapping(case["schema"])
    dialect = DIALECTS.get(case["dialect"], case["dialect"])
    tree = lowered(parse_one(case["sql"], dialect=dialect))
    if deep == 2:
        homes = {table: home for home, tables in schema.items() for table in tables}
        named = {cte.alias_or_name for cte in tree.find_all(exp.CTE)}
        for table in tree.find_all(exp.Table):
            if not table.db and table.name in homes and table.name not in named:
                table.set("db", exp.to_identifier(homes[table.name]))
    qualified = qualify(tree.copy(), schema=schema, dialect=dialect, validate_qualify_columns=False)
    tables = set()
    for scope in traverse_scope(qualified):
        for source in scope.sources.values():
            if isinstance(source, exp.Table):
                tables.add(source.name.lower())
    columns = []
    for position, _ in enumerate(qualified.selects):
        # By position: names may repeat.
        numbered = qualified.copy()
        for branch in branches(numbered):
            for index, item in enumerate(list(branch.expressions)):
                value = item.this if isinstance(item, exp.Alias) else item
                item.replace(exp.alias_(value.copy(), f"out_{index}"))
        node = lineage(f"out_{position}", numbered, schema=schema, dialect=dialect)
        columns.append(sorted(leaves(node)))
    return {"tables": sorted(tables), "columns": columns}


def branches(tree):
    if isinstance(tree, exp.SetOperation):
        yield from branches(tree.left)
        yield from branches(tree.right)
    elif isinstance(tree, exp.Subquery):
        yield from branches(tree.this)
    elif isinstance(tree, exp.Select):
        yield tree


def main():
    for line in sys.stdin:
        try:
            answer = told(json.loads(line))
        except Exception as error:  # Whatever it stops at is its answer.
            answer = {"error": str(error).splitlines()[0][:200] if str(error) else type(error).__name__}
        print(json.dumps(answer), flush=True)


main()
