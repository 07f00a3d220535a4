//! What bare DDL tells: tables, keys and foreign keys, wherever a dump states them; and what it says when it cannot be read.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test stops where it fails")]

use std::time::Duration;

use tieout_sql::{
    Context, Dialect, Limits, MYSQL, POSTGRES, SQLITE, Schema, Scope, SqlType, check_text, ddl,
};

fn read(text: &str, dialect: &Dialect) -> Schema {
    ddl::schema(text, dialect).unwrap()
}

fn keys(schema: &Schema, table: &str) -> Vec<Vec<String>> {
    schema.tables[table].keys().cloned().collect()
}

fn links(schema: &Schema) -> Vec<String> {
    let link = |r: &tieout_sql::Relationship| {
        format!("{}({}) -> {}({})", r.from, r.from_columns.join(","), r.to, r.to_columns.join(","))
    };
    schema.relationships.iter().map(link).collect()
}

/// As `pg_dump` writes: keys and foreign keys after the tables, rows in between.
const DUMP: &str = r"
--
-- PostgreSQL database dump; CREATE TABLE in a comment (
--
\restrict abc
SET statement_timeout = 0;
CREATE EXTENSION IF NOT EXISTS citext;
CREATE FUNCTION public.f() RETURNS void LANGUAGE plpgsql AS $$ begin; create table x (y int); end; $$;
CREATE TABLE public.customers (
    id bigint NOT NULL,
    email text DEFAULT 'create table; '::text
);
ALTER TABLE public.customers OWNER TO somebody;
CREATE TABLE public.orders (
    id bigint NOT NULL,
    customer_id bigint,
    amount numeric(12,2)
);
COPY public.customers (id, email) FROM stdin;
1	it's; a 'quote
\.
CREATE VIEW public.v AS SELECT 1;
ALTER TABLE ONLY public.customers
    ADD CONSTRAINT customers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX by_email ON public.customers USING btree (email);
CREATE UNIQUE INDEX by_lower ON public.customers USING btree (lower(email));
CREATE UNIQUE INDEX some ON public.orders USING btree (customer_id) WHERE (amount IS NULL);
CREATE INDEX plain ON public.orders USING btree (amount);
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_customer_fk FOREIGN KEY (customer_id) REFERENCES public.customers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.orders ALTER COLUMN customer_id SET NOT NULL;
ALTER TABLE public.orders ADD COLUMN note text;
";

#[test]
fn a_dump_states_its_keys_after_its_tables() {
    let schema = read(DUMP, &POSTGRES);
    assert_eq!(schema.tables.keys().collect::<Vec<_>>(), ["customers", "orders"]);
    assert_eq!(keys(&schema, "customers"), [["id"], ["email"]]);
    assert_eq!(keys(&schema, "orders"), [["id"]], "neither an expression nor some of the rows make a key");
    assert_eq!(links(&schema), ["orders(customer_id) -> customers(id)"]);
    let orders = &schema.tables["orders"];
    assert!(!orders.columns["customer_id"].nullable && orders.columns["customer_id"].identifier);
    assert_eq!(orders.columns["amount"].ty, SqlType::Decimal);
    assert!(orders.columns.contains_key("note"));
    assert_eq!(orders.relation, ["public", "orders"]);
}

#[test]
fn keys_within_tables_are_spelled_as_their_columns_are() {
    let schema = read(
        "CREATE TABLE IF NOT EXISTS a (Id INTEGER, b TEXT, UNIQUE (B), PRIMARY KEY (id));
         CREATE TEMP TABLE c (a_id INTEGER REFERENCES A, d INTEGER UNIQUE);",
        &SQLITE,
    );
    assert_eq!(keys(&schema, "a"), [["Id"], ["b"]]);
    assert_eq!(links(&schema), ["c(a_id) -> a(Id)"]);
    assert_eq!(keys(&schema, "c"), [["d"]]);
}

#[test]
fn part_of_a_value_is_no_key() {
    let schema = read(
        "CREATE TABLE `t` (`id` int NOT NULL AUTO_INCREMENT, `name` varchar(90) COMMENT 'a; b', `k` int,
           PRIMARY KEY (`id`), UNIQUE KEY `u` (`k`), UNIQUE KEY `p` (`name`(10)), KEY `i` (`name`)
         ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;",
        &MYSQL,
    );
    assert_eq!(keys(&schema, "t"), [["id"], ["k"]]);
}

#[test]
fn what_does_not_parse_is_named_with_its_place() {
    let broken =
        ddl::schema("create table a (x int);\n\ncreate table b (\n  x int,,\n);", &POSTGRES).unwrap_err();
    assert_eq!((broken.line, broken.column), (4, 9), "{broken}");
    assert!(broken.message.contains("does not parse"), "{broken}");
    let twice = ddl::schema("create table s.a (x int);\ncreate table t.a (x int);", &POSTGRES).unwrap_err();
    assert_eq!((twice.line, twice.column), (2, 1), "{twice}");
    assert!(twice.message.contains("`a`"), "{twice}");
}

/// What a text says of the values of each column that has some.
fn values(schema: &Schema, table: &str) -> Vec<String> {
    let columns = schema.tables[table].columns.values();
    let said = columns.filter_map(|column| Some((column.name.as_str(), column.values.as_ref()?)));
    said.map(|(name, values)| format!("{name}: {}", values.join("|"))).collect()
}

#[test]
fn lists_of_values_are_read_wherever_they_stand() {
    let schema = read(
        "create type mood as enum ('calm', 'loud');
         create table t (
           id int primary key,
           m mood not null,
           status text check (status in ('open', 'paid')),
           kind varchar(9) default 'a' check (kind = 'a' or kind = 'b' or kind is null),
           size text,
           note text check (length(note) < 9),
           n int check (n in (1, 2)),
           both text check (both in ('x', 'y', 'z') and both <> ''),
           constraint sizes check ((size)::text = any ((array['s'::character varying, 'l'::character varying])::text[]))
         );
         create table u (a text, b text, c text, d text);
         alter table u add constraint ua check (a in ('p', 'q'));
         alter table u add constraint ub check (b in ('p', 'q')) not valid;
         alter table u add constraint uc check (c in ('p', 'q', 'r'));
         alter table u add constraint uc2 check (c in ('q', 'r', 's'));
         alter table u add constraint ud check (d in ('p'));
         alter table u drop constraint ud;
         alter type mood add value 'wild';",
        &POSTGRES,
    );
    let found = values(&schema, "t");
    assert_eq!(found, ["m: calm|loud|wild", "status: open|paid", "kind: a|b", "size: s|l", "both: x|y|z"]);
    assert_eq!(schema.tables["t"].columns["m"].ty, SqlType::Text);
    assert_eq!(values(&schema, "u"), ["a: p|q", "c: q|r"]);
}

#[test]
fn enums_within_a_column_are_values_too() {
    let schema = read(
        "CREATE TABLE `t` (`id` int PRIMARY KEY, `s` enum('open','it''s') NOT NULL, `x` set('a','b'),
           `k` varchar(9), CHECK (`k` IN ('a','b')) NOT ENFORCED);",
        &MYSQL,
    );
    assert_eq!(values(&schema, "t"), ["s: open|it's"]);
}

