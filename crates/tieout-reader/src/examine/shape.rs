//! What the words of a language ask of the shape of a request: that something is left out, ordered, bounded, compared.

use std::collections::BTreeSet;

use tieout_core::{
    catalogue::{Catalogue, Measure, Presence},
    reading::{
        Comparison, Condition, Derivation, MeasureRef, Polarity, Problem, Ranking, ReasonCode, Request, Sort,
    },
};

use crate::language::Class;

/// A trait of a request that words ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Shape {
    Negation,
    Either,
    Greatest,
    Least,
    Above,
    AtLeast,
    Below,
    AtMost,
    Between,
    Contrast,
    Share,
    Split,
    Condition,
    Average,
    Median,
    Minimum,
    Maximum,
    Distinct,
}

impl Shape {
    /// Those that a request may not have without a word for them.
    const SAID: [Self; 10] = [
        Self::Negation,
        Self::Greatest,
        Self::Least,
        Self::Above,
        Self::AtLeast,
        Self::Below,
        Self::AtMost,
        Self::Between,
        Self::Contrast,
        Self::Share,
    ];

    fn words(self) -> &'static str {
        match self {
            Self::Negation => "that something is left out",
            Self::Either => "one of several",
            Self::Greatest => "the greatest first",
            Self::Least => "the least first",
            Self::Above => "more than a bound",
            Self::AtLeast => "at least a bound",
            Self::Below => "less than a bound",
            Self::AtMost => "at most a bound",
            Self::Between => "between two bounds",
            Self::Contrast => "a comparison",
            Self::Share => "a share",
            Self::Split => "groups",
            Self::Condition => "a condition",
            Self::Average => "an average",
            Self::Median => "a median",
            Self::Minimum => "the least value",
            Self::Maximum => "the greatest value",
            Self::Distinct => "different ones",
        }
    }
}

/// That a run of words asks for at least one of these.
#[derive(Clone, Debug)]
pub(crate) struct Demand {
    words: String,
    start: usize,
    any_of: Vec<Shape>,
}

impl Demand {
    /// What a phrase of these classes asks for; nothing where one of its classes asks for nothing.
    pub(crate) fn of(classes: &[Class], words: String, start: usize) -> Option<Self> {
        let any_of: Vec<Shape> =
            classes.iter().map(|class| shapes(*class)).collect::<Option<Vec<_>>>()?.concat();
        (!any_of.is_empty()).then_some(Self { words, start, any_of })
    }

    /// What a word that the language does not know was declared to ask for.
    pub(crate) fn declared(name: &str, words: String, start: usize) -> Option<Self> {
        let any_of = match name {
            "order" => vec![Shape::Greatest, Shape::Least],
            "compare" => vec![Shape::Contrast],
            "share" => vec![Shape::Share],
            "grouping" => vec![Shape::Split],
            "negation" => vec![Shape::Negation],
            "condition" => vec![Shape::Above, Shape::AtLeast, Shape::Below, Shape::AtMost, Shape::Between],
            _ => return None,
        };
        Some(Self { words, start, any_of })
    }
}

/// What a class asks for; none where it may stand without asking for anything.
fn shapes(class: Class) -> Option<Vec<Shape>> {
    use Class as C;
    Some(match class {
        C::Not | C::Never | C::No | C::Without | C::Exclude | C::NotEqual | C::Missing | C::Nothing => {
            vec![Shape::Negation]
        }
        C::Or | C::Either => vec![Shape::Either],
        C::Top | C::Newest | C::Descending => vec![Shape::Greatest],
        C::Bottom | C::Oldest | C::Ascending => vec![Shape::Least],
        C::Sort => vec![Shape::Greatest, Shape::Least],
        C::Above => vec![Shape::Above],
        C::AtLeast | C::OrMore => vec![Shape::AtLeast],
        C::Below => vec![Shape::Below],
        C::AtMost | C::OrLess => vec![Shape::AtMost],
        C::Between => vec![Shape::Between, Shape::Contrast],
        C::Compare => vec![Shape::Contrast, Shape::Either, Shape::Split],
        C::Difference | C::Change => vec![Shape::Contrast],
        // `direct vs marketplace`: values against each other.
        C::Versus => vec![Shape::Contrast, Shape::Either],
        C::Share | C::OfTotal => vec![Shape::Share],
        C::By | C::ForEach | C::Each | C::Breakdown | C::Trend => vec![Shape::Split],
        C::Only => vec![Shape::Condition],
        C::Average => vec![Shape::Average],
        C::Median => vec![Shape::Median],
        C::Minimum => vec![Shape::Minimum, Shape::Least],
        C::Maximum => vec![Shape::Maximum, Shape::Greatest],
        C::Distinct => vec![Shape::Distinct],
        _ => return None,
    })
}

