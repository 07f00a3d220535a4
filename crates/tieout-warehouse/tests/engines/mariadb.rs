//! MariaDB: a server of this test's own, spoken to through its client, with real prepared statements.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;

use super::engine::{Answer, Ask, Engine, written};
use super::server::{Process, as_user, finished, folder, program};

/// A line of its own before the rows of each statement.
const MARK: &str = "\u{1d}";

/// A running server.
pub struct Server {
    process: Process,
    client: PathBuf,
}

/// One database of it.
pub struct Mariadb {
    server: Rc<Server>,
    name: String,
}

impl Server {
    pub fn start() -> Option<Server> {
        let folders: Vec<PathBuf> =
            ["/usr/sbin", "/usr/libexec", "/usr/bin"].iter().map(PathBuf::from).collect();
        let (Some(install), Some(server), Some(client)) = (
            program("mariadb-install-db", &folders),
            program("mariadbd", &folders),
            program("mariadb", &folders),
        ) else {
            println!("skipped: there is no MariaDB server here");
            return None;
        };
        let home = folder();
        let data = home.path().join("data");
        let mut made = Command::new(install);
        made.arg("--no-defaults").arg(format!("--datadir={}", data.display()));
        made.args(["--auth-root-authentication-method=normal", "--skip-test-db"]);
        as_user(&mut made, "mysql", home.path());
        let (ok, said, error) = finished(&mut made, "");
        assert!(ok, "mariadb-install-db failed: {said}{error}");
        let socket = home.path().join("socket");
        let mut start = Command::new(server);
        start.arg("--no-defaults").arg(format!("--datadir={}", data.display()));
        start.arg(format!("--socket={}", socket.display()));
        start.args(["--skip-networking", "--innodb-flush-log-at-trx-commit=0", "--default-time-zone=+00:00"]);
        start.args(["--character-set-server=utf8mb4", "--collation-server=utf8mb4_bin"]);
        start.args(["--sql-mode=STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION"]);
        as_user(&mut start, "mysql", home.path());
        let listens = || {
            let (ok, _, _) = finished(mariadb(&client, &socket).args(["-e", "select 1"]), "");
            ok
        };
        let process = Process::start(start, home, listens);
        Some(Server { process, client })
    }

    fn mariadb(&self) -> Command {
        mariadb(&self.client, &self.process.folder.path().join("socket"))
    }
}

impl Mariadb {
    pub fn open(server: &Rc<Server>, name: String) -> Mariadb {
        let (ok, _, error) = finished(&mut server.mariadb(), &format!("create database {name};"));
        assert!(ok, "{error}");
        Mariadb { server: Rc::clone(server), name }
    }

    fn mariadb(&self) -> Command {
        self.server.mariadb()
    }
}

fn mariadb(client: &Path, socket: &Path) -> Command {
    let mut command = Command::new(client);
    command.arg("--no-defaults").arg(format!("--socket={}", socket.display()));
    command.args(["--user=root", "--batch", "--skip-column-names", "--default-character-set=utf8mb4"]);
    command
}

fn quoted(sql: &str) -> String {
    let sql = sql.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n").replace('\r', "\\r");
    format!("'{sql}'")
}

impl Engine for Mariadb {
    fn load(&mut self, script: &str) {
        let (ok, _, error) = finished(self.mariadb().arg(&self.name), script);
        assert!(ok, "{error}");
    }

    fn run(&mut self, asks: &[Ask]) -> Vec<Answer> {
        // One line for each statement, since the client names the line of what failed.
        let mut script = String::new();
        for Ask { sql, binds } in asks {
            let set: String = binds
                .iter()
                .enumerate()
                .map(|(index, value)| format!("set @b{index} = {}; ", written(value)))
                .collect();
            let names: Vec<String> = (0..binds.len()).map(|index| format!("@b{index}")).collect();
            let using = if names.is_empty() { String::new() } else { format!(" using {}", names.join(", ")) };
            script += &format!(
                "select '{MARK}'; {set}prepare ask from {}; execute ask{using}; deallocate prepare ask;\n",
                quoted(sql)
            );
        }
        let (_, found, error) = finished(self.mariadb().args(["--force", &self.name]), &script);
        let mut failed = BTreeMap::new();
        for line in error.lines() {
            let place = line.split_once(" at line ").and_then(|(_, rest)| rest.split_once(": "));
            let Some((line, message)) = place else { continue };
            failed.entry(line.parse::<usize>().unwrap()).or_insert_with(|| message.to_owned());
        }
        let mut said: Vec<Vec<String>> = Vec::new();
        for line in found.lines() {
            match (line == MARK, said.last_mut()) {
                (true, _) => said.push(Vec::new()),
                (false, Some(rows)) => rows.push(line.to_owned()),
                (false, None) => {}
            }
        }
        assert_eq!(said.len(), asks.len(), "{error}");
        said.into_iter()
            .enumerate()
            .map(|(index, rows)| failed.remove(&(index + 1)).map_or(Ok(rows), Err))
            .collect()
    }

    fn raw(&mut self, text: &str) -> Answer {
        let mut command = self.mariadb();
        command.args(["--init-command=set session max_statement_time = 0.3, session tx_read_only = 1"]);
        let (ok, found, error) = finished(command.args([&self.name, "-e", text]), "");
        if ok { Ok(found.lines().map(str::to_owned).collect()) } else { Err(error) }
    }
}
