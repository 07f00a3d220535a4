//! Units as declared, and the unit of a metric where none is declared.
//!
//! Deliberately absent: how numbers are printed.

use tieout_sql::{Dialect, Fragment, sqlparser::ast::Expr};

use super::{
    codes, minor,
    node::Node,
    problem::Report,
    typing::{self, field},
};
use crate::{
    catalogue::Dataset,
    number::{Rounding, Unit, UnitKind},
};

/// Digits shown after the point of a quotient whose unit says nothing of it.
const QUOTIENT_SCALE: u32 = 2;

/// The unit of a field. Amounts in a currency's smallest unit are whole, and shown with the currency's own digits:
/// another scale could be read either way.
pub(super) fn of_field(owner: &Node, report: &mut Report<'_>) -> Option<Unit> {
    let unit = declared(owner, report)?;
    let is_money = matches!(unit.kind, UnitKind::Currency(_));
    if is_money && unit.minor && unit.scale != Some(unit.minor_digits()) {
        let (code, digits) = (unit.suffix(), unit.minor_digits());
        let message =
            format!("amounts in the smallest unit of {code} have {digits} digits after the point when shown");
        let at = owner.get("unit").map_or(owner.at, |node| node.at_of("scale"));
        report.error(codes::BAD_VALUE, at, message, "leave `scale` out here; a metric may set its own");
    }
    Some(unit)
}

/// The unit of a key, or none when it is absent or wrong.
pub(super) fn declared(owner: &Node, report: &mut Report<'_>) -> Option<Unit> {
    let node = owner.get("unit")?;
    let flag = |key: &str| node.flag_of(key) == Some(true);
    let mut kinds = Vec::new();
    if let Some(code) = node.word_of("currency") {
        let unit = plain(UnitKind::Currency(code.owned()));
        kinds.push(Unit { scale: Some(unit.minor_digits()), ..unit });
    }
    if flag("percent") {
        kinds.push(Unit::percent());
    }
    if flag("ratio") {
        kinds.push(Unit::ratio());
    }
    if let Some(name) = node.word_of("name") {
        kinds.push(plain(UnitKind::Named(name.owned())));
    }
    if kinds.len() != 1 {
        if !node.pairs().is_empty() {
            let message = match kinds.len() {
                0 => "the unit does not say what is counted".to_owned(),
                count => format!("the unit says {count} things at once"),
            };
            report.error(
                codes::BAD_VALUE,
                node.at,
                message,
                "give one of `currency`, `percent`, `ratio` and `name`",
            );
        }
        return None;
    }
    let unit = kinds.pop()?;
    let minor = flag("minor");
    if minor && !matches!(unit.kind, UnitKind::Currency(_)) {
        let message = "`minor` has a meaning for currencies only";
        report.error(codes::BAD_VALUE, node.at_of("minor"), message, "leave `minor` out");
    }
    let scale = node.whole_of("scale").and_then(|scale| u32::try_from(scale).ok()).or(unit.scale);
    Some(Unit { scale, rounding: rounding(node), minor, ..unit })
}

fn plain(kind: UnitKind) -> Unit {
    Unit { kind, ..Unit::none() }
}

fn rounding(node: &Node) -> Rounding {
    match node.word_of("rounding").map(|word| word.text) {
        Some("half_up") => Rounding::HalfUp,
        Some("down") => Rounding::Down,
        Some(_) | None => Rounding::HalfEven,
    }
}

/// What follows for a metric from the expression it is taken of.
pub(super) struct Taken {
    /// The unit of its figures, which are in whole units; none when nothing says.
    pub unit: Option<Unit>,
    /// By which power of ten what is fetched must be divided to be such a figure.
    pub minor_digits: u32,
}

