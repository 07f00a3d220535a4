//! Doubts, and the choices of the asker that settle them.

use tieout_core::reading::{Choice, Doubtful, Problem, ReasonCode, Source};

use super::{Frame, Resolver};
use crate::lattice::Span;
use tieout_core::catalogue::TermMeaning;

impl Resolver<'_> {
    /// The place of the chosen option: what the asker confirmed, or the first for the time being, with a doubt.
    pub(super) fn choose(&mut self, subject: &str, message: String, choices: Vec<Choice>) -> (usize, Source) {
        let confirmed = self.cx.question.confirmed.iter().find(|c| {
            c.subject == subject
                || (subject.starts_with(&format!("{}:", c.subject)) && picked(&choices, &c.choice).is_some())
        });
        let Some(confirmed) = confirmed else {
            if !self.doubts.iter().any(|doubt| doubt.subject == subject) {
                self.doubts.push(Doubtful { subject: subject.to_owned(), message, choices });
            }
            return (0, Source::Assumed);
        };
        if let Some(index) = picked(&choices, &confirmed.choice) {
            return (index, Source::Confirmed);
        }
        let keys: Vec<String> = choices.into_iter().map(|choice| choice.key).collect();
        let problem = Problem::new(
            ReasonCode::UnknownChoice,
            format!("`{}` is not one of the choices for {subject}", confirmed.choice),
            format!("choose one of {}", keys.join(", ")),
        );
        self.problems.push(problem.near(keys));
        (0, Source::Assumed)
    }

    /// The doubt of an ambiguous term, if the words were one.
    pub(super) fn term(&mut self, term: Option<usize>) -> Source {
        let Some((_, term)) = term.and_then(|index| self.catalogue().terms.get_index(index)) else {
            return Source::Question;
        };
        let TermMeaning::Ambiguous(readings) = &term.meaning else { return Source::Question };
        let choices =
            readings.iter().map(|name| Choice { key: name.clone(), text: self.described(name) }).collect();
        let message = format!("`{}` can mean {} things here", term.term, readings.len());
        let subject = format!("term:{}", term.term);
        self.choose(&subject, message, choices).1
    }

    /// An entry as a person knows it, with its description.
    pub(super) fn described(&self, name: &str) -> String {
        let catalogue = self.catalogue();
        let metric = catalogue.metrics.get(name).map(|metric| (&metric.label, &metric.description));
        let population =
            catalogue.populations.get(name).map(|population| (&population.label, &population.description));
        let field = name.split_once('.').and_then(|(dataset, field)| {
            let dataset = catalogue.datasets.get(dataset)?;
            dataset.fields.get(field).map(|field| (&field.label, &field.description))
        });
        match metric.or(population).or(field) {
            Some((label, Some(description))) => format!("{label}: {description}"),
            Some((label, None)) => label.clone(),
            None => name.to_owned(),
        }
    }

    /// A field as a choice.
    pub(super) fn field_choice(&self, dataset: &str, field: &str) -> Choice {
        let label = self.catalogue().datasets.get(dataset).and_then(|d| Some((d, d.fields.get(field)?)));
        let text = label.map_or_else(String::new, |(d, f)| format!("{} of {}", f.label, d.label));
        Choice { key: format!("{dataset}.{field}"), text }
    }

    /// The words of a run as typed, in lower case, for the subject of a doubt.
    pub(super) fn words_of(&self, span: Span) -> String {
        let chart = self.chart();
        let words: Vec<&str> = (span.first..=span.last).map(|at| chart.text(at)).collect();
        words.join(" ")
    }

    /// Words that shape a request must have something to shape.
    pub(super) fn unused_choices(&mut self, frame: &Frame<'_>) {
        if let Some(span) = frame.only.first() {
            let narrowed = !frame.filters.is_empty() || !frame.whens.is_empty() || !frame.ranks.is_empty();
            if !narrowed {
                self.unlikely(30);
                self.blame(
                    ReasonCode::Unsupported,
                    *span,
                    "narrows nothing that is understood",
                    "say what is kept",
                );
            }
        }
    }
}

fn picked(choices: &[Choice], choice: &str) -> Option<usize> {
    let by_key = choices.iter().position(|option| option.key == choice);
    let by_number = || choice.parse::<usize>().ok()?.checked_sub(1).filter(|index| *index < choices.len());
    by_key.or_else(by_number)
}
