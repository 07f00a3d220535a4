"""How long sqlglot takes to parse, qualify and scope statements; the schema is made ready once for each of its own.

One JSON object a line: `sql`, `dialect`, `schema` (as `execute.py` reads them). One answer for all: seconds for parsing
alone, seconds for all of it, and how many statements it stopped at.
"""

import json
import sys
import time

from sqlglot import parse_one
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import traverse_scope
from sqlglot.schema import MappingSchema

from schemas import DIALECTS, mapping


def main():
    cases = [json.loads(line) for line in sys.stdin]
    schemas = {}
    work = []
    for case in cases:
        dialect = DIALECTS.get(case["dialect"], case["dialect"])
        key = json.dumps(case["schema"], sort_keys=True) + dialect
        if key not in schemas:
            schemas[key] = MappingSchema(mapping(case["schema"])[0], dialect=dialect)
        work.append((case["sql"], dialect, schemas[key]))
    best_parse = best_all = float("inf")
    for _ in range(3):
        stopped = 0
        start = time.perf_counter()
        for sql, dialect, _ in work:
            try:
                parse_one(sql, dialect=dialect)
            except Exception:
                pass
        best_parse = min(best_parse, time.perf_counter() - start)
        start = time.perf_counter()
        for sql, dialect, schema in work:
            try:
                tree = qualify(parse_one(sql, dialect=dialect), schema=schema, dialect=dialect, validate_qualify_columns=False)
                traverse_scope(tree)
            except Exception:
                stopped += 1
        best_all = min(best_all, time.perf_counter() - start)
    print(json.dumps({"parse": best_parse, "all": best_all, "stopped": stopped}))


main()
