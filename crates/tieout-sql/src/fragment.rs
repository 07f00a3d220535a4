//! Owns catalogue expressions: read-only SQL over the fields of one table, such as
//! `kind in ('sale', 'refund') and not is_internal`.
//!
//! Deliberately absent: subqueries, windows, aggregates, placeholders and qualified names. What is
//! not named in the list of permitted nodes is refused.

use std::ops::ControlFlow;

use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, InTarget, UnaryOperator,
    Value, ValueWithSpan, visit_expressions, visit_expressions_mut,
};
use sqlparser::tokenizer::{Location, Span, Token};

use crate::build;
use crate::dialect::{Dialect, FunctionKind, Lookup};
use crate::nearest::nearest_hint;
use crate::schema::{SqlType, Table};
use crate::size::{self, Unread};
use crate::spelling;
use crate::types;

/// A parsed expression over the fields of one table.
#[derive(Clone, Debug, PartialEq)]
pub struct Fragment {
    text: String,
    expr: Box<Expr>,
    columns: Vec<String>,
}

/// Why a fragment was refused, and where in its text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}; {hint}")]
pub struct FragmentError {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: String,
    /// Byte offset in the fragment's text.
    pub offset: usize,
    /// Length in bytes.
    pub length: usize,
}

impl Fragment {
    /// Parses a read-only scalar expression.
    ///
    /// # Errors
    /// When the text is no expression, holds more than one, or uses anything but operators, literals,
    /// fields and allowed scalar functions.
    pub fn parse(text: &str, dialect: &Dialect) -> Result<Fragment, FragmentError> {
        let mut parser = size::parser(text, dialect).map_err(|unread| match unread {
            Unread::Refused { rule: _, message, hint } => whole(text, message, hint),
            Unread::Syntax(error) => syntax(text, &error.to_string()),
        })?;
        let mut expr = parser.parse_expr().map_err(|error| syntax(text, &error.to_string()))?;
        spelling::compared(&mut expr, dialect);
        let next = parser.peek_token();
        if next.token != Token::EOF {
            let message = format!("`{}` is left over after the expression", next.token);
            return Err(at(text, next.span, message, "write one expression, without a semicolon"));
        }
        let mut columns = Vec::new();
        permit(&expr, text, dialect, &mut columns, 0)?;
        Ok(Fragment { text: text.to_owned(), expr: Box::new(expr), columns })
    }

    /// The fields it names, each once, in order of appearance.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The text as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The tree.
    pub fn expr(&self) -> &Expr {
        &self.expr
    }

    /// Holds that every field it names is a column of the table.
    ///
    /// # Errors
    /// On the first field that is not, with the nearest names.
    pub fn resolve(&self, table: &Table) -> Result<(), FragmentError> {
        let Some(missing) = self.columns.iter().find(|name| table.spelled(name).is_none()) else {
            return Ok(());
        };
        let span = self.span_of(missing);
        let message = format!("`{}` has no field `{missing}`", table.name);
        Err(at(&self.text, span, message, &nearest_hint(missing, table.columns.keys().map(String::as_str))))
    }

    fn span_of(&self, name: &str) -> Span {
        let found = visit_expressions(self.expr.as_ref(), |expr| match expr {
            Expr::Identifier(ident) if spelling::plain(ident) == name => ControlFlow::Break(ident.span),
            _ => ControlFlow::Continue(()),
        });
        match found {
            ControlFlow::Break(span) => span,
            ControlFlow::Continue(()) => Span::empty(),
        }
    }

    /// The tree with every field written `alias.field`, bracketed so that it can stand anywhere.
    pub fn qualified(&self, alias: &str) -> Expr {
        build::operand(self.replaced(&mut |name| {
            let mut column = name.clone();
            column.span = Span::empty();
            Expr::CompoundIdentifier(vec![build::ident(alias), column])
        }))
    }

    /// The tree with every field replaced; spans are dropped, since they point into the fragment's own text.
    pub(crate) fn replaced(&self, with: &mut dyn FnMut(&sqlparser::ast::Ident) -> Expr) -> Expr {
        let mut expr = (*self.expr).clone();
        let _: ControlFlow<()> = visit_expressions_mut(&mut expr, |node| {
            match node {
                Expr::Identifier(name) => *node = with(name),
                Expr::Value(value) => value.span = Span::empty(),
                _ => {}
            }
            ControlFlow::Continue(())
        });
        expr
    }

    /// Its conditions, split at every top-level AND.
    pub fn conjuncts(&self) -> Vec<Expr> {
        let mut found = Vec::new();
        let mut left: Vec<&Expr> = vec![&self.expr];
        while let Some(expr) = left.pop() {
            match expr {
                Expr::BinaryOp { left: a, op: BinaryOperator::And, right: b } => {
                    left.extend([b.as_ref(), a.as_ref()])
                }
                Expr::Nested(inner) => left.push(inner),
                other => found.push(other.clone()),
            }
        }
        found
    }

