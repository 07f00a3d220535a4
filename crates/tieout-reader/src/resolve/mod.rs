//! From a sequence of clauses to a typed request: what each phrase is bound to, and what is in doubt or wrong.
//!
//! Nothing here looks at text; a phrase is a span and the things that it may name. Deliberately absent: the choice among
//! sequences, which `scoring` makes, and any decision whether a doubt may stand, which `settle` takes.

mod about;
mod baselines;
mod conditions;
mod definitions;
mod doubts;
mod figures;
mod fields;
mod follow_up;
mod frame;
mod groupings;
mod having;
mod links;
mod measures;
mod notes;
mod parts;
mod periods;
mod problems;
mod ranking;
mod reach;
mod rows;
mod tests_on_fields;
mod values;

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

use tieout_core::{
    catalogue::{Catalogue, Dataset, Dimension, Project},
    question::Question,
    reading::{Doubtful, Problem, ReasonCode, Request, Use, WordUse},
};

use crate::{
    grammar::{
        Sequence,
        ast::{Ask, Target, Test},
    },
    lattice::{Chart, Span},
    lexicon::Near,
};

use frame::Frame;
use reach::Ways;

/// What a resolver may look at.
#[derive(Debug)]
pub struct Context<'a> {
    /// The question's readings, word by word.
    pub chart: &'a Chart<'a>,
    /// The question, for the choices that its asker has confirmed.
    pub question: &'a Question,
    /// The project.
    pub project: &'a Project,
    /// The request of the previous answer.
    pub previous: Option<&'a Request>,
    ways: Ways<'a>,
    near: RefCell<BTreeMap<Span, Vec<Near>>>,
}

impl<'a> Context<'a> {
    /// A context; path searches are shared by all sequences that are resolved in it.
    #[must_use]
    pub fn new(
        chart: &'a Chart<'a>,
        question: &'a Question,
        project: &'a Project,
        previous: Option<&'a Request>,
    ) -> Self {
        Self {
            chart,
            question,
            project,
            previous,
            ways: Ways::of(&project.catalogue),
            near: RefCell::new(BTreeMap::new()),
        }
    }
}

/// What a sequence asks for.
#[derive(Debug)]
pub struct Resolved<'s> {
    /// The sequence itself.
    pub sequence: &'s Sequence,
    /// The request, when there is one.
    pub request: Option<Request>,
    /// What is wrong.
    pub problems: Vec<Problem>,
    /// What the asker must choose.
    pub doubts: Vec<Doubtful>,
    /// Other periods.
    pub alternatives: Vec<String>,
    /// The use of every word.
    pub words: Vec<WordUse>,
    /// The sequence's score less what the resolution found unlikely: never more than the sequence's own.
    pub score: i32,
    /// How many of its words and parts do not answer to each other.
    pub objections: usize,
}

/// The rows that a measure is worked out over.
#[derive(Clone, Debug)]
struct Base {
    /// Their dataset.
    dataset: usize,
    /// The groupings that are allowed, when they are listed, and the metric that lists them.
    allowed: Option<(String, Vec<Dimension>)>,
    /// The field that places them in time.
    time: Option<String>,
    /// What is measured, for messages.
    measure: String,
}

/// Resolves one sequence.
struct Resolver<'a> {
    cx: &'a Context<'a>,
    notes: BTreeMap<usize, (usize, Use)>,
    problems: Vec<Problem>,
    doubts: Vec<Doubtful>,
    alternatives: Vec<String>,
    /// Relationships that were named, with where.
    named_links: Vec<(Span, Vec<usize>)>,
    /// Relationships that the request walks along.
    walked: BTreeSet<String>,
    /// Whether the filter being resolved stands before its noun, and so tells of the noun's own rows.
    adjectival: bool,
    /// The relationship that the phrase being resolved names by its role.
    link: Option<usize>,
    /// Relationships that were named by their roles.
    roles: Vec<(Span, usize)>,
    /// Datasets that are mentioned beside what is asked, for fields of several datasets.
    mentioned: BTreeSet<usize>,
    unlikely: i32,
}

