//! Keys: where they come from, and that nobody sees them.
//!
//! A key is read from a variable or a file when a host is opened. It has no printed form, and what an endpoint says is
//! searched for it before it is shown. Deliberately absent: any way to write one.

use std::{fmt, fs, path::Path, path::PathBuf};

use tieout_core::model::KeySource;

/// The longest key, in bytes.
pub const KEY_BYTES_MAX: u64 = 16 << 10;

/// What stands in place of a key in what an endpoint says.
const HIDDEN: &str = "(the key)";

/// What the process is told from outside, as far as models need it.
#[derive(Clone, Copy)]
pub struct Outside<'a> {
    /// A variable of the environment, by name.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// The project's folder, where no key may stand.
    pub project: &'a Path,
}

/// A key. It has no printed form.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Key(String);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(hidden)")
    }
}

impl Key {
    /// Finds a key.
    ///
    /// # Errors
    /// Says what is wrong, naming the place and never the key.
    pub(crate) fn find(source: &KeySource, outside: Outside<'_>) -> Result<Self, String> {
        match source {
            KeySource::Env(name) => match (outside.variable)(name) {
                Some(text) => Self::of(&text).map_err(|why| format!("the variable {name} {why}")),
                None => Err(format!("the variable {name}, which is to hold the model's key, is not set")),
            },
            KeySource::File(path) => Self::in_file(path, outside),
        }
    }

    /// The key itself, for the header that carries it.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// A text in which the key does not stand.
    pub(crate) fn hidden_in(&self, text: &str) -> String {
        text.replace(&self.0, HIDDEN)
    }

    fn of(text: &str) -> Result<Self, String> {
        let key = text.trim();
        if key.is_empty() {
            return Err("holds no key".to_owned());
        }
        if key.len() as u64 > KEY_BYTES_MAX {
            return Err(format!("holds more than the {KEY_BYTES_MAX} bytes of a key"));
        }
        if key.bytes().all(|byte| byte.is_ascii_graphic()) {
            Ok(Self(key.to_owned()))
        } else {
            Err("holds more than a key: there are spaces or unusual characters inside".to_owned())
        }
    }

    fn in_file(path: &str, outside: Outside<'_>) -> Result<Self, String> {
        let place = absolute(path, outside)?;
        // Both are followed to where they really are, so that a link into the project is seen.
        let real = fs::canonicalize(&place)
            .map_err(|error| format!("the key file `{path}` cannot be read: {error}"))?;
        let project = fs::canonicalize(outside.project).unwrap_or_else(|_| outside.project.to_owned());
        if real.starts_with(&project) {
            return Err(format!(
                "the key file `{path}` stands in the project's folder, where keys may not be"
            ));
        }
        let length = fs::metadata(&real).map_or(0, |found| found.len());
        if length > KEY_BYTES_MAX {
            return Err(format!(
                "the key file `{path}` has {length} bytes; a key has at most {KEY_BYTES_MAX}"
            ));
        }
        let text = fs::read_to_string(&real)
            .map_err(|error| format!("the key file `{path}` cannot be read: {error}"))?;
        Self::of(&text).map_err(|why| format!("the key file `{path}` {why}"))
    }
}

/// A path that begins at the root, or at `~/`.
fn absolute(path: &str, outside: Outside<'_>) -> Result<PathBuf, String> {
    if let Some(rest) = path.strip_prefix("~/") {
        let home = (outside.variable)("HOME").filter(|home| !home.is_empty());
        let home =
            home.ok_or_else(|| format!("the key file `{path}` begins with `~/`, and HOME is not set"))?;
        return Ok(Path::new(&home).join(rest));
    }
    let place = PathBuf::from(path);
    if place.is_absolute() {
        Ok(place)
    } else {
        Err(format!("the key file `{path}` is to be named in full, or from `~/`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(source: &KeySource, project: &Path, value: Option<&str>) -> Result<Key, String> {
        let variable = |name: &str| value.filter(|_| name == "THE_KEY").map(str::to_owned);
        Key::find(source, Outside { variable: &variable, project })
    }

    #[test]
    fn a_key_is_found_in_a_variable_and_never_printed() {
        let source = KeySource::Env("THE_KEY".to_owned());
        let nowhere = Path::new("/nowhere");
        let key = find(&source, nowhere, Some(" sk-secret\n")).expect("a key");
        assert_eq!(key.reveal(), "sk-secret");
        assert!(!format!("{key:?}").contains("secret"));
        assert_eq!(key.hidden_in("bad key sk-secret."), "bad key (the key).");
        assert!(find(&source, nowhere, None).expect_err("no key").contains("THE_KEY"));
        for bad in ["", "  ", "two words", "sk-\u{7f}", "sk-é"] {
            let why = find(&source, nowhere, Some(bad)).expect_err("no key");
            assert!(!why.contains("sk-"), "{why}");
        }
    }

    #[test]
    fn a_key_file_stands_outside_the_project() {
        let folder = tempfile::tempdir().expect("a folder");
        let (project, elsewhere) = (folder.path().join("project"), folder.path().join("keys"));
        fs::create_dir_all(&project).expect("a folder");
        fs::create_dir_all(&elsewhere).expect("a folder");
        let write = |path: &Path| {
            fs::write(path, "sk-secret\n").expect("a file");
            KeySource::File(path.display().to_string())
        };
        let outside = write(&elsewhere.join("key"));
        assert_eq!(find(&outside, &project, None).expect("a key").reveal(), "sk-secret");
        let inside = write(&project.join("key"));
        assert!(find(&inside, &project, None).expect_err("inside").contains("in the project's folder"));
        let relative = KeySource::File("key".to_owned());
        assert!(find(&relative, &project, None).expect_err("relative").contains("named in full"));
        #[cfg(unix)]
        {
            let link = elsewhere.join("link");
            std::os::unix::fs::symlink(project.join("key"), &link).expect("a link");
            let linked = KeySource::File(link.display().to_string());
            assert!(find(&linked, &project, None).expect_err("linked").contains("in the project's folder"));
        }
    }
}
