//! Which field a phrase means, and by which way it is reached.

use tieout_core::{
    catalogue::PathSearch,
    reading::{Choice, FieldRef, ReasonCode, Source, Use},
};

use super::{Base, Resolver, reach::Reach};
use crate::{
    grammar::ast::FieldPhrase,
    language::Class,
    lattice::{FieldSense, Span},
    lexicon::{FieldId, Tier, field_of},
};

/// What a field is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To group by; a metric may list what is allowed.
    Group,
    /// To filter by.
    Filter,
    /// To show.
    Column,
}

/// A field, and how it was reached.
#[derive(Clone, Debug)]
pub(super) struct ChosenField {
    pub(super) id: FieldId,
    pub(super) reference: FieldRef,
    pub(super) reach: Reach,
    pub(super) source: Source,
}

/// A field that a phrase may mean, weighed.
#[derive(Clone, Copy, Debug)]
struct Weighed {
    sense: FieldSense,
    reach: Reach,
    allowed: bool,
    near: bool,
    naming: bool,
    bare: bool,
}

impl Weighed {
    /// The smaller the better. A row's own field beats another dataset's unless it is only guessed.
    fn rank(self) -> (bool, bool, bool, bool, u8, Reach) {
        let tier = match self.sense.tier {
            Tier::Label | Tier::Synonym | Tier::Composite => 0,
            Tier::Elided => 1,
            Tier::Head => 2,
        };
        let guessed = tier == 2 || self.bare;
        (guessed, guessed && !self.near, guessed && !self.naming, self.reach != Reach::Own, tier, self.reach)
    }
}

