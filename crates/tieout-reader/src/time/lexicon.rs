//! The words of time of a language, as its file lists them, indexed for look-up.
//!
//! Deliberately absent: any grammar. A phrase is a run of words; which phrases may follow which is the parser's.

use std::{collections::HashMap, sync::LazyLock};

use serde::Deserialize;

use super::{TimeToken, atoms::atoms};

/// What a phrase does in an expression; the names are those of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "each is explained by its phrases in the language's file")]
pub(super) enum Cue {
    Today,
    Yesterday,
    DayBeforeYesterday,
    Tomorrow,
    DayAfterTomorrow,
    Last,
    Previous,
    Past,
    Rolling,
    This,
    Next,
    Complete,
    Ago,
    Earlier,
    SoFar,
    First,
    OrdinalLast,
    Of,
    The,
    And,
    Comma,
    To,
    ToExcluding,
    Between,
    From,
    Since,
    Until,
    Before,
    After,
    Onwards,
    Ending,
    NumberInFront,
    InFront,
    AsOf,
    EndOf,
    StartOf,
    By,
    OnA,
    Basis,
    MonthOf,
    WeekOf,
    YearOf,
    Same,
    SameFree,
    ThisTime,
    PeriodWord,
    Compared,
    Contrast,
    On,
    TimeWord,
    Clock,
    ZoneWord,
    Fiscal,
    Calendar,
    Hundred,
    TooFine,
}

/// A word for a length of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum GrainWord {
    /// A day.
    Day,
    /// A week.
    Week,
    /// Two weeks.
    Fortnight,
    /// A month.
    Month,
    /// A quarter.
    Quarter,
    /// Half of a year, or of whatever is halved.
    Half,
    /// A year.
    Year,
    /// A Saturday and its Sunday.
    Weekend,
    /// A fiscal quarter.
    FiscalQuarter,
    /// A fiscal year.
    FiscalYear,
}

/// What a grain's phrase says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum GrainForm {
    /// One of them.
    One,
    /// Several.
    Many,
    /// The letter behind a digit.
    Short,
    /// Every one (`monthly`).
    Adverb,
    /// Each against the one before.
    StepByStep,
    /// From its start up to today.
    ToDate,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GrainWords {
    one: Vec<String>,
    many: Vec<String>,
    short: Vec<String>,
}

/// The file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    months: HashMap<String, i8>,
    month_names: Vec<String>,
    also_other_words: Vec<String>,
    not_a_month_before: Vec<String>,
    weekdays: HashMap<String, i8>,
    short_weekdays: HashMap<String, i8>,
    weekday_names: Vec<String>,
    ordinals: HashMap<String, i64>,
    ordinal_suffixes: Vec<String>,
    numbers: HashMap<String, i64>,
    tens: HashMap<String, i64>,
    grains: HashMap<GrainWord, GrainWords>,
    quarter_letters: Vec<String>,
    half_letters: Vec<String>,
    fiscal_letters: Vec<String>,
    week_letters: Vec<String>,
    grain_adverbs: HashMap<GrainWord, Vec<String>>,
    step_by_step: HashMap<GrainWord, Vec<String>>,
    to_date: HashMap<GrainWord, Vec<String>>,
    phrases: HashMap<Cue, Vec<String>>,
    month_first: HashMap<String, bool>,
    zones: HashMap<String, Vec<String>>,
    zone_letters: HashMap<String, String>,
    not_places: Vec<String>,
}

/// A phrase, word by word, and what it stands for.
pub(super) type Phrase<K> = (K, Vec<String>);

/// Phrases by their first word, the longest first.
pub(super) type Phrases<K> = HashMap<String, Vec<Phrase<K>>>;

/// A language's words of time.
#[derive(Default)]
pub(super) struct Lexicon {
    /// Month words, 1 to 12.
    pub months: HashMap<String, i8>,
    /// How months are written, January first.
    pub month_names: Vec<String>,
    /// Month words that are also other words.
    pub also_other_words: Vec<String>,
    /// Words before which such a word is no month.
    pub not_a_month_before: Vec<String>,
    /// Weekday words, Monday 1.
    pub weekdays: HashMap<String, i8>,
    /// Weekday words that are also other words.
    pub short_weekdays: HashMap<String, i8>,
    /// How weekdays are written, Monday first.
    pub weekday_names: Vec<String>,
    /// Ordinal words.
    pub ordinals: HashMap<String, i64>,
    /// Letters behind an ordinal's digits.
    pub ordinal_suffixes: Vec<String>,
    /// Number words up to nineteen.
    pub numbers: HashMap<String, i64>,
    /// Number words for tens.
    pub tens: HashMap<String, i64>,
    /// Letters before a quarter's digit.
    pub quarter_letters: Vec<String>,
    /// Letters before a half's digit.
    pub half_letters: Vec<String>,
    /// Letters before a fiscal year's digits.
    pub fiscal_letters: Vec<String>,
    /// Letters before a week's digits.
    pub week_letters: Vec<String>,
    /// Whether the month comes first in a date with this sign, when both readings would do.
    pub month_first: HashMap<String, bool>,
    /// Places, to the zone they are in.
    pub zones: Phrases<String>,
    /// Short names of zones.
    pub zone_letters: HashMap<String, String>,
    /// All phrases of the grammar.
    pub cues: Phrases<Cue>,
    /// All phrases for lengths of time.
    pub grains: Phrases<(GrainWord, GrainForm)>,
}

