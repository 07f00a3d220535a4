//! Owns the walk over a delimited file, record by record, in bounded memory.
//!
//! A record whose quotation mark never closes costs its own line only: the walk goes back and goes on behind it.
//! Deliberately absent: what the fields mean.

use std::io::Read;

use super::fields::{Marks, Splitter, State};

/// The most lines one record may span.
pub(crate) const RECORD_LINES_MAX: u64 = 1_000;
/// The most bytes one record may have.
pub(crate) const RECORD_BYTES_MAX: usize = 512 * 1024;
/// The most bytes that are searched for the end of a line before the file is taken for something else.
const LINE_BYTES_MAX: usize = 64 * 1024 * 1024;
/// How much is read from the file at once.
const BLOCK_BYTES: usize = 4 * 1024 * 1024;
/// How much is read at once of a small file.
const BLOCK_BYTES_MIN: usize = 4 * 1024;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// One record, or why its line is none.
#[derive(Debug)]
pub(crate) enum Record<'a> {
    /// A record whose quoting is sound; its fields are in the splitter.
    Sound {
        /// The line it begins on, from 1.
        line: u64,
        /// Its bytes, without the end of the line.
        bytes: &'a [u8],
        /// Whether they are surely ASCII.
        ascii: Ascii,
        /// The splitter that holds its fields.
        fields: &'a Splitter,
    },
    /// A line that cannot be split.
    Broken {
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        reason: &'static str,
    },
}

/// Whether text is ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ascii {
    /// It is.
    Surely,
    /// It may hold other letters.
    Perhaps,
}

/// Walks over a file.
pub(crate) struct Records<R> {
    reader: R,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    finished: bool,
    line: u64,
    newline: u8,
    // What holds of the whole buffer need not be looked for in each of its lines.
    marks: Marks,
    ascii: Ascii,
    splitter: Splitter,
    /// Whether blank lines were passed over.
    pub(crate) blank: bool,
}

impl<R: Read> Records<R> {
    /// A walk from the beginning of about so many bytes. A byte order mark is passed over.
    pub(crate) fn new(reader: R, delimiter: u8, newline: u8, bytes: u64) -> std::io::Result<Records<R>> {
        let room = usize::try_from(bytes.saturating_add(1))
            .unwrap_or(usize::MAX)
            .clamp(BLOCK_BYTES_MIN, BLOCK_BYTES);
        let splitter = Splitter::new(delimiter);
        let mut records = Records {
            reader,
            buffer: vec![0; room],
            start: 0,
            end: 0,
            finished: false,
            line: 1,
            newline,
            marks: Marks::Perhaps,
            ascii: Ascii::Perhaps,
            splitter,
            blank: false,
        };
        records.fill()?;
        if records.buffer.get(..records.end).is_some_and(|bytes| bytes.starts_with(BOM)) {
            records.start = BOM.len();
        }
        Ok(records)
    }

