//! Owns conditions in their simplest form, and whether one follows from others.
//!
//! A formula says that a condition *is true*; SQL's third value has been worked in. Deliberately absent: reading
//! terms (`truth`), and where rows come from (`rows`).

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::canon::{Canon, Constant};

/// Conditions that must all be true.
pub(crate) type All = BTreeSet<Formula>;

/// How two values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Comparison {
    Less,
    AtMost,
    AtLeast,
    More,
    Equal,
    Unequal,
}

/// A condition that is true.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Formula {
    True,
    False,
    And(All),
    Or(All),
    Compare(Comparison, Canon, Canon),
    /// The value is one of the constants.
    OneOf(Canon, BTreeSet<Constant>),
    /// The value is there and none of the constants.
    NoneOf(Canon, BTreeSet<Constant>),
    IsNull(Canon),
    NotNull(Canon),
    /// A value of true or false is that.
    Holds(Canon, bool),
    /// A row that may be missing is there.
    There(usize),
    /// It is not.
    Missing(usize),
    /// Some row (or none) that meets the conditions is related.
    Related {
        exists: bool,
        rows: Vec<usize>,
        all: All,
    },
    /// A condition that is equal to itself only.
    Opaque(usize, Rc<str>),
}

impl Comparison {
    pub(crate) fn negated(self) -> Comparison {
        match self {
            Comparison::Less => Comparison::AtLeast,
            Comparison::AtMost => Comparison::More,
            Comparison::AtLeast => Comparison::Less,
            Comparison::More => Comparison::AtMost,
            Comparison::Equal => Comparison::Unequal,
            Comparison::Unequal => Comparison::Equal,
        }
    }

    pub(crate) fn flipped(self) -> Comparison {
        match self {
            Comparison::Less => Comparison::More,
            Comparison::AtMost => Comparison::AtLeast,
            Comparison::AtLeast => Comparison::AtMost,
            Comparison::More => Comparison::Less,
            same @ (Comparison::Equal | Comparison::Unequal) => same,
        }
    }
}

/// All of them, opened and without what says nothing.
pub(crate) fn and(parts: impl IntoIterator<Item = Formula>) -> Formula {
    let mut all = All::new();
    for part in parts {
        match part {
            Formula::True => {}
            Formula::False => return Formula::False,
            Formula::And(inner) => all.extend(inner),
            other => {
                all.insert(other);
            }
        }
    }
    let mut all = shared(simplified(all));
    match (all.len(), all.contains(&Formula::False)) {
        (_, true) => Formula::False,
        (0, _) => Formula::True,
        (1, _) => all.pop_first().unwrap_or(Formula::True),
        _ => Formula::And(all),
    }
}

/// One of them; constants of one value are gathered, and what every alternative holds is taken out in front.
pub(crate) fn or(parts: impl IntoIterator<Item = Formula>) -> Formula {
    let mut any = All::new();
    let mut picked: BTreeMap<Canon, BTreeSet<Constant>> = BTreeMap::new();
    for part in parts {
        match part {
            Formula::False => {}
            Formula::True => return Formula::True,
            Formula::Or(inner) => {
                for part in inner {
                    gather(part, &mut picked, &mut any);
                }
            }
            other => gather(other, &mut picked, &mut any),
        }
    }
    any.extend(picked.into_iter().map(|(of, values)| Formula::OneOf(of, values)));
    if any.len() <= 1 {
        return any.pop_first().unwrap_or(Formula::False);
    }
    let sets: Vec<All> = any.iter().map(|part| conjuncts(part.clone())).collect();
    let mut common = sets.first().cloned().unwrap_or_default();
    common.retain(|part| sets.iter().all(|set| set.contains(part)));
    if common.is_empty() {
        return Formula::Or(any);
    }
    let rest: Vec<Formula> =
        sets.into_iter().map(|set| and(set.difference(&common).cloned().collect::<Vec<_>>())).collect();
    let rest = or(rest);
    and(common.into_iter().chain([rest]))
}

