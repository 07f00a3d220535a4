//! Owns the way from an expression of the syntax to a term of the flow. Names are looked up by whoever asks.
//!
//! Deliberately absent: simplification, and judgement. What is not known here becomes a term that is equal to nothing.

use std::rc::Rc;

use sqlparser::ast::{
    Array, BinaryOperator, CaseWhen, CastKind, CeilFloorKind, DataType, DuplicateTreatment, Expr, Function,
    FunctionArg, FunctionArgExpr, FunctionArguments, Ident, InTarget, Interval, ObjectNamePart, Query,
    TypedString, UnaryOperator, Value as Literal,
};

use crate::dialect::{Dialect, FunctionKind, Lookup};
use crate::flow::{Aggregated, Term};
use crate::lower::placeholder_index;
use crate::narrow::{Loss, loss};
use crate::rejection::Place;
use crate::schema::SqlType;
use crate::size::DEPTH_MAX;
use crate::types;
use crate::value::Value;

/// Who knows what names and nested queries stand for.
pub(crate) trait Names<'a> {
    /// A name as it is written, with its qualifier if it has one.
    fn name(&mut self, parts: &'a [Ident]) -> Term;
    /// A nested query, which was resolved before.
    fn block(&mut self, query: &'a Query) -> Option<usize>;
}

/// The term of an expression.
pub(crate) fn term<'a>(expr: &'a Expr, dialect: &Dialect, names: &mut dyn Names<'a>) -> Term {
    Walk { dialect, names, depth: 0 }.term(expr)
}

/// A call of an operator or function.
pub(crate) fn call(name: &str, arguments: Vec<Term>) -> Term {
    Term::Call(Rc::from(name), arguments)
}

pub(crate) fn unknown(what: &str) -> Term {
    Term::Unknown(Rc::from(what))
}

pub(crate) fn null() -> Term {
    Term::Constant(Value::Null, SqlType::Unknown)
}

struct Walk<'w, 'a> {
    dialect: &'w Dialect,
    names: &'w mut dyn Names<'a>,
    depth: usize,
}