/// The unit of a figure taken of an expression: as declared, else as its fields have it. Whether what is fetched is in a
/// currency's smallest unit follows from the fields; only where they say nothing of it does the metric say so itself.
pub(super) fn of_expression(
    metric: &Node,
    of: &Fragment,
    (dataset, dialect): (&Dataset, &Dialect),
    report: &mut Report<'_>,
) -> Taken {
    let declared = declared(metric, report);
    let fields: Vec<&Unit> = typing::value_fields(of.expr(), dialect)
        .iter()
        .filter_map(|name| field(dataset, name))
        .filter_map(|field| field.unit.as_ref())
        .collect();
    let says_minor = metric.get("unit").and_then(|unit| unit.flag_of("minor"));
    let degree = minor::degree(of.expr(), dataset, dialect);
    let mut named = of.columns().iter().filter_map(|name| field(dataset, name)?.unit.as_ref());
    let speaks = match named.any(|unit| matches!(unit.kind, UnitKind::Currency(_))) {
        true => Speaks::Yes,
        false => Speaks::No,
    };
    let minor = is_minor(metric, says_minor, degree, speaks, report);
    let unit = declared.or_else(|| match of.expr() {
        Expr::Identifier(_) => fields.first().map(|unit| (*unit).clone()),
        _ => common(&fields)
            .or_else(|| fields.iter().find(|unit| minor && unit.minor).map(|unit| (*unit).clone())),
    });
    let Some(unit) = unit else { return Taken { unit: None, minor_digits: 0 } };
    check_currency(metric, &unit, &fields, report);
    let minor_digits = if minor { unit.minor_digits() } else { 0 };
    Taken { unit: Some(Unit { minor: false, ..unit }), minor_digits }
}

/// Whether what is fetched is in a currency's smallest unit. Where the fields speak of a currency, they decide.
fn is_minor(
    metric: &Node,
    says: Option<bool>,
    degree: Option<u8>,
    speaks: Speaks,
    report: &mut Report<'_>,
) -> bool {
    match (speaks, degree, says) {
        (Speaks::No, _, says) => says == Some(true),
        (Speaks::Yes, Some(0), None | Some(false)) => false,
        (Speaks::Yes, Some(1), None | Some(true)) => true,
        (Speaks::Yes, None, Some(minor)) => minor,
        (Speaks::Yes, None, None) => {
            let message =
                "it does not follow from the expression whether it is in a currency's smallest unit";
            let hint = "say `minor: true` or `minor: false` in the metric's unit";
            report.error(codes::UNCLEAR_UNIT, metric.at_of("of"), message, hint);
            false
        }
        (Speaks::Yes, Some(_), _) => {
            let message =
                "the fields of the expression and the metric's unit disagree on the currency's smallest unit";
            let hint = "leave `minor` out of the metric's unit, and do not multiply two amounts in it";
            report.error(codes::UNCLEAR_UNIT, metric.at_of("of"), message, hint);
            false
        }
    }
}

/// Whether any field of an expression has a currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Speaks {
    Yes,
    No,
}

/// A metric may not call dollars what its fields call euros.
fn check_currency(metric: &Node, unit: &Unit, fields: &[&Unit], report: &mut Report<'_>) {
    let currency = |unit: &Unit| match &unit.kind {
        UnitKind::Currency(code) => Some(code.clone()),
        UnitKind::Percent | UnitKind::Ratio | UnitKind::Named(_) | UnitKind::None => None,
    };
    let Some(claimed) = currency(unit) else { return };
    if let Some(other) = fields.iter().filter_map(|unit| currency(unit)).find(|code| *code != claimed) {
        let message = format!("the metric is in {claimed}, but a field of its expression is in {other}");
        report.error(
            codes::UNCLEAR_UNIT,
            metric.at_of("unit"),
            message,
            "no exchange rate is known; use one currency",
        );
    }
}

/// The unit that all have in common.
fn common(units: &[&Unit]) -> Option<Unit> {
    let first = *units.first()?;
    units.iter().all(|unit| unit.kind == first.kind).then(|| first.clone())
}

/// The unit of a mean or a median: one place more precise than whole things.
pub(super) fn of_quotient(unit: Unit) -> Unit {
    let scale = match unit.kind {
        UnitKind::Currency(_) | UnitKind::Percent | UnitKind::Ratio => unit.scale,
        UnitKind::Named(_) | UnitKind::None => Some(unit.scale.unwrap_or(0).max(QUOTIENT_SCALE)),
    };
    Unit { scale, ..unit }
}

/// The unit of one metric divided by another.
pub(super) fn of_ratio(numerator: &Unit, denominator: &Unit) -> Unit {
    match (&numerator.kind, &denominator.kind) {
        (a, b) if a == b => Unit::ratio(),
        (
            UnitKind::Currency(_),
            UnitKind::Named(_) | UnitKind::None | UnitKind::Ratio | UnitKind::Percent,
        ) => numerator.clone(),
        _ => Unit { scale: Unit::ratio().scale, ..Unit::none() },
    }
}