    /// Text literals that a field is compared with by `=`, `<>` or `IN`, for checks against known values.
    pub fn literals_by_column(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let _: ControlFlow<()> = visit_expressions(self.expr.as_ref(), |expr| {
            match expr {
                Expr::BinaryOp { left, op: BinaryOperator::Eq | BinaryOperator::NotEq, right } => {
                    found.extend(compared(left, right).or_else(|| compared(right, left)));
                }
                Expr::In { expr: column, target: InTarget::List(values), negated: _, global: _ } => {
                    found.extend(values.iter().filter_map(|value| compared(column, value)));
                }
                _ => {}
            }
            ControlFlow::Continue(())
        });
        found
    }
}

fn compared(column: &Expr, literal: &Expr) -> Option<(String, String)> {
    let column = bare(column);
    match (column, bare(literal)) {
        (Expr::Identifier(name), Expr::Value(value)) => match &value.value {
            Value::SingleQuotedString(text) => {
                Some((spelling::plain(name).into_owned(), spelling::text(text)))
            }
            _ => None,
        },
        _ => None,
    }
}

fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Nested(inner) => bare(inner),
        other => other,
    }
}

/// Walks the permitted nodes and collects fields. A node that is not named here is refused.
fn permit(
    expr: &Expr,
    text: &str,
    dialect: &Dialect,
    columns: &mut Vec<String>,
    depth: usize,
) -> Result<(), FragmentError> {
    if depth > size::DEPTH_MAX {
        return Err(whole(text, "the expression is nested too deeply".into(), "write a flatter expression"));
    }
    let mut each = |parts: &[&Expr]| {
        parts.iter().try_for_each(|part| permit(part, text, dialect, columns, depth.saturating_add(1)))
    };
    match expr {
        Expr::Identifier(name) => {
            let name = spelling::plain(name).into_owned();
            if !columns.contains(&name) {
                columns.push(name);
            }
            Ok(())
        }
        Expr::CompoundIdentifier(parts) => {
            let span = parts.first().map_or(Span::empty(), |part| part.span);
            Err(at(
                text,
                span,
                format!("`{expr}` is a qualified name"),
                "name a field of this dataset, without a table",
            ))
        }
        Expr::Value(value) => permit_literal(value, text),
        Expr::TypedString(typed) if types::of(&typed.data_type) != SqlType::Unknown => Ok(()),
        Expr::Cast { kind: _, expr: a, data_type, format: None }
            if types::of(data_type) != SqlType::Unknown =>
        {
            each(&[a])
        }
        Expr::Nested(a)
        | Expr::IsNull(a)
        | Expr::IsNotNull(a)
        | Expr::IsTrue(a)
        | Expr::IsNotTrue(a)
        | Expr::IsFalse(a)
        | Expr::IsNotFalse(a)
        | Expr::Extract { field: _, syntax: _, expr: a }
        | Expr::Ceil { expr: a, field: _ }
        | Expr::Floor { expr: a, field: _ }
        | Expr::UnaryOp { op: UnaryOperator::Not | UnaryOperator::Minus | UnaryOperator::Plus, expr: a } => {
            each(&[a])
        }
        Expr::Interval(interval) => each(&[&interval.value]),
        Expr::IsDistinctFrom(a, b) | Expr::IsNotDistinctFrom(a, b) | Expr::Position { expr: a, r#in: b } => {
            each(&[a, b])
        }
        Expr::BinaryOp { left, op, right } if is_plain_operator(op) => each(&[left, right]),
        Expr::Between { expr: a, negated: _, low, high } => each(&[a, low, high]),
        Expr::Like { negated: _, any: false, expr: a, pattern, escape_char: _ }
        | Expr::ILike { negated: _, any: false, expr: a, pattern, escape_char: _ } => each(&[a, pattern]),
        Expr::In { expr: a, target: InTarget::List(values), negated: _, global: false } => {
            each(&[a])?;
            each(&values.iter().collect::<Vec<_>>())
        }
        Expr::Case { .. } | Expr::Substring { .. } | Expr::Trim { .. } => each(&parts(expr)),
        Expr::Function(function) => each(&permit_call(function, text, dialect)?),
        other => {
            let message = format!("`{other}` cannot stand in a catalogue expression");
            Err(whole(
                text,
                message,
                "use fields, literals, operators and scalar functions only; no subqueries, no windows",
            ))
        }
    }
}

fn permit_literal(value: &ValueWithSpan, text: &str) -> Result<(), FragmentError> {
    match &value.value {
        Value::Placeholder(name) => {
            Err(at(text, value.span, format!("`{name}` is a placeholder"), "write the value itself"))
        }
        _ => Ok(()),
    }
}

