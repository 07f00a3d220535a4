//! Owns which column of a result is which part of what a statement works out, for statements whose rows are read as
//! figures. Each column is proved to be one part and nothing but it: a column as it is stored that is grouped by, or one
//! plain aggregate of such a column.
//!
//! A condition in FILTER would keep groups without any of its rows, COALESCE would make a zero of nothing, a cast or a
//! neutral operation would make another number of one that is large. None of these is a part of a definition, so none is
//! taken for one. Deliberately absent: conditions and periods (`judge`), and the names of columns.

use super::canon::Canon;
use super::expected::{Expected, ExpectedGrouping};
use super::figures::Leg;
use super::formula::{and, conjuncts};
use super::paths::{Settled, Step};
use super::rows::{Reader, Use};
use super::wanted::{Wanted, buckets, is_numbered};
use crate::flow::{Aggregated, Block, Term};
use crate::rejection::{Place, Rejection, Severity};
use crate::value::Value;

/// One part of what a statement works out, by its place among its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColumnPart {
    /// What is grouped by.
    Grouping(usize),
    /// A figure.
    Figure(usize),
}

/// What each column of a result is.
///
/// # Errors
/// Every column that is not one part and nothing but it, and every part that is in no column.
pub(super) fn columns(reader: &mut Reader, expected: &Expected) -> Result<Vec<ColumnPart>, Vec<Rejection>> {
    let found = Rows::of(reader, expected).map_err(|rejection| vec![rejection])?;
    let flow = reader.flow;
    let Some(Block::Select(select)) = flow.root.and_then(|root| flow.blocks.get(root)) else {
        return Err(vec![several()]);
    };
    let (mut parts, mut problems) = (Vec::new(), Vec::new());
    for (output, (name, of, place)) in select.outputs.iter().zip(&found.outputs) {
        let stored = reader.is_stored(&output.term);
        let of = reader.moved(of.clone(), &found.settled.map);
        match found.part(reader, expected, &of, stored) {
            Some(part) => parts.push(part),
            None => problems.push(other(name, &reader.shown(&of), *place)),
        }
    }
    let all = (0..expected.groupings.len()).map(ColumnPart::Grouping);
    for part in all.chain((0..expected.figures.len()).map(ColumnPart::Figure)) {
        if !parts.contains(&part) && problems.is_empty() {
            problems.push(missing(part, expected));
        }
    }
    if problems.is_empty() { Ok(parts) } else { Err(problems) }
}

/// The one set of rows behind every column.
struct Rows {
    outputs: Vec<(String, Canon, Option<Place>)>,
    settled: Settled,
    leg: usize,
    root: usize,
    /// What each grouping is, in its simplest form.
    wanted: Vec<Canon>,
}

impl Rows {
    fn of(reader: &mut Reader, expected: &Expected) -> Result<Self, Rejection> {
        let flow = reader.flow;
        let root = flow.root.filter(|root| matches!(flow.blocks.get(*root), Some(Block::Select(_))));
        let given = reader.open(root.ok_or_else(several)?, Use::Result);
        let [leg] = given.legs.as_slice() else { return Err(several()) };
        let base = reader.cx.schema.tables.get_index_of(&expected.base).ok_or_else(several)?;
        let Leg { set, keys, stored, over } = reader.legs.get(*leg).cloned().ok_or_else(several)?;
        if over.is_some() {
            return Err(rejection("figures of figures stand there", "aggregate the rows once"));
        }
        let settled = reader.settle(&set, base);
        let root = reader.intern(vec![Step::Start(base)]).ok_or_else(several)?;
        if !settled.found
            || settled.repeats
            || !settled.narrowing.is_empty()
            || !given.set.narrowing.is_empty()
        {
            return Err(rejection(
                "its rows are not plainly those that are counted",
                "read the table, and join to one row each",
            ));
        }
        let mut reached: Vec<usize> = settled.map.values().copied().collect();
        reached.sort_unstable();
        if reached.windows(2).any(|pair| pair[0] == pair[1]) {
            // A table is the same row of itself only where its key is there and is a key.
            return Err(rejection("a row is joined with itself", "read each table once"));
        }
        let wanted: Vec<Canon> =
            expected.groupings.iter().map(|grouping| reader.key(grouping, root).0).collect();
        let keys: Vec<(Canon, bool)> =
            keys.into_iter().map(|key| reader.moved(key, &settled.map)).zip(stored).collect();
        let rows = Self { outputs: given.outputs, settled, leg: *leg, root, wanted };
        let is_asked = |(key, stored): &(Canon, bool)| rows.grouping(expected, key, *stored).is_some();
        match keys.len() == expected.groupings.len() && keys.iter().all(is_asked) {
            true => Ok(rows),
            false => Err(rejection(
                "it does not group by just what is asked for",
                "group by the columns themselves, each once, and by nothing else",
            )),
        }
    }

