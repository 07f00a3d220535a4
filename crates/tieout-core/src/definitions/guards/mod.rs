//! Readings that could mean something else, stopped whoever read them.
//!
//! Each guard stands for a kind of mistake that was seen: a period bound to the wrong rows, a verb taken for a grouping
//! or for a state without a date, values joined by "and" that one row can never have. A refusal says what to say
//! instead. Deliberately absent: the question; guards look at the request and at what each word was used for.

mod moments;
mod rows;

pub use moments::participle;

use crate::{
    catalogue::{Catalogue, Datatype, Field, Graph, PathSearch, Presence},
    number::UnitKind,
    reading::{
        AskedPeriod, Condition, FieldRef, FiguresRequest, Grouping, MeasureRef, Polarity, Problem, Reading,
        ReasonCode, Request, RowsRequest, Source, Use, WordUse,
    },
};

/// Words that make a population's own name a clause about other rows.
const CLAUSE_WORDS: [&str; 6] = ["with", "without", "who", "that", "which", "having"];

/// Why a reading may not stand, as far as its shape shows.
pub(super) fn guarded(reading: &Reading, catalogue: &Catalogue) -> Vec<Problem> {
    let words = &reading.words;
    match &reading.request {
        Request::Figures(figures) => {
            let mut problems = clauses_of_figures(figures, words, catalogue);
            problems.extend(splits_of_figures(figures, words, catalogue));
            problems.extend(conditions_of_figures(figures, words));
            problems
        }
        Request::Rows(rows) => of_rows(rows, words, catalogue),
        Request::About(_) => Vec::new(),
    }
}

/// The dataset whose rows a request counts, when it counts.
fn counted<'a>(figures: &'a FiguresRequest, catalogue: &'a Catalogue) -> Option<&'a str> {
    figures.measures.iter().find_map(|m| match &m.value {
        MeasureRef::Count { dataset } => Some(dataset.as_str()),
        MeasureRef::Metric(name) => counted_by(name, catalogue),
        MeasureRef::AdHoc { .. } => None,
    })
}

/// Guards over clauses about other rows, and whose the period is.
fn clauses_of_figures(figures: &FiguresRequest, words: &[WordUse], catalogue: &Catalogue) -> Vec<Problem> {
    let conditions: Vec<&Condition> = figures.conditions.iter().map(|c| &c.value).collect();
    let counted = counted(figures, catalogue);
    // Of an amount, only a clause with a word of its own may have the period: `from customers who ordered`.
    let clause = words.iter().any(|w| {
        let text = w.text.to_lowercase();
        let opens = matches!(w.used_as, Use::Grammar(_) | Use::Population(_))
            && text.split_whitespace().any(|t| CLAUSE_WORDS.contains(&t));
        // `orders shipped in September`: the verb is of other rows.
        opens || (matches!(w.used_as, Use::Dataset(_) | Use::Relationship(_)) && moments::acts(w))
    });
    let over = figures.measures.iter().find_map(|m| base_of(&m.value, catalogue));
    let dated = counted.or(over.filter(|_| clause));
    let period = &figures.period;
    let mut problems = Vec::new();
    problems.extend(dated.and_then(|d| period_of_clause(d, period, &conditions, words, catalogue)));
    problems.extend(counted.and_then(|d| clause_with_the_period(d, period, &conditions, words, catalogue)));
    problems.extend(over.and_then(|d| conditions.iter().find_map(|c| rows::any_moment(c, d, catalogue))));
    problems.extend(over.and_then(|d| rows::undated_part(d, figures, catalogue)));
    problems.extend(rows::period_of_related(figures, &conditions, counted.is_some(), catalogue));
    problems.extend(over.and_then(|d| rows::one_row_or_several(d, &conditions, words, catalogue)));
    problems
}

/// Guards over groupings, steps and the states that stand beside them.
fn splits_of_figures(figures: &FiguresRequest, words: &[WordUse], catalogue: &Catalogue) -> Vec<Problem> {
    let stepped = figures.groupings.iter().any(|g| matches!(g.value, Grouping::Time(_)));
    let mut problems = verbs_as_groupings(figures, words, catalogue);
    problems.extend(counted(figures, catalogue).and_then(|d| one_by_one(d, figures, catalogue)));
    problems.extend(split_by_amounts(figures, catalogue));
    problems.extend(moments::states_without_a_date(stepped, words, catalogue));
    problems.extend(moments::states_at_a_date(words, catalogue));
    problems.extend(moments::steps_of_another_date(figures));
    problems.extend(moments::date_and_step(figures, catalogue));
    problems.extend(moments::dated_state(figures, words, catalogue));
    problems.extend(moments::steps_of_two_kinds(figures));
    problems.extend(moments::states_by_step(figures, words));
    problems
}

