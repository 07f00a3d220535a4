//! Owns the reading of JSON files: one object a line, or one array of objects.
//!
//! A number keeps the digits it is written with; nothing goes through floating point. Deliberately absent: objects
//! inside objects, which become their JSON text.

use std::{
    borrow::Cow,
    fs::File,
    io::{BufRead, BufReader, Read},
    path::Path,
};

use indexmap::{IndexMap, IndexSet};
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;
use tieout_core::{catalogue::Datatype, halt::Fault};

use super::{
    copy::{CleanCopy, Copied, Texts},
    open_fault,
    scan::Column,
};
use crate::fault;

/// The most bytes of a file that is one array, which must be held whole.
const ARRAY_BYTES_MAX: u64 = 256 * 1024 * 1024;
/// The most bytes of one line.
const LINE_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// The most names that are remembered.
const NAMES_MAX: usize = 2_000;
/// How many objects are looked at to find out what there is.
const SAMPLE_OBJECTS_MAX: usize = 1_000;

/// One object, its values as they are written.
struct Object(IndexMap<String, Box<RawValue>>);

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object, D::Error> {
        deserializer.deserialize_map(ObjectVisitor)
    }
}

struct ObjectVisitor;

impl<'de> Visitor<'de> for ObjectVisitor {
    type Value = Object;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
        let mut values = IndexMap::new();
        while let Some((name, value)) = map.next_entry::<String, Box<RawValue>>()? {
            if values.contains_key(&name) {
                return Err(serde::de::Error::custom(format!("it has two values named `{name}`")));
            }
            values.insert(name, value);
        }
        Ok(Object(values))
    }
}

/// What the first objects of a file show: the names they have, and their texts by name's place.
pub(crate) struct JsonSample {
    /// In the order in which they appear.
    pub(crate) names: Vec<String>,
    /// One a row.
    pub(crate) rows: Vec<Vec<String>>,
}

/// Looks at the first objects of a file.
pub(crate) fn sample_json(path: &Path, shown: &str) -> Result<JsonSample, Fault> {
    let mut names: IndexSet<String> = IndexSet::new();
    let mut objects = Vec::new();
    each_object(path, shown, |_, object| {
        if let Ok(object) = object {
            names.extend(object.0.keys().take(NAMES_MAX.saturating_sub(names.len())).cloned());
            objects.push(object);
        }
        Ok(objects.len() < SAMPLE_OBJECTS_MAX)
    })?;
    let text = |object: &Object, name: &String| {
        object.0.get(name).and_then(|raw| text_of(raw, Datatype::String).ok().flatten()).map(Cow::into_owned)
    };
    let rows = objects
        .iter()
        .map(|object| names.iter().map(|name| text(object, name).unwrap_or_default()).collect())
        .collect();
    Ok(JsonSample { names: names.into_iter().collect(), rows })
}

/// Writes the clean copy of a JSON file.
///
/// # Errors
/// A fault when the file cannot be read, or no object of it has a wanted name.
pub(crate) fn copy_json(
    path: &Path,
    shown: &str,
    columns: &[Column],
    target: &Path,
) -> Result<Copied, Fault> {
    let mut copy = CleanCopy::begin(target, shown, columns, "line")?;
    let mut seen: IndexSet<String> = IndexSet::new();
    each_object(path, shown, |place, object| {
        let row = object.and_then(|object| {
            for name in object.0.keys() {
                if seen.len() < NAMES_MAX && !seen.contains(name) {
                    seen.insert(name.clone());
                }
            }
            judged(&mut copy, &object)
        });
        copy.push(place, row).map(|()| true)
    })?;
    if let Some(missing) = columns.iter().find(|column| !seen.contains(&column.name)) {
        let names: Vec<&str> = seen.iter().map(String::as_str).collect();
        return Err(fault::data(
            format!("no object of `{shown}` has a value named `{}`", missing.name),
            format!("the names there are: {}; correct the field's `column`", names.join(", ")),
        ));
    }
    copy.finish()
}

fn judged(copy: &mut CleanCopy<'_>, object: &Object) -> Result<Texts, String> {
    let mut wrong = None;
    let row = copy.judge(|column| {
        let raw = object.0.get(&column.name)?;
        text_of(raw, column.judge.datatype).ok().flatten()
    });
    for (name, raw) in &object.0 {
        if wrong.is_none() && text_of(raw, Datatype::String).is_err() {
            wrong = Some(format!("the text of `{name}` cannot be read"));
        }
    }
    match wrong {
        Some(wrong) => Err(wrong),
        None => row,
    }
}

/// A value's text: of a text what it says, of anything else what is written; none for null.
fn text_of(raw: &RawValue, datatype: Datatype) -> Result<Option<Cow<'_, str>>, serde_json::Error> {
    let written = raw.get();
    match written.as_bytes().first() {
        Some(b'n') => Ok(None),
        Some(b'"') => {
            let text: String = serde_json::from_str(written)?;
            // A text that says nothing is no number and no date.
            let nothing = text.is_empty() && datatype != Datatype::String;
            Ok((!nothing).then_some(Cow::Owned(text)))
        }
        _ => Ok(Some(Cow::Borrowed(written))),
    }
}

/// Hands every object to `each` with its line (or its place in the array), until it has enough.
fn each_object(
    path: &Path,
    shown: &str,
    mut each: impl FnMut(u64, Result<Object, String>) -> Result<bool, Fault>,
) -> Result<(), Fault> {
    let gone = |error: std::io::Error| open_fault(shown, &error);
    let file = File::open(path).map_err(gone)?;
    let bytes = file.metadata().map_err(gone)?.len();
    let mut reader = BufReader::new(file);
    let array =
        reader.fill_buf().map_err(gone)?.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[');
    if array {
        return each_of_array(reader, bytes, shown, each);
    }
    let mut line = Vec::new();
    for place in 1.. {
        line.clear();
        let read = reader.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut line).map_err(gone)?;
        if read == 0 {
            break;
        }
        if u64::try_from(read).is_ok_and(|read| read == LINE_BYTES_MAX) {
            return Err(fault::data(
                format!("line {place} of `{shown}` is longer than {LINE_BYTES_MAX} bytes"),
                "write one object a line",
            ));
        }
        let text = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line).trim_ascii();
        if !text.is_empty() && !each(place, parsed(text))? {
            break;
        }
    }
    Ok(())
}

fn parsed(text: &[u8]) -> Result<Object, String> {
    serde_json::from_slice(text).map_err(|error| format!("it is not a JSON object: {error}"))
}

fn each_of_array(
    mut reader: impl Read,
    bytes: u64,
    shown: &str,
    mut each: impl FnMut(u64, Result<Object, String>) -> Result<bool, Fault>,
) -> Result<(), Fault> {
    if bytes > ARRAY_BYTES_MAX {
        return Err(fault::data(
            format!("`{shown}` is one array of {bytes} bytes, and at most {ARRAY_BYTES_MAX} are read so"),
            "write one object a line instead",
        ));
    }
    let mut text = Vec::new();
    reader.read_to_end(&mut text).map_err(|error| open_fault(shown, &error))?;
    let items: Vec<&RawValue> = serde_json::from_slice(&text).map_err(|error| {
        fault::data(format!("`{shown}` is not JSON: {error}"), "correct the file at that place")
    })?;
    for (place, item) in (1..).zip(items) {
        if !each(place, parsed(item.get().as_bytes()))? {
            break;
        }
    }
    Ok(())
}