fn gather(part: Formula, picked: &mut BTreeMap<Canon, BTreeSet<Constant>>, any: &mut All) {
    match part {
        Formula::OneOf(of, values) => picked.entry(of).or_default().extend(values),
        other => {
            any.insert(other);
        }
    }
}

/// The parts that must all be true.
pub(crate) fn conjuncts(formula: Formula) -> All {
    match formula {
        Formula::True => All::new(),
        Formula::And(all) => all,
        other => All::from([other]),
    }
}

/// `(a or p) and (b or p)` as `(a and b) or p`.
fn shared(all: All) -> All {
    let mut rest = All::new();
    let mut by_rest: BTreeMap<All, Vec<Formula>> = BTreeMap::new();
    for part in all {
        match part {
            Formula::Or(any)
                if any.iter().filter(|part| !matches!(part, Formula::IsNull(_))).count() == 1 =>
            {
                let (missing, other): (All, All) =
                    any.into_iter().partition(|part| matches!(part, Formula::IsNull(_)));
                by_rest.entry(missing).or_default().extend(other);
            }
            other => {
                rest.insert(other);
            }
        }
    }
    for (missing, others) in by_rest {
        let both = and(others);
        rest.insert(or(missing.into_iter().chain([both])));
    }
    rest
}

/// What is known of one value.
#[derive(Clone, Debug, Default)]
struct Domain {
    /// The greatest lower bound, and whether it is itself allowed.
    low: Option<(Constant, bool)>,
    high: Option<(Constant, bool)>,
    one_of: Option<BTreeSet<Constant>>,
    none_of: BTreeSet<Constant>,
}

/// Gathers what is said of each value into as few conditions as say it.
fn simplified(all: All) -> All {
    let mut domains: BTreeMap<Canon, Domain> = BTreeMap::new();
    let mut rest = All::new();
    for part in all {
        if let Some(other) = told(&mut domains, part) {
            rest.insert(other);
        }
    }
    for (of, domain) in domains {
        rest.extend(domain.said(&of));
    }
    rest
}

/// Adds a condition on one value to what is known of it; gives it back when it is none, or cannot be compared.
fn told(domains: &mut BTreeMap<Canon, Domain>, part: Formula) -> Option<Formula> {
    match part {
        Formula::Compare(comparison, of, Canon::Constant(bound)) => {
            let domain = domains.entry(of.clone()).or_default();
            let (slot, inclusive, wanted) = match comparison {
                Comparison::AtLeast | Comparison::More => {
                    (&mut domain.low, comparison == Comparison::AtLeast, std::cmp::Ordering::Greater)
                }
                Comparison::AtMost | Comparison::Less => {
                    (&mut domain.high, comparison == Comparison::AtMost, std::cmp::Ordering::Less)
                }
                Comparison::Equal | Comparison::Unequal => {
                    return Some(Formula::Compare(comparison, of, Canon::Constant(bound)));
                }
            };
            match slot {
                None => *slot = Some((bound, inclusive)),
                Some((known, known_inclusive)) => match bound.compared(known) {
                    Some(std::cmp::Ordering::Equal) => *known_inclusive &= inclusive,
                    Some(order) if order == wanted => *slot = Some((bound, inclusive)),
                    Some(_) => {}
                    None => return Some(Formula::Compare(comparison, of, Canon::Constant(bound))),
                },
            }
            None
        }
        Formula::OneOf(of, values) => {
            let domain = domains.entry(of).or_default();
            domain.one_of = Some(match domain.one_of.take() {
                None => values,
                Some(known) => known.intersection(&values).cloned().collect(),
            });
            None
        }
        Formula::NoneOf(of, values) => {
            domains.entry(of).or_default().none_of.extend(values);
            None
        }
        other => Some(other),
    }
}

