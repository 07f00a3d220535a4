//! The plan's plain form: what will be fetched, one line a leg.

use std::fmt;

use super::{Atom, FiguresPlan, Formula, Level, Plan, RowsPlan, Slice};
use crate::catalogue::JoinPath;

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Figures(plan) => plan.fmt(f),
            Self::Rows(plan) => plan.fmt(f),
        }
    }
}

impl fmt::Display for FiguresPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, atom) in self.atoms.iter().enumerate() {
            writeln!(f, "a{}: {atom}", i + 1)?;
        }
        for measure in &self.measures {
            writeln!(f, "measure {} = {}", measure.name, measure.formula)?;
        }
        for (i, window) in self.windows.iter().enumerate() {
            let dates = window.period.as_ref().map_or("all dates".to_owned(), |p| {
                format!("[{}, {}) {}", p.start(), p.end_exclusive(), p.zone().iana_name().unwrap_or("UTC"))
            });
            writeln!(f, "w{}: {dates}, {} steps", i + 1, window.buckets.len())?;
        }
        for leg in &self.legs {
            let slice = match leg.slice {
                Slice::Whole => "",
                Slice::Part => ", part",
            };
            let level = match leg.level {
                Level::Grouped => "in groups",
                Level::Total => "in total",
            };
            let step = leg.step.map(|s| format!(", step {}", s + 1)).unwrap_or_default();
            writeln!(f, "{}: a{} over w{}{slice}, {level}{step}", leg.id, leg.atom + 1, leg.window + 1)?;
        }
        Ok(())
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = self.of.as_ref().map_or("rows", |of| of.text());
        write!(f, "{} of {of} over {}", self.kind.name, self.dataset)?;
        for filter in &self.filters {
            write!(f, " where {}", filter.text())?;
        }
        for exclusion in &self.exclusions {
            write!(f, " except {}", exclusion.text())?;
        }
        if let Some(time) = &self.time {
            write!(f, " by {}", time.field)?;
        }
        for test in self.tests.iter().chain(&self.part_tests) {
            write!(f, " and {test:?}")?;
        }
        for way in self.ways.iter().flatten().filter(|w| !w.hops.is_empty()) {
            write!(f, " via {}", names(way))?;
        }
        Ok(())
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Atom(i) => write!(f, "a{}", i + 1),
            Self::Constant(n) => f.write_str(&n.to_plain_string()),
            Self::Add(a, b) => write!(f, "({a} + {b})"),
            Self::Subtract(a, b) => write!(f, "({a} - {b})"),
            Self::Multiply(a, b) => write!(f, "({a} * {b})"),
            Self::Divide(a, b) => write!(f, "({a} / {b})"),
        }
    }
}

impl fmt::Display for RowsPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "list of {} by {}", self.dataset, self.key.join(", "))?;
        for column in &self.columns {
            let via = if column.way.hops.is_empty() {
                String::new()
            } else {
                format!(" via {}", names(&column.way))
            };
            writeln!(f, "column {}.{}{via}", column.dataset, column.field)?;
        }
        for test in &self.tests {
            writeln!(f, "where {test:?}")?;
        }
        if let Some((time, period)) = &self.period {
            writeln!(f, "{} in [{}, {})", time.field, period.start(), period.end_exclusive())?;
        }
        if let Some((column, sort)) = &self.order {
            writeln!(f, "order by {}.{} {sort:?}", column.dataset, column.field)?;
        }
        if let Some(limit) = self.limit {
            writeln!(f, "first {limit}")?;
        }
        Ok(())
    }
}

fn names(way: &JoinPath) -> String {
    way.names().join(" > ")
}