impl Resolver<'_> {
    /// The field that a phrase means for rows of these bases. `near` is the dataset that was named last: `by id` means
    /// its key.
    pub(super) fn field(
        &mut self,
        phrase: &FieldPhrase,
        purpose: Purpose,
        bases: &[Base],
        near: Option<usize>,
    ) -> Option<ChosenField> {
        let weighed = self.weigh(phrase, purpose, bases, near);
        let mut best: Vec<Weighed> =
            weighed.iter().filter(|w| w.allowed && w.reach != Reach::Nowhere).copied().collect();
        if best.is_empty() {
            self.no_field(phrase.span, purpose, bases, &weighed);
            return None;
        }
        best.sort_by_key(|w| w.rank());
        let rank = best.first()?.rank();
        best.retain(|w| w.rank() == rank);
        let (index, mut source) = self.among(phrase.span, &best);
        let chosen = *best.get(index)?;
        if phrase.term.is_some() {
            source = self.term(phrase.term);
        }
        match phrase.link {
            None => self.note_field(phrase.span, chosen.sense.field),
            Some(link) => self.note_link(phrase.span, link),
        }
        self.link = phrase.link;
        let reached = self.reached(chosen.sense.field, chosen.reach, source, bases, purpose);
        self.link = None;
        reached
    }

    fn weigh(
        &self,
        phrase: &FieldPhrase,
        purpose: Purpose,
        bases: &[Base],
        near: Option<usize>,
    ) -> Vec<Weighed> {
        // A bare `id` or `number` names nothing by itself: it is the one of what was named last.
        let bare = phrase.span.first == phrase.span.last
            && self.chart().one_of(phrase.span.first, &[Class::Heads]).is_some();
        let weigh = |sense: &FieldSense| {
            let dataset = sense.field.dataset;
            let reach = bases.iter().map(|base| self.cx.ways.reach(base.dataset, dataset)).max();
            let listed =
                |base: &Base| base.allowed.as_ref().is_none_or(|(_, list)| self.lists(list, sense.field));
            Weighed {
                sense: *sense,
                reach: reach.unwrap_or(Reach::Own),
                allowed: purpose != Purpose::Group || bases.iter().all(listed),
                near: near == Some(dataset),
                naming: self.naming_field(dataset) == Some(sense.field),
                bare,
            }
        };
        phrase.senses.iter().map(weigh).collect()
    }

    fn lists(&self, list: &[tieout_core::catalogue::Dimension], field: FieldId) -> bool {
        field_of(self.catalogue(), field).is_some_and(|(dataset, field)| {
            list.iter().any(|d| d.dataset == dataset && d.field == field.name)
        })
    }

    /// One of several equally good fields: the only one, or a doubt.
    fn among(&mut self, span: Span, best: &[Weighed]) -> (usize, Source) {
        if best.len() < 2 {
            return (0, Source::Question);
        }
        let choices: Vec<Choice> = best
            .iter()
            .filter_map(|w| field_of(self.catalogue(), w.sense.field))
            .map(|(dataset, field)| self.field_choice(dataset, &field.name))
            .collect();
        let words = self.words_of(span);
        let message = format!("`{words}` can be any of {} fields", choices.len());
        let (index, source) = self.choose(&format!("field:{words}"), message, choices);
        (index, if source == Source::Assumed { Source::Question } else { source })
    }

    /// The reference to a field, with its way where there are several.
    pub(super) fn reached(
        &mut self,
        id: FieldId,
        reach: Reach,
        source: Source,
        bases: &[Base],
        purpose: Purpose,
    ) -> Option<ChosenField> {
        let (dataset, field) = field_of(self.catalogue(), id)?;
        let (dataset, field) = (dataset.to_owned(), field.name.clone());
        let stated = bases.iter().filter(|_| purpose == Purpose::Group).find_map(|base| {
            let (_, list) = base.allowed.as_ref()?;
            list.iter().find(|d| d.dataset == dataset && d.field == field)?.via.clone()
        });
        let subject = format!("path:{dataset}.{field}");
        let via = match stated {
            Some(via) => {
                let role = self.link.and_then(|link| self.catalogue().relationships.get_index(link));
                if let Some((name, _)) = role.filter(|(name, _)| !via.contains(*name)) {
                    self.unlikely(8);
                    let message = format!(
                        "{name} is not a way that the metric may be split by; it is split by {}",
                        via.join(", then ")
                    );
                    self.refuse(ReasonCode::ForbiddenGrouping, message, "group by it without naming the way");
                }
                self.walked.extend(via.iter().cloned());
                Some(via)
            }
            None => self.way(bases, id.dataset, &subject),
        };
        Some(ChosenField { id, reference: FieldRef { dataset, field, via }, reach, source })
    }

    /// The relationships to a dataset, when there is more than one way; a doubt when nothing says which.
    pub(super) fn way(&mut self, bases: &[Base], to: usize, subject: &str) -> Option<Vec<String>> {
        let mut stated = None;
        for base in bases {
            match self.cx.ways.search(base.dataset, to).as_ref() {
                PathSearch::One(path) => self.walked.extend(path.names()),
                PathSearch::None => {}
                PathSearch::Several(paths) => {
                    // A way down and up again, or up and down again, leads to others' rows; a straight way to a row's own.
                    let straight: Vec<_> =
                        paths.iter().filter(|path| path.to_one() || is_to_many(path)).collect();
                    if let ([only], None) = (straight.as_slice(), self.link) {
                        let way = only.names();
                        self.walked.extend(way.iter().cloned());
                        stated.get_or_insert(way);
                        continue;
                    }
                    let all: Vec<Vec<String>> =
                        paths.iter().map(tieout_core::catalogue::JoinPath::names).collect();
                    let way = self.one_way(base.dataset, to, &all, subject);
                    self.walked.extend(way.iter().cloned());
                    stated.get_or_insert(way);
                }
            }
        }
        stated
    }

    /// One of several ways: the one along a relationship that was named, or a doubt.
    fn one_way(&mut self, from: usize, to: usize, ways: &[Vec<String>], subject: &str) -> Vec<String> {
        let named: Vec<&str> = self
            .named_links
            .iter()
            .flat_map(|(_, links)| links)
            .filter_map(|link| self.catalogue().relationships.get_index(*link))
            .map(|(name, _)| name.as_str())
            .collect();
        let along: Vec<&Vec<String>> =
            ways.iter().filter(|way| way.iter().any(|name| named.contains(&name.as_str()))).collect();
        let role = self.link.and_then(|link| self.catalogue().relationships.get_index(link));
        let along: Vec<&Vec<String>> = match role {
            Some((name, _)) => ways.iter().filter(|way| way.contains(name)).collect(),
            None => along,
        };
        if let [only] = along.as_slice() {
            return (*only).clone();
        }
        let choices =
            ways.iter().map(|way| Choice { key: way.join(">"), text: way.join(", then ") }).collect();
        let label = |index| self.dataset(index).map(|dataset| dataset.label.clone()).unwrap_or_default();
        let message = format!("there are {} ways from {} to {}", ways.len(), label(from), label(to));
        let (index, _) = self.choose(subject, message, choices);
        ways.get(index).cloned().unwrap_or_default()
    }

    /// Notes a relationship that a role names; it must be walked along.
    fn note_link(&mut self, span: Span, link: usize) {
        if let Some((name, _)) = self.catalogue().relationships.get_index(link) {
            self.note(span, Use::Relationship(name.clone()));
            self.roles.push((span, link));
        }
    }

    /// Why no field fits.
    fn no_field(&mut self, span: Span, purpose: Purpose, bases: &[Base], weighed: &[Weighed]) {
        self.unlikely(8);
        let reachable = weighed.iter().any(|w| w.reach != Reach::Nowhere);
        let forbidding =
            bases.iter().find_map(|base| base.allowed.as_ref().map(|(metric, list)| (metric, list)));
        if let (Purpose::Group, true, Some((metric, list))) = (purpose, reachable, forbidding) {
            let allowed: Vec<String> = list.iter().map(|d| format!("{}.{}", d.dataset, d.field)).collect();
            let message = format!("is not a grouping that {metric} allows");
            let hint = format!("group by one of {}, or by a step of time", allowed.join(", "));
            self.blame_near(ReasonCode::ForbiddenGrouping, span, &message, &hint, allowed);
            return;
        }
        let measure = bases.first().map(|base| base.measure.clone()).unwrap_or_default();
        let message = format!("is not linked to {measure} by any stated relationship");
        self.blame(
            ReasonCode::NoRelationship,
            span,
            &message,
            "ask without it, or state the relationship in the catalogue",
        );
    }

    /// The field that names a row of a dataset to a person: its display, or its key when that is one field.
    pub(super) fn naming_field(&self, dataset: usize) -> Option<FieldId> {
        let entry = self.dataset(dataset)?;
        let name = match (&entry.display, entry.primary_key.as_slice()) {
            (Some(display), _) => display,
            (None, [only]) => only,
            (None, _) => return None,
        };
        let (field, _, declared) = entry.fields.get_full(name)?;
        (declared.access != tieout_sql::Access::Hidden).then_some(FieldId { dataset, field })
    }

    /// A dataset's naming field as a phrase, so that it is chosen as any other.
    pub(super) fn naming_phrase(&mut self, span: Span, dataset: usize) -> Option<FieldPhrase> {
        let Some(field) = self.naming_field(dataset) else {
            self.blame(
                ReasonCode::Unsupported,
                span,
                "has no one field that names its rows",
                "name a field, or give the dataset a `display` in the catalogue",
            );
            return None;
        };
        Some(FieldPhrase {
            span,
            senses: vec![FieldSense { tier: Tier::Label, field }],
            term: None,
            link: None,
        })
    }
}

/// Whether every hop leads to many rows.
fn is_to_many(path: &tieout_core::catalogue::JoinPath) -> bool {
    path.hops.iter().all(|hop| hop.direction == tieout_core::catalogue::Direction::ToMany)
}