impl Domain {
    fn said(self, of: &Canon) -> Vec<Formula> {
        let Domain { low, high, one_of, none_of } = self;
        let bounds = || {
            let low = low.iter().map(|(bound, inclusive)| {
                (if *inclusive { Comparison::AtLeast } else { Comparison::More }, bound.clone())
            });
            let high = high.iter().map(|(bound, inclusive)| {
                (if *inclusive { Comparison::AtMost } else { Comparison::Less }, bound.clone())
            });
            low.chain(high).collect::<Vec<_>>()
        };
        if let Some(mut values) = one_of {
            values.retain(|value| !none_of.contains(value));
            let mut unsure = Vec::new();
            for (comparison, bound) in bounds() {
                match values
                    .iter()
                    .map(|value| meets(value, comparison, &bound))
                    .collect::<Option<Vec<bool>>>()
                {
                    Some(met) => {
                        let mut met = met.into_iter();
                        values.retain(|_| met.next().unwrap_or(false));
                    }
                    None => unsure.push(Formula::Compare(comparison, of.clone(), Canon::Constant(bound))),
                }
            }
            unsure.push(match values.is_empty() {
                true => Formula::False,
                false => Formula::OneOf(of.clone(), values),
            });
            return unsure;
        }
        let mut said: Vec<Formula> = bounds()
            .into_iter()
            .map(|(comparison, bound)| Formula::Compare(comparison, of.clone(), Canon::Constant(bound)))
            .collect();
        if !none_of.is_empty() {
            said.push(Formula::NoneOf(of.clone(), none_of));
        }
        said
    }
}

/// Whether a constant compares so with another; `None` when that is not certain.
pub(crate) fn meets(value: &Constant, comparison: Comparison, bound: &Constant) -> Option<bool> {
    let order = value.compared(bound);
    Some(match comparison {
        Comparison::Less => order?.is_lt(),
        Comparison::AtMost => order?.is_le(),
        Comparison::AtLeast => order?.is_ge(),
        Comparison::More => order?.is_gt(),
        Comparison::Equal | Comparison::Unequal => {
            let same = match (order, value, bound) {
                (Some(order), _, _) => order.is_eq(),
                (None, Constant::Text(a), Constant::Text(b)) => a == b,
                (None, _, _) => return None,
            };
            same == (comparison == Comparison::Equal)
        }
    })
}

/// Whether a condition follows from some that hold.
pub(crate) fn follows(formula: &Formula, from: &All, rows: &dyn Fn(usize, usize) -> bool) -> bool {
    if *formula == Formula::True || from.contains(formula) || from.contains(&Formula::False) {
        return true;
    }
    let outright = match formula {
        Formula::And(all) => all.iter().all(|part| follows(part, from, rows)),
        Formula::Or(any) => {
            any.iter().any(|part| follows(part, from, rows))
                || from.iter().any(|known| match known {
                    Formula::OneOf(of, values) => values.iter().all(|value| {
                        let case = All::from([Formula::OneOf(of.clone(), BTreeSet::from([value.clone()]))]);
                        any.iter().any(|part| follows(part, &case, rows))
                    }),
                    _ => false,
                })
        }
        Formula::Compare(comparison, of, Canon::Constant(bound)) => from.iter().any(|known| match known {
            Formula::Compare(stronger, known_of, Canon::Constant(known)) if known_of == of => {
                tighter(*stronger, known, *comparison, bound)
            }
            Formula::OneOf(known_of, values) if known_of == of => {
                values.iter().all(|value| meets(value, *comparison, bound) == Some(true))
            }
            _ => false,
        }),
        Formula::OneOf(of, values) => from.iter().any(
            |known| matches!(known, Formula::OneOf(known_of, few) if known_of == of && few.is_subset(values)),
        ),
        Formula::NoneOf(of, values) => values.iter().all(|value| {
            from.iter().any(|known| match known {
                Formula::NoneOf(known_of, known) => known_of == of && known.contains(value),
                Formula::OneOf(known_of, few) => known_of == of && !few.contains(value),
                Formula::Compare(comparison, known_of, Canon::Constant(bound)) => {
                    known_of == of && meets(value, *comparison, bound) == Some(false)
                }
                _ => false,
            })
        }),
        Formula::NotNull(of) => from.iter().any(|known| strict_on(known).contains(&of)),
        Formula::There(row) => from.iter().any(|known| {
            strict_on(known).iter().any(|of| rows_in(of).iter().any(|there| rows(*there, *row)))
                || matches!(known, Formula::There(there) if rows(*there, *row))
        }),
        _ => false,
    };
    outright
        || from.iter().any(|known| match known {
            Formula::Or(inner) => inner.iter().all(|case| follows(formula, &conjuncts(case.clone()), rows)),
            _ => false,
        })
}

