//! Owns the larger kinds of expression: literals, CASE, membership, queries used as values, access by index.
//!
//! Deliberately absent: the match over all kinds (`expr`).

use smallvec::smallvec;
use sqlparser::ast::{AccessExpr, Expr, Ident, InTarget, LambdaFunction, Subscript, Value as Literal};

use super::grain::{Attr, AttrInfo, Attrs, Bases, Dependency, merge};
use super::name::Name;
use super::predicate::peel;
use super::value::Value;
use super::{Resolver, blank, place_of_expr};
use crate::facts::{ConditionKind, End, Link, Pair};
use crate::schema::SqlType;

impl<'a> Resolver<'a> {
    pub(super) fn literal(&mut self, literal: &'a Literal, expr: &Expr) -> Value {
        use SqlType as T;
        match literal {
            Literal::Number(digits, _) => match digits.bytes().all(|digit| digit.is_ascii_digit()) {
                true => Value::constant(T::Integer),
                false => Value::constant(T::Decimal),
            },
            Literal::SingleQuotedString(text) | Literal::NationalStringLiteral(text) => {
                Value { text: Some(crate::spelling::text(text)), ..Value::constant(T::Text) }
            }
            Literal::EscapedStringLiteral(_) | Literal::UnicodeStringLiteral(_) => Value::constant(T::Text),
            Literal::DollarQuotedString(_)
            | Literal::TripleSingleQuotedString(_)
            | Literal::TripleDoubleQuotedString(_)
            | Literal::SingleQuotedRawStringLiteral(_)
            | Literal::DoubleQuotedRawStringLiteral(_)
            | Literal::TripleSingleQuotedRawStringLiteral(_)
            | Literal::TripleDoubleQuotedRawStringLiteral(_)
            | Literal::QuoteDelimitedStringLiteral(_)
            | Literal::NationalQuoteDelimitedStringLiteral(_) => self.refused("this kind of quotes", expr),
            Literal::DoubleQuotedString(_) => match self.dialect.quote {
                '"' => self.refused("text in double quotes", expr),
                _ => Value::constant(T::Text),
            },
            Literal::SingleQuotedByteStringLiteral(_)
            | Literal::DoubleQuotedByteStringLiteral(_)
            | Literal::TripleSingleQuotedByteStringLiteral(_)
            | Literal::TripleDoubleQuotedByteStringLiteral(_)
            | Literal::HexStringLiteral(_) => Value::constant(T::Blob),
            Literal::Boolean(_) => Value::constant(T::Boolean),
            Literal::Null => Value { nullable: true, is_null_literal: true, ..Value::constant(T::Unknown) },
            Literal::Placeholder(name) => match crate::lower::placeholder_index(name) {
                Some(_) => Value { nullable: true, ..Value::constant(T::Unknown) },
                None => self.refused("this placeholder", expr),
            },
        }
    }

    pub(super) fn case(
        &mut self,
        operand: Option<&'a Expr>,
        conditions: &'a [sqlparser::ast::CaseWhen],
        otherwise: Option<&'a Expr>,
    ) -> Value {
        let mut pickers: Vec<Value> = operand.into_iter().map(|operand| self.expr(operand)).collect();
        let mut results = Vec::new();
        for sqlparser::ast::CaseWhen { condition, result } in conditions {
            pickers.push(self.expr(condition));
            self.tie_within(condition);
            self.frame().guards.push(condition);
            results.push(self.expr(result));
        }
        results.extend(otherwise.map(|otherwise| self.expr(otherwise)));
        let guards = self.frame().guards.len().saturating_sub(conditions.len());
        self.frame().guards.truncate(guards);
        let ty = results.iter().map(|result| result.ty).find(|ty| *ty != SqlType::Unknown);
        let mut whole = Value::of(ty.unwrap_or(SqlType::Unknown), &results);
        for picker in &pickers {
            let aggregated = picker.aggregated;
            merge(&mut whole.inputs, &picker.inputs);
            whole.aggregated |= aggregated;
        }
        whole.nullable |= otherwise.is_none();
        whole
    }

    /// A lambda: its parameters stand for parts of the list, whose columns are read beside it.
    pub(super) fn lambda(&mut self, lambda: &'a LambdaFunction) -> Value {
        let LambdaFunction { params, body, syntax: _ } = lambda;
        let before = self.parameters.len();
        let names: Vec<Name<'a>> =
            params.iter().map(|parameter| self.dialect.fold(&parameter.name).into()).collect();
        self.parameters.extend(names);
        let value = self.expr(body);
        self.parameters.truncate(before);
        value
    }

    pub(super) fn is_parameter(&self, ident: &Ident) -> bool {
        !self.parameters.is_empty() && {
            let key = self.dialect.fold(ident);
            self.parameters.iter().any(|parameter| **parameter == *key)
        }
    }

