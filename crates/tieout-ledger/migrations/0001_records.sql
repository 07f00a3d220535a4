-- What happened, append-only: one row for each question, its queries and its claims.
-- Times are RFC 3339 in UTC; documents, binds, columns, rows and sources are JSON texts that the ledger does not read.

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
    outcome          TEXT    NOT NULL CHECK (outcome IN ('answer', 'doubt', 'refusal', 'fault')),
    reason           TEXT,
    total_us         INTEGER NOT NULL CHECK (total_us >= 0),
    document         TEXT    NOT NULL
) STRICT;

CREATE INDEX records_of_a_tenant ON records (project, tenant, id);

CREATE TABLE queries (
    record_id   TEXT    NOT NULL REFERENCES records (id),
    place       INTEGER NOT NULL,
    id          TEXT    NOT NULL,
    purpose     TEXT    NOT NULL,
    label       TEXT    NOT NULL,
    written     TEXT    NOT NULL,
    physical    TEXT    NOT NULL,
    binds       TEXT    NOT NULL,
    digest      TEXT    NOT NULL,
    key_columns INTEGER NOT NULL,
    row_count   INTEGER NOT NULL,
    cut         INTEGER NOT NULL CHECK (cut IN (0, 1)),
    columns     TEXT    NOT NULL,
    rows        TEXT,
    PRIMARY KEY (record_id, place)
) STRICT;

CREATE TABLE claims (
    record_id  TEXT    NOT NULL REFERENCES records (id),
    place      INTEGER NOT NULL,
    id         TEXT    NOT NULL,
    kind       TEXT    NOT NULL,
    text       TEXT    NOT NULL,
    confidence TEXT    NOT NULL,
    sources    TEXT    NOT NULL,
    PRIMARY KEY (record_id, place)
) STRICT;

CREATE TRIGGER records_are_not_changed BEFORE UPDATE ON records
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER records_are_not_removed BEFORE DELETE ON records
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER records_are_not_replaced BEFORE INSERT ON records
WHEN EXISTS (SELECT 1 FROM records WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER queries_are_not_changed BEFORE UPDATE ON queries
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER queries_are_not_removed BEFORE DELETE ON queries
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER queries_are_not_replaced BEFORE INSERT ON queries
WHEN EXISTS (SELECT 1 FROM queries WHERE record_id = NEW.record_id AND place = NEW.place)
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER claims_are_not_changed BEFORE UPDATE ON claims
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER claims_are_not_removed BEFORE DELETE ON claims
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER claims_are_not_replaced BEFORE INSERT ON claims
WHEN EXISTS (SELECT 1 FROM claims WHERE record_id = NEW.record_id AND place = NEW.place)
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
