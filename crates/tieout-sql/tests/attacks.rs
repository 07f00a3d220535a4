//! Hostile statements, per dialect: forbidden functions in every position, other statements in every disguise, and ways
//! around the tenant; then those of `cases/hostile`, which `tieout-warehouse` runs on their engines. Every one must be
//! rejected, or be bound to the tenant wherever it reads.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test may stop")]

mod case_files;
mod statements;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use statements::{checked, hostile, shop};
use tieout_sql::{
    Access, Column, Context, DIALECTS, Dialect, Limits, Schema, Scope, SqlType, Table, Value, check_text,
};

fn schema() -> Schema {
    let mut orders = Table::plain(
        "orders",
        vec![
            Column::plain("id", SqlType::Integer),
            Column::plain("amount", SqlType::Integer),
            Column::plain("note", SqlType::Text),
            Column { access: Access::Hidden, ..Column::plain("card", SqlType::Text) },
            Column { access: Access::Sensitive, ..Column::plain("email", SqlType::Text) },
        ],
    );
    orders.primary_key = vec!["id".into()];
    orders.tenant = Some("tenant_id".into());
    Schema { tables: [("orders".to_owned(), orders)].into_iter().collect(), ..Schema::default() }
}

fn accepted(sql: &str, dialect: &Dialect, schema: &Schema) -> Option<(usize, String)> {
    let scope = Scope::tenant(Value::Integer(7));
    let limits = Limits { rows_max: 10, timeout: Duration::from_secs(1) };
    let checked = check_text(sql, Vec::new(), &Context { dialect, schema, scope: &scope, limits }).ok()?;
    Some((checked.proof().len(), checked.sql().to_owned()))
}

/// Readers of files and of the engine, writers, sleepers, lockers, callers, and luck, of all engines.
const CALLS: &[&str] = &[
    "pg_read_file('/etc/passwd')",
    "pg_read_binary_file('/etc/passwd')",
    "pg_ls_dir('/')",
    "pg_stat_file('/etc/passwd')",
    "lo_import('/etc/passwd')",
    "lo_export(1, '/tmp/x')",
    "lo_from_bytea(0, 'x')",
    "lo_unlink(1)",
    "pg_sleep(9)",
    "pg_sleep_for('9 s')",
    "nextval('s')",
    "setval('s', 1)",
    "currval('s')",
    "lastval()",
    "set_config('a', 'b', false)",
    "current_setting('a')",
    "pg_reload_conf()",
    "pg_rotate_logfile()",
    "pg_terminate_backend(1)",
    "pg_cancel_backend(1)",
    "pg_advisory_lock(1)",
    "pg_try_advisory_lock(1)",
    "pg_notify('a', 'b')",
    "pg_stat_reset()",
    "pg_switch_wal()",
    "pg_logical_emit_message(true, 'a', 'b')",
    "dblink('x', 'select 1')",
    "dblink_exec('x', 'drop table y')",
    "query_to_xml('select 1', true, true, '')",
    "table_to_xml('orders', true, true, '')",
    "database_to_xml(true, true, '')",
    "xpath('/a', 'b')",
    "has_table_privilege('a', 'b')",
    "version()",
    "current_user()",
    "session_user()",
    "user()",
    "inet_server_addr()",
    "pg_database_size('a')",
    "pg_get_viewdef('a')",
    "txid_current()",
    "pg_export_snapshot()",
    "random()",
    "gen_random_uuid()",
    "uuid()",
    "rand()",
    "setseed(0.5)",
    "clock_timestamp()",
    "load_file('/etc/passwd')",
    "sleep(9)",
    "benchmark(9, md5('a'))",
    "get_lock('a', 9)",
    "release_lock('a')",
    "is_free_lock('a')",
    "master_pos_wait('a', 1)",
    "extractvalue('a', 'b')",
    "updatexml('a', 'b', 'c')",
    "last_insert_id()",
    "row_count()",
    "found_rows()",
    "database()",
    "connection_id()",
    "uuid_short()",
    "load_extension('x')",
    "readfile('/etc/passwd')",
    "writefile('/tmp/x', 'a')",
    "edit('a')",
    "fts3_tokenizer('a')",
    "randomblob(9)",
    "sqlite_version()",
    "changes()",
    "total_changes()",
    "zeroblob(9)",
    "read_csv('/etc/passwd')",
    "read_csv_auto('/etc/passwd')",
    "read_parquet('x')",
    "read_json('x')",
    "read_text('/etc/passwd')",
    "read_blob('/etc/passwd')",
    "glob('/*')",
    "getenv('HOME')",
    "query('select 1')",
    "query_table('orders')",
    "sniff_csv('x')",
    "parquet_scan('x')",
    "parquet_metadata('x')",
    "sqlite_scan('x', 'y')",
    "postgres_scan('x', 'y', 'z')",
    "mysql_scan('x')",
    "duckdb_secrets()",
    "duckdb_settings()",
    "duckdb_tables()",
    "pragma_table_info('orders')",
    "nextafter(1.0, 2.0)",
    "which_secret('a', 'b')",
    "pg_catalog.pg_sleep(9)",
    "system.main.getenv('HOME')",
    "\"pg_sleep\"(9)",
    "add_parquet_key('a', 'b')",
];