/// The parts of the permitted nodes that have many.
fn parts(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Case { case_token: _, end_token: _, operand, conditions, else_result } => {
            let mut parts: Vec<&Expr> = operand.iter().map(AsRef::as_ref).collect();
            parts.extend(conditions.iter().flat_map(|when| [&when.condition, &when.result]));
            parts.extend(else_result.iter().map(AsRef::as_ref));
            parts
        }
        Expr::Substring { expr, substring_from, substring_for, special: _, shorthand: _ } => {
            let mut parts: Vec<&Expr> = vec![expr];
            parts.extend(substring_from.iter().chain(substring_for).map(AsRef::as_ref));
            parts
        }
        Expr::Trim { trim_where: _, trim_what, expr, trim_characters } => {
            let mut parts: Vec<&Expr> = vec![expr];
            parts.extend(trim_what.iter().map(AsRef::as_ref));
            parts.extend(trim_characters.iter().flatten());
            parts
        }
        other => vec![other],
    }
}

fn is_plain_operator(op: &BinaryOperator) -> bool {
    use BinaryOperator as B;
    matches!(
        op,
        B::Plus
            | B::Minus
            | B::Multiply
            | B::Divide
            | B::Modulo
            | B::StringConcat
            | B::Gt
            | B::Lt
            | B::GtEq
            | B::LtEq
            | B::Eq
            | B::NotEq
            | B::And
            | B::Or
            | B::Spaceship
    )
}

/// The arguments of a permitted call.
fn permit_call<'a>(
    function: &'a Function,
    text: &str,
    dialect: &Dialect,
) -> Result<Vec<&'a Expr>, FragmentError> {
    let Function { name, uses_odbc_syntax: _, parameters, args, within_group, filter, null_treatment, over } =
        function;
    let span = name.0.first().and_then(|part| part.as_ident()).map_or(Span::empty(), |ident| ident.span);
    let refuse = |message: String, hint: &str| Err(at(text, span, message, hint));
    let plain = *parameters == FunctionArguments::None
        && within_group.is_empty()
        && filter.is_none()
        && null_treatment.is_none()
        && over.is_none();
    if !plain {
        return refuse(format!("`{name}` is called with clauses"), "call a plain scalar function");
    }
    let arguments = match args {
        FunctionArguments::None => Vec::new(),
        FunctionArguments::List(list) if list.clauses.is_empty() && list.duplicate_treatment.is_none() => {
            let mut found = Vec::new();
            for argument in &list.args {
                match argument {
                    FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => found.push(expr),
                    _ => {
                        return refuse(format!("`{name}` has a named or star argument"), "pass plain values");
                    }
                }
            }
            found
        }
        _ => return refuse(format!("`{name}` is called with clauses"), "call a plain scalar function"),
    };
    match (name.0.as_slice(), dialect.function(&name.to_string(), arguments.len())) {
        ([_], Lookup::Found(entry)) if entry.kind == FunctionKind::Scalar => Ok(arguments),
        (_, Lookup::Found(_)) => {
            refuse(format!("`{name}` works on many rows"), "aggregate in a metric, not in an expression")
        }
        (_, Lookup::WrongArguments(_)) => {
            refuse(format!("`{name}` does not take {} arguments", arguments.len()), "check its arguments")
        }
        (_, Lookup::Absent) => refuse(
            format!("the function `{name}` is not on the list for {}", dialect.name),
            "use a listed scalar function",
        ),
    }
}

fn whole(text: &str, message: String, hint: &str) -> FragmentError {
    FragmentError { message, hint: hint.to_owned(), offset: 0, length: text.len() }
}

fn at(text: &str, span: Span, message: String, hint: &str) -> FragmentError {
    let start = offset_of(text, span.start);
    let end = offset_of(text, span.end).max(start);
    let length = end.saturating_sub(start).max(1).min(text.len().saturating_sub(start));
    FragmentError { message, hint: hint.to_owned(), offset: start, length }
}

fn syntax(text: &str, message: &str) -> FragmentError {
    let (message, location) = size::split_parser_message(message);
    let span = location.map_or(Span::empty(), |location| Span { start: location, end: location });
    at(
        text,
        span,
        format!("the expression does not parse: {message}"),
        "write one SQL expression over the dataset's fields",
    )
}

/// The byte offset of a line and column, both from 1; the start of the text for an empty location.
fn offset_of(text: &str, location: Location) -> usize {
    let line_number = usize::try_from(location.line).unwrap_or(1).max(1);
    let column = usize::try_from(location.column).unwrap_or(1).max(1);
    let before: usize = text.split_inclusive('\n').take(line_number.saturating_sub(1)).map(str::len).sum();
    let line = text.get(before..).unwrap_or_default();
    let within: usize = line.chars().take(column.saturating_sub(1)).map(char::len_utf8).sum();
    before.saturating_add(within).min(text.len())
}