impl<'a> Walk<'_, 'a> {
    fn term(&mut self, expr: &'a Expr) -> Term {
        if self.depth >= DEPTH_MAX {
            return unknown("so deep a nesting");
        }
        self.depth = self.depth.saturating_add(1);
        let term = self.node(expr);
        self.depth = self.depth.saturating_sub(1);
        term
    }

    fn all(&mut self, name: &str, parts: &[&'a Expr]) -> Term {
        let arguments = parts.iter().map(|part| self.term(part)).collect();
        call(name, arguments)
    }

    fn not(&mut self, negated: bool, term: Term) -> Term {
        match negated {
            true => call("not", vec![term]),
            false => term,
        }
    }

    #[expect(clippy::too_many_lines, reason = "one match over every kind of expression")]
    fn node(&mut self, expr: &'a Expr) -> Term {
        match expr {
            Expr::Identifier(ident) => self.names.name(std::slice::from_ref(ident)),
            Expr::CompoundIdentifier(parts) => self.names.name(parts),
            Expr::Value(value) => literal(&value.value),
            Expr::TypedString(TypedString { data_type, value, uses_odbc_syntax: _ }) => {
                match literal(&value.value) {
                    text @ Term::Constant(Value::Text(_), _) => {
                        Term::Cast(Box::new(text), types::of(data_type))
                    }
                    _ => unknown("a typed text"),
                }
            }
            Expr::Nested(inner) => self.node(inner),
            Expr::Function(function) => self.function(function),
            Expr::Case { case_token: _, end_token: _, operand, conditions, else_result } => {
                self.case(operand.as_deref(), conditions, else_result.as_deref())
            }
            Expr::IsTrue(a) => self.all("is true", &[a]),
            Expr::IsFalse(a) => self.all("is false", &[a]),
            Expr::IsNull(a) | Expr::IsUnknown(a) => self.all("is null", &[a]),
            Expr::IsNotTrue(a) => {
                let inner = self.all("is true", &[a]);
                self.not(true, inner)
            }
            Expr::IsNotFalse(a) => {
                let inner = self.all("is false", &[a]);
                self.not(true, inner)
            }
            Expr::IsNotNull(a) | Expr::IsNotUnknown(a) => {
                let inner = self.all("is null", &[a]);
                self.not(true, inner)
            }
            Expr::IsDistinctFrom(a, b) => {
                let inner = self.all("same", &[a, b]);
                self.not(true, inner)
            }
            Expr::IsNotDistinctFrom(a, b) => self.all("same", &[a, b]),
            Expr::In { expr: subject, target, negated, global: false } => {
                self.membership(subject, target, *negated)
            }
            Expr::Between { expr: a, negated, low, high } => {
                let subject = self.term(a);
                let low = call(">=", vec![subject.clone(), self.term(low)]);
                let high = call("<=", vec![subject, self.term(high)]);
                self.not(*negated, call("and", vec![low, high]))
            }
            Expr::BinaryOp { left, op, right } => self.binary(expr, left, op, right),
            Expr::UnaryOp { op, expr: a } => match op {
                UnaryOperator::Not | UnaryOperator::BangNot => self.all("not", &[a]),
                UnaryOperator::Minus => self.all("neg", &[a]),
                UnaryOperator::Plus => self.term(a),
                _ => unknown("an operator"),
            },
            Expr::Like { negated, any: false, expr: a, pattern, escape_char: None } => {
                let inner = self.all("like", &[a, pattern]);
                self.not(*negated, inner)
            }
            Expr::ILike { negated, any: false, expr: a, pattern, escape_char: None } => {
                let inner = self.all("ilike", &[a, pattern]);
                self.not(*negated, inner)
            }
            Expr::Cast { kind: CastKind::Cast | CastKind::DoubleColon, expr: a, data_type, format: None }
            | Expr::Convert {
                is_try: false,
                expr: a,
                data_type: Some(data_type),
                charset: None,
                target_before_value: _,
                styles: _,
            } => self.cast(a, data_type),
            Expr::AtTimeZone { timestamp, time_zone } => self.all("at time zone", &[timestamp, time_zone]),
            Expr::Extract { field, syntax: _, expr: a } => {
                let name = format!("extract {}", field.to_string().to_lowercase());
                self.all(&name, &[a])
            }
            Expr::Ceil { expr: a, field: CeilFloorKind::DateTimeField(field) }
                if field.to_string().is_empty() =>
            {
                self.all("ceil", &[a])
            }
            Expr::Floor { expr: a, field: CeilFloorKind::DateTimeField(field) }
                if field.to_string().is_empty() =>
            {
                self.all("floor", &[a])
            }
            Expr::Position { expr: a, r#in: b } => self.all("position", &[a, b]),
            Expr::Substring { expr: a, substring_from, substring_for, special: _, shorthand: _ } => {
                let mut parts: Vec<&Expr> = vec![a];
                parts.extend(substring_from.iter().chain(substring_for).map(AsRef::as_ref));
                self.all("substring", &parts)
            }
            Expr::Trim { trim_where: None, trim_what: None, expr: a, trim_characters: None } => {
                self.all("trim", &[a])
            }
            Expr::Interval(Interval {
                value,
                leading_field: Some(unit),
                leading_precision: None,
                last_field: None,
                fractional_seconds_precision: None,
            }) => {
                let name = format!("interval {}", unit.to_string().to_lowercase());
                self.all(&name, &[value])
            }
            Expr::Interval(Interval { value, leading_field: None, last_field: None, .. }) => {
                self.all("interval", &[value])
            }
            Expr::Exists { subquery, negated } => {
                let inner =
                    self.names.block(subquery).map_or_else(|| unknown("a nested query"), Term::Exists);
                self.not(*negated, inner)
            }
            Expr::Subquery(query) => {
                self.names.block(query).map_or_else(|| unknown("a nested query"), Term::Query)
            }
            Expr::Tuple(parts) | Expr::Array(Array { elem: parts, named: _ }) => {
                self.all("tuple", &parts.iter().collect::<Vec<_>>())
            }
            _ => unknown("an expression"),
        }
    }

    fn binary(&mut self, whole: &'a Expr, left: &'a Expr, op: &BinaryOperator, right: &'a Expr) -> Term {
        use BinaryOperator as B;
        let name = match op {
            B::And | B::Or => {
                let parts = crate::resolve::split(whole, op);
                return self.all(if *op == B::And { "and" } else { "or" }, &parts);
            }
            B::Eq => "=",
            B::NotEq => "<>",
            B::Lt => "<",
            B::LtEq => "<=",
            B::Gt => ">",
            B::GtEq => ">=",
            B::Spaceship => "same",
            B::Plus => "+",
            B::Minus => "-",
            B::Multiply => "*",
            B::Divide => "/",
            B::Modulo => "%",
            B::StringConcat => "||",
            _ => return unknown("an operator"),
        };
        self.all(name, &[left, right])
    }

    /// A cast; one that may give another value is a call of its own, which is equal to itself only.
    fn cast(&mut self, inner: &'a Expr, to: &DataType) -> Term {
        let inner = self.term(inner);
        let named = |word: &str| format!("{word} to {}", to.to_string().to_lowercase());
        match loss(&inner, to, self.dialect) {
            Loss::Nothing => Term::Cast(Box::new(inner), types::of(to)),
            Loss::Decimals => call(&named("rounded"), vec![inner]),
            Loss::More => call(&named("narrowed"), vec![inner]),
        }
    }

    /// `CASE` as its conditions and results in turn, then what else it is.
    fn case(
        &mut self,
        operand: Option<&'a Expr>,
        conditions: &'a [CaseWhen],
        otherwise: Option<&'a Expr>,
    ) -> Term {
        let operand = operand.map(|operand| self.term(operand));
        let mut parts = Vec::new();
        for CaseWhen { condition, result } in conditions {
            let condition = self.term(condition);
            parts.push(match &operand {
                Some(operand) => call("=", vec![operand.clone(), condition]),
                None => condition,
            });
            parts.push(self.term(result));
        }
        parts.push(otherwise.map_or_else(null, |otherwise| self.term(otherwise)));
        call("case", parts)
    }

    fn membership(&mut self, subject: &'a Expr, target: &'a InTarget, negated: bool) -> Term {
        let subject = self.term(subject);
        let inner = match target {
            InTarget::List(items) => {
                let mut parts = vec![subject];
                parts.extend(items.iter().map(|item| self.term(item)));
                call("in", parts)
            }
            InTarget::Subquery(query) => match self.names.block(query) {
                Some(block) => Term::Member(Box::new(subject), block),
                None => unknown("a nested query"),
            },
            InTarget::Unnest(_) | InTarget::Table { .. } => unknown("a list"),
        };
        self.not(negated, inner)
    }

    fn function(&mut self, function: &'a Function) -> Term {
        let [ObjectNamePart::Identifier(ident)] = function.name.0.as_slice() else {
            return unknown("a qualified function");
        };
        let name = ident.value.to_lowercase();
        if function.over.is_some() {
            return Term::Window(Rc::from(name.as_str()));
        }
        let Some((mut arguments, star, distinct)) = self.arguments(function) else {
            return unknown("a call with clauses");
        };
        let count = arguments.len().saturating_add(usize::from(star));
        let Lookup::Found(entry) = self.dialect.function(&name, count) else {
            return unknown("a function");
        };
        match entry.kind {
            FunctionKind::Scalar => Term::Call(Rc::from(entry.name), arguments),
            FunctionKind::Additive | FunctionKind::Idempotent => {
                arguments.extend(function.within_group.iter().map(|item| {
                    let term = self.term(&item.expr);
                    match item.options.sort {
                        Some(sqlparser::ast::OrderBySort::Desc) => call("descending", vec![term]),
                        _ => term,
                    }
                }));
                let filter = function.filter.as_ref().map(|filter| self.term(filter));
                Term::Aggregate(Box::new(Aggregated {
                    name: Rc::from(entry.name),
                    distinct,
                    star: star || arguments.is_empty(),
                    arguments,
                    filter,
                    place: place(ident),
                }))
            }
            FunctionKind::Window | FunctionKind::Table => unknown("rows of a function"),
        }
    }

    /// The arguments, whether there is a star, and whether DISTINCT is written; nothing for anything else.
    fn arguments(&mut self, function: &'a Function) -> Option<(Vec<Term>, bool, bool)> {
        let list = match &function.args {
            FunctionArguments::None => return Some((Vec::new(), false, false)),
            FunctionArguments::Subquery(_) => return None,
            FunctionArguments::List(list) => list,
        };
        if !list.clauses.is_empty() {
            return None;
        }
        let distinct = list.duplicate_treatment == Some(DuplicateTreatment::Distinct);
        let (mut found, mut star) = (Vec::new(), false);
        for argument in &list.args {
            match argument {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => found.push(self.argument(expr)),
                FunctionArg::Unnamed(FunctionArgExpr::Wildcard) => star = true,
                _ => return None,
            }
        }
        Some((found, star, distinct))
    }

    fn argument(&mut self, expr: &'a Expr) -> Term {
        self.term(expr)
    }
}

fn place(ident: &Ident) -> Option<Place> {
    crate::resolve::place(ident.span)
}

fn literal(literal: &Literal) -> Term {
    match literal {
        Literal::Number(digits, _) => {
            let whole = digits.bytes().all(|digit| digit.is_ascii_digit());
            match (whole, digits.parse::<i128>(), digits.parse()) {
                (true, Ok(number), _) => Term::Constant(Value::Integer(number), SqlType::Integer),
                (_, _, Ok(number)) => Term::Constant(Value::Decimal(number), SqlType::Decimal),
                (_, _, Err(_)) => unknown("a number"),
            }
        }
        Literal::SingleQuotedString(text) | Literal::NationalStringLiteral(text) => {
            Term::Constant(Value::Text(crate::spelling::text(text)), SqlType::Text)
        }
        Literal::Boolean(value) => Term::Constant(Value::Boolean(*value), SqlType::Boolean),
        Literal::Null => null(),
        Literal::Placeholder(name) => {
            placeholder_index(name).map_or_else(|| unknown("a placeholder"), Term::Bind)
        }
        _ => unknown("a literal"),
    }
}
