//! The one plain, stable form of a reading: the snapshot in tests, `--trace`, the "show the work" panel, the log line.
//!
//! Deliberately absent: sentences for people, which `definitions` and `claim` make, and the question's own text.

use std::fmt;

use crate::catalogue::Presence;

use super::{
    AboutRequest, AskedPeriod, Comparison, Condition, Derivation, Doubtful, EntryRef, FieldRef,
    FiguresRequest, Grouping, MeasureRef, Polarity, Problem, RankBy, Ranking, Reading, Request, RowsRequest,
    Sort, Source, Sourced, Use, WordUse,
};

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.request)?;
        for alternative in &self.alternatives {
            writeln!(f, "alternative: {alternative}")?;
        }
        for doubt in &self.doubts {
            write!(f, "{doubt}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Figures(figures) => write!(f, "{figures}"),
            Self::Rows(rows) => write!(f, "{rows}"),
            Self::About(about) => writeln!(f, "about: {about}"),
        }
    }
}

impl fmt::Display for FiguresRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "figures")?;
        for measure in &self.measures {
            line(f, "measure", measure)?;
        }
        for grouping in &self.groupings {
            line(f, "by", grouping)?;
        }
        for condition in &self.conditions {
            line(f, "where", condition)?;
        }
        writeln!(f, "  period: {}", self.period)?;
        match &self.derivation {
            Derivation::Plain => {}
            other => writeln!(f, "  worked out: {other}")?,
        }
        for having in &self.having {
            writeln!(
                f,
                "  having: measure {} {} {}",
                having.measure,
                having.comparison,
                having.value.to_plain_string()
            )?;
        }
        self.ranking.iter().try_for_each(|ranking| writeln!(f, "  order: {ranking}"))
    }
}

impl fmt::Display for RowsRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "rows of {}", self.dataset)?;
        for column in &self.columns {
            line(f, "show", column)?;
        }
        for condition in &self.conditions {
            line(f, "where", condition)?;
        }
        writeln!(f, "  period: {}", self.period)?;
        self.ranking.iter().try_for_each(|ranking| writeln!(f, "  order: {ranking}"))
    }
}

fn line<T: fmt::Display>(f: &mut fmt::Formatter<'_>, name: &str, part: &Sourced<T>) -> fmt::Result {
    match part.source {
        Source::Question => writeln!(f, "  {name}: {}", part.value),
        Source::Catalogue | Source::Session | Source::Previous | Source::Confirmed | Source::Assumed => {
            writeln!(f, "  {name}: {} [{}]", part.value, part.source)
        }
    }
}

impl fmt::Display for AboutRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Definition(entry) => write!(f, "definition of {entry}"),
            Self::Everything => f.write_str("everything"),
            Self::Values { dataset, field } => write!(f, "values of {dataset}.{field}"),
            Self::Dimensions { metric } => write!(f, "dimensions of {metric}"),
        }
    }
}

impl fmt::Display for EntryRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Metric(name) => write!(f, "metric {name}"),
            Self::Population(name) => write!(f, "population {name}"),
            Self::Dataset(name) => write!(f, "dataset {name}"),
            Self::Field(dataset, field) => write!(f, "field {dataset}.{field}"),
            Self::Term(name) => write!(f, "term {name}"),
        }
    }
}

impl fmt::Display for MeasureRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Metric(name) => f.write_str(name),
            Self::Count { dataset } => write!(f, "count of {dataset}"),
            Self::AdHoc { kind, dataset, field } => write!(f, "{kind} of {dataset}.{field}"),
        }
    }
}

impl fmt::Display for FieldRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.dataset, self.field)?;
        via(f, self.via.as_deref())
    }
}

/// The relationships that were chosen, `via a > b`.
fn via(f: &mut fmt::Formatter<'_>, names: Option<&[String]>) -> fmt::Result {
    names.iter().try_for_each(|names| write!(f, " via {}", names.join(" > ")))
}