static ENGLISH: LazyLock<Result<Lexicon, String>> =
    LazyLock::new(|| load(include_str!("../languages/en/time.yml")));

static NOTHING: LazyLock<Lexicon> = LazyLock::new(Lexicon::default);

/// The English words. Were the bundled file broken there would be none, which a test rules out.
pub(super) fn english() -> &'static Lexicon {
    ENGLISH.as_ref().unwrap_or(&NOTHING)
}

fn load(text: &str) -> Result<Lexicon, String> {
    let file: File = serde_saphyr::from_str(text).map_err(|error| error.to_string())?;
    let mut cues = Phrases::new();
    for (cue, phrases) in &file.phrases {
        add(&mut cues, *cue, phrases);
    }
    let mut grains = Phrases::new();
    for (grain, words) in &file.grains {
        add(&mut grains, (*grain, GrainForm::One), &words.one);
        add(&mut grains, (*grain, GrainForm::Many), &words.many);
        add(&mut grains, (*grain, GrainForm::Short), &words.short);
    }
    let forms = [
        (GrainForm::Adverb, &file.grain_adverbs),
        (GrainForm::StepByStep, &file.step_by_step),
        (GrainForm::ToDate, &file.to_date),
    ];
    for (form, table) in forms {
        for (grain, phrases) in table {
            add(&mut grains, (*grain, form), phrases);
        }
    }
    let mut zones = Phrases::new();
    for (zone, places) in &file.zones {
        add(&mut zones, zone.clone(), places);
    }
    add_places(&mut zones, &file.not_places);
    longest_first(&mut cues);
    longest_first(&mut grains);
    longest_first(&mut zones);
    Ok(Lexicon {
        months: file.months,
        month_names: file.month_names,
        also_other_words: file.also_other_words,
        not_a_month_before: file.not_a_month_before,
        weekdays: file.weekdays,
        short_weekdays: file.short_weekdays,
        weekday_names: file.weekday_names,
        ordinals: file.ordinals,
        ordinal_suffixes: file.ordinal_suffixes,
        numbers: file.numbers,
        tens: file.tens,
        quarter_letters: file.quarter_letters,
        half_letters: file.half_letters,
        fiscal_letters: file.fiscal_letters,
        week_letters: file.week_letters,
        month_first: file.month_first,
        zones,
        zone_letters: file.zone_letters,
        cues,
        grains,
    })
}

fn add<K: Clone>(phrases: &mut Phrases<K>, key: K, texts: &[String]) {
    for text in texts {
        let token = TimeToken { text, start: 0, end: text.len() };
        let words: Vec<String> = atoms(&[token]).iter().map(|atom| atom.text.to_owned()).collect();
        if let Some(first) = words.first() {
            phrases.entry(first.clone()).or_default().push((key.clone(), words));
        }
    }
}

/// Every `Area/City` of the zone database by its city, behind the places that the file lists itself.
fn add_places(zones: &mut Phrases<String>, not_places: &[String]) {
    for name in jiff::tz::db().available() {
        let name = name.as_str();
        let Some((area, city)) = name.split_once('/') else { continue };
        let city = city.replace('_', " ").to_lowercase();
        if area != "Etc" && !city.contains('/') && !not_places.contains(&city) {
            add(zones, name.to_owned(), &[city]);
        }
    }
}

/// Longer phrases before shorter ones; equal ones keep the order of the file's own before the database's.
fn longest_first<K>(phrases: &mut Phrases<K>) {
    for list in phrases.values_mut() {
        list.sort_by_key(|(_, words)| std::cmp::Reverse(words.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_file_loads_and_is_complete() {
        let lexicon = load(include_str!("../languages/en/time.yml")).unwrap();
        assert_eq!(lexicon.month_names.len(), 12);
        assert_eq!(lexicon.weekday_names.len(), 7);
        assert!(lexicon.months.values().all(|m| (1..=12).contains(m)));
        assert!(lexicon.weekdays.values().all(|d| (1..=7).contains(d)));
        for zones in lexicon.zones.values() {
            for (zone, words) in zones {
                assert!(jiff::tz::TimeZone::get(zone).is_ok(), "{zone} ({words:?}) is not a zone");
            }
        }
        for zone in lexicon.zone_letters.values() {
            assert!(jiff::tz::TimeZone::get(zone).is_ok(), "{zone} is not a zone");
        }
    }

    #[test]
    fn an_unknown_key_is_an_error() {
        let text = include_str!("../languages/en/time.yml").replace("tens:", "tons:");
        assert!(load(&text).is_err());
    }
}
