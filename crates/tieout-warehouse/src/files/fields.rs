//! Owns the splitting of one record of a delimited file into fields.
//!
//! Quoting is as RFC 4180 has it: a quotation mark opens a field only at its beginning and is doubled inside it; after
//! it closes, the field ends. A mark in the middle of an unquoted field is a letter like any other. Deliberately
//! absent: finding records in a file.

use std::borrow::Cow;

const QUOTE: u8 = b'"';

/// One field: where it lies in its record, without its quotation marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    /// First byte.
    pub(crate) start: usize,
    /// Past the last byte.
    pub(crate) end: usize,
    /// Whether doubled quotation marks inside it stand for one each.
    pub(crate) doubled: bool,
}

impl Field {
    /// The field's bytes.
    pub(crate) fn bytes<'a>(&self, record: &'a [u8]) -> Cow<'a, [u8]> {
        let raw = record.get(self.start..self.end).unwrap_or_default();
        if !self.doubled {
            return Cow::Borrowed(raw);
        }
        let mut text = Vec::with_capacity(raw.len());
        let mut bytes = raw.iter().copied();
        while let Some(byte) = bytes.next() {
            text.push(byte);
            if byte == QUOTE {
                bytes.next();
            }
        }
        Cow::Owned(text)
    }

    /// The field's text, with what is not UTF-8 replaced.
    pub(crate) fn text<'a>(&self, record: &'a [u8]) -> Cow<'a, str> {
        match self.bytes(record) {
            Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
            Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
        }
    }
}

/// Where a record stands once some bytes of it are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// It is whole.
    Whole,
    /// A quotation mark is still open: the next line belongs to it.
    Open,
    /// Something follows a closing quotation mark.
    Malformed,
}

/// Whether there may be quotation marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marks {
    /// There is none.
    None,
    /// There may be some.
    Perhaps,
}

impl Marks {
    /// Of some text.
    pub(crate) fn of(bytes: &[u8]) -> Marks {
        match memchr::memchr(QUOTE, bytes) {
            None => Marks::None,
            Some(_) => Marks::Perhaps,
        }
    }
}

/// Splits a record that may arrive line by line.
#[derive(Debug)]
pub(crate) struct Splitter {
    delimiter: u8,
    /// The fields found so far.
    pub(crate) fields: Vec<Field>,
    /// Whether an unquoted field holds a quotation mark, which engines take in different ways.
    pub(crate) stray: bool,
    start: usize,
    doubled: bool,
}

impl Splitter {
    /// A splitter for files of that separator.
    pub(crate) fn new(delimiter: u8) -> Splitter {
        Splitter { delimiter, fields: Vec::new(), stray: false, start: 0, doubled: false }
    }

    /// Splits a record from its beginning.
    pub(crate) fn begin(&mut self, record: &[u8], marks: Marks) -> State {
        self.fields.clear();
        self.stray = false;
        let none = match marks {
            Marks::None => true,
            Marks::Perhaps => memchr::memchr(QUOTE, record).is_none(),
        };
        if none {
            self.split_plain(record);
            return State::Whole;
        }
        self.unquoted_from(record, 0)
    }

    /// Goes on with a record whose quotation mark was open, from the first byte that is new.
    pub(crate) fn resume(&mut self, record: &[u8], from: usize) -> State {
        self.inside_quotes(record, from)
    }

    fn split_plain(&mut self, record: &[u8]) {
        let mut start = 0;
        for end in memchr::memchr_iter(self.delimiter, record) {
            self.fields.push(Field { start, end, doubled: false });
            start = end + 1;
        }
        self.fields.push(Field { start, end: record.len(), doubled: false });
    }

    /// Reads fields from the beginning of one.
    fn unquoted_from(&mut self, record: &[u8], mut start: usize) -> State {
        loop {
            let rest = record.get(start..).unwrap_or_default();
            if rest.first() == Some(&QUOTE) {
                self.start = start + 1;
                self.doubled = false;
                return self.inside_quotes(record, start + 1);
            }
            let length = memchr::memchr(self.delimiter, rest);
            let end = length.map_or(record.len(), |length| start + length);
            self.stray |= record.get(start..end).is_some_and(|field| memchr::memchr(QUOTE, field).is_some());
            self.fields.push(Field { start, end, doubled: false });
            match length {
                Some(_) => start = end + 1,
                None => return State::Whole,
            }
        }
    }

    /// Reads the rest of a quoted field, then the fields after it.
    fn inside_quotes(&mut self, record: &[u8], mut at: usize) -> State {
        loop {
            let Some(found) = memchr::memchr(QUOTE, record.get(at..).unwrap_or_default()) else {
                return State::Open;
            };
            let mark = at + found;
            match record.get(mark + 1) {
                Some(&QUOTE) => {
                    self.doubled = true;
                    at = mark + 2;
                }
                next => {
                    self.fields.push(Field { start: self.start, end: mark, doubled: self.doubled });
                    return match next {
                        None => State::Whole,
                        Some(&byte) if byte == self.delimiter => self.unquoted_from(record, mark + 2),
                        Some(_) => State::Malformed,
                    };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(record: &str) -> (State, Vec<String>, bool) {
        let mut splitter = Splitter::new(b',');
        let state = splitter.begin(record.as_bytes(), Marks::Perhaps);
        let texts = splitter.fields.iter().map(|f| f.text(record.as_bytes()).into_owned()).collect();
        (state, texts, splitter.stray)
    }

    fn whole(fields: &[&str]) -> (State, Vec<String>, bool) {
        (State::Whole, fields.iter().map(|f| (*f).to_owned()).collect(), false)
    }

    #[test]
    fn plain_and_quoted_fields() {
        assert_eq!(split("a,b,c"), whole(&["a", "b", "c"]));
        assert_eq!(split(""), whole(&[""]));
        assert_eq!(split(",,"), whole(&["", "", ""]));
        assert_eq!(split(r#""a,1",b"#), whole(&["a,1", "b"]));
        assert_eq!(split(r#"x,"say ""hi""""#), whole(&["x", r#"say "hi""#]));
        assert_eq!(split(r#"1,"a,b"#), (State::Open, vec!["1".into()], false));
        assert_eq!(split(r#""""","#), whole(&[r#"""#, ""]));
    }

    #[test]
    fn a_mark_inside_an_unquoted_field_is_a_letter_and_told() {
        assert_eq!(split(r#"5" pipe,1"#), (State::Whole, vec![r#"5" pipe"#.into(), "1".into()], true));
    }

    #[test]
    fn text_after_a_closing_mark_is_malformed() {
        assert_eq!(split(r#""a"b,c"#).0, State::Malformed);
        assert_eq!(split(r#""a" ,c"#).0, State::Malformed);
    }

    #[test]
    fn a_field_goes_on_over_lines() {
        let mut splitter = Splitter::new(b',');
        let text = b"1,\"two\nlines\",3";
        assert_eq!(splitter.begin(&text[..6], Marks::Perhaps), State::Open);
        assert_eq!(splitter.resume(text, 6), State::Whole);
        let texts: Vec<_> = splitter.fields.iter().map(|f| f.text(text).into_owned()).collect();
        assert_eq!(texts, ["1", "two\nlines", "3"]);
    }
}
