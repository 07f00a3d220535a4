//! What came of a question, held against what is right, and the five numbers over all of them.

use std::collections::BTreeMap;

use crate::{
    alone, inside,
    sheet::{Asked, Right},
    tables::{Held, Raw, Table, agree},
};

/// One of the five numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The figures are right.
    Right,
    /// Figures were given without a question back, and they are wrong.
    SilentlyWrong,
    /// There is no answer, and none was given.
    RightlyDeclined,
    /// There is an answer, and none was given.
    WronglyDeclined,
    /// Something broke, or the statement did not run.
    Broken,
}

impl Verdict {
    /// All of them, as they are reported.
    pub const ALL: [Self; 5] =
        [Self::Right, Self::SilentlyWrong, Self::RightlyDeclined, Self::WronglyDeclined, Self::Broken];

    /// As shown.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::SilentlyWrong => "silently wrong",
            Self::RightlyDeclined => "rightly declined",
            Self::WronglyDeclined => "wrongly declined",
            Self::Broken => "broken",
        }
    }
}

/// What a question back is worth to its asker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Back {
    /// A reading that is offered leads to the right figures.
    RightOffered,
    /// Only readings that lead to other figures are offered; the asker sees that in their words.
    OnlyWrong,
    /// No reading that is offered leads to figures.
    LeadsNowhere,
}

impl Back {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::RightOffered, Self::OnlyWrong, Self::LeadsNowhere];

    /// As shown.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::RightOffered => "asked back, the right reading offered",
            Self::OnlyWrong => "asked back, only other readings offered",
            Self::LeadsNowhere => "asked back, leading nowhere",
        }
    }
}

/// What a question came to.
#[derive(Clone, Debug)]
pub struct Scored {
    /// One of the five.
    pub verdict: Verdict,
    /// What a question back was worth, where there was one.
    pub back: Option<Back>,
    /// What was said, for whoever looks into it.
    pub said: String,
}

fn is_right(right: &Right, told: &Table, held: Held, raw: &Raw) -> Result<bool, String> {
    let Right::Rows(witnesses) = right else { return Ok(false) };
    for witness in witnesses {
        if agree(&raw.rows(&witness.sql)?, told, witness.order, held) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn declined(right: &Right) -> Verdict {
    match right {
        Right::Rows(_) => Verdict::WronglyDeclined,
        Right::Declined => Verdict::RightlyDeclined,
    }
}

/// Scores the model alone.
///
/// # Errors
/// When a witness does not run.
pub fn alone(asked: &Asked, told: alone::Told, raw: &Raw) -> Result<Scored, String> {
    let scored = |verdict, said| Scored { verdict, back: None, said };
    Ok(match told {
        alone::Told::Declined => scored(declined(&asked.right), "declined".to_owned()),
        alone::Told::Broken(why) => scored(Verdict::Broken, why),
        alone::Told::Rows(sql, table) => {
            let right = is_right(&asked.right, &table, Held::Kindly, raw)?;
            let verdict = if right { Verdict::Right } else { Verdict::SilentlyWrong };
            scored(verdict, format!("{sql} -> {}", shown(&table)))
        }
    })
}

/// Scores tieout.
///
/// # Errors
/// When a witness does not run.
pub fn inside(asked: &Asked, told: inside::Told, raw: &Raw) -> Result<Scored, String> {
    let scored = |verdict, back, said| Scored { verdict, back, said };
    Ok(match told {
        inside::Told::Answer(table) => {
            let right = is_right(&asked.right, &table, Held::Exactly, raw)?;
            let verdict = if right { Verdict::Right } else { Verdict::SilentlyWrong };
            scored(verdict, None, shown(&table))
        }
        inside::Told::Declined(why) => scored(declined(&asked.right), None, why.join("; ")),
        inside::Told::Broken(why) => scored(Verdict::Broken, None, why),
        inside::Told::AskedBack(taken) => {
            let mut back = Back::LeadsNowhere;
            for table in taken.iter().filter_map(|taken| taken.table.as_ref()) {
                if is_right(&asked.right, table, Held::Exactly, raw)? {
                    back = Back::RightOffered;
                    break;
                }
                back = Back::OnlyWrong;
            }
            let said: Vec<String> = taken
                .iter()
                .map(|taken| {
                    let figures = taken.table.as_ref().map_or("no figures".to_owned(), shown);
                    format!("{} -> {figures} [{}]", taken.offered, taken.block)
                })
                .collect();
            scored(declined(&asked.right), Some(back), said.join(" || "))
        }
    })
}

fn shown(table: &Table) -> String {
    let rows: Vec<String> = table.rows.iter().take(6).map(|row| row.join(" | ")).collect();
    format!("({} rows) {}", table.rows.len(), rows.join(" / "))
}

/// How often each came.
#[derive(Debug, Default)]
pub struct Tally {
    verdicts: BTreeMap<Verdict, usize>,
    backs: BTreeMap<(Verdict, Back), usize>,
}

impl Tally {
    /// Counts one.
    pub fn count(&mut self, scored: &Scored) {
        *self.verdicts.entry(scored.verdict).or_default() += 1;
        if let Some(back) = scored.back {
            *self.backs.entry((scored.verdict, back)).or_default() += 1;
        }
    }

    /// The five numbers.
    #[must_use]
    pub fn five(&self) -> [usize; 5] {
        Verdict::ALL.map(|verdict| self.verdicts.get(&verdict).copied().unwrap_or_default())
    }

    /// The five numbers when an asker who is shown the right reading takes it.
    #[must_use]
    pub fn five_after_asking_back(&self) -> [usize; 5] {
        let taken = self.back(Verdict::WronglyDeclined, Back::RightOffered);
        let [right, wrong, rightly, wrongly, broken] = self.five();
        [right + taken, wrong, rightly, wrongly.saturating_sub(taken), broken]
    }

    /// How often a question back was worth this.
    #[must_use]
    pub fn back(&self, verdict: Verdict, back: Back) -> usize {
        self.backs.get(&(verdict, back)).copied().unwrap_or_default()
    }
}
