-- A record may hold a statement that somebody wrote in place of a question; it then ends as `query`. SQLite changes a CHECK
-- only with its table: the rows are put aside, and the references to them wait until they are back.

PRAGMA defer_foreign_keys = ON;

CREATE TABLE records_aside AS SELECT * FROM records;
DROP TABLE records;

CREATE TABLE records (
    id               TEXT    NOT NULL PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
    asked_at         TEXT    NOT NULL,
    principal        TEXT    NOT NULL,
    tenant           TEXT,
    project          TEXT    NOT NULL,
    catalogue_digest TEXT    NOT NULL,
    question         TEXT    NOT NULL,
    now              TEXT    NOT NULL,
    after            TEXT    REFERENCES records (id),
    outcome          TEXT    NOT NULL CHECK (outcome IN ('answer', 'doubt', 'refusal', 'fault', 'query')),
    reason           TEXT,
    total_us         INTEGER NOT NULL CHECK (total_us >= 0),
    document         TEXT    NOT NULL
) STRICT;

INSERT INTO records SELECT * FROM records_aside ORDER BY id;
DROP TABLE records_aside;

CREATE INDEX records_of_a_tenant ON records (project, tenant, id);

CREATE TRIGGER records_are_not_changed BEFORE UPDATE ON records
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER records_are_not_removed BEFORE DELETE ON records
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER records_are_not_replaced BEFORE INSERT ON records
WHEN EXISTS (SELECT 1 FROM records WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