/// Resolves a sequence of clauses.
#[must_use]
pub fn resolve<'s>(cx: &Context<'_>, sequence: &'s Sequence) -> Resolved<'s> {
    let frame = Frame::of(sequence);
    let mut resolver = Resolver {
        cx,
        notes: BTreeMap::new(),
        problems: Vec::new(),
        doubts: Vec::new(),
        alternatives: Vec::new(),
        named_links: Vec::new(),
        walked: BTreeSet::new(),
        adjectival: false,
        link: None,
        roles: Vec::new(),
        mentioned: mentioned(cx.chart, &frame),
        unlikely: 0,
    };
    resolver.stop(&frame);
    if frame.run_on {
        resolver.unlikely(25);
    }
    let request = resolver.request(&frame);
    resolver.unused_choices(&frame);
    problems::sort(&mut resolver.problems);
    let words = resolver.words(sequence);
    let score = sequence.score.saturating_sub(resolver.unlikely);
    Resolved {
        sequence,
        request,
        problems: resolver.problems,
        doubts: resolver.doubts,
        alternatives: resolver.alternatives,
        words,
        score,
        objections: 0,
    }
}

/// The datasets that filters and lists name.
fn mentioned(chart: &Chart<'_>, frame: &Frame<'_>) -> BTreeSet<usize> {
    let filters = frame.filters.iter().filter_map(|part| match &part.filter.test {
        Test::Mention(noun) => Some(noun),
        _ => None,
    });
    let named = frame
        .named
        .iter()
        .map(|part| part.target)
        .chain(frame.by.iter().copied())
        .chain(frame.each.iter().copied());
    let things = named.filter_map(|target| if let Target::Thing(noun) = target { Some(noun) } else { None });
    filters.chain(things).filter_map(|noun| crate::grammar::dataset_of(chart, noun.head)).collect()
}

impl<'a> Resolver<'a> {
    fn catalogue(&self) -> &'a Catalogue {
        &self.cx.project.catalogue
    }

    fn chart(&self) -> &'a Chart<'a> {
        self.cx.chart
    }

    fn dataset(&self, index: usize) -> Option<&'a Dataset> {
        self.catalogue().datasets.get_index(index).map(|(_, dataset)| dataset)
    }

    fn dataset_name(&self, index: usize) -> String {
        self.dataset(index).map(|dataset| dataset.name.clone()).unwrap_or_default()
    }

    /// Says that a reading is less likely than its words alone suggest.
    fn unlikely(&mut self, by: i32) {
        self.unlikely = self.unlikely.saturating_add(by);
    }

    /// `list the order number and amount of orders placed`: fields are listed, and what could be taken for a count is
    /// more likely whose they are.
    fn lists_beside_a_count(&self, frame: &Frame<'_>) -> bool {
        use crate::{
            grammar::ast::{Ask, MeasureCore, Target},
            language::Class,
        };
        let counts = |index: &usize| {
            self.catalogue().metrics.get_index(*index).is_some_and(|(_, metric)| {
                matches!(&metric.measure, tieout_core::catalogue::Measure::Aggregate(a) if a.kind == "count")
            })
        };
        let counted = frame.named.iter().any(|part| match part.target {
            Target::Measure(phrase) => match &phrase.core {
                MeasureCore::Metrics(metrics) => metrics.iter().all(counts),
                MeasureCore::Count(_) => true,
                MeasureCore::Field(_) => false,
            },
            Target::Thing(_) | Target::Field(_) | Target::Grain(..) => false,
        });
        let fields = frame.named.iter().any(|part| matches!(part.target, Target::Field(_)));
        let opens = self.chart().one_of(0, &[Class::List]).is_some();
        counted && fields && (opens || frame.asks(Ask::List) || frame.asks(Ask::Show))
    }

    /// What is asked, by what the clauses name.
    fn request(&mut self, frame: &Frame<'_>) -> Option<Request> {
        if let Some((span, about)) = frame.abouts.first() {
            if frame.abouts.len() > 1
                || !frame.named.is_empty()
                || !frame.by.is_empty()
                || !frame.filters.is_empty()
            {
                self.unlikely(20);
            }
            return self.about(*span, about).map(Request::About);
        }
        if let Some(request) = self.follow_up(frame) {
            return Some(request);
        }
        if frame.asks(Ask::HowMany) {
            self.unlikely(20);
            self.refuse(
                ReasonCode::Unsupported,
                "it is not clear what is counted",
                "ask `how many` of one thing, or ask which they are",
            );
        }
        if self.asks_for_rows(frame) {
            return self.rows(frame);
        }
        if self.lists_beside_a_count(frame) {
            self.unlikely(30);
        }
        self.figures(frame).map(Request::Figures)
    }
}
