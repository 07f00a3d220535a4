//! Tells lies about an answer: each must be refused.

use bigdecimal::BigDecimal;
use tieout_agent::{Templates, quotes, source_text};
use tieout_core::{
    catalogue::Project,
    claim::{Draft, Piece, tether, tether_quotes},
    evidence::{Cell, Evidence, forged},
    figures::{FigureValue, Figures},
    outcome::Answer,
    ports::Narrator,
    reading::Request,
};

/// How many lies were told, and which were not caught.
#[derive(Default)]
pub struct Told {
    /// All.
    pub told: usize,
    /// Those that went through.
    pub believed: Vec<String>,
}

impl Told {
    fn tell(&mut self, lie: &str, caught: bool) {
        self.told += 1;
        if !caught {
            self.believed.push(lie.to_owned());
        }
    }
}

/// Tells every lie that applies to an answer.
pub async fn tell(answer: &Answer, project: &Project) -> Told {
    let mut told = Told::default();
    if let Request::About(request) = answer.settled.request() {
        for mut quote in quotes(request, project).unwrap() {
            quote.text = altered(&quote.text);
            let caught = tether_quotes(&[quote], &|entry| source_text(request, project, entry)).is_err();
            told.tell("a quoted letter is altered", caught);
        }
        return told;
    }
    let (figures, evidence) = (&answer.figures, answer.trail.evidence.as_slice());
    let draft = Templates.narrate(&answer.settled, figures).await.unwrap();
    assert!(tether(&draft, figures, evidence).is_ok(), "the truth itself is refused");
    wrong_figures(&mut told, &draft, figures, evidence);
    wrong_rows(&mut told, &draft, figures, evidence);
    wrong_sentences(&mut told, &draft, figures, evidence);
    told
}

/// Each figure is off by the smallest unit it shows, or by one.
fn wrong_figures(told: &mut Told, draft: &Draft, figures: &Figures, evidence: &[Evidence]) {
    let lines = figures.lines.len() + usize::from(figures.total.is_some());
    for (line, column) in (0..lines).flat_map(|l| (0..figures.columns.len()).map(move |c| (l, c))).take(12) {
        let mut lying = figures.clone();
        let mut all: Vec<_> = lying.total.iter_mut().chain(&mut lying.lines).collect();
        let figure = &mut all[line].figures[column];
        let scale = figures.columns[column].unit.scale.unwrap_or(0);
        figure.value = match &figure.value {
            FigureValue::Number(n) => FigureValue::Number(n + BigDecimal::new(1.into(), i64::from(scale))),
            FigureValue::Undefined(_) | FigureValue::NoRows | FigureValue::Withheld => {
                FigureValue::Number(0.into())
            }
        };
        told.tell("a figure is changed by one unit", tether(draft, &lying, evidence).is_err());
    }
}

/// A source is dropped, or a cell of it altered after it was sealed.
fn wrong_rows(told: &mut Told, draft: &Draft, figures: &Figures, evidence: &[Evidence]) {
    let mut sources: Vec<&str> =
        figures.all().flat_map(|(_, f)| f.working.cells()).map(|c| c.evidence.as_str()).collect();
    sources.extend(figures.listing.iter().map(|l| l.evidence.as_str()));
    sources.sort_unstable();
    sources.dedup();
    for source in sources {
        let without: Vec<_> = evidence.iter().filter(|e| e.id() != source).cloned().collect();
        told.tell("a source is dropped", tether(draft, figures, &without).is_err());
        let altered = |e: &Evidence| {
            let mut rows = e.rows().clone();
            let last = rows.rows.last_mut().and_then(|row| row.last_mut());
            match last {
                Some(Cell::Number(n)) => *n += BigDecimal::from(1),
                Some(cell) => *cell = Cell::Text("something else".to_owned()),
                None => rows.columns.push("more".to_owned()),
            }
            forged(e, rows)
        };
        let lying: Vec<_> =
            evidence.iter().map(|e| if e.id() == source { altered(e) } else { e.clone() }).collect();
        told.tell("a cell is altered after sealing", tether(draft, figures, &lying).is_err());
    }
}

/// A name is misspelt, a numeral written into words, a figure named that is not there, a sentence left without source.
fn wrong_sentences(told: &mut Told, draft: &Draft, figures: &Figures, evidence: &[Evidence]) {
    let with = |change: &dyn Fn(&mut Vec<Piece>)| {
        let mut lying = draft.clone();
        lying.sentences.iter_mut().take(1).for_each(|s| change(&mut s.pieces));
        tether(&lying, figures, evidence).is_err()
    };
    if draft.sentences.is_empty() {
        return;
    }
    let misspelt = |pieces: &mut Vec<Piece>| {
        for piece in pieces.iter_mut() {
            if let Piece::Name(name) = piece {
                *name = altered(name);
            }
        }
    };
    if draft.sentences[0].pieces.iter().any(|p| matches!(p, Piece::Name(_))) {
        told.tell("a name is misspelt", with(&misspelt));
    }
    told.tell("a loose numeral", with(&|p| p.push(Piece::Words(" and 42 more".to_owned()))));
    told.tell("a figure that is not there", with(&|p| p.push(Piece::Figure("f9999".to_owned()))));
    told.tell("a sentence without a source", with(&|p| *p = vec![Piece::Words("all is well".to_owned())]));
}

/// The same text with its first letter turned into another.
fn altered(text: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    match letters.first_mut() {
        Some(first) => *first = if *first == '§' { '¤' } else { '§' },
        None => letters.push('§'),
    }
    letters.into_iter().collect()
}
