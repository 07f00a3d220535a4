"""Schemas as sqlglot takes them, for the scripts beside this one."""

DIALECTS = {"ansi": "postgres"}


def mapping(schema):
    """The schema as sqlglot takes it: nested as deep as the deepest name of a table."""
    deep = max(len(table["path"]) for table in schema["tables"])
    out = {}
    for table in schema["tables"]:
        columns = {c["name"].lower(): c["type"] for c in table["columns"]}
        path = [part.lower() for part in table["path"]]
        if deep == 1:
            out[path[-1]] = columns
        else:
            out.setdefault(path[0] if len(path) == 2 else "main", {})[path[-1]] = columns
    return out, deep
