//! What the statement of one leg works out, in terms of SQL: our own, or one that somebody else drafts in its place.
//!
//! Deliberately absent: conditions, periods and groups, which are the same for whole questions (`expected`).

use tieout_sql::{
    ColumnPart, Expected, Fragment, LaidColumn,
    against::{ExpectedAggregate, ExpectedFigure},
};

use super::{
    expected::{Steps, Trust, Writer, of_part, plain, refuse},
    figures::columns,
};
use crate::{
    catalogue::Project,
    halt::Halt,
    metric_kinds::Part,
    plan::{Atom, FiguresPlan, Leg, Level, Slice},
};

/// What the compiler's own statement of a leg works out: how many rows there are, then the parts that are fetched.
///
/// # Errors
/// A refusal for a leg whose statement is more than an aggregate over rows.
pub fn expected_leg(leg: &Leg, plan: &FiguresPlan, project: &Project) -> Result<Expected, Halt> {
    Writer { project, trust: Trust::Stated }.leg(leg, plan).map(|(expected, _)| expected)
}

/// The same for a statement that somebody else writes, which may not rely on what the catalogue says of the data and
/// nobody looked at; and the columns under which its parts are read.
///
/// # Errors
/// As [`expected_leg`]; and for an aggregate of binary floats, which our own statement makes exact first.
pub fn leg_to_draft(
    leg: &Leg,
    plan: &FiguresPlan,
    project: &Project,
) -> Result<(Expected, Vec<LaidColumn>), Halt> {
    let (expected, parts) = Writer { project, trust: Trust::Nothing }.leg(leg, plan)?;
    if plan.atoms.get(leg.atom).is_some_and(|atom| atom.of_float) {
        return Err(refuse("it is over binary floats, which are made exact first"));
    }
    let groupings = (0..expected.groupings.len())
        .map(|place| LaidColumn { name: columns::group(place), part: ColumnPart::Grouping(place) });
    let rows = LaidColumn { name: columns::ROWS.to_owned(), part: ColumnPart::Figure(0) };
    let figures = parts
        .into_iter()
        .enumerate()
        .map(|(place, figure)| LaidColumn { name: columns::part(place), part: ColumnPart::Figure(figure) });
    let wanted = groupings.chain([rows]).chain(figures).collect();
    Ok((expected, wanted))
}

impl Writer<'_> {
    /// What a leg's statement works out, and the figure that each part of its aggregate is.
    pub(super) fn leg(&self, leg: &Leg, plan: &FiguresPlan) -> Result<(Expected, Vec<usize>), Halt> {
        let atom = plan.atoms.get(leg.atom).ok_or_else(|| refuse("a leg names no aggregate"))?;
        let window = plan.windows.get(leg.window).ok_or_else(|| refuse("a leg names no period"))?;
        plain(atom, leg.level)?;
        let step = leg.step.and_then(|step| window.buckets.get(step)).map(|bucket| &bucket.period);
        let mut conditions = self.conditions(atom)?;
        if leg.slice == Slice::Part {
            conditions.extend(self.asked(&atom.dataset, &atom.part_tests)?);
        }
        let (figures, parts) = self.parts(atom)?;
        let groupings = match leg.level {
            Level::Grouped => self.groupings(plan, atom, window, Steps::AsCompiled)?,
            Level::Total => Vec::new(),
        };
        let expected = Expected {
            base: atom.dataset.clone(),
            figures,
            conditions,
            period: self.period(atom, step.or(window.period.as_ref()))?,
            groupings,
            order: Vec::new(),
            limit: None,
        };
        Ok((expected, parts))
    }

    /// How many rows there are, then the parts of an aggregate; and for each part the figure that it is.
    fn parts(&self, atom: &Atom) -> Result<(Vec<ExpectedFigure>, Vec<usize>), Halt> {
        let figure = |name: &str, aggregate| ExpectedFigure {
            name: name.to_owned(),
            aggregate,
            conditions: Vec::new(),
        };
        let mut figures = vec![figure("rows", ExpectedAggregate::CountRows)];
        let mut parts = Vec::new();
        for part in atom.kind.parts {
            let aggregate = match (part, &atom.of) {
                (Part::Count, Some(of)) if self.always_there(atom, of) => ExpectedAggregate::CountRows,
                (part, of) => of_part(*part, of.as_ref())?,
            };
            // A count of rows is fetched twice, and is one figure.
            let known = figures.iter().position(|known| known.aggregate == aggregate);
            let name = match self.trust {
                Trust::Stated => atom.label.clone(),
                // Whoever drafts is told which of them is not there.
                Trust::Nothing => part_words(*part, atom.of.as_ref()),
            };
            parts.push(known.unwrap_or_else(|| {
                figures.push(figure(&name, aggregate));
                figures.len().saturating_sub(1)
            }));
        }
        Ok((figures, parts))
    }
}

/// A part as a message names it.
fn part_words(part: Part, of: Option<&Fragment>) -> String {
    let of = of.map_or("rows", Fragment::text);
    match part {
        Part::Sum => format!("sum of {of}"),
        Part::Count => format!("count of {of}"),
        Part::CountRows => "count of rows".to_owned(),
        Part::CountDistinct => format!("count of different {of}"),
        Part::Minimum => format!("least {of}"),
        Part::Maximum => format!("greatest {of}"),
        Part::LowerMedian | Part::UpperMedian => format!("median of {of}"),
    }
}