/// Guards over conditions that contradict each other or share a period.
fn conditions_of_figures(figures: &FiguresRequest, words: &[WordUse]) -> Vec<Problem> {
    let conditions: Vec<&Condition> = figures.conditions.iter().map(|c| &c.value).collect();
    let with_part: Vec<&Condition> = conditions.iter().copied().chain(figures.derivation.part()).collect();
    let mut problems = Vec::new();
    problems.extend(one_value_and_not_another(&conditions));
    problems.extend(rows::never_both(&with_part));
    problems.extend(two_verbs_one_period(figures, words));
    problems.extend(conditions.iter().filter_map(|c| never_one_row(c, words)));
    problems
}

/// Guards over lists.
fn of_rows(asked: &RowsRequest, words: &[WordUse], catalogue: &Catalogue) -> Vec<Problem> {
    let conditions: Vec<&Condition> = asked.conditions.iter().map(|c| &c.value).collect();
    let (base, period) = (asked.dataset.as_str(), &asked.period);
    let mut problems = Vec::new();
    problems.extend(period_of_clause(base, period, &conditions, words, catalogue));
    problems.extend(conditions.iter().find_map(|c| shown_or_required(base, c, catalogue)));
    problems.extend(verbs_as_columns(asked, words, catalogue));
    problems.extend(conditions.iter().find_map(|c| rows::any_moment(c, base, catalogue)));
    problems.extend(rows::ranked_moments(asked, catalogue));
    problems.extend(moments::dated_state_of_rows(asked, words, catalogue));
    problems.extend(rows::shown_beside(asked, &conditions, catalogue));
    problems.extend(clause_with_the_period(base, period, &conditions, words, catalogue));
    problems.extend(moments::states_without_a_date(false, words, catalogue));
    problems.extend(moments::states_at_a_date(words, catalogue));
    problems.extend(rows::never_both(&conditions));
    problems.extend(one_value_and_not_another(&conditions));
    problems.extend(rows::one_row_or_several(base, &conditions, words, catalogue));
    problems.extend(conditions.iter().filter_map(|c| never_one_row(c, words)));
    problems
}

/// The dataset of a metric that counts.
fn counted_by<'a>(name: &str, catalogue: &'a Catalogue) -> Option<&'a str> {
    let mut aggregates = catalogue.aggregates_within(name);
    let (_, only) = aggregates.next()?;
    (only.kind == "count" && aggregates.next().is_none())
        .then(|| catalogue.datasets.get(&only.dataset).map_or("", |d| d.name.as_str()))
}

/// Whose rows a measure is over.
fn base_of<'a>(measure: &'a MeasureRef, catalogue: &'a Catalogue) -> Option<&'a str> {
    match measure {
        MeasureRef::Metric(name) => catalogue.aggregates_within(name).next().map(|(_, a)| a.dataset.as_str()),
        MeasureRef::Count { dataset } | MeasureRef::AdHoc { dataset, .. } => Some(dataset),
    }
}

/// "Customers without an order in September": the rows of the clause and the counted rows both have dates, and nothing
/// says whose is meant.
fn period_of_clause(
    dataset: &str,
    period: &AskedPeriod,
    conditions: &[&Condition],
    words: &[WordUse],
    catalogue: &Catalogue,
) -> Option<Problem> {
    let asked = period.period.as_ref().filter(|_| period.source == Source::Question)?;
    let time = catalogue.datasets.get(dataset)?.time.as_ref()?;
    let own_date = format!("{dataset}.{time}");
    if words.iter().any(|w| w.used_as == Use::Field(own_date.clone())) {
        return None;
    }
    let other = conditions.iter().find_map(|c| undated_clause(c, words, catalogue))?;
    Some(Problem::new(
        ReasonCode::Unsupported,
        format!("it is not clear whether {asked} is about {dataset} or about {other}"),
        format!(
            "say whose date is meant, such as “{other} … in {asked}” asked by itself, or leave the period out"
        ),
    ))
}

