//! What the tests ask of an engine, whichever it is.

use std::rc::Rc;

use tieout_sql::Value;

use super::{duckdb, mariadb, postgres, sqlite};

/// A statement and the values of its placeholders.
pub struct Ask {
    pub sql: String,
    pub binds: Vec<Value>,
}

/// The rows that came back, every value as text; or what the engine said.
pub type Answer = Result<Vec<String>, String>;

/// An engine with an empty database.
pub trait Engine {
    /// Runs statements for what they leave behind. They must not fail.
    fn load(&mut self, script: &str);

    /// Runs each statement with its values.
    fn run(&mut self, asks: &[Ask]) -> Vec<Answer>;

    /// Runs a text as it stands, as whoever holds a connection could, and gives all that came back. It is kept from
    /// writing and from taking long.
    fn raw(&mut self, text: &str) -> Answer;
}

/// So many empty databases of the engine of a dialect; `None`, and said so, when it is not installed. Generic SQL is run
/// by the engine that is nearest to it.
pub fn several(dialect: &str, count: usize) -> Option<Vec<Box<dyn Engine>>> {
    let names = (0..count).map(|index| format!("shop{index}"));
    Some(match dialect {
        "duckdb" => names.map(|_| Box::new(duckdb::Duckdb::open()) as Box<dyn Engine>).collect(),
        "postgres" | "ansi" => {
            let server = Rc::new(postgres::Server::start()?);
            names.map(|name| Box::new(postgres::Postgres::open(&server, name)) as Box<dyn Engine>).collect()
        }
        "mysql" => {
            let server = Rc::new(mariadb::Server::start()?);
            names.map(|name| Box::new(mariadb::Mariadb::open(&server, name)) as Box<dyn Engine>).collect()
        }
        "sqlite" => {
            let client = sqlite::client()?;
            names.map(|_| Box::new(sqlite::Sqlite::open(&client)) as Box<dyn Engine>).collect()
        }
        other => panic!("no engine for {other}"),
    })
}

/// The value of a placeholder, as it is written in SQL.
pub fn written(value: &Value) -> String {
    match value {
        Value::Integer(number) => number.to_string(),
        other => panic!("tests bind whole numbers only, not {other:?}"),
    }
}