/// Words that no reading answers, where they can mean nothing else.
pub(super) fn stopper(classes: &[Class]) -> Option<&'static str> {
    let all = |test: fn(&Class) -> bool| !classes.is_empty() && classes.iter().all(test);
    if all(|class| matches!(class, Class::Why)) {
        return Some("asks for a cause, which is not recorded");
    }
    if all(|class| matches!(class, Class::Forecast)) {
        return Some("asks for the future, which is not recorded");
    }
    if all(|class| matches!(class, Class::WriteOrder | Class::Injection)) {
        return Some("is an order, and only questions are answered");
    }
    all(|class| matches!(class, Class::Tenant)).then_some("names a tenant, which only the session may")
}

/// What is demanded and not there.
pub(crate) fn lacking(request: &Request, catalogue: &Catalogue, demands: &[Demand]) -> Vec<Problem> {
    let present = present(request, catalogue);
    let lacking = demands.iter().filter(|demand| !demand.any_of.iter().any(|shape| present.contains(shape)));
    lacking
        .map(|demand| Problem {
            start: Some(demand.start),
            ..Problem::new(
                ReasonCode::Unsupported,
                format!("“{}” asks for {}, and the reading has none", demand.words, listed(&demand.any_of)),
                "give it its part in the reading",
            )
        })
        .collect()
}

/// What is demanded and not there, and what is there and was not asked for.
pub(super) fn unmet(request: &Request, catalogue: &Catalogue, demands: &[Demand]) -> Vec<Problem> {
    let mut problems = lacking(request, catalogue, demands);
    let present = present(request, catalogue);
    let said = |shape: &Shape| demands.iter().any(|demand| demand.any_of.contains(shape));
    let unsaid = Shape::SAID.iter().filter(|shape| present.contains(shape) && !said(shape));
    problems.extend(unsaid.map(|shape| {
        Problem::new(
            ReasonCode::Unsupported,
            format!("the reading has {}, and no word of the question asks for it", shape.words()),
            "leave it out",
        )
    }));
    problems
}

fn listed(shapes: &[Shape]) -> String {
    shapes.iter().map(|shape| shape.words()).collect::<Vec<_>>().join(" or ")
}

fn present(request: &Request, catalogue: &Catalogue) -> BTreeSet<Shape> {
    let mut found = BTreeSet::new();
    match request {
        Request::Figures(figures) => {
            figures.conditions.iter().for_each(|c| of_condition(&c.value, &mut found));
            figures.measures.iter().for_each(|m| of_measure(&m.value, catalogue, &mut found));
            of_ranking(figures.ranking.as_ref(), &mut found);
            figures.having.iter().for_each(|h| {
                found.insert(bound(h.comparison));
            });
            if figures.having.len() > 1 {
                found.insert(Shape::Between);
            }
            match &figures.derivation {
                Derivation::Plain => {}
                Derivation::Against(_) | Derivation::StepByStep => {
                    found.insert(Shape::Contrast);
                }
                Derivation::ShareOf { part } => {
                    found.insert(Shape::Share);
                    part.iter().for_each(|c| of_condition(c, &mut found));
                }
                Derivation::ShareOfTotal => {
                    found.insert(Shape::Share);
                }
            }
            if !figures.groupings.is_empty() {
                found.insert(Shape::Split);
            }
        }
        Request::Rows(rows) => {
            rows.conditions.iter().for_each(|c| of_condition(&c.value, &mut found));
            of_ranking(rows.ranking.as_ref(), &mut found);
        }
        Request::About(_) => {}
    }
    found
}