/// Where a call can stand. `@` is the call.
const POSITIONS: &[&str] = &[
    "select @",
    "select id from orders where @ is not null",
    "select id from orders order by @",
    "select count(*) from orders group by @",
    "select * from @",
    "select * from orders o, lateral @ x",
    "with x as (select @ as y) select y from x",
    "select (select @)",
    "select case when true then @ end from orders",
    "select sum(coalesce(@, 1)) over (partition by @) from orders",
    "select id from orders union all select @",
    "select count(*) filter (where @ is null) from orders having @ is null",
    "select id from orders where id in (select @)",
    "select id from orders limit (select @)",
];

const STATEMENTS: &[&str] = &[
    "delete from orders",
    "update orders set amount = 0",
    "insert into orders values (1)",
    "drop table orders",
    "truncate orders",
    "truncate table orders",
    "alter table orders add x int",
    "create table x (y int)",
    "create table x as select * from orders",
    "create view v as select * from orders",
    "create index i on orders (id)",
    "create function f() returns int as 'x'",
    "grant all on orders to public",
    "revoke all on orders from public",
    "begin",
    "commit",
    "rollback",
    "savepoint a",
    "set role postgres",
    "set x = 1",
    "reset all",
    "show tables",
    "show all",
    "use x",
    "call p()",
    "do 'x'",
    "execute x",
    "prepare x as select 1",
    "deallocate x",
    "copy orders to '/tmp/x'",
    "copy orders from '/tmp/x'",
    "copy (select 1) to program 'sh'",
    "vacuum",
    "analyze orders",
    "explain select 1",
    "explain analyze delete from orders",
    "listen a",
    "notify a",
    "lock table orders",
    "load 'x'",
    "load data infile 'x' into table orders",
    "attach 'x' as y",
    "detach y",
    "pragma database_list",
    "install httpfs",
    "export database 'x'",
    "import database 'x'",
    "merge into orders using x on true when matched then delete",
    "replace into orders values (1)",
    "handler orders open",
    "kill 1",
    "flush tables",
    "describe orders",
    "desc orders",
    "refresh materialized view v",
    "reindex table orders",
    "cluster orders",
    "comment on table orders is 'x'",
    "declare c cursor for select 1",
    "fetch all from c",
    "checkpoint",
];

const DISGUISES: &[&str] = &[
    "@",
    "/* x */ @",
    "-- x\n@",
    "select 1; @",
    "select 1;\n--\n@",
    "@; select 1",
    "select '--'\n; @",
    "select ';' ; @",
    "(@)",
    "with x as (@) select * from x",
    "with x as (select 1) @",
    "select * from (@) x",
    "select (@)",
    "explain @",
];

