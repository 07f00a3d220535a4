//! Whether a question is plain, so that its reading may be answered without being looked at.
//!
//! Strangers asked thousands of questions, and what was read wrongly was never a plain one: a measure, groups, a period,
//! a condition or two, an order. So whatever is not plain is put to the asker with its reading, and answered when they
//! take it. Each check here is about a construction and not about any word of a catalogue. Deliberately absent: what is
//! plainly wrong, which the objections decline.

mod conditions;
mod figures;
mod kinds;
mod lost;
mod meant_of;
mod pointing;
mod rows;
mod times;
mod together;
mod words;

use tieout_core::{
    catalogue::Catalogue,
    reading::{
        Choice, Condition, Derivation, Doubtful, Grouping, READING, Ranking, Request, Source, Use, WordUse,
    },
};

use crate::{
    grammar::Sequence,
    grammar::ast::Clause,
    language::{Caution, Class},
    lattice::Chart,
    resolve::{Context, Resolved},
    time::TimeKind,
};

/// The most conditions of a plain question.
const CONDITIONS_MAX: usize = 3;
/// The last words of names of fields that say how things stand now.
const STATES: [&str; 4] = ["status", "state", "stage", "phase"];

/// The doubt that puts a reading to the asker.
pub(crate) fn doubt(why: &str) -> Doubtful {
    Doubtful {
        subject: READING.to_owned(),
        message: format!("{why}; is what stands above what you ask?"),
        choices: vec![Choice { key: "yes".to_owned(), text: "yes, as it stands above".to_owned() }],
    }
}

/// Why a reading should be looked at before it is answered; none when the question is plain, or declined anyway.
pub(crate) fn unsure(cx: &Context<'_>, resolved: &Resolved<'_>) -> Option<String> {
    let request = resolved.request.as_ref()?;
    if !resolved.problems.is_empty() || matches!(request, Request::About(_)) {
        return None;
    }
    let look = Look {
        chart: cx.chart,
        catalogue: &cx.project.catalogue,
        sequence: resolved.sequence,
        request,
        words: &resolved.words,
        previous: cx.previous,
    };
    look.dropped()
        .or_else(|| look.opens_as_yes_or_no())
        .or_else(|| look.demanded())
        .or_else(|| look.points_outside())
        .or_else(|| look.which_or_who())
        .or_else(|| look.after_another())
        .or_else(|| look.begins_like_another())
        .or_else(|| look.dangling())
        .or_else(|| look.bounds_turned())
        .or_else(|| look.metric_taken_apart())
        .or_else(|| look.time_of_things())
        .or_else(|| look.value_behind_its_field())
        .or_else(|| look.metric_passed_over())
        .or_else(|| look.conditions_together())
        .or_else(|| look.state_then())
        .or_else(|| look.verb_taken_for_a_name())
        .or_else(|| look.starting())
        .or_else(|| look.followed_up())
        .or_else(|| look.lasting_then())
        .or_else(|| look.related_unnamed())
        .or_else(|| look.value_or_population())
        .or_else(|| look.bound_of_unnamed())
        .or_else(|| look.no_in_a_name())
        .or_else(|| look.value_in_a_field())
        .or_else(|| look.named_twice())
        .or_else(|| look.judged())
        .or_else(|| look.number_in_a_date())
        .or_else(|| look.ahead())
        .or_else(|| look.planned())
        .or_else(|| look.done_to_them())
        .or_else(|| look.members_or_verb())
        .or_else(|| look.adjective_of_another())
        .or_else(|| look.average_of_many())
        .or_else(|| look.time_of_follow_up())
        .or_else(|| look.time_of_related())
        .or_else(|| look.by_a_value())
        .or_else(|| look.values_apart())
        .or_else(|| look.times_joined())
        .or_else(|| match request {
            Request::Figures(figures) => look.figures(figures),
            Request::Rows(rows) => look.rows(rows),
            Request::About(_) => None,
        })
}

struct Look<'a> {
    chart: &'a Chart<'a>,
    catalogue: &'a Catalogue,
    sequence: &'a Sequence,
    request: &'a Request,
    words: &'a [WordUse],
    previous: Option<&'a Request>,
}