/// "Tickets with a survey in September": opened then, or surveyed then? Where a clause asks for a row that exists, the
/// period may be either's, unless a verb or a link says whose. (What is absent in a period is absent in it.)
fn clause_with_the_period(
    dataset: &str,
    period: &AskedPeriod,
    conditions: &[&Condition],
    words: &[WordUse],
    catalogue: &Catalogue,
) -> Option<Problem> {
    let base = catalogue.datasets.get(dataset)?;
    base.time.as_ref().filter(|_| period.period.is_none())?;
    let (other, asked) = conditions.iter().find_map(|c| match c {
        Condition::Related { dataset, presence: Presence::Exists, period: Some(asked), .. } => {
            Some((dataset, asked))
        }
        Condition::Related { .. }
        | Condition::OneOf { .. }
        | Condition::Compare { .. }
        | Condition::Between { .. }
        | Condition::Missing { .. }
        | Condition::InPeriod { .. }
        | Condition::Member { .. }
        | Condition::Any(_) => None,
    })?;
    let time = catalogue.datasets.get(other)?.time.as_ref()?;
    let verb = Use::Field(format!("{other}.{time}"));
    let names = |w: &WordUse| w.used_as == verb || matches!(w.used_as, Use::Relationship(_));
    let said = words.iter().any(|w| names(w) || (moments::acts(w) && !matches!(w.used_as, Use::Value(_))));
    (!said).then(|| {
        Problem::new(
            ReasonCode::Unsupported,
            format!("it is not clear whether {asked} is about {dataset} or about {other}"),
            "say it with a verb, such as “placed”, “opened” or “paid”, or leave the period out",
        )
    })
}

/// The dataset of a clause about other rows that have dates of their own, but were given none.
fn undated_clause(condition: &Condition, words: &[WordUse], catalogue: &Catalogue) -> Option<String> {
    let dated = |name: &String| catalogue.datasets.get(name).is_some_and(|d| d.time.is_some());
    match condition {
        Condition::Related { dataset, period: None, .. } => Some(dataset.clone()).filter(|d| dated(d)),
        Condition::Member { population, .. } => {
            let found = catalogue.populations.get(population)?;
            // `rated tickets` is a kind of row; `loans in arrears` tells a story with a time of its own.
            let behind = |text: &str| {
                let mut tokens = text.split_whitespace();
                let noun = tokens.next().unwrap_or_default();
                let label = catalogue.datasets.get(&found.dataset).map_or("", |d| d.label.as_str());
                tokens.next().is_some() && noun.starts_with(label.trim_end_matches('s'))
            };
            let said = words.iter().any(|w| {
                let text = w.text.to_lowercase();
                let clause = text.split_whitespace().any(|t| CLAUSE_WORDS.contains(&t));
                w.used_as == Use::Population(population.clone()) && (clause || behind(&text))
            });
            let undated = found.membership.related.iter().find(|r| !r.within_period && dated(&r.dataset))?;
            said.then(|| undated.dataset.clone())
        }
        Condition::Related { period: Some(_), .. }
        | Condition::OneOf { .. }
        | Condition::Compare { .. }
        | Condition::Between { .. }
        | Condition::Missing { .. }
        | Condition::InPeriod { .. }
        | Condition::Any(_) => None,
    }
}

/// "Orders by order number": a count split by the key of what is counted is one everywhere.
fn one_by_one(dataset: &str, figures: &FiguresRequest, catalogue: &Catalogue) -> Option<Problem> {
    let graph = Graph::of(catalogue);
    // A row of a part belongs to one whole: `customers by order number` counts one each.
    let single = |field: &FieldRef| {
        let key =
            catalogue.datasets.get(&field.dataset).is_some_and(|d| d.primary_key == [field.field.clone()]);
        let back = match graph.search(&field.dataset, dataset) {
            PathSearch::One(path) => path.to_one(),
            PathSearch::Several(_) | PathSearch::None => false,
        };
        key && (field.dataset == dataset || back)
    };
    let by_key = figures.groupings.iter().find_map(|g| match &g.value {
        Grouping::Field(field) if single(field) => Some(field),
        Grouping::Field(_) | Grouping::Time(_) => None,
    })?;
    Some(Problem::new(
        ReasonCode::Unsupported,
        format!("{dataset} would be counted one by one: each {} names one", by_key.field),
        "ask for a list, or split by something that several share",
    ))
}

