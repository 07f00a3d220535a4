//! Kept vectors as a file that several processes share.
//!
//! A file beside it is locked while the file is read and replaced, and the new one takes the old one's place in one step.
//! Everything in it can be made again, so a file that is not what this program writes is only a reason to do so. Its last
//! bytes are the digest of all others.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};
use tieout_core::model::{DIMENSIONS_MAX, Vector};

use super::Key;

/// The most texts that are kept. Those in use go before those that are not.
pub const TEXTS_KEPT_MAX: usize = 50_000;

/// The longest file that is written or read, in bytes.
pub const FILE_BYTES_MAX: u64 = 256 << 20;

/// What every file begins with: whose it is, and which version.
const MAGIC: &[u8] = b"tieout vectors 1\n";

const DIGEST_BYTES: usize = 32;

/// How many bytes a vector takes beside its numbers: its key and its length.
const HEAD_BYTES: usize = DIGEST_BYTES + 4;

/// What a file holds; nothing where there is none.
///
/// # Errors
/// Says why it cannot be used.
pub(super) fn read(path: &Path) -> Result<BTreeMap<Key, Vector>, String> {
    let name = path.display();
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(error) => return Err(format!("kept vectors, in {name}, cannot be read: {error}")),
    };
    let mut bytes = Vec::new();
    // One byte more than is allowed tells that there are more.
    let read = file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes);
    read.map_err(|error| format!("kept vectors, in {name}, cannot be read: {error}"))?;
    if bytes.len() as u64 > FILE_BYTES_MAX {
        return Err(format!("{name} has more than the {FILE_BYTES_MAX} bytes that are read"));
    }
    decoded(&bytes).ok_or_else(|| format!("{name} is not what this program writes"))
}

/// Writes vectors beside those that are in the file.
///
/// # Errors
/// Says why they cannot be kept.
pub(super) fn merge(path: &Path, held: BTreeMap<Key, Vector>, in_use: &BTreeSet<Key>) -> Result<(), String> {
    let failed =
        |error: io::Error| format!("vectors of the catalogue cannot be kept in {}: {error}", path.display());
    let lock = locked(path).map_err(failed)?;
    // What cannot be read is made anew, as it has been said when it was read.
    let mut all = read(path).unwrap_or_default();
    all.extend(held);
    replace(path, &encoded(&within_bounds(all, in_use))).map_err(failed)?;
    drop(lock);
    Ok(())
}

/// What there is room for: what is in use, and then the rest.
fn within_bounds(all: BTreeMap<Key, Vector>, in_use: &BTreeSet<Key>) -> BTreeMap<Key, Vector> {
    let (used, rest): (Vec<_>, Vec<_>) = all.into_iter().partition(|(key, _)| in_use.contains(key));
    let mut bytes = (MAGIC.len() + 8 + DIGEST_BYTES) as u64;
    let fits = |(_, vector): &(Key, Vector)| {
        bytes = bytes.saturating_add((HEAD_BYTES + 4 * vector.dimensions()) as u64);
        bytes <= FILE_BYTES_MAX
    };
    used.into_iter().chain(rest).take(TEXTS_KEPT_MAX).take_while(fits).collect()
}

pub(super) fn encoded(vectors: &BTreeMap<Key, Vector>) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend((vectors.len() as u64).to_le_bytes());
    for (key, vector) in vectors {
        bytes.extend(key);
        // A vector has at most `DIMENSIONS_MAX` numbers, which fit.
        bytes.extend(u32::try_from(vector.dimensions()).unwrap_or(0).to_le_bytes());
        bytes.extend(vector.numbers().iter().flat_map(|number| number.to_le_bytes()));
    }
    let digest = Sha256::digest(&bytes);
    bytes.extend(digest);
    bytes
}

pub(super) fn decoded(bytes: &[u8]) -> Option<BTreeMap<Key, Vector>> {
    let (content, digest) = bytes.split_last_chunk::<DIGEST_BYTES>()?;
    if Sha256::digest(content)[..] != digest[..] {
        return None;
    }
    let (count, mut rest) = content.strip_prefix(MAGIC)?.split_first_chunk::<8>()?;
    let mut vectors = BTreeMap::new();
    while !rest.is_empty() {
        let (key, after) = rest.split_first_chunk::<DIGEST_BYTES>()?;
        let (dimensions, after) = after.split_first_chunk::<4>()?;
        let dimensions = usize::try_from(u32::from_le_bytes(*dimensions)).ok()?;
        if dimensions > DIMENSIONS_MAX {
            return None;
        }
        let (numbers, after) = after.split_at_checked(dimensions * 4)?;
        let (numbers, _) = numbers.as_chunks::<4>();
        let numbers: Vec<f32> = numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        vectors.insert(*key, Vector::of(numbers).ok()?);
        rest = after;
    }
    (vectors.len() as u64 == u64::from_le_bytes(*count)).then_some(vectors)
}

/// The lock, which another process' end frees as well.
fn locked(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder)?;
    }
    let lock = OpenOptions::new().create(true).truncate(false).write(true).open(beside(path, "lock"))?;
    lock.lock()?;
    Ok(lock)
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = beside(path, "new");
    let mut file = File::create(&beside)?;
    file.write_all(bytes)?;
    file.sync_data()?;
    fs::rename(&beside, path)
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{ending}"));
    path.with_file_name(name)
}
