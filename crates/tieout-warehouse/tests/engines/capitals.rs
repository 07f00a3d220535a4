//! Names with capitals on a PostgreSQL server: what the checker finds by its name the server finds too, scoped and as it
//! stands, and what it does not find is not there.

use std::time::Duration;

use tieout_sql::{Context, Limits, POSTGRES, Scope, check_text, ddl};

use super::engine::{Ask, several};
use super::statements::folder;

const ROWS: &str = r#"
    insert into "Invoice" values (1, 10.5, 3, 'paid', 'a'), (2, 20, 4, 'open', 'b');
    insert into invoice values (1, 'mine'), (2, 'yours');
    insert into lineitems values (1, 1, 5, 1), (2, 1, 6, 2), (3, 2, 7, 1);
"#;

#[test]
fn names_are_the_servers_names() {
    let Some(mut engines) = several("postgres", 1) else { return };
    let text = |name: &str| std::fs::read_to_string(folder("capitals").join(name)).unwrap();
    let schema = ddl::schema(&text("tables.sql"), &POSTGRES).unwrap();
    engines[0].load(&(text("tables.sql") + ROWS));
    let (scope, limits) = (Scope::none(), Limits { rows_max: 100, timeout: Duration::from_secs(5) });
    let cx = Context { dialect: &POSTGRES, schema: &schema, scope: &scope, limits };
    let ask = |sql: &str| Ask { sql: sql.to_owned(), binds: Vec::new() };
    let (found, unknown) = (text("found.txt"), text("unknown.txt"));
    for sql in found.lines() {
        let checked = check_text(sql, Vec::new(), &cx).unwrap_or_else(|rejected| panic!("{sql}: {rejected}"));
        let rows = engines[0].run(&[ask(checked.sql()), ask(sql)]);
        let (scoped, plain) = (rows[0].as_ref().unwrap(), rows[1].as_ref().unwrap());
        assert!(!plain.is_empty(), "{sql} reads no row");
        assert_eq!(scoped, plain, "{sql}\n{}", checked.sql());
    }
    for sql in unknown.lines() {
        assert!(check_text(sql, Vec::new(), &cx).is_err(), "{sql}");
        assert!(engines[0].run(&[ask(sql)])[0].is_err(), "the server finds what {sql} names");
    }
    println!("{} statements found, {} not", found.lines().count(), unknown.lines().count());
}