#[test]
fn a_value_that_is_not_listed_is_warned_of_with_the_nearest() {
    let schema = read(
        "create table t (id int primary key, status text check (status in ('open', 'paid')))",
        &POSTGRES,
    );
    let warned = |sql: &str| -> Vec<String> {
        let limits = Limits { rows_max: 10, timeout: Duration::from_secs(1) };
        let scope = Scope::none();
        let cx = Context { dialect: &POSTGRES, schema: &schema, scope: &scope, limits };
        let found = check_text(sql, Vec::new(), &cx).unwrap();
        found.warnings().iter().map(|w| format!("{}: {}; {}", w.rule, w.message, w.hint)).collect()
    };
    assert_eq!(
        warned("select count(*) from t where status = 'payed'"),
        ["known_values: `t.status` is never 'payed'; did you mean `paid`?"]
    );
    assert_eq!(
        warned("select count(*) from t where status in ('Open')"),
        ["known_values: `t.status` is never 'Open': it is 'open', in another case; write 'open'"]
    );
    assert!(warned("select count(*) from t where status = 'open'").is_empty());
}

#[test]
fn a_value_cast_to_a_type_of_labels_is_a_text_and_one_cast_to_another_is_not_judged() {
    let schema = read(
        "create type public.mood as enum ('calm', 'loud'); create table t (id int primary key, m public.mood);",
        &POSTGRES,
    );
    let limits = Limits { rows_max: 10, timeout: Duration::from_secs(1) };
    let scope = Scope::none();
    let cx = Context { dialect: &POSTGRES, schema: &schema, scope: &scope, limits };
    let judged = |sql: &str| check_text(sql, Vec::new(), &cx).map(|checked| checked.sql().to_owned());
    for sql in [
        "select count(*) from t where m = 'calm'::mood",
        "select count(*) from t where m = 'calm'::public.MOOD",
        "select count(*) from t where m in (cast('calm' as mood), 'loud'::mood)",
        "select m, count(*) from t group by m",
    ] {
        assert!(judged(sql).is_ok(), "{sql}: {:?}", judged(sql));
    }
    for sql in [
        "select 'pg_class'::regclass",
        "select count(*) from t where m = 'calm'::other.mood",
        "select count(*) from t where m = 'calm'::mood.public",
        "select count(*) from t where m = 'calm'::\"Mood\"",
        "select count(*) from t where m = 'calm'::mood(3)",
    ] {
        assert!(judged(sql).is_err(), "{sql}");
    }
}