/// What reads beyond the tenant, shows what is hidden, or is no plain reading.
const ESCAPES: &[&str] = &[
    "select * from public.orders",
    "select * from main.orders",
    "select * from other.orders",
    "select * from \"orders\".\"orders\"",
    "select tenant_id from orders",
    "select o.tenant_id from orders o",
    "select * from orders o where o.tenant_id = 8",
    "select card from orders",
    "select o.card from orders o",
    "select max(card) from orders",
    "select count(card) from orders",
    "select id from orders where card like '4%'",
    "select id from orders order by card",
    "select 1 from orders group by card",
    "select email from orders",
    "select * from orders",
    "select o.* from orders o",
    "select min(email) from orders",
    "select id from orders where email = 'a'",
    "select upper(email) from orders",
    "select 1 from orders group by email",
    "select id from orders order by email",
    "with x as (select * from orders) select email from x",
    "with x as (select * from orders) select * from x",
    "select e from (select email as e from orders) x",
    "select row_number() over (order by email) from orders",
    "select a.id from orders a join orders b on a.email = b.email",
    "select a.id from orders a natural join orders b",
    "select id from orders union select email from orders",
    "select case when email like 'a%' then 1 end from orders",
    "select string_agg(email, ',') from orders",
    "select id from orders for update",
    "select id into x from orders",
    "select * from information_schema.tables",
    "select * from pg_catalog.pg_user",
    "select * from pg_shadow",
    "select * from sqlite_master",
    "select * from sqlite_schema",
    "select * from duckdb_tables()",
    "select * from mysql.user",
    "select * from performance_schema.threads",
    "select * from sys.schema",
    "table orders",
    "from orders select email",
    "select * from 'orders'",
    "select * from '/etc/passwd'",
    "select * from \"/etc/passwd\"",
    "select * from orders tablesample system (10)",
    "select * from orders@x",
    "select @@version",
    "select $x$a$x$",
    "select 'pg_user'::regclass",
    "select cast('pg_user' as regclass)",
    "select regclass 'pg_user'",
    "select orders from orders",
    "select o from orders o",
    "select orders.email.x from orders",
    "select id from orders where id = $1",
    "select id from orders limit $9",
    "values ((select email from orders))",
    "select x'41' from ordersx",
    "select id from orders o, orders p",
];

#[test]
fn every_attack_is_rejected() {
    let schema = schema();
    for dialect in DIALECTS {
        let calls =
            CALLS.iter().flat_map(|call| POSITIONS.iter().map(|position| position.replace('@', call)));
        let statements =
            STATEMENTS.iter().flat_map(|text| DISGUISES.iter().map(|disguise| disguise.replace('@', text)));
        let escapes = ESCAPES.iter().map(|text| (*text).to_owned());
        let all: Vec<String> = calls.chain(statements).chain(escapes).collect();
        let through: Vec<String> = all
            .iter()
            .filter_map(|sql| {
                accepted(sql, dialect, &schema).map(|(_, scoped)| format!("{sql}\n        {scoped}"))
            })
            .collect();
        println!("{}: {} attacks, {} let through", dialect.name, all.len(), through.len());
        assert!(through.is_empty(), "{} lets through:\n    {}", dialect.name, through.join("\n    "));
    }
}

#[test]
fn hostile_statements_are_rejected_or_bound() {
    let schema = shop();
    let mut through = Vec::new();
    for dialect in DIALECTS {
        let statements = hostile(dialect.name);
        let distinct: BTreeSet<&String> = statements.iter().map(|statement| &statement.sql).collect();
        assert!(distinct.len() >= 300, "{} has {} hostile statements", dialect.name, distinct.len());
        let mut classes: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
        for statement in &statements {
            let found = checked(&statement.sql, Vec::new(), dialect, &schema);
            let of_class = classes.entry(&statement.class).or_default();
            of_class[usize::from(found.is_ok())] += 1;
            match (found, statement.bound) {
                (Ok(found), false) => {
                    through.push(format!("{}: {}\n    {}", dialect.name, statement.sql, found.sql()));
                }
                (Ok(found), true) => {
                    let tenants = found.tables().iter().filter(|name| schema.tables[*name].tenant.is_some());
                    let unbound = tenants.filter(|name| !found.proof().iter().any(|p| p.table == **name));
                    assert_eq!(unbound.count(), 0, "{} is not bound", statement.sql);
                }
                (Err(_), _) => {}
            }
        }
        println!("{}: {} hostile statements", dialect.name, distinct.len());
        for (class, [rejected, bound]) in classes {
            println!("    {class}: {rejected} rejected, {bound} bound");
        }
    }
    assert!(through.is_empty(), "{} are let through\n{}", through.len(), through.join("\n"));
}
