//! Owns conditions, values and figures in words.
//!
//! Deliberately absent: the words of a catalogue; these are names of tables and columns.

use super::canon::{Canon, Constant};
use super::figures::{Figure, Kind};
use super::formula::{All, Comparison, Formula};
use super::paths::Step;
use super::rows::Reader;

impl Reader<'_> {
    /// A value in words.
    pub(crate) fn shown(&self, of: &Canon) -> String {
        match of {
            Canon::Constant(constant) => constant.to_string(),
            Canon::Column(row, name) => match self.paths.get(row).map(Vec::as_slice) {
                Some([Step::Start(_)]) => name.to_string(),
                _ => format!("{}.{name}", self.table_name(*row)),
            },
            Canon::Call(name, arguments) => self.call_shown(name, arguments),
            Canon::Figure(number) => match self.figures.get(*number) {
                Some(figure) => self.figure_shown(figure),
                None => "a figure".to_owned(),
            },
            Canon::Opaque(_, what) => what.to_string(),
        }
    }

    fn call_shown(&self, name: &str, arguments: &[Canon]) -> String {
        let shown: Vec<String> = arguments.iter().map(|argument| self.shown(argument)).collect();
        match (name, shown.as_slice()) {
            (
                "+" | "-" | "*" | "/" | "%" | "||" | "like" | "ilike" | "=" | "<>" | "<" | "<=" | ">" | ">=",
                [a, b],
            ) => {
                format!("{a} {name} {b}")
            }
            ("same", [a, b]) => format!("{a} is {b}, or both are null"),
            ("neg", [a]) => format!("-{a}"),
            ("not", [a]) => format!("not {a}"),
            ("is null", [a]) => format!("{a} is null"),
            (_, [a]) => {
                match (name.strip_prefix("trunc "), name.strip_prefix("extract "), name.strip_prefix("cast "))
                {
                    (Some(unit), _, _) => format!("the {unit} of {a}"),
                    (_, Some(unit), _) => format!("the {unit} number of {a}"),
                    (_, _, Some(ty)) => format!("{a} as {ty}"),
                    _ => format!("{name}({a})"),
                }
            }
            ("case", _) => {
                let mut said = "case".to_owned();
                for pair in shown.chunks(2) {
                    match pair {
                        [when, then] => said.push_str(&format!(" when {when} then {then}")),
                        [otherwise] => said.push_str(&format!(" else {otherwise}")),
                        _ => {}
                    }
                }
                said
            }
            _ => format!("{name}({})", shown.join(", ")),
        }
    }

    /// A figure in words.
    pub(super) fn figure_shown(&self, figure: &Figure) -> String {
        let base = self.kind_shown(&figure.kind);
        match &figure.filter {
            Formula::True => base,
            filter => format!("{base} where {}", self.said(filter)),
        }
    }

    pub(super) fn kind_shown(&self, kind: &Kind) -> String {
        match kind {
            Kind::Rows => "number of rows".to_owned(),
            Kind::Distinct(of) => format!("number of different {}", self.shown(of)),
            Kind::Sum(of) => format!("sum of {}", self.shown(of)),
            Kind::Average(of) => format!("average of {}", self.shown(of)),
            Kind::Minimum(of) => format!("least {}", self.shown(of)),
            Kind::Maximum(of) => format!("greatest {}", self.shown(of)),
            Kind::Median(of) => format!("median of {}", self.shown(of)),
        }
    }

    /// A condition in words.
    pub(crate) fn said(&self, formula: &Formula) -> String {
        let list = |values: &std::collections::BTreeSet<Constant>| {
            values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        };
        match formula {
            Formula::True => "always".to_owned(),
            Formula::False => "never".to_owned(),
            Formula::And(all) => self.listed(all, " and "),
            Formula::Or(any) => format!("({})", self.listed(any, " or ")),
            Formula::Compare(comparison, a, b) => {
                format!("{} {} {}", self.shown(a), sign(*comparison), self.shown(b))
            }
            Formula::OneOf(of, values) if values.len() == 1 => {
                format!("{} is {}", self.shown(of), list(values))
            }
            Formula::OneOf(of, values) => format!("{} is one of {}", self.shown(of), list(values)),
            Formula::NoneOf(of, values) if values.len() == 1 => {
                format!("{} is there and not {}", self.shown(of), list(values))
            }
            Formula::NoneOf(of, values) => {
                format!("{} is there and none of {}", self.shown(of), list(values))
            }
            Formula::IsNull(of) => format!("{} is null", self.shown(of)),
            Formula::NotNull(of) => format!("{} is not null", self.shown(of)),
            Formula::Holds(of, true) => self.shown(of),
            Formula::Holds(of, false) => format!("not {}", self.shown(of)),
            Formula::There(row) => format!("there is a row of {}", self.table_name(*row)),
            Formula::Missing(row) => format!("there is no row of {}", self.table_name(*row)),
            Formula::Related { exists, rows, all } => {
                let tables: Vec<String> = rows.iter().map(|row| self.table_name(*row)).collect();
                let start = if *exists { "there is a row of" } else { "there is no row of" };
                match all.is_empty() {
                    true => format!("{start} {}", tables.join(" and ")),
                    false => format!("{start} {} where {}", tables.join(" and "), self.listed(all, " and ")),
                }
            }
            Formula::Opaque(_, what) => what.to_string(),
        }
    }

    fn listed(&self, all: &All, between: &str) -> String {
        all.iter().map(|part| self.said(part)).collect::<Vec<_>>().join(between)
    }
}

fn sign(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Less => "<",
        Comparison::AtMost => "<=",
        Comparison::AtLeast => ">=",
        Comparison::More => ">",
        Comparison::Equal => "=",
        Comparison::Unequal => "<>",
    }
}
