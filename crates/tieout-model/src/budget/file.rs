//! What is spent each day, in a file that several processes share.
//!
//! A file beside it is locked while the file is read and replaced, and the new one takes the old one's place in one
//! step, so that a process that is killed leaves either. A file that cannot be read stops spending.

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use bigdecimal::BigDecimal;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use tieout_core::model::{BudgetSpan, Spend};

use super::{Allowance, NoRoom, SpendStore, settled};

/// The most days that are kept, the newest.
pub const DAYS_KEPT_MAX: usize = 62;

/// The longest file that is read, in bytes.
const FILE_BYTES_MAX: u64 = 1 << 20;

/// Keeps what is spent in a file.
#[derive(Clone, Debug)]
pub struct SpendFile {
    path: PathBuf,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Days {
    days: BTreeMap<Date, Amount>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Amount {
    tokens: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    money: Option<BigDecimal>,
}

impl SpendFile {
    /// In this file, which is made when the first amount is put aside.
    #[must_use]
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn read(&self) -> Result<Days, String> {
        let name = self.path.display();
        let length = match fs::metadata(&self.path) {
            Ok(found) => found.len(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Days::default()),
            Err(error) => {
                return Err(format!("what was spent on models, in {name}, cannot be read: {error}"));
            }
        };
        if length > FILE_BYTES_MAX {
            return Err(format!("{name} has {length} bytes; at most {FILE_BYTES_MAX} are read"));
        }
        let text = fs::read_to_string(&self.path)
            .map_err(|error| format!("what was spent on models, in {name}, cannot be read: {error}"))?;
        serde_json::from_str(&text).map_err(|error| {
            format!("what was spent on models, in {name}, is not what this program writes: {error}")
        })
    }

    /// Reads, changes and replaces the file while nobody else does.
    fn change<E>(
        &self,
        day: Date,
        told: impl Fn(String) -> E,
        change: impl FnOnce(&Spend) -> Result<Spend, E>,
    ) -> Result<(), E> {
        let name = self.path.display();
        let failed =
            |error: io::Error| told(format!("what is spent on models cannot be kept in {name}: {error}"));
        let lock = self.locked().map_err(failed)?;
        let mut days = self.read().map_err(&told)?;
        let spent = days.days.get(&day).cloned().unwrap_or_default();
        let changed = change(&Spend { tokens: spent.tokens, money: spent.money })?;
        days.days.insert(day, Amount { tokens: changed.tokens, money: changed.money });
        while days.days.len() > DAYS_KEPT_MAX {
            days.days.pop_first();
        }
        self.replace(&days).map_err(failed)?;
        drop(lock);
        Ok(())
    }

    /// The lock, which another process' end frees as well.
    fn locked(&self) -> io::Result<File> {
        if let Some(folder) = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder)?;
        }
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(self.beside("lock"))?;
        lock.lock()?;
        Ok(lock)
    }

    fn replace(&self, days: &Days) -> io::Result<()> {
        let beside = self.beside("new");
        let mut file = File::create(&beside)?;
        file.write_all(serde_json::to_string_pretty(days)?.as_bytes())?;
        file.write_all(b"\n")?;
        file.sync_data()?;
        fs::rename(&beside, &self.path)
    }

    fn beside(&self, ending: &str) -> PathBuf {
        let mut name = self.path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{ending}"));
        self.path.with_file_name(name)
    }
}

impl SpendStore for SpendFile {
    fn put_aside(&self, day: Date, wanted: &Spend, allowance: &Allowance) -> Result<(), NoRoom> {
        self.change(day, NoRoom::Unknown, |spent| {
            allowance.room(BudgetSpan::Day, spent, wanted).map_err(NoRoom::Spent)?;
            Ok(spent.plus(wanted))
        })
    }

    fn settle(&self, day: Date, aside: &Spend, taken: &Spend) -> Result<(), String> {
        self.change(day, |why| why, |spent| Ok(settled(spent, aside, taken)))
    }

    fn spent(&self, day: Date) -> Result<Spend, String> {
        let found = self.read()?.days.remove(&day).unwrap_or_default();
        Ok(Spend { tokens: found.tokens, money: found.money })
    }
}