    /// Whether a name is that of a column of structures, and of no source.
    pub(super) fn is_structure(&mut self, ident: &'a Ident) -> bool {
        let key = self.dialect.fold(ident);
        let sources = self.frames.iter().flat_map(|frame| &frame.sources);
        let mut named = sources.clone().filter(|source| *source.key == *key);
        let mut columns = sources.flat_map(|source| &source.columns);
        if named.next().is_some() || !columns.any(|column| column.is(&key)) {
            return false;
        }
        let value = self.quietly(|resolver| resolver.identifier(ident));
        value.pure.is_some() && matches!(value.ty, SqlType::Other | SqlType::Unknown)
    }

    pub(super) fn access(&mut self, root: &'a Expr, chain: &'a [AccessExpr]) -> Value {
        let mut parts = vec![self.expr(root)];
        for access in chain {
            match access {
                // A field's name, of a value that was just resolved.
                AccessExpr::Dot(Expr::Identifier(_)) => {}
                AccessExpr::Dot(inner) => {
                    self.unsupported("access to a part of a structure", place_of_expr(inner));
                }
                AccessExpr::Subscript(Subscript::Index { index }) => parts.push(self.expr(index)),
                AccessExpr::Subscript(Subscript::Slice { lower_bound, upper_bound, stride }) => {
                    let bounds = [lower_bound, upper_bound, stride];
                    for bound in bounds.into_iter().flatten() {
                        parts.push(self.expr(bound));
                    }
                }
            }
        }
        Value::of(SqlType::Unknown, &parts)
    }

    pub(super) fn membership(
        &mut self,
        subject: &'a Expr,
        target: &'a InTarget,
        negated: bool,
        expr: &Expr,
    ) -> Value {
        let value = self.expr(subject);
        match target {
            InTarget::List(items) => {
                let mut parts = vec![value];
                for item in items {
                    let item_value = self.expr(item);
                    if let Some(first) = parts.first() {
                        let first = first.clone();
                        self.across_types(&first, &item_value, item);
                    }
                    if let (Some(first), Some(text)) = (parts.first(), &item_value.text) {
                        self.known_value(first.pure, text, item);
                    }
                    parts.push(item_value);
                }
                Value::of(SqlType::Boolean, &parts)
            }
            InTarget::Subquery(query) => {
                let (relation, reached) = self.nested(query);
                if let (true, Some(column)) = (negated, relation.columns.first())
                    && self.info(column.attr).is_some_and(|info| info.nullable)
                {
                    let kind = ConditionKind::NotInNullable(column.name.to_string());
                    self.condition_fact(kind, place_of_expr(subject));
                }
                let subjects: Vec<Option<Attr>> = match peel(subject) {
                    Expr::Tuple(parts) => {
                        parts.iter().map(|part| self.quietly(|resolver| resolver.expr(part)).pure).collect()
                    }
                    _ => vec![value.pure],
                };
                let pairs = subjects
                    .iter()
                    .zip(&relation.columns)
                    .filter_map(|(subject, column)| self.member_pair(column.attr, (*subject)?))
                    .collect();
                self.facts.links.push(Link { pairs, ranges: Vec::new(), place: place_of_expr(subject) });
                let mut whole = Value::of(SqlType::Boolean, &[value]);
                merge(&mut whole.inputs, &reached);
                whole
            }
            InTarget::Unnest(list) => {
                let list = self.expr(list);
                Value::of(SqlType::Boolean, &[value, list])
            }
            InTarget::Table { name: _, args: _ } => self.refused("IN with a table's name", expr),
        }
    }

    pub(super) fn member_pair(&self, inner: Attr, outer: Attr) -> Option<Pair> {
        Some(Pair { left: self.plain_end(inner, 0)?, right: self.plain_end(outer, usize::MAX)? })
    }

    pub(super) fn plain_end(&self, attr: Attr, source: usize) -> Option<End> {
        let info = self.info(attr)?;
        let base = info.base.first()?;
        Some(End {
            source,
            row: base.row,
            base: self.base_name(base.table, base.column),
            shape: None,
            picked: info.picked,
            grouped: false,
            chosen: false,
        })
    }

    /// A query used as a value: one attribute, determined by whatever it uses of the query around it.
    pub(super) fn subquery(&mut self, query: &'a sqlparser::ast::Query) -> Value {
        let (relation, reached) = self.nested(query);
        let first = relation.columns.first().and_then(|column| self.info(column.attr)).cloned();
        let info = first.map_or_else(
            || blank("a nested query"),
            |info| AttrInfo { base: Bases::new(), shape: None, picked: false, nullable: true, ..info },
        );
        let mut units = Attrs::new();
        for attr in &reached {
            let of = self.info(*attr).map(|info| info.units.clone()).unwrap_or_default();
            merge(&mut units, &of);
        }
        let attr = self.attr(AttrInfo { units, ..info });
        self.frame().dependencies.push(Dependency::always(reached.clone(), smallvec![attr]));
        let mut value = self.column(attr);
        merge(&mut value.inputs, &reached);
        value
    }
}