impl fmt::Display for Grouping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(field) => write!(f, "{field}"),
            Self::Time(grain) => write!(f, "{grain}"),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OneOf { field, values, polarity } => {
                let word = match polarity {
                    Polarity::Is => "in",
                    Polarity::IsNot => "not in",
                };
                let values: Vec<String> = values.iter().map(|value| format!("`{value}`")).collect();
                write!(f, "{field} {word} ({})", values.join(", "))
            }
            Self::Compare { field, comparison, value } => write!(f, "{field} {comparison} {value}"),
            Self::Between { field, low, high } => write!(f, "{field} between {low} and {high}"),
            Self::Missing { field, polarity: Polarity::Is } => write!(f, "{field} missing"),
            Self::Missing { field, polarity: Polarity::IsNot } => write!(f, "{field} present"),
            Self::InPeriod { field, period } => write!(f, "{field} in {period}"),
            Self::Member { population, via: names, polarity } => {
                f.write_str(if *polarity == Polarity::Is { "member of " } else { "not member of " })?;
                f.write_str(population)?;
                via(f, names.as_deref())
            }
            Self::Related { dataset, via: names, presence, conditions, period } => {
                f.write_str(if *presence == Presence::Exists { "has " } else { "has no " })?;
                f.write_str(dataset)?;
                via(f, names.as_deref())?;
                for (index, condition) in conditions.iter().enumerate() {
                    write!(f, "{}{condition}", if index == 0 { " where " } else { " and " })?;
                }
                period.iter().try_for_each(|period| write!(f, " in {period}"))
            }
            Self::Any(conditions) => {
                let parts: Vec<String> =
                    conditions.iter().map(|condition| format!("({condition})")).collect();
                f.write_str(&parts.join(" or "))
            }
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Below => "<",
            Self::AtMost => "<=",
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::AtLeast => ">=",
            Self::Above => ">",
        })
    }
}

impl fmt::Display for AskedPeriod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.period {
            Some(period) => {
                write!(f, "{} up to {} {}", period.start(), period.end_exclusive(), zone(period.zone()))?;
                write!(f, " ({}) [{}]", self.words, self.source)
            }
            None => write!(f, "{} [{}]", self.words, self.source),
        }
    }
}

/// The zone's name, or how far it lies from UTC.
fn zone(zone: &jiff::tz::TimeZone) -> String {
    zone.iana_name().map_or_else(|| format!("{zone:?}"), str::to_owned)
}

impl fmt::Display for Derivation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain => f.write_str("nothing"),
            Self::Against(contrast) => {
                let baseline = &contrast.baseline;
                write!(
                    f,
                    "against {} up to {} ({})",
                    baseline.start(),
                    baseline.end_exclusive(),
                    contrast.words
                )
            }
            Self::StepByStep => f.write_str("each step against the one before"),
            Self::ShareOf { part } => {
                let parts: Vec<String> = part.iter().map(ToString::to_string).collect();
                write!(f, "share of {}", parts.join(" and "))
            }
            Self::ShareOfTotal => f.write_str("share of the total"),
        }
    }
}

impl fmt::Display for Ranking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.by {
            RankBy::Measure(index) => write!(f, "measure {index}")?,
            RankBy::Change(index) => write!(f, "change of measure {index}")?,
            RankBy::Field(field) => write!(f, "{field}")?,
        }
        f.write_str(if self.sort == Sort::Ascending { ", smallest first" } else { ", greatest first" })?;
        self.limit.iter().try_for_each(|limit| write!(f, ", {limit} kept"))
    }
}

impl fmt::Display for Doubtful {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "doubt {}: {}", self.subject, self.message)?;
        for (index, choice) in self.choices.iter().enumerate() {
            writeln!(f, "  {}. {}: {}", index.saturating_add(1), choice.key, choice.text)?;
        }
        Ok(())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "problem {}: {}; {}", self.code.code(), self.message, self.hint)?;
        if self.nearest.is_empty() { Ok(()) } else { writeln!(f, "  nearest: {}", self.nearest.join(", ")) }
    }
}

impl fmt::Display for Use {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Metric(name) => write!(f, "metric {name}"),
            Self::Dataset(name) => write!(f, "dataset {name}"),
            Self::Field(name) => write!(f, "field {name}"),
            Self::Value(what) => write!(f, "value {what}"),
            Self::Population(name) => write!(f, "population {name}"),
            Self::Relationship(name) => write!(f, "relationship {name}"),
            Self::Time(what) => write!(f, "time {what}"),
            Self::Number(what) => write!(f, "number {what}"),
            Self::Grammar(what) => write!(f, "grammar {what}"),
            Self::Definition(what) => write!(f, "definition of {what}"),
            Self::Wrapping => f.write_str("wrapping"),
            Self::Stop => f.write_str("stop"),
            Self::Unknown => f.write_str("unknown"),
        }
    }
}

impl fmt::Display for WordUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.text, self.used_as)
    }
}