/// "Which agent resolved the most": a verb is not a grouping by the moment it names.
fn verbs_as_groupings(figures: &FiguresRequest, words: &[WordUse], catalogue: &Catalogue) -> Vec<Problem> {
    let asked = figures.groupings.iter().filter(|g| g.source == Source::Question);
    let dates = asked.filter_map(|g| match &g.value {
        Grouping::Field(field) => Some((field, found(field, catalogue)?)),
        Grouping::Time(_) => None,
    });
    let verb = |(reference, field): &(&FieldRef, &Field)| match field.datatype {
        Datatype::Timestamp | Datatype::Instant => true,
        Datatype::Date => !called_by_name(reference, field, words),
        Datatype::String | Datatype::Integer | Datatype::Decimal | Datatype::Float | Datatype::Boolean => {
            false
        }
    };
    dates
        .filter(verb)
        .map(|(_, field)| {
            Problem::new(
                ReasonCode::Unsupported,
                format!("the figures would be split by every single {}", field.label),
                "ask by day, week, month, quarter or year, or for the rows",
            )
        })
        .collect()
}

/// "Biggest orders by amount": a group for every single amount is no split.
fn split_by_amounts(figures: &FiguresRequest, catalogue: &Catalogue) -> Option<Problem> {
    let amount = |field: &&FieldRef| {
        found(field, catalogue).is_some_and(|f| match f.datatype {
            Datatype::Decimal | Datatype::Float => true,
            Datatype::Integer => f.unit.as_ref().is_some_and(|unit| unit.kind != UnitKind::None),
            Datatype::String
            | Datatype::Boolean
            | Datatype::Date
            | Datatype::Timestamp
            | Datatype::Instant => false,
        })
    };
    let fields = figures.groupings.iter().filter_map(|g| match &g.value {
        Grouping::Field(field) => Some(field),
        Grouping::Time(_) => None,
    });
    let field = fields.into_iter().find(amount)?;
    Some(Problem::new(
        ReasonCode::Unsupported,
        format!("the figures would be split by every single {} of {}", field.field, field.dataset),
        "ask for the rows in its order, or split by something that several share",
    ))
}

/// "Tickets opened and resolved in September": the period went to one verb, and the other became a column.
fn verbs_as_columns(rows: &RowsRequest, words: &[WordUse], catalogue: &Catalogue) -> Option<Problem> {
    let dated = rows.period.period.is_some()
        || rows.conditions.iter().any(|c| matches!(c.value, Condition::InPeriod { .. }));
    let clause = words.iter().any(|w| {
        let text = w.text.to_lowercase();
        text.split_whitespace().any(|t| matches!(t, "who" | "that" | "which"))
    });
    if !dated && !clause {
        return None;
    }
    let moment = |name: &str| {
        let shown = rows.columns.iter().map(|c| &c.value);
        shown.filter(|f| format!("{}.{}", f.dataset, f.field) == name).any(|f| {
            found(f, catalogue)
                .is_some_and(|field| dated_type(field.datatype) && !called_by_name(f, field, words))
        })
    };
    let word =
        words.iter().find(|w| moments::acts(w) && matches!(&w.used_as, Use::Field(name) if moment(name)))?;
    Some(Problem {
        start: Some(word.start),
        ..Problem::new(
            ReasonCode::Unsupported,
            format!("“{}” may narrow the rows, and would be a column", word.text),
            "give each verb its own period, or ask for one of them",
        )
    })
}

/// Whether values of the type place a row in time.
fn dated_type(datatype: Datatype) -> bool {
    match datatype {
        Datatype::Date | Datatype::Timestamp | Datatype::Instant => true,
        Datatype::String | Datatype::Integer | Datatype::Decimal | Datatype::Float | Datatype::Boolean => {
            false
        }
    }
}

fn found<'a>(field: &FieldRef, catalogue: &'a Catalogue) -> Option<&'a Field> {
    catalogue.datasets.get(&field.dataset)?.fields.get(&field.field)
}