/// Whether `value stronger known` says at least as much as `value comparison bound`.
fn tighter(stronger: Comparison, known: &Constant, comparison: Comparison, bound: &Constant) -> bool {
    use Comparison as C;
    let Some(order) = known.compared(bound) else { return false };
    match (stronger, comparison) {
        (C::AtLeast | C::More, C::AtLeast) | (C::More, C::More) => order.is_ge(),
        (C::AtLeast, C::More) => order.is_gt(),
        (C::AtMost | C::Less, C::AtMost) | (C::Less, C::Less) => order.is_le(),
        (C::AtMost, C::Less) => order.is_lt(),
        _ => false,
    }
}

/// The values that are not NULL whenever a condition is true.
fn strict_on(formula: &Formula) -> Vec<&Canon> {
    match formula {
        Formula::Compare(_, a, b) => vec![a, b],
        Formula::OneOf(of, _) | Formula::NoneOf(of, _) | Formula::NotNull(of) | Formula::Holds(of, _) => {
            vec![of]
        }
        Formula::And(all) => all.iter().flat_map(strict_on).collect(),
        Formula::Or(any) => {
            let mut each = any.iter().map(strict_on);
            let first = each.next().unwrap_or_default();
            let others: Vec<Vec<&Canon>> = each.collect();
            first.into_iter().filter(|of| others.iter().all(|other| other.contains(of))).collect()
        }
        _ => Vec::new(),
    }
}

/// The rows whose columns a value is strictly made of: it is NULL where one of them is missing.
fn rows_in(of: &Canon) -> Vec<usize> {
    match of {
        Canon::Column(row, _) => vec![*row],
        Canon::Call(name, arguments) if strict(name) => arguments.iter().flat_map(rows_in).collect(),
        Canon::Call(_, _) | Canon::Constant(_) | Canon::Figure(_) | Canon::Opaque(_, _) => Vec::new(),
    }
}

/// Whether a call is NULL as soon as one of its arguments is.
fn strict(name: &str) -> bool {
    ["+", "-", "*", "/", "neg", "lower", "upper", "trim", "abs", "date", "cast text", "length"]
        .contains(&name)
        || name.starts_with("extract ")
        || name.starts_with("trunc ")
}

/// What is true exactly when a formula is not: the opposite in two values.
pub(crate) fn complement(formula: Formula, nullable: &dyn Fn(&Canon) -> Option<Formula>) -> Option<Formula> {
    let missing = |of: &Canon| nullable(of).unwrap_or(Formula::False);
    Some(match formula {
        Formula::True => Formula::False,
        Formula::False => Formula::True,
        Formula::And(all) => {
            or(all.into_iter().map(|part| complement(part, nullable)).collect::<Option<Vec<_>>>()?)
        }
        Formula::Or(any) => {
            and(any.into_iter().map(|part| complement(part, nullable)).collect::<Option<Vec<_>>>()?)
        }
        Formula::Compare(comparison, a, b) => {
            let (x, y) = (missing(&a), missing(&b));
            or([Formula::Compare(comparison.negated(), a, b), x, y])
        }
        Formula::OneOf(of, values) => or([missing(&of), Formula::NoneOf(of, values)]),
        Formula::NoneOf(of, values) => or([missing(&of), Formula::OneOf(of, values)]),
        Formula::IsNull(of) => Formula::NotNull(of),
        Formula::NotNull(of) => Formula::IsNull(of),
        Formula::Holds(of, is) => or([missing(&of), Formula::Holds(of, !is)]),
        Formula::There(row) => Formula::Missing(row),
        Formula::Missing(row) => Formula::There(row),
        Formula::Related { exists, rows, all } => Formula::Related { exists: !exists, rows, all },
        Formula::Opaque(_, _) => return None,
    })
}