fn of_ranking(ranking: Option<&Ranking>, found: &mut BTreeSet<Shape>) {
    match ranking.map(|ranking| ranking.sort) {
        Some(Sort::Descending) => found.insert(Shape::Greatest),
        Some(Sort::Ascending) => found.insert(Shape::Least),
        None => false,
    };
}

fn of_measure(measure: &MeasureRef, catalogue: &Catalogue, found: &mut BTreeSet<Shape>) {
    let kind = match measure {
        MeasureRef::Count { .. } => return,
        MeasureRef::AdHoc { kind, .. } => *kind,
        MeasureRef::Metric(name) => match catalogue.metrics.get(name).map(|metric| &metric.measure) {
            Some(Measure::Aggregate(aggregate)) => aggregate.kind,
            Some(Measure::Ratio { .. }) => "average",
            Some(Measure::Derived { .. }) | None => return,
        },
    };
    found.extend(match kind {
        "average" => Some(Shape::Average),
        "median" => Some(Shape::Median),
        "minimum" => Some(Shape::Minimum),
        "maximum" => Some(Shape::Maximum),
        "count_distinct" => Some(Shape::Distinct),
        _ => None,
    });
}

fn bound(comparison: Comparison) -> Shape {
    match comparison {
        Comparison::Below => Shape::Below,
        Comparison::AtMost => Shape::AtMost,
        Comparison::AtLeast => Shape::AtLeast,
        Comparison::Above => Shape::Above,
        Comparison::NotEqual => Shape::Negation,
        Comparison::Equal => Shape::Condition,
    }
}

fn of_condition(condition: &Condition, found: &mut BTreeSet<Shape>) {
    found.insert(Shape::Condition);
    match condition {
        Condition::OneOf { values, polarity, .. } => {
            if values.len() > 1 {
                found.insert(Shape::Either);
            }
            of_polarity(*polarity, found);
        }
        Condition::Compare { comparison, .. } => {
            found.insert(bound(*comparison));
        }
        Condition::Between { .. } => {
            found.insert(Shape::Between);
        }
        Condition::Missing { polarity, .. } => {
            if *polarity == Polarity::Is {
                found.insert(Shape::Negation);
            }
        }
        Condition::InPeriod { .. } => {}
        Condition::Member { polarity, .. } => of_polarity(*polarity, found),
        Condition::Related { presence, conditions, .. } => {
            if *presence == Presence::Absent {
                found.insert(Shape::Negation);
            }
            conditions.iter().for_each(|c| of_condition(c, found));
        }
        Condition::Any(any) => {
            found.insert(Shape::Either);
            any.iter().for_each(|c| of_condition(c, found));
        }
    }
}

fn of_polarity(polarity: Polarity, found: &mut BTreeSet<Shape>) {
    if polarity == Polarity::IsNot {
        found.insert(Shape::Negation);
    }
}

/// How many groups or rows are kept.
pub(super) fn limit(request: &Request) -> Option<u64> {
    match request {
        Request::Figures(figures) => figures.ranking.as_ref()?.limit,
        Request::Rows(rows) => rows.ranking.as_ref()?.limit,
        Request::About(_) => None,
    }
}

/// The datasets whose rows are measured or listed.
pub(super) fn datasets<'a>(request: &'a Request, catalogue: &'a Catalogue) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    match request {
        Request::Figures(figures) => {
            for measure in &figures.measures {
                match &measure.value {
                    MeasureRef::Metric(name) => {
                        found.extend(catalogue.aggregates_within(name).map(|(_, a)| a.dataset.as_str()));
                    }
                    MeasureRef::Count { dataset } | MeasureRef::AdHoc { dataset, .. } => {
                        found.insert(dataset.as_str());
                    }
                }
            }
        }
        Request::Rows(rows) => {
            found.insert(rows.dataset.as_str());
        }
        Request::About(_) => {}
    }
    found
}