impl Look<'_> {
    fn has(&self, test: impl Fn(&Clause) -> bool) -> bool {
        self.sequence.clauses.iter().any(|placed| test(placed.clause.as_ref()))
    }

    /// Where a phrase of a class starts.
    fn says(&self, class: Class) -> Option<usize> {
        (0..self.chart.tokens_count()).find(|at| self.chart.one_of(*at, &[class]).is_some())
    }

    /// Where a phrase that warns of something starts.
    fn warns(&self, caution: Caution) -> Option<usize> {
        (0..self.chart.tokens_count()).find(|at| self.warns_at(*at, caution))
    }

    /// Whether such a phrase starts here.
    fn warns_at(&self, at: usize, caution: Caution) -> bool {
        self.chart.cautions(at, caution).next().is_some()
    }

    /// Whether a single word belongs to a class.
    fn is_word(&self, word: &str, class: Class) -> bool {
        self.chart.language().classes(word).contains(&class)
    }

    /// Whether a single word warns of something.
    fn is_caution(&self, word: &str, caution: Caution) -> bool {
        self.chart.language().cautions().kinds(word).contains(&caution)
    }

    /// Whether a word of the question names a field.
    fn names_field(&self, dataset: &str, field: &str) -> bool {
        let names =
            |used: &Use| matches!(used, Use::Field(name) if name.split_once('.') == Some((dataset, field)));
        self.words.iter().any(|word| names(&word.used_as))
    }

    /// Every condition, those of a share's part included.
    fn conditions(&self) -> Vec<&Condition> {
        self.request.conditions()
    }

    fn has_period(&self) -> bool {
        match self.request {
            Request::Figures(figures) => {
                figures.period.period.is_some()
                    || figures.groupings.iter().any(|grouping| matches!(grouping.value, Grouping::Time(_)))
            }
            Request::Rows(rows) => rows.period.period.is_some(),
            Request::About(_) => false,
        }
    }

    /// A follow-up of a question whose conditions hold the period, or that was itself a comparison.
    fn followed_up(&self) -> Option<String> {
        let previous = self.previous?;
        if !self.inherits() {
            return None;
        }
        let cut = |ranking: Option<&Ranking>| ranking.filter(|ranking| ranking.limit.is_some()).cloned();
        let (was, is) = match (previous, self.request) {
            (Request::Figures(was), Request::Figures(is)) => (was.ranking.as_ref(), is.ranking.as_ref()),
            (Request::Rows(was), Request::Rows(is)) => (was.ranking.as_ref(), is.ranking.as_ref()),
            _ => (None, None),
        };
        if cut(was).is_some() && was != is {
            return Some(
                "the answer before shows some of several, and another order would choose others".to_owned(),
            );
        }
        if let (Request::Figures(was), Request::Figures(is)) = (previous, self.request)
            && was.measures.iter().map(|m| &m.value).ne(is.measures.iter().map(|m| &m.value))
            && self.chart.one_of(0, &[Class::And]).is_some()
        {
            return Some("“and” may ask for it beside what was there, and not instead".to_owned());
        }
        let (conditions, derived): (Vec<&Condition>, bool) = match previous {
            Request::Figures(figures) => (
                figures.conditions.iter().map(|condition| &condition.value).collect(),
                figures.derivation != Derivation::Plain,
            ),
            Request::Rows(rows) => {
                (rows.conditions.iter().map(|condition| &condition.value).collect(), false)
            }
            Request::About(_) => (Vec::new(), false),
        };
        let counted_from = self.has(|clause| match clause {
            Clause::When(time) | Clause::Versus(time, _) => {
                matches!(time.reading.kind, TimeKind::Previous { .. } | TimeKind::SameLastYear)
            }
            _ => false,
        });
        let holds_time = |condition: &&Condition| match condition {
            Condition::InPeriod { .. }
            | Condition::Related { .. }
            | Condition::Member { .. }
            | Condition::Any(_) => true,
            Condition::OneOf { .. }
            | Condition::Compare { .. }
            | Condition::Between { .. }
            | Condition::Missing { .. } => false,
        };
        if conditions.iter().any(holds_time) || conditions.len() > 1 || derived || counted_from {
            return Some(
                "this goes on from the answer before, and could change another part of it".to_owned(),
            );
        }
        None
    }

    /// Whether a part of the request comes from the answer before.
    fn inherits(&self) -> bool {
        let sources: Vec<Source> = match self.request {
            Request::Figures(figures) => {
                let measures = figures.measures.iter().map(|part| part.source);
                let conditions = figures.conditions.iter().map(|part| part.source);
                measures.chain(conditions).chain([figures.period.source]).collect()
            }
            Request::Rows(rows) => {
                rows.conditions.iter().map(|part| part.source).chain([rows.period.source]).collect()
            }
            Request::About(_) => Vec::new(),
        };
        sources.contains(&Source::Previous)
    }
}
