//! Owns aggregates in their simplest form: a kind, what it is over, and a condition of its own.
//!
//! Deliberately absent: the rows they are over (`rows`).

use bigdecimal::BigDecimal;

use super::canon::{Canon, Constant};
use super::formula::{Formula, and};
use super::rows::{Given, Narrowing, Reader, RowSet};
use super::truth::Ask;
use crate::flow::{Aggregated, SelectBlock, Term};
use crate::rejection::Place;
use crate::schema::SqlType;

/// What an aggregate is over, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Rows,
    Distinct(Canon),
    Sum(Canon),
    Average(Canon),
    Minimum(Canon),
    Maximum(Canon),
    Median(Canon),
}

/// One aggregate.
#[derive(Clone, Debug)]
pub(super) struct Figure {
    pub kind: Kind,
    /// The condition under which a row counts.
    pub filter: Formula,
    /// Whether it is a plain aggregate of a column as it is stored, or of rows.
    pub stored: bool,
    pub leg: usize,
    pub place: Option<Place>,
}

/// Rows that are grouped.
#[derive(Clone, Debug, Default)]
pub(super) struct Leg {
    pub set: RowSet,
    pub keys: Vec<Canon>,
    /// For each key, whether it is a column as it is stored.
    pub stored: Vec<bool>,
    /// The leg whose groups these rows are, when they are groups themselves.
    pub over: Option<usize>,
}

impl Kind {
    pub(super) fn of(&self) -> Option<&Canon> {
        match self {
            Kind::Rows => None,
            Kind::Distinct(of)
            | Kind::Sum(of)
            | Kind::Average(of)
            | Kind::Minimum(of)
            | Kind::Maximum(of)
            | Kind::Median(of) => Some(of),
        }
    }

    pub(super) fn with(&self, of: Canon) -> Kind {
        match self {
            Kind::Rows => Kind::Rows,
            Kind::Distinct(_) => Kind::Distinct(of),
            Kind::Sum(_) => Kind::Sum(of),
            Kind::Average(_) => Kind::Average(of),
            Kind::Minimum(_) => Kind::Minimum(of),
            Kind::Maximum(_) => Kind::Maximum(of),
            Kind::Median(_) => Kind::Median(of),
        }
    }

    /// Whether a row that is repeated does not matter.
    pub(super) fn ignores_repeats(&self) -> bool {
        matches!(self, Kind::Distinct(_) | Kind::Minimum(_) | Kind::Maximum(_))
    }
}