    /// The next record that is not blank, or none at the file's end.
    pub(crate) fn next(&mut self) -> std::io::Result<Option<Record<'_>>> {
        loop {
            let Some(stop) = self.line_end(self.start)? else { return Ok(None) };
            let line = self.line;
            let length = self.trimmed(stop) - self.start;
            if length == 0 {
                self.blank = true;
                self.pass(stop, 1);
                continue;
            }
            return self.record(line, stop).map(Some);
        }
    }

    fn record(&mut self, line: u64, first: usize) -> std::io::Result<Record<'_>> {
        let mut stop = first;
        let mut lines = 1;
        let mut state = {
            let bytes = self.buffer.get(self.start..self.trimmed(stop)).unwrap_or_default();
            self.splitter.begin(bytes, self.marks)
        };
        let mut seen = self.trimmed(stop) - self.start;
        let first_length = first - self.start;
        while state == State::Open && lines < RECORD_LINES_MAX && stop - self.start < RECORD_BYTES_MAX {
            let length = stop - self.start;
            // Filling the buffer may move the record to its front; lengths stay, places do not.
            let Some(next) = self.line_end_after(length)? else { break };
            stop = next;
            lines += 1;
            let bytes = self.buffer.get(self.start..self.trimmed(stop)).unwrap_or_default();
            state = self.splitter.resume(bytes, seen);
            seen = bytes.len();
        }
        let broken = match state {
            State::Whole if stop - self.start > RECORD_BYTES_MAX => Some("it is longer than half a megabyte"),
            State::Whole => None,
            State::Open => Some("a quotation mark is opened and never closed"),
            State::Malformed => Some("something follows a closing quotation mark"),
        };
        if let Some(reason) = broken {
            let end = self.start + first_length;
            self.pass(end, 1);
            return Ok(Record::Broken { line, reason });
        }
        let (from, to) = (self.start, self.trimmed(stop));
        self.pass(stop, lines);
        let bytes = self.buffer.get(from..to).unwrap_or_default();
        Ok(Record::Sound { line, bytes, ascii: self.ascii, fields: &self.splitter })
    }

    /// Moves behind a line end.
    fn pass(&mut self, stop: usize, lines: u64) {
        self.start = (stop + 1).min(self.end);
        self.line += lines;
    }

    /// Where the line ends whose bytes begin at a place; none when there are no more bytes.
    fn line_end(&mut self, from: usize) -> std::io::Result<Option<usize>> {
        let length = from - self.start;
        self.find_newline(length)
    }

    /// Where the line behind a line end ends.
    fn line_end_after(&mut self, length: usize) -> std::io::Result<Option<usize>> {
        self.find_newline(length + 1)
    }

    fn find_newline(&mut self, skip: usize) -> std::io::Result<Option<usize>> {
        let mut searched = skip;
        loop {
            let from = self.start + searched;
            let hay = self.buffer.get(from..self.end).unwrap_or_default();
            if let Some(found) = memchr::memchr(self.newline, hay) {
                return Ok(Some(from + found));
            }
            searched += hay.len();
            if self.finished {
                let left = self.end.saturating_sub(self.start);
                return Ok(if left > skip { Some(self.end) } else { None });
            }
            if searched > LINE_BYTES_MAX {
                let told = format!("line {} is longer than {LINE_BYTES_MAX} bytes", self.line);
                return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, told));
            }
            self.fill()?;
        }
    }

    /// The end of a record's text when its line ends at `stop`: before a carriage return.
    fn trimmed(&self, stop: usize) -> usize {
        match stop > self.start && self.buffer.get(stop - 1) == Some(&b'\r') {
            true => stop - 1,
            false => stop,
        }
    }

    fn fill(&mut self) -> std::io::Result<()> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.end == self.buffer.len() {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        while self.end < self.buffer.len() {
            let Some(room) = self.buffer.get_mut(self.end..) else { break };
            match self.reader.read(room) {
                Ok(0) => {
                    self.finished = true;
                    break;
                }
                Ok(read) => self.end += read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let held = self.buffer.get(..self.end).unwrap_or_default();
        self.marks = Marks::of(held);
        self.ascii = if held.is_ascii() { Ascii::Surely } else { Ascii::Perhaps };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(text: &str) -> Vec<(u64, Result<Vec<String>, &'static str>)> {
        let mut records = Records::new(text.as_bytes(), b',', b'\n', text.len() as u64).unwrap();
        let mut found = Vec::new();
        while let Some(record) = records.next().unwrap() {
            found.push(match record {
                Record::Sound { line, bytes, fields, .. } => {
                    (line, Ok(fields.fields.iter().map(|f| f.text(bytes).into_owned()).collect()))
                }
                Record::Broken { line, reason } => (line, Err(reason)),
            });
        }
        found
    }

    fn row(line: u64, fields: &[&str]) -> (u64, Result<Vec<String>, &'static str>) {
        (line, Ok(fields.iter().map(|f| (*f).to_owned()).collect()))
    }

    #[test]
    fn lines_of_every_ending_and_blank_ones_between() {
        assert_eq!(
            walk("a,b\r\n\n1,2\n3,4"),
            [row(1, &["a", "b"]), row(3, &["1", "2"]), row(4, &["3", "4"])]
        );
        assert_eq!(walk("\u{feff}a\n1\n"), [row(1, &["a"]), row(2, &["1"])]);
        assert_eq!(walk(""), []);
    }

    #[test]
    fn a_quoted_field_may_hold_lines() {
        assert_eq!(walk("1,\"x\r\ny\"\r\n2,z\n"), [row(1, &["1", "x\r\ny"]), row(3, &["2", "z"])]);
    }

    #[test]
    fn an_open_mark_costs_its_own_line_only() {
        let found = walk("1,\"open\n2,b\n3,c\n");
        assert_eq!(found[0], (1, Err("a quotation mark is opened and never closed")));
        assert_eq!(found[1..], [row(2, &["2", "b"]), row(3, &["3", "c"])]);
    }

    #[test]
    fn an_open_mark_that_meets_another_costs_its_own_line_only() {
        let found = walk("1,\"open\n2,\"b\"\n3,c\n");
        assert_eq!(found[0].0, 1);
        assert!(found[0].1.is_err());
        assert_eq!(found[1..], [row(2, &["2", "b"]), row(3, &["3", "c"])]);
    }

    #[test]
    fn records_over_the_edge_of_a_block_stay_whole() {
        let line = format!("{},\"{}\ny\"\n", "a".repeat(1000), "b".repeat(3000));
        let text = line.repeat(3 * BLOCK_BYTES / line.len());
        let found = walk(&text);
        assert_eq!(found.len(), 3 * BLOCK_BYTES / line.len());
        assert!(found.iter().all(|(_, fields)| fields.as_ref().unwrap()[1].len() == 3002));
        assert_eq!(found.last().unwrap().0, (found.len() as u64 - 1) * 2 + 1);
    }
}
