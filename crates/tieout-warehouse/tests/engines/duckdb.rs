//! DuckDB, in this process.

use ::duckdb::Connection;
use ::duckdb::types::Value as Cell;
use tieout_sql::Value;

use super::engine::{Answer, Ask, Engine};

pub struct Duckdb {
    connection: Connection,
}

impl Duckdb {
    pub fn open() -> Duckdb {
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch("set autoinstall_known_extensions = false; set threads = 2; set timezone = 'UTC'")
            .or_else(|_| connection.execute_batch("set threads = 2"))
            .unwrap();
        Duckdb { connection }
    }

    fn rows(&self, sql: &str, binds: &[Value]) -> ::duckdb::Result<Vec<String>> {
        let mut statement = self.connection.prepare(sql)?;
        let binds = binds.iter().map(|value| match value {
            Value::Integer(number) => i64::try_from(*number).unwrap(),
            other => panic!("tests bind whole numbers only, not {other:?}"),
        });
        let mut rows = statement.query(::duckdb::params_from_iter(binds))?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let width = row.as_ref().column_count();
            let cells: Vec<String> = (0..width)
                .map(|column| Ok(text(&row.get::<_, Cell>(column)?)))
                .collect::<::duckdb::Result<_>>()?;
            found.push(cells.join("\u{1f}"));
        }
        Ok(found)
    }
}

fn text(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.clone(),
        Cell::Decimal(number) => number.to_string(),
        other => format!("{other:?}"),
    }
}

impl Engine for Duckdb {
    fn load(&mut self, script: &str) {
        self.connection.execute_batch(script).unwrap();
    }

    fn run(&mut self, asks: &[Ask]) -> Vec<Answer> {
        asks.iter().map(|ask| self.rows(&ask.sql, &ask.binds).map_err(|error| error.to_string())).collect()
    }

    fn raw(&mut self, text: &str) -> Answer {
        self.rows(text, &[]).map_err(|error| error.to_string())
    }
}