    fn part(&self, reader: &mut Reader, expected: &Expected, of: &Canon, stored: bool) -> Option<ColumnPart> {
        match of {
            Canon::Figure(number) if stored => self.figure(reader, expected, *number).map(ColumnPart::Figure),
            of => self.grouping(expected, of, stored).map(ColumnPart::Grouping),
        }
    }

    fn figure(&self, reader: &mut Reader, expected: &Expected, number: usize) -> Option<usize> {
        let figure = reader.figures.get(number).cloned()?;
        if !figure.stored || figure.leg != self.leg {
            return None;
        }
        let kind = match figure.kind.of() {
            Some(of) => figure.kind.with(reader.moved(of.clone(), &self.settled.map)),
            None => figure.kind.clone(),
        };
        let filter = reader.rewritten(figure.filter, &self.settled.map);
        let filter = reader.pruned(conjuncts(filter));
        expected.figures.iter().position(|wanted| {
            let plain = wanted.conditions.is_empty();
            match reader.wanted(&wanted.aggregate, self.root) {
                Wanted::One(known, beside) => {
                    plain && known == kind && reader.pruned(conjuncts(and([beside]))) == filter
                }
                Wanted::Ratio(_, _) => false,
            }
        })
    }

    fn grouping(&self, expected: &Expected, of: &Canon, stored: bool) -> Option<usize> {
        expected.groupings.iter().zip(&self.wanted).position(|(grouping, wanted)| match grouping {
            ExpectedGrouping::Field { .. } => stored && of == wanted,
            ExpectedGrouping::Steps { .. } => {
                is_numbered(of) && buckets(vec![of.clone()]).as_slice() == std::slice::from_ref(wanted)
            }
            // No statement of ours groups by these, so nobody reads them.
            ExpectedGrouping::Bucket { .. } | ExpectedGrouping::Expression(_) => false,
        })
    }
}

impl Reader<'_> {
    /// Whether a term is a column as it is stored, or a plain aggregate of one.
    pub(super) fn is_stored(&self, term: &Term) -> bool {
        match term {
            Term::Attr(attr) => self.stored.contains(attr),
            Term::Aggregate(aggregated) => self.is_plain(aggregated),
            Term::Constant(_, _)
            | Term::Bind(_)
            | Term::Call(_, _)
            | Term::Cast(_, _)
            | Term::Window(_)
            | Term::Exists(_)
            | Term::Member(_, _)
            | Term::Query(_)
            | Term::Unknown(_) => false,
        }
    }

    /// Whether an aggregate is one of rows, or of a column as it is stored, and of all of them.
    pub(super) fn is_plain(&self, aggregated: &Aggregated) -> bool {
        let Aggregated { name, distinct, star, arguments, filter, place: _ } = aggregated;
        if filter.is_some() || !["count", "count_star", "sum", "min", "max"].contains(&&**name) {
            return false;
        }
        match arguments.as_slice() {
            [] => *star,
            [Term::Constant(value, _)] => &**name == "count" && !distinct && *value != Value::Null,
            [only] => self.is_stored(only),
            [_, ..] => false,
        }
    }

    /// Whether a column of a block is one as it is stored, or a plain aggregate of one.
    pub(super) fn gives_stored(&self, block: usize, position: usize) -> bool {
        let output = match self.flow.blocks.get(block) {
            Some(Block::Select(select)) => select.outputs.get(position),
            Some(Block::Union(_) | Block::Other(_)) | None => None,
        };
        output.is_some_and(|output| self.is_stored(&output.term))
    }
}

fn several() -> Rejection {
    rejection(
        "its columns are not those of one set of rows",
        "write one SELECT that aggregates the rows once",
    )
}

fn other(name: &str, shown: &str, place: Option<Place>) -> Rejection {
    let message = format!("`{name}` is {shown}, and no part of what is asked for just as it is defined");
    let hint = "select the column or the aggregate itself, without a cast, a condition or anything around it";
    Rejection { place, ..rejection(&message, hint) }
}

fn missing(part: ColumnPart, expected: &Expected) -> Rejection {
    let what = match part {
        ColumnPart::Grouping(place) => match expected.groupings.get(place) {
            Some(ExpectedGrouping::Field { column, .. }) => {
                format!("the column `{column}` that is grouped by")
            }
            Some(_) | None => "the step that is grouped by".to_owned(),
        },
        ColumnPart::Figure(place) => {
            let name = expected.figures.get(place).map_or("", |figure| figure.name.as_str());
            format!("the figure `{name}`")
        }
    };
    rejection(&format!("{what} is in no column"), "select it in a column of its own")
}

/// The rule's name, for messages.
pub(crate) const RESULT_COLUMNS: &str = "result_columns";

fn rejection(message: &str, hint: &str) -> Rejection {
    Rejection {
        rule: RESULT_COLUMNS,
        severity: Severity::Reject,
        message: message.to_owned(),
        hint: hint.to_owned(),
        place: None,
    }
}