impl Reader<'_> {
    /// Rows become groups.
    pub(super) fn grouped(&mut self, select: &SelectBlock, keys: &[Term], given: &mut Given) {
        let stored: Vec<bool> = keys.iter().map(|key| self.is_stored(key)).collect();
        let keys: Vec<Canon> = keys.iter().map(|key| self.canon(key)).collect();
        if select.subtotals {
            given.set.narrowing.push(Narrowing { what: "subtotal rows".into(), place: None });
        }
        let over = match (given.grouped, given.legs.as_slice()) {
            (true, [only]) => Some(*only),
            (_, _) => None,
        };
        if given.grouped && over.is_none() {
            given.set.narrowing.push(Narrowing { what: "groups of groups".into(), place: None });
        }
        let narrowing = std::mem::take(&mut given.set.narrowing);
        let set = match over.and_then(|leg| self.legs.get(leg)) {
            Some(inner) => inner.set.clone(),
            None => std::mem::take(&mut given.set),
        };
        given.one_row = keys.is_empty();
        self.legs.push(Leg { set, keys, stored, over });
        let leg = self.legs.len().saturating_sub(1);
        given.set = RowSet { narrowing, ..RowSet::default() };
        given.grouped = true;
        given.legs = vec![leg];
        self.current = Some(leg);
    }

    /// An aggregate of the current leg.
    pub(super) fn figure(&mut self, aggregated: &Aggregated) -> Canon {
        let Some(leg) = self.current else { return self.opaque("an aggregate that is not followed") };
        let filter = aggregated.filter.as_ref().map_or(Formula::True, |filter| self.truth(filter, Ask::True));
        let over = self.legs.get(leg).and_then(|leg| leg.over);
        let found = match over {
            Some(inner) => self.figure_of_figures(aggregated, &filter, inner),
            None => self.figure_of_rows(aggregated, filter),
        };
        match found {
            Some((kind, filter)) if kind.of().is_none_or(|of| !has_figure(of)) => {
                let stored = over.is_none() && self.is_plain(aggregated);
                self.figures.push(Figure { kind, filter, stored, leg, place: aggregated.place });
                Canon::Figure(self.figures.len().saturating_sub(1))
            }
            _ => self.opaque(&format!("{} that is not followed", aggregated.name.to_uppercase())),
        }
    }

    /// A sum of sums, a sum of counts, the least of the least.
    fn figure_of_figures(
        &mut self,
        aggregated: &Aggregated,
        filter: &Formula,
        inner: usize,
    ) -> Option<(Kind, Formula)> {
        let [argument] = aggregated.arguments.as_slice() else { return None };
        let Canon::Figure(number) = self.canon(argument) else { return None };
        let figure = self.figures.get(number)?;
        if figure.leg != inner || *filter != Formula::True || aggregated.distinct {
            return None;
        }
        let adds = matches!((&*aggregated.name, &figure.kind), ("sum", Kind::Rows | Kind::Sum(_)))
            || matches!(
                (&*aggregated.name, &figure.kind),
                ("min", Kind::Minimum(_)) | ("max", Kind::Maximum(_))
            );
        adds.then(|| (figure.kind.clone(), figure.filter.clone()))
    }

    fn figure_of_rows(&mut self, aggregated: &Aggregated, filter: Formula) -> Option<(Kind, Formula)> {
        let Aggregated { name, distinct, star, arguments, filter: _, place: _ } = aggregated;
        match (&**name, arguments.as_slice()) {
            ("count" | "count_star", _) if *star => return (!distinct).then_some((Kind::Rows, filter)),
            ("count_if" | "countif", [condition]) => {
                return Some((Kind::Rows, and([filter, self.truth(condition, Ask::True)])));
            }
            ("percentile_cont", [half, of]) | ("quantile_cont", [of, half]) => {
                let half = self.canon(half);
                let is_half = half == Canon::Constant(Constant::Number("0.5".parse().ok()?));
                return is_half.then(|| (Kind::Median(self.canon(of)), filter));
            }
            (_, [_]) => {}
            _ => return None,
        }
        let argument = arguments.first()?;
        let taken = match (&**name, distinct) {
            ("sum" | "total" | "fsum", _) => Taken::Sum,
            ("count", false) => Taken::Count,
            _ => Taken::Otherwise,
        };
        let (condition, value) = self.picked(argument, taken)?;
        let filter = and([filter, condition]);
        let one = Canon::Constant(Constant::Number(BigDecimal::from(1).normalized()));
        Some(match (&**name, distinct) {
            ("count", true) => (Kind::Distinct(value), filter),
            ("count", false) => {
                let there = match self.null_when(&value) {
                    None => Formula::True,
                    Some(Formula::True) => return None,
                    Some(Formula::Missing(row)) => Formula::There(row),
                    Some(_) => Formula::NotNull(value),
                };
                (Kind::Rows, and([filter, there]))
            }
            ("sum" | "total" | "fsum", false) if value == one => (Kind::Rows, filter),
            ("sum" | "total" | "fsum", false) => (Kind::Sum(value), filter),
            ("avg", false) => (Kind::Average(value), filter),
            ("median", false) => (Kind::Median(value), filter),
            ("min", _) => (Kind::Minimum(value), filter),
            ("max", _) => (Kind::Maximum(value), filter),
            _ => return None,
        })
    }

    /// `CASE WHEN condition THEN value END` as its condition and its value; in a sum, `ELSE 0` is no different.
    fn picked(&mut self, argument: &Term, taken: Taken) -> Option<(Formula, Canon)> {
        let one = Canon::Constant(Constant::Number(BigDecimal::from(1).normalized()));
        let parts = match argument {
            Term::Call(name, parts) if ["case", "if", "iif"].contains(&&**name) => parts.as_slice(),
            Term::Cast(inner, SqlType::Decimal | SqlType::Float) if is_case(inner) => {
                return self.picked(inner, taken);
            }
            Term::Cast(inner, SqlType::Integer) if taken == Taken::Sum && is_condition(inner) => {
                return Some((self.truth(inner, Ask::True), one));
            }
            _ => return Some((Formula::True, self.canon(argument))),
        };
        let [condition, value, otherwise] = parts else { return Some((Formula::True, self.canon(argument))) };
        let otherwise = self.canon(otherwise);
        let zero = Canon::Constant(Constant::Number(BigDecimal::from(0)));
        if otherwise == Canon::Constant(Constant::Null) || (taken == Taken::Sum && otherwise == zero) {
            let condition = self.truth(condition, Ask::True);
            let (inner, value) = self.picked(value, taken)?;
            return Some((and([condition, inner]), value));
        }
        // A CASE that always gives some constant is never NULL: a count of it counts every row.
        let value = self.canon(value);
        let constants = matches!((&value, &otherwise), (Canon::Constant(_), Canon::Constant(_)));
        match taken == Taken::Count && constants && value != Canon::Constant(Constant::Null) {
            true => Some((Formula::True, one)),
            false => Some((Formula::True, self.canon(argument))),
        }
    }
}

/// What is done with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taken {
    Sum,
    Count,
    Otherwise,
}

fn is_case(term: &Term) -> bool {
    matches!(term, Term::Call(name, _) if ["case", "if", "iif"].contains(&&**name))
}

fn is_condition(term: &Term) -> bool {
    match term {
        Term::Call(name, _) => {
            ["=", "<>", "<", "<=", ">", ">=", "in", "and", "or", "not", "is null", "like"].contains(&&**name)
        }
        _ => false,
    }
}

/// Whether something that is not followed stands in a value.
pub(super) fn has_opaque(of: &Canon) -> bool {
    match of {
        Canon::Opaque(_, _) => true,
        Canon::Call(_, arguments) => arguments.iter().any(has_opaque),
        Canon::Constant(_) | Canon::Column(_, _) | Canon::Figure(_) => false,
    }
}

/// Whether a figure stands in a value.
pub(super) fn has_figure(of: &Canon) -> bool {
    match of {
        Canon::Figure(_) => true,
        Canon::Call(_, arguments) => arguments.iter().any(has_figure),
        Canon::Constant(_) | Canon::Column(_, _) | Canon::Opaque(_, _) => false,
    }
}
