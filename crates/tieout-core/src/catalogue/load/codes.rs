//! The kinds of problem, by their stable codes, each with one line for the reference page.
//!
//! Deliberately absent: sentences about a particular file, which are made where the problem is found.

macro_rules! codes {
    ($($name:ident = $code:literal, $about:literal;)*) => {
        $(#[doc = $about] pub(in super::super) const $name: &str = $code;)*

        /// Every code of a problem in a project, with what it means. A test demands a case of each.
        pub const CODES: &[(&str, &str)] = &[$(($code, $about)),*];
    };
}

codes! {
    SYNTAX = "syntax", "the text is not YAML, or not one document of it";
    TOO_LARGE = "too_large", "a file is larger, deeper or repeats more than is read";
    TOO_MANY_ENTRIES = "too_many_entries", "the catalogue has more entries than are read";
    MORE_PROBLEMS = "more_problems", "there are more problems than are shown";
    EMPTY_FILE = "empty_file", "a file holds nothing";
    UNKNOWN_KEY = "unknown_key", "a key has no meaning where it stands";
    DUPLICATE_KEY = "duplicate_key", "a key is written twice in one mapping";
    MISSING_KEY = "missing_key", "a key that must be there is not";
    WRONG_TYPE = "wrong_type", "a value is of another type than its key takes";
    BAD_VALUE = "bad_value", "a value is of the right type but not one that its key takes";
    DUPLICATE_NAME = "duplicate_name", "two entries of one kind have the same name";
    REPEATED = "repeated", "a list names the same thing twice";
    CLAIMED_TWICE = "claimed_twice", "two approved metrics claim the same words";
    CLAIMED_BY_KINDS = "claimed_by_kinds", "entries of different kinds, or two that are not metrics, claim the same words";
    UNKNOWN_DATASET = "unknown_dataset", "a dataset is named that does not exist";
    UNKNOWN_FIELD = "unknown_field", "a field is named that its dataset does not have";
    UNKNOWN_RELATIONSHIP = "unknown_relationship", "a relationship is named that does not exist";
    UNKNOWN_POPULATION = "unknown_population", "a population is named that does not exist";
    UNKNOWN_METRIC = "unknown_metric", "a metric is named that does not exist";
    UNKNOWN_READING = "unknown_reading", "a term reads as something that does not exist";
    UNKNOWN_SOURCE = "unknown_source", "a dataset is read from a source that the project does not list";
    BAD_EXPRESSION = "bad_expression", "an expression does not parse, or uses what it may not";
    NOT_A_CONDITION = "not_a_condition", "an expression that should be true or false is something else";
    UNKNOWN_VALUE = "unknown_value", "a field is compared with a value that is not among its declared values";
    COMPUTED_OVER_COMPUTED = "computed_over_computed", "an expression that runs inside the source names a computed field";
    HIDDEN_FIELD = "hidden_field", "a query would need a field that nobody may see";
    NOT_A_KEY = "not_a_key", "a relationship leads to columns that are not a key";
    PARTIAL_KEY = "partial_key", "a relationship leads to a part of a key only";
    KEY_LENGTH = "key_length", "a relationship pairs lists of different length";
    KEY_TYPE = "key_type", "a relationship pairs columns of different types";
    NOT_CONNECTED = "not_connected", "a list of relationships does not lead on from where it starts";
    NO_MEMBERS = "no_members", "a population does not say who belongs to it";
    OTHER_DATASET = "other_dataset", "a metric and its population are of different datasets";
    NO_TIME = "no_time", "something needs a field that says when, and there is none";
    KIND_NEEDS = "kind_needs", "a metric lacks a key that its kind needs";
    KIND_UNUSED = "kind_unused", "a metric has a key that its kind has no use for";
    SUM_OF_IDENTIFIER = "sum_of_identifier", "a metric adds up or averages what names things";
    NOT_A_NUMBER = "not_a_number", "a metric works out numbers of something that is none";
    UNCLEAR_UNIT = "unclear_unit", "the unit of a metric does not follow from its parts, or contradicts them";
    CYCLE = "cycle", "metrics are made of one another in a circle";
    UNREACHABLE = "unreachable", "a dimension is not reached along stated relationships";
    AMBIGUOUS_PATH = "ambiguous_path", "more than one way leads to a dimension";
    REPEATED_ROWS = "repeated_rows", "the way to a dimension may lead to several rows for each row of the metric";
    FORBIDDEN_DIMENSION = "forbidden_dimension", "a metric's kind cannot be split so";
    NOT_SUPERSEDED = "not_superseded", "a metric is deprecated without a successor, or has a successor without being deprecated";
    CONFUSABLE = "confusable", "lint: two metrics are called almost the same";
    NO_OWNER = "no_owner", "lint: nobody answers for a metric";
    NO_UNIT = "no_unit", "lint: nothing says what a metric's figures count";
    NO_DESCRIPTION = "no_description", "lint: a metric is not described";
    UNUSED_POPULATION = "unused_population", "lint: no metric or term names a population";
    SEVERAL_PATHS = "several_paths", "lint: two datasets are joined by several ways";
    NO_VALUES = "no_values", "lint: the values of a text field cannot be named in a question";
    HIDDEN_DIMENSION = "hidden_dimension", "lint: a metric may be split by a field that nobody may see";
}

/// The codes that `lint` alone uses.
pub(in super::super) mod lint {
    pub(in super::super::super) use super::{
        CONFUSABLE, HIDDEN_DIMENSION, NO_DESCRIPTION, NO_OWNER, NO_UNIT, NO_VALUES, SEVERAL_PATHS,
        UNUSED_POPULATION,
    };
}