/// Whether a word names the field by its label, name or a synonym of several letters, not by a verb of it.
fn called_by_name(reference: &FieldRef, field: &Field, words: &[WordUse]) -> bool {
    let named = Use::Field(format!("{}.{}", reference.dataset, reference.field));
    words.iter().filter(|w| w.used_as == named).any(|w| {
        let text = w.text.to_lowercase();
        let by = |name: &str| text.contains(&name.to_lowercase().replace('_', " "));
        by(&field.label) || by(&field.name) || text.ends_with("date") || text.ends_with("day")
    })
}

/// "Tickets opened and resolved in September": the period went to one of two verbs.
fn two_verbs_one_period(figures: &FiguresRequest, words: &[WordUse]) -> Option<Problem> {
    let dated = figures.conditions.iter().any(|c| matches!(c.value, Condition::InPeriod { .. }));
    let verb = |w: &&WordUse| matches!(w.used_as, Use::Metric(_)) && moments::acts(w);
    let word = words.iter().find(verb).filter(|_| dated && figures.period.period.is_none())?;
    Some(Problem::new(
        ReasonCode::Unsupported,
        format!("“{}” has no period, and another verb has one", word.text),
        "give each its own period, or ask for one of them",
    ))
}

/// "Tickets with agent": shown beside, or only those that have one?
fn shown_or_required(base: &str, condition: &Condition, catalogue: &Catalogue) -> Option<Problem> {
    let Condition::Related { dataset, via, presence: Presence::Exists, conditions, period: None } = condition
    else {
        return None;
    };
    let graph = Graph::of(catalogue);
    let path = match via {
        Some(names) => graph.spelled(base, names),
        None => match graph.search(base, dataset) {
            PathSearch::One(path) => Some(path),
            PathSearch::Several(_) | PathSearch::None => None,
        },
    };
    let to_one = path.is_some_and(|p| p.to_one());
    (to_one && conditions.is_empty()).then(|| {
        Problem::new(
            ReasonCode::Unsupported,
            format!("it is not clear whether {dataset} are to be shown or must be there"),
            "name the field that is to be shown, or say that it must not be missing",
        )
    })
}

/// "With tickets in Billing but not in Access": of one row the second says nothing, so other rows are meant.
fn one_value_and_not_another(conditions: &[&Condition]) -> Option<Problem> {
    let values = |wanted: Polarity| {
        conditions.iter().filter_map(move |c| match c {
            Condition::OneOf { field, polarity, .. } if *polarity == wanted => Some(field),
            Condition::OneOf { .. }
            | Condition::Compare { .. }
            | Condition::Between { .. }
            | Condition::Missing { .. }
            | Condition::InPeriod { .. }
            | Condition::Member { .. }
            | Condition::Related { .. }
            | Condition::Any(_) => None,
        })
    };
    let field = values(Polarity::Is).find(|a| values(Polarity::IsNot).any(|b| a == &b))?;
    Some(Problem::new(
        ReasonCode::Unsupported,
        format!(
            "{} of {} is asked to be one value and not another, which says nothing of one row",
            field.field, field.dataset
        ),
        "ask for one of them at a time",
    ))
}

/// "Bought Lighting and Furniture", "but not": no single related row can be both.
fn never_one_row(condition: &Condition, words: &[WordUse]) -> Option<Problem> {
    let Condition::Related { dataset, conditions, .. } = condition else { return None };
    let values = |wanted: Polarity| {
        conditions.iter().filter_map(move |c| match c {
            Condition::OneOf { field, values, polarity } if *polarity == wanted => {
                Some((field, values.len()))
            }
            Condition::OneOf { .. }
            | Condition::Compare { .. }
            | Condition::Between { .. }
            | Condition::Missing { .. }
            | Condition::InPeriod { .. }
            | Condition::Member { .. }
            | Condition::Related { .. }
            | Condition::Any(_) => None,
        })
    };
    let apart = values(Polarity::Is).any(|(a, _)| values(Polarity::IsNot).any(|(b, _)| a == b));
    let and =
        words.iter().any(|w| matches!(w.used_as, Use::Value(_)) && w.text.to_lowercase().contains(" and "));
    let both = and && values(Polarity::Is).any(|(_, n)| n > 1);
    (apart || both).then(|| {
        Problem::new(
            ReasonCode::Unsupported,
            format!(
                "it is not clear whether one row of {dataset} must meet all of that, or several rows together"
            ),
            "ask for one of them at a time",
        )
    })
}
