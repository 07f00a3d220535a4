//! PostgreSQL: a server of this test's own, spoken to through `psql`, with real prepared statements.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;

use super::engine::{Answer, Ask, Engine, written};
use super::server::{Process, as_user, finished, folder, program};

/// Begins what is said of one statement; then `failed` and the message, or the rows.
const MARK: char = '\u{1d}';
const ROW: char = '\u{1e}';
const CELL: char = '\u{1f}';

/// A running server.
pub struct Server {
    process: Process,
    client: PathBuf,
}

/// One database of it.
pub struct Postgres {
    server: Rc<Server>,
    name: String,
}

impl Server {
    pub fn start() -> Option<Server> {
        let mut folders: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
            .map(|entries| entries.flatten().map(|entry| entry.path().join("bin")).collect())
            .unwrap_or_default();
        folders.sort();
        let (Some(initdb), Some(server), Some(client)) =
            (program("initdb", &folders), program("postgres", &folders), program("psql", &folders))
        else {
            println!("skipped: there is no PostgreSQL server here");
            return None;
        };
        let home = folder();
        let data = home.path().join("data");
        let mut made = Command::new(initdb);
        made.args(["--auth=trust", "--username=tieout", "--no-sync", "--locale=C", "--encoding=UTF8", "-D"]);
        made.arg(&data);
        as_user(&mut made, "postgres", home.path());
        let (ok, said, error) = finished(&mut made, "");
        assert!(ok, "initdb failed: {said}{error}");
        let mut start = Command::new(server);
        start.arg("-D").arg(&data).arg("-k").arg(home.path());
        start.args(["-c", "listen_addresses=", "-c", "fsync=off", "-c", "timezone=UTC"]);
        as_user(&mut start, "postgres", home.path());
        let socket = home.path().to_owned();
        let listens = || {
            let (ok, _, _) = finished(psql(&client, &socket, "postgres").args(["-c", "select 1"]), "");
            ok
        };
        let process = Process::start(start, home, listens);
        Some(Server { process, client })
    }

    fn psql(&self, database: &str) -> Command {
        psql(&self.client, self.process.folder.path(), database)
    }
}

impl Postgres {
    pub fn open(server: &Rc<Server>, name: String) -> Postgres {
        let made = format!("create database {name}");
        let (ok, _, error) = finished(server.psql("postgres").args(["-c", &made]), "");
        assert!(ok, "{error}");
        Postgres { server: Rc::clone(server), name }
    }

    fn psql(&self) -> Command {
        self.server.psql(&self.name)
    }
}

fn psql(client: &Path, socket: &Path, database: &str) -> Command {
    let mut command = Command::new(client);
    command.arg("-h").arg(socket).args(["-U", "tieout", "-d", database, "-X", "-q", "-A", "-t"]);
    command.arg("-F").arg(CELL.to_string()).arg("-R").arg(ROW.to_string());
    command.args(["-P", "null=(null)", "-v", "VERBOSITY=terse"]);
    command
}

impl Engine for Postgres {
    fn load(&mut self, script: &str) {
        let (ok, _, error) = finished(self.psql().args(["-v", "ON_ERROR_STOP=1", "-f", "-"]), script);
        assert!(ok, "{error}");
    }

    fn run(&mut self, asks: &[Ask]) -> Vec<Answer> {
        let mut script = String::new();
        let failed = format!("\\echo {MARK}failed :LAST_ERROR_MESSAGE\n");
        for Ask { sql, binds } in asks {
            let binds: Vec<String> = binds.iter().map(written).collect();
            let binds = if binds.is_empty() { String::new() } else { format!("({})", binds.join(", ")) };
            script += &format!("prepare ask as {sql}\n;\n\\if :ERROR\n{failed}\\else\n\\echo {MARK}\n");
            script +=
                &format!("execute ask{binds};\n\\if :ERROR\n{failed}\\endif\ndeallocate ask;\n\\endif\n");
            script += &format!("\\echo {MARK}{MARK}\n");
        }
        let (_, found, error) = finished(self.psql().args(["-f", "-"]), &script);
        let said: Vec<&str> = found.split(&format!("{MARK}{MARK}\n")).collect();
        assert_eq!(said.len(), asks.len() + 1, "{found}\n{error}");
        said.into_iter().take(asks.len()).map(answer).collect()
    }

    fn raw(&mut self, text: &str) -> Answer {
        let mut command = self.psql();
        command.env("PGOPTIONS", "-c default_transaction_read_only=on -c statement_timeout=300ms");
        let (ok, found, error) = finished(command.args(["-c", text]), "");
        if ok { Ok(found.split(ROW).map(str::to_owned).collect()) } else { Err(error) }
    }
}

fn answer(said: &str) -> Answer {
    if let Some((_, message)) = said.split_once(&format!("{MARK}failed ")) {
        return Err(message.trim().to_owned());
    }
    let (_, rows) =
        said.split_once(&format!("{MARK}\n")).unwrap_or_else(|| panic!("nothing was said: {said:?}"));
    let rows = rows.strip_suffix('\n').unwrap_or(rows);
    Ok(match rows {
        "" => Vec::new(),
        rows => rows.split(ROW).map(str::to_owned).collect(),
    })
}
