//! Owns the reading of terms: what a value is in its simplest form, and when a condition is true, false or neither.
//!
//! Deliberately absent: whole blocks (`rows`).

use std::collections::BTreeSet;
use std::rc::Rc;

use super::canon::{self, Canon, Constant};
use super::figures::Kind;
use super::formula::{Comparison, Formula, and, meets, or};
use super::rows::{Reader, Rigour};
use crate::flow::Term;
use crate::schema::{Column, SqlType};

/// What is asked of a condition, which can be true, false or unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    True,
    False,
    NotTrue,
    NotFalse,
}

impl Ask {
    fn of_negation(self) -> Ask {
        match self {
            Ask::True => Ask::False,
            Ask::False => Ask::True,
            Ask::NotTrue => Ask::NotFalse,
            Ask::NotFalse => Ask::NotTrue,
        }
    }

    /// Of a condition that is never unknown: whether it must be true.
    fn of_two(self) -> bool {
        matches!(self, Ask::True | Ask::NotFalse)
    }
}

impl Reader<'_> {
    pub(super) fn opaque(&mut self, what: &str) -> Canon {
        self.opaque = self.opaque.saturating_add(1);
        Canon::Opaque(self.opaque, Rc::from(what))
    }

    pub(super) fn unfollowed(&mut self, what: &str) -> Formula {
        self.opaque = self.opaque.saturating_add(1);
        Formula::Opaque(self.opaque, Rc::from(what))
    }

    pub(super) fn column_of(&self, row: usize, name: &str) -> Option<&Column> {
        let table = self.rows.get(row)?;
        let (_, table) = self.cx.schema.tables.get_index(*table)?;
        table.columns.get(name)
    }

    pub(super) fn type_of(&self, of: &Canon) -> SqlType {
        match of {
            Canon::Column(row, name) => {
                self.column_of(*row, name).map_or(SqlType::Unknown, |column| column.ty)
            }
            Canon::Constant(constant) => match constant {
                Constant::Boolean(_) => SqlType::Boolean,
                Constant::Number(number) if number.is_integer() => SqlType::Integer,
                Constant::Number(_) => SqlType::Decimal,
                Constant::Text(_) => SqlType::Text,
                Constant::Date(_) => SqlType::Date,
                Constant::DateTime(_) => SqlType::DateTime,
                Constant::Instant(_) => SqlType::Instant,
                Constant::Null | Constant::Interval(..) => SqlType::Unknown,
            },
            Canon::Call(name, arguments) if name.starts_with("trunc ") => match &**name {
                "trunc day" => SqlType::Date,
                _ => arguments.first().map_or(SqlType::Unknown, |of| self.type_of(of)),
            },
            Canon::Call(name, _) if name.starts_with("extract ") => SqlType::Integer,
            Canon::Call(_, _) | Canon::Figure(_) | Canon::Opaque(_, _) => SqlType::Unknown,
        }
    }

    /// Whether a value is a whole number.
    fn is_whole(&self, of: &Canon) -> bool {
        match of {
            Canon::Figure(number) => self.figures.get(*number).is_some_and(|figure| match &figure.kind {
                Kind::Rows | Kind::Distinct(_) => true,
                Kind::Sum(of) | Kind::Minimum(of) | Kind::Maximum(of) => self.is_whole(of),
                Kind::Average(_) | Kind::Median(_) => false,
            }),
            Canon::Constant(_) | Canon::Column(_, _) | Canon::Call(_, _) | Canon::Opaque(_, _) => {
                self.type_of(of) == SqlType::Integer
            }
        }
    }

    /// When a value is NULL; nothing when it never is.
    pub(super) fn null_when(&self, of: &Canon) -> Option<Formula> {
        match of {
            Canon::Constant(Constant::Null) => Some(Formula::True),
            Canon::Constant(_) => None,
            Canon::Column(row, name) => {
                let nullable = self.column_of(*row, name).is_none_or(|column| column.nullable);
                match (nullable, self.optional.contains(row)) {
                    (true, _) => Some(Formula::IsNull(of.clone())),
                    (false, true) => Some(Formula::Missing(*row)),
                    (false, false) => None,
                }
            }
            Canon::Call(name, arguments) if name.starts_with("trunc ") || name.starts_with("extract ") => {
                arguments.first().and_then(|of| self.null_when(of))
            }
            Canon::Call(_, _) | Canon::Figure(_) | Canon::Opaque(_, _) => Some(Formula::IsNull(of.clone())),
        }
    }

    fn is_null(&self, of: &Canon) -> Formula {
        self.null_when(of).unwrap_or(Formula::False)
    }

    fn not_null(&self, of: &Canon) -> Formula {
        match self.null_when(of) {
            None => Formula::True,
            Some(Formula::True) => Formula::False,
            Some(Formula::Missing(row)) => Formula::There(row),
            Some(Formula::IsNull(of)) => Formula::NotNull(of),
            Some(_) => Formula::NotNull(of.clone()),
        }
    }

    /// A value in its simplest form.
    pub(super) fn canon(&mut self, term: &Term) -> Canon {
        match term {
            Term::Attr(attr) => match self.env.get(attr) {
                Some(known) => known.clone(),
                None => self.opaque("a column that is not followed"),
            },
            Term::Constant(value, _) => Canon::Constant(Constant::of(value)),
            Term::Bind(index) => match self.binds.get(*index) {
                Some(value) => Canon::Constant(Constant::of(value)),
                None => self.opaque("a placeholder without a value"),
            },
            Term::Call(name, arguments) => {
                let arguments: Vec<Canon> = arguments.iter().map(|argument| self.canon(argument)).collect();
                self.called(name, arguments)
            }
            Term::Cast(inner, ty) => {
                let inner = self.canon(inner);
                self.cast(inner, *ty)
            }
            Term::Aggregate(aggregated) => self.figure(aggregated),
            Term::Window(name) => self.opaque(&format!("{} over a window", name.to_uppercase())),
            Term::Query(block) => self.scalar(*block),
            Term::Exists(_) | Term::Member(_, _) => self.opaque("a condition used as a value"),
            Term::Unknown(what) => self.opaque(what),
        }
    }

    pub(super) fn called(&mut self, name: &str, mut arguments: Vec<Canon>) -> Canon {
        match (name, arguments.as_slice()) {
            ("coalesce" | "ifnull", [first, ..]) if self.null_when(first).is_none() => return first.clone(),
            ("date", [of]) => {
                let of = of.clone();
                return self.cast(of, SqlType::Date);
            }
            ("mod", [_, _]) => return canon::folded("%", arguments),
            // What is whole has no decimals to lose.
            (rounded, [of]) if rounded.starts_with("rounded to ") && self.is_whole(of) => return of.clone(),
            ("if" | "iif", [condition, a, b]) => {
                let parts = vec![condition.clone(), a.clone(), b.clone()];
                return canon::folded("case", parts);
            }
            ("date_trunc" | "datetrunc", [Canon::Constant(Constant::Text(_)), of])
                if self.type_of(of) == SqlType::Instant =>
            {
                // The engine cuts in the session's zone, which is not known here.
                let of = of.clone();
                arguments = vec![of];
                return Canon::Call(Rc::from("zoned date_trunc"), arguments);
            }
            _ => {}
        }
        let folded = canon::folded(name, arguments);
        match &folded {
            Canon::Call(name, arguments) => match (&**name, arguments.as_slice()) {
                ("trunc day", [of]) if self.type_of(of) == SqlType::Date => of.clone(),
                _ => folded,
            },
            _ => folded,
        }
    }

    pub(super) fn cast(&mut self, of: Canon, ty: SqlType) -> Canon {
        use SqlType as T;
        if let Canon::Constant(Constant::Number(number)) = &of
            && ty == T::Integer
            && !number.is_integer()
        {
            // Engines round it, and not all to the same number.
            return Canon::Call(Rc::from("cast integer"), vec![of]);
        }
        if let Canon::Constant(constant) = &of
            && let Some(coerced) = constant.coerced(ty)
        {
            return Canon::Constant(coerced);
        }
        if let Canon::Constant(constant) = &of
            && self.written_as(constant) == Some(ty)
        {
            return of;
        }
        let exact = self.rigour == Rigour::AsDefined;
        match (self.type_of(&of), ty) {
            (known, wanted) if known == wanted && known != T::Unknown => of,
            (T::Integer | T::Decimal, T::Decimal | T::Float) | (T::Float, T::Decimal) if !exact => of,
            (T::Date, T::DateTime) => of,
            (T::DateTime, T::Date) => Canon::Call(Rc::from("trunc day"), vec![of]),
            _ if matches!(of, Canon::Figure(_)) && matches!(ty, T::Decimal | T::Float) => of,
            (_, _) => Canon::Call(Rc::from(format!("cast {ty:?}").to_lowercase()), vec![of]),
        }
    }

    /// The type as which an engine without that kind of value holds a date or a moment.
    fn written_as(&self, constant: &Constant) -> Option<SqlType> {
        let types = &self.cx.dialect.types;
        match constant {
            Constant::DateTime(_) => Some(crate::types::of(&types.date_time)),
            Constant::Instant(_) => Some(crate::types::of(&types.instant)),
            _ => None,
        }
    }

    /// When a condition is what is asked.
    pub(super) fn truth(&mut self, term: &Term, ask: Ask) -> Formula {
        match term {
            Term::Call(name, arguments) => self.truth_of_call(term, name, arguments, ask),
            Term::Exists(block) => self.related(*block, None, ask.of_two()),
            Term::Member(subject, block) => self.truth_of_member(subject, *block, ask),
            _ => {
                let of = self.canon(term);
                self.truth_of_value(of, ask)
            }
        }
    }

    fn truth_of_value(&mut self, of: Canon, ask: Ask) -> Formula {
        let constant = match &of {
            Canon::Constant(constant) => Some(constant.coerced(SqlType::Boolean)),
            _ => None,
        };
        match constant {
            Some(Some(Constant::Boolean(value))) => match value == ask.of_two() {
                true => Formula::True,
                false => Formula::False,
            },
            Some(Some(Constant::Null)) => match ask {
                Ask::True | Ask::False => Formula::False,
                Ask::NotTrue | Ask::NotFalse => Formula::True,
            },
            Some(_) => self.unfollowed("a constant as a condition"),
            None if self.type_of(&of) == SqlType::Integer => {
                self.comparison(Comparison::Unequal, of, Canon::Constant(Constant::Number(0.into())), ask)
            }
            None => {
                let holds = Formula::Holds(of.clone(), ask.of_two());
                match ask {
                    Ask::True | Ask::False => holds,
                    Ask::NotTrue | Ask::NotFalse => or([holds, self.is_null(&of)]),
                }
            }
        }
    }

    fn truth_of_call(&mut self, term: &Term, name: &Rc<str>, arguments: &[Term], ask: Ask) -> Formula {
        match (&**name, arguments) {
            ("and" | "or", parts) => {
                let each: Vec<Formula> = parts.iter().map(|part| self.truth(part, ask)).collect();
                // "Not true" of a conjunction is that of one part; "not false" is that of all.
                match (&**name == "and") == ask.of_two() {
                    true => and(each),
                    false => or(each),
                }
            }
            ("not", [part]) => self.truth(part, ask.of_negation()),
            ("is true", [part]) => self.truth(part, if ask.of_two() { Ask::True } else { Ask::NotTrue }),
            ("is false", [part]) => self.truth(part, if ask.of_two() { Ask::False } else { Ask::NotFalse }),
            ("is null", [part]) => {
                let of = self.canon(part);
                match ask.of_two() {
                    true => self.is_null(&of),
                    false => self.not_null(&of),
                }
            }
            ("coalesce" | "ifnull", [part, Term::Constant(crate::value::Value::Boolean(otherwise), _)]) => {
                let ask = match (ask.of_two(), otherwise) {
                    (true, false) => Ask::True,
                    (false, false) => Ask::NotTrue,
                    (true, true) => Ask::NotFalse,
                    (false, true) => Ask::False,
                };
                self.truth(part, ask)
            }
            ("=" | "<>" | "<" | "<=" | ">" | ">=", [Term::Call(a, left), Term::Call(b, right)])
                if &**a == "tuple" && &**b == "tuple" && left.len() == right.len() && &**name == "=" =>
            {
                let pairs: Vec<Term> = left
                    .iter()
                    .zip(right)
                    .map(|(a, b)| Term::Call(Rc::from("="), vec![a.clone(), b.clone()]))
                    .collect();
                self.truth(&Term::Call(Rc::from("and"), pairs), ask)
            }
            ("=" | "<>" | "<" | "<=" | ">" | ">=", [a, b]) => {
                let comparison = match &**name {
                    "=" => Comparison::Equal,
                    "<>" => Comparison::Unequal,
                    "<" => Comparison::Less,
                    "<=" => Comparison::AtMost,
                    ">" => Comparison::More,
                    _ => Comparison::AtLeast,
                };
                let (a, b) = (self.canon(a), self.canon(b));
                self.comparison(comparison, a, b, ask)
            }
            ("same", [a, b]) => {
                let (a, b) = (self.canon(a), self.canon(b));
                self.same(a, b, ask)
            }
            ("in", [subject, items @ ..]) => {
                let parts: Vec<Term> = items
                    .iter()
                    .map(|item| Term::Call(Rc::from("="), vec![subject.clone(), item.clone()]))
                    .collect();
                self.truth(&Term::Call(Rc::from("or"), parts), ask)
            }
            ("like" | "ilike", _) => {
                let of = self.canon(term);
                self.truth_of_value(of, ask)
            }
            _ => {
                let of = self.canon(term);
                self.truth_of_value(of, ask)
            }
        }
    }

    fn same(&mut self, a: Canon, b: Canon, ask: Ask) -> Formula {
        let (a, b) = if matches!(a, Canon::Constant(_)) { (b, a) } else { (a, b) };
        let yes = match &b {
            Canon::Constant(Constant::Null) => self.is_null(&a),
            Canon::Constant(_) => self.comparison(Comparison::Equal, a.clone(), b.clone(), Ask::True),
            _ if self.null_when(&a).is_none() && self.null_when(&b).is_none() => {
                self.comparison(Comparison::Equal, a.clone(), b.clone(), Ask::True)
            }
            _ => Formula::Holds(canon::folded("same", vec![a.clone(), b.clone()]), true),
        };
        if ask.of_two() {
            return yes;
        }
        match &b {
            Canon::Constant(Constant::Null) => self.not_null(&a),
            Canon::Constant(_) => self.comparison(Comparison::Equal, a, b, Ask::NotTrue),
            _ if self.null_when(&a).is_none() && self.null_when(&b).is_none() => {
                self.comparison(Comparison::Unequal, a, b, Ask::True)
            }
            _ => Formula::Holds(canon::folded("same", vec![a, b]), false),
        }
    }

    /// When a comparison is what is asked.
    pub(super) fn comparison(&mut self, comparison: Comparison, a: Canon, b: Canon, ask: Ask) -> Formula {
        let comparison = if ask.of_two() { comparison } else { comparison.negated() };
        let met = self.compared(comparison, a.clone(), b.clone());
        match ask {
            Ask::True | Ask::False => met,
            Ask::NotTrue | Ask::NotFalse => or([met, self.is_null(&a), self.is_null(&b)]),
        }
    }

    /// A comparison that is true.
    fn compared(&mut self, comparison: Comparison, a: Canon, b: Canon) -> Formula {
        let (comparison, a, b) = match (&a, &b) {
            (Canon::Constant(_), _) => (comparison.flipped(), b, a),
            (_, Canon::Constant(_)) => (comparison, a, b),
            _ if a > b => (comparison.flipped(), b, a),
            _ => (comparison, a, b),
        };
        let Canon::Constant(bound) = &b else {
            if a == b {
                return match comparison {
                    Comparison::Equal | Comparison::AtMost | Comparison::AtLeast => self.not_null(&a),
                    Comparison::Unequal | Comparison::Less | Comparison::More => Formula::False,
                };
            }
            return Formula::Compare(comparison, a, b);
        };
        if *bound == Constant::Null {
            return Formula::False;
        }
        if let Canon::Constant(value) = &a {
            return match meets(value, comparison, bound) {
                Some(true) => Formula::True,
                Some(false) => Formula::False,
                None => self.unfollowed("a comparison of constants"),
            };
        }
        let ty = self.type_of(&a);
        if let Some(ranged) = self.ranged(comparison, &a, bound) {
            return ranged;
        }
        let Some(bound) = bound.coerced(ty) else {
            return self.unfollowed(&format!("a comparison of {} with {bound}", self.shown(&a)));
        };
        if ty == SqlType::Boolean
            && let Constant::Boolean(value) = bound
            && matches!(comparison, Comparison::Equal | Comparison::Unequal)
        {
            return Formula::Holds(a, value == (comparison == Comparison::Equal));
        }
        against_constant(comparison, a, bound, (ty, self.rigour))
    }

    fn truth_of_member(&mut self, subject: &Term, block: usize, ask: Ask) -> Formula {
        let certain = {
            let subject = self.canon(subject);
            self.null_when(&subject).is_none()
        };
        match ask {
            Ask::True => self.related(block, Some(subject), true),
            Ask::NotTrue => self.related(block, Some(subject), false),
            Ask::NotFalse if certain && self.never_null(block) => self.related(block, Some(subject), true),
            Ask::False if certain && self.never_null(block) => self.related(block, Some(subject), false),
            Ask::False | Ask::NotFalse => self.unfollowed("NOT IN over values that may be NULL"),
        }
    }
}

/// A comparison with a constant of the value's own type.
pub(super) fn against_constant(
    comparison: Comparison,
    of: Canon,
    bound: Constant,
    (ty, rigour): (SqlType, Rigour),
) -> Formula {
    let next = match rigour {
        Rigour::Equal => bound.next(ty),
        // That there is nothing between two days is for the data to say.
        Rigour::AsDefined => None,
    };
    let (comparison, bound) = match (comparison, next) {
        (Comparison::More, Some(next)) => (Comparison::AtLeast, next),
        (Comparison::AtMost, Some(next)) => (Comparison::Less, next),
        (comparison, _) => (comparison, bound),
    };
    match comparison {
        Comparison::Equal => Formula::OneOf(of, BTreeSet::from([bound])),
        Comparison::Unequal => Formula::NoneOf(of, BTreeSet::from([bound])),
        comparison => Formula::Compare(comparison, of, Canon::Constant(bound)),
    }
}
