//! Starts a server in a folder of its own and ends it.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a server may take to listen.
const STARTED_SECONDS_MAX: u64 = 60;

/// A process that serves, and ends with this value.
pub struct Process {
    child: Child,
    pub folder: tempfile::TempDir,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status();
        let until = Instant::now() + Duration::from_secs(10);
        while Instant::now() < until && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A folder with a short path, since a socket's path may not be long, which everyone may enter.
pub fn folder() -> tempfile::TempDir {
    tempfile::Builder::new().prefix("tieout-").tempdir_in("/tmp").unwrap()
}

impl Process {
    /// Starts a server and waits until `listens` says that it does.
    pub fn start(mut command: Command, folder: tempfile::TempDir, listens: impl Fn() -> bool) -> Process {
        let log = std::fs::File::create(folder.path().join("log")).unwrap();
        command.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log);
        let mut server = Process { child: command.spawn().unwrap(), folder };
        let until = Instant::now() + Duration::from_secs(STARTED_SECONDS_MAX);
        while !listens() {
            let ended = server.child.try_wait().unwrap();
            if ended.is_some() || Instant::now() > until {
                let log = std::fs::read_to_string(server.folder.path().join("log")).unwrap_or_default();
                panic!("the server does not listen: {log}");
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        server
    }
}

/// Where a program is: on the path, or in one of some folders. The last folder in order of names, which is the latest
/// version, goes first.
pub fn program(name: &str, folders: &[PathBuf]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let of_path: Vec<PathBuf> = std::env::split_paths(&path).collect();
    folders.iter().rev().chain(&of_path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// Lets a command run as a user of that name when this process is the superuser, whom some servers refuse.
pub fn as_user(command: &mut Command, name: &str, folder: &Path) {
    if id(&["-u"]) != Some(0) {
        return;
    }
    let (Some(user), Some(group)) = (id(&["-u", name]), id(&["-g", name])) else { return };
    std::os::unix::fs::chown(folder, Some(user), Some(group)).unwrap();
    command.uid(user).gid(group).current_dir(folder);
}

fn id(args: &[&str]) -> Option<u32> {
    let output = Command::new("id").args(args).output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}

/// Runs a command to its end and gives what it printed, on both channels.
pub fn finished(command: &mut Command, input: &str) -> (bool, String, String) {
    use std::io::Write as _;
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // A program that ends before it has read all of its input is no failure of the test.
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.success(), text(output.stdout), text(output.stderr))
}
