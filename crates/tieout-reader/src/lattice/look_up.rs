//! Looks up what the runs of tokens may name: entries of the catalogue, values of its data, words of the language, times.

use tieout_core::catalogue::TermMeaning;

use super::{Chart, FieldSense, Groups, Item, Meaning, Shut, Span, Standing, TimeItem, plain, time_token};
use crate::{
    language::{Class, Phrases},
    lexicon::{FieldId, NameEntry, Named, PHRASE_TOKENS_MAX, Tier, is_article},
    time::{self, TimeKind, TimeToken},
    tokens::TokenKind,
};

impl Chart<'_> {
    /// Reads times; a named zone changes the calendar they are read in.
    pub(super) fn read_times(&mut self) {
        let words: Vec<TimeToken<'_>> = self.tokens.iter().map(time_token).collect();
        let spans = time::spans(&words, &self.calendar, self.now);
        // The periods are already bounded by a zone that is named; what is worked out from them must be too.
        let zone = spans.iter().find_map(|span| match &span.reading.kind {
            TimeKind::Zone(zone) => Some(zone.clone()),
            _ => None,
        });
        if let Some(zone) = zone {
            self.calendar.zone = zone;
        }
        for span in spans {
            if span.last >= self.tokens.len() || span.first > span.last {
                continue;
            }
            let item = TimeItem { span: Span { first: span.first, last: span.last }, reading: span.reading };
            if let Some(times) = self.times.get_mut(span.first) {
                times.push(item);
            }
        }
        for times in &mut self.times {
            times.sort_by_key(|item| std::cmp::Reverse(item.span.last));
        }
    }

    /// The phrases of a table that start here, with the index after each, longest first.
    pub(super) fn phrases_at<K: Copy>(&self, at: usize, table: &Phrases<K>) -> Vec<(usize, K)> {
        let mut found = Vec::new();
        let mut phrase = String::new();
        let most = table.longest_from(self.text(at));
        for (length, token) in self.tokens.iter().skip(at).take(most).enumerate() {
            if token.kind == TokenKind::Quoted {
                break;
            }
            if length > 0 {
                phrase.push(' ');
            }
            phrase.push_str(&token.text);
            let next = at.saturating_add(length).saturating_add(1);
            found.extend(table.kinds(&phrase).iter().map(|kind| (next, *kind)));
        }
        found.reverse();
        found
    }

    pub(super) fn names_at(
        &self,
        at: usize,
        singulars: &[String],
        chosen: &dyn Fn(&str, &[String]) -> usize,
    ) -> Vec<Item> {
        let mut found = Vec::new();
        if is_article(self.text(at)) {
            return found;
        }
        let mut key = String::new();
        let mut words = 0_usize;
        let mut linked = false;
        let most = self.lexicon.longest_name_from(singulars.get(at).map_or("", String::as_str));
        for (index, token) in self.tokens.iter().enumerate().skip(at) {
            if words >= most.min(PHRASE_TOKENS_MAX) || (token.kind == TokenKind::Quoted && index > at) {
                break;
            }
            if is_article(&token.text) {
                continue;
            }
            if index > at && self.links(index) {
                linked = true;
                continue;
            }
            if words > 0 {
                key.push(' ');
            }
            key.push_str(singulars.get(index).map_or("", String::as_str));
            words = words.saturating_add(1);
            let entries = self.lexicon.names(&key);
            if !entries.is_empty() && token.kind != TokenKind::Quoted {
                let before = found.len();
                self.group(Span { first: at, last: index }, entries, chosen, &mut found);
                if linked {
                    let mut index = 0;
                    found.retain(|item| {
                        index += 1;
                        index <= before
                            || matches!(item.meaning, Meaning::Metrics(_) | Meaning::Populations(_))
                    });
                }
            }
        }
        found
    }

    /// `items were sold` names what `items sold` names.
    pub(super) fn links(&self, at: usize) -> bool {
        self.language().classes(self.text(at)).contains(&Class::Copula)
    }

    /// One item for each kind of entry, so that the grammar sees few alternatives and the resolver the rest.
    pub(super) fn group(
        &self,
        span: Span,
        entries: &[NameEntry],
        chosen: &dyn Fn(&str, &[String]) -> usize,
        found: &mut Vec<Item>,
    ) {
        let term = entries.iter().find_map(|entry| match entry.named {
            Named::Term(index) => Some(index),
            _ => None,
        });
        if let Some(index) = term {
            found.extend(self.term(span, index, chosen));
            return;
        }
        let mut groups = Groups::default();
        entries.iter().for_each(|entry| groups.add(*entry));
        let before = found.len();
        groups.items(span, found);
        if found.len() == before {
            let hidden = entries.iter().find_map(|entry| match entry.named {
                Named::Hidden(field) => Some(Meaning::Shut(Shut::Hidden(field))),
                _ => None,
            });
            found.extend(hidden.map(|meaning| plain(span, meaning, Tier::Label)));
        }
    }

    /// What a term means: nothing, or the reading that is chosen, or the first for the time being.
    pub(super) fn term(
        &self,
        span: Span,
        index: usize,
        chosen: &dyn Fn(&str, &[String]) -> usize,
    ) -> Option<Item> {
        let (_, term) = self.catalogue.terms.get_index(index)?;
        let readings = match &term.meaning {
            TermMeaning::Absent(_) => {
                return Some(plain(span, Meaning::Shut(Shut::Absent(index)), Tier::Label));
            }
            TermMeaning::Ambiguous(readings) => readings,
        };
        let reading = readings.get(chosen(&term.term, readings)).or_else(|| readings.first())?;
        let meaning = self.entry(reading)?;
        Some(Item { term: Some(index), ..plain(span, meaning, Tier::Label) })
    }

    /// The metric, population or `dataset.field` of a name.
    pub(super) fn entry(&self, name: &str) -> Option<Meaning> {
        if let Some(metric) = self.catalogue.metrics.get_index_of(name) {
            return Some(Meaning::Metrics(vec![metric]));
        }
        if let Some(population) = self.catalogue.populations.get_index_of(name) {
            return Some(Meaning::Populations(vec![population]));
        }
        let (dataset, field) = name.split_once('.')?;
        let (dataset, _, entry) = self.catalogue.datasets.get_full(dataset)?;
        let field = entry.fields.get_index_of(field)?;
        Some(Meaning::Fields(vec![FieldSense { tier: Tier::Label, field: FieldId { dataset, field } }]))
    }

    pub(super) fn values_at(&self, at: usize) -> Vec<Item> {
        let mut found = Vec::new();
        let Some(first) = self.tokens.get(at) else { return found };
        if first.kind == TokenKind::Quoted {
            let tokens = crate::tokens::tokens(&first.raw);
            let key: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
            self.value_item(Span { first: at, last: at }, &key.join(" "), &mut found);
            return found;
        }
        let mut key = String::new();
        let most = self.lexicon.longest_value_from(&first.text);
        for (length, token) in self.tokens.iter().skip(at).take(most).enumerate() {
            if length > 0 {
                key.push(' ');
            }
            key.push_str(&token.text);
            self.value_item(Span { first: at, last: at.saturating_add(length) }, &key, &mut found);
        }
        found
    }

    pub(super) fn value_item(&self, span: Span, key: &str, found: &mut Vec<Item>) {
        let entries = self.lexicon.values(key);
        if entries.is_empty() {
            return;
        }
        let run = self.tokens.get(span.first..=span.last).unwrap_or_default();
        let quoted = run.iter().any(|token| token.kind == TokenKind::Quoted);
        let is_number = run.iter().all(|token| matches!(token.kind, TokenKind::Number | TokenKind::Sign));
        let shouted =
            run.iter().all(|token| token.raw.len() > 1 && token.raw.chars().all(char::is_uppercase));
        // In a question that is typed in capitals throughout, capitals say nothing.
        let before = span.first.checked_sub(1).and_then(|at| self.tokens.get(at));
        let shouted = shouted && !before.is_some_and(|token| token.raw.chars().all(char::is_uppercase));
        let own = self.language().is_function_word(key) && !shouted;
        let timed = self.times(span.first).iter().any(|time| time.span.last >= span.last);
        let standing =
            if (own || is_number || timed) && !quoted { Standing::BesideField } else { Standing::Free };
        let tier = if quoted { Tier::Label } else { Tier::Synonym };
        found.push(Item {
            span,
            meaning: Meaning::Values(entries.to_vec()),
            standing,
            tier,
            term: None,
            doubtful: 0,
        });
    }
}
