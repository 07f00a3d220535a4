//! Owns expressions: what each is a function of, its type, and the rows its value comes from.
//!
//! One exhaustive match over the syntax; a node that is not judged is recorded as unsupported. Deliberately
//! absent: calls (`call`) and the meaning of equalities (`predicate`).

use smallvec::{SmallVec, smallvec};
use sqlparser::ast::{
    Array, BinaryOperator, CeilFloorKind, DateTimeField, Expr, Ident, Interval, TypedString, UnaryOperator,
};

use super::frame::Found;
use super::grain::{Attr, AttrInfo, Attrs, Bases, Columns, Dependency, merge};
use super::name::Name;
use super::predicate::peel;
use super::value::{Value, worse};
use super::{Resolver, place_of_expr};
use crate::dialect::{IntegerDivision, Support};
use crate::facts::{Additivity, ConditionKind};
use crate::schema::SqlType;
use crate::types;

impl<'a> Resolver<'a> {
    /// Resolves an expression in the current scope.
    pub(super) fn expr(&mut self, expr: &'a Expr) -> Value {
        self.deeper(Value::constant(SqlType::Unknown), |resolver| {
            if let Some(attr) = resolver.grouped_expr(expr) {
                return resolver.column(attr);
            }
            resolver.node(expr)
        })
    }

    /// The attribute of an expression that is grouped by, word for word.
    fn grouped_expr(&self, expr: &Expr) -> Option<Attr> {
        let frame = self.frames.last()?;
        if frame.inside_aggregate {
            return None;
        }
        frame.group_exprs.iter().find(|(known, _)| *known == expr).map(|(_, attr)| *attr)
    }

    /// The value of a column.
    pub(super) fn column(&self, attr: Attr) -> Value {
        let mut value = Value::constant(SqlType::Unknown);
        if let Some(info) = self.info(attr) {
            value.ty = info.ty;
            value.nullable = info.nullable;
            value.additivity = info.additivity.clone();
        }
        value.pure = Some(attr);
        value.inputs = smallvec![attr];
        value.value = smallvec![attr];
        value.links = smallvec![attr];
        value
    }

    fn all(&mut self, ty: SqlType, parts: &[&'a Expr]) -> Value {
        let values: Vec<Value> = parts.iter().map(|part| self.expr(part)).collect();
        Value::of(ty, &values)
    }

    /// A value of its first part's type.
    fn like_first(&mut self, parts: &[&'a Expr]) -> Value {
        let values: Vec<Value> = parts.iter().map(|part| self.expr(part)).collect();
        Value::of(values.first().map_or(SqlType::Unknown, |value| value.ty), &values)
    }

    pub(super) fn refused(&mut self, what: &str, expr: &Expr) -> Value {
        self.unsupported(what, place_of_expr(expr));
        Value::constant(SqlType::Unknown)
    }

    #[expect(clippy::too_many_lines, reason = "one exhaustive match over every kind of expression")]
    fn node(&mut self, expr: &'a Expr) -> Value {
        use SqlType as T;
        match expr {
            Expr::Identifier(ident) => self.identifier(ident),
            Expr::CompoundIdentifier(parts) => self.compound(parts, expr),
            Expr::Value(value) => self.literal(&value.value, expr),
            Expr::TypedString(TypedString { data_type, value: _, uses_odbc_syntax: _ }) => {
                Value::constant(self.known_type(data_type, expr))
            }
            Expr::Nested(inner) => self.expr(inner),
            Expr::Function(function) => self.call(function),
            Expr::Case { case_token: _, end_token: _, operand, conditions, else_result } => {
                self.case(operand.as_deref(), conditions, else_result.as_deref())
            }
            Expr::IsFalse(a)
            | Expr::IsNotFalse(a)
            | Expr::IsTrue(a)
            | Expr::IsNotTrue(a)
            | Expr::IsNull(a)
            | Expr::IsNotNull(a)
            | Expr::IsUnknown(a)
            | Expr::IsNotUnknown(a)
            | Expr::IsJson { expr: a, kind: _, unique_keys: _, negated: _ }
            | Expr::IsNormalized { expr: a, form: _, negated: _ } => self.all(T::Boolean, &[a]),
            Expr::IsDistinctFrom(a, b) | Expr::IsNotDistinctFrom(a, b) => self.all(T::Boolean, &[a, b]),
            Expr::In { expr: subject, target, negated, global } => {
                if *global {
                    return self.refused("GLOBAL IN", expr);
                }
                self.membership(subject, target, *negated, expr)
            }
            Expr::Between { expr: a, negated: _, low, high } => {
                let subject = self.expr(a);
                self.bounded_column(&subject, a);
                for bound in [low, high] {
                    let bound = self.quietly(|resolver| resolver.expr(bound));
                    self.across_types(&subject, &bound, a);
                }
                if matches!(subject.ty, T::DateTime | T::Instant) {
                    let label = subject.pure.map(|attr| self.label(attr)).unwrap_or_default();
                    self.condition_fact(ConditionKind::ClosedRange(label), place_of_expr(a));
                }
                let mut whole = self.all(T::Boolean, &[low, high]);
                whole.take(&subject);
                merge(&mut whole.value, &subject.value);
                whole
            }
            Expr::BinaryOp { left, op, right } => {
                self.mixed_logic(expr);
                self.binary(left, op, right)
            }
            Expr::UnaryOp { op, expr: a } => self.unary(op, a),
            Expr::Like { negated: _, any: _, expr: a, pattern, escape_char: _ }
            | Expr::ILike { negated: _, any: _, expr: a, pattern, escape_char: _ } => {
                self.all(T::Boolean, &[a, pattern])
            }
            Expr::SimilarTo { negated: _, expr: a, pattern, escape_char: _ }
            | Expr::RLike { negated: _, expr: a, pattern, regexp: _ } => self.all(T::Boolean, &[a, pattern]),
            Expr::AnyOp { left, compare_op: _, right, is_some: _ }
            | Expr::AllOp { left, compare_op: _, right } => {
                if self.dialect.quantified == Support::Missing {
                    return self.refused("ANY and ALL of a query", expr);
                }
                let left = self.expr(left);
                let right = match peel(right) {
                    Expr::Subquery(query) => self.subquery(query),
                    other => self.expr(other),
                };
                Value::of(T::Boolean, &[left, right])
            }
            Expr::Cast { kind: _, expr: a, data_type, format } => {
                if format.is_some() {
                    return self.refused("CAST with a format", expr);
                }
                let ty = self.known_type(data_type, expr);
                self.cast(a, ty)
            }
            Expr::AtTimeZone { timestamp, time_zone } => {
                let zone = self.expr(time_zone);
                let at = self.expr(timestamp);
                let ty = match at.ty {
                    T::Instant => T::DateTime,
                    T::DateTime => T::Instant,
                    _ => T::Unknown,
                };
                Value::of(ty, &[at, zone])
            }
            Expr::Extract { field, syntax: _, expr: a } => {
                let of = self.expr(a);
                if *field != DateTimeField::Epoch {
                    self.zoned(&of, a);
                }
                Value { ty: T::Integer, pure: None, links: Attrs::new(), text: None, ..of }
            }
            Expr::Ceil { expr: a, field } | Expr::Floor { expr: a, field } => match field {
                CeilFloorKind::DateTimeField(_) | CeilFloorKind::Scale(_) => self.like_first(&[a]),
            },
            Expr::Position { expr: a, r#in: b } => self.all(T::Integer, &[a, b]),
            Expr::Substring { expr: a, substring_from, substring_for, special: _, shorthand: _ } => {
                let mut parts: Vec<&Expr> = vec![a];
                parts.extend(substring_from.iter().chain(substring_for).map(AsRef::as_ref));
                self.all(T::Text, &parts)
            }
            Expr::Trim { trim_where: _, trim_what, expr: a, trim_characters } => {
                let mut parts: Vec<&Expr> = vec![a];
                parts.extend(trim_what.iter().map(AsRef::as_ref));
                parts.extend(trim_characters.iter().flatten());
                self.all(T::Text, &parts)
            }
            Expr::Overlay { expr: a, overlay_what, overlay_from, overlay_for } => {
                let mut parts: Vec<&Expr> = vec![a, overlay_what, overlay_from];
                parts.extend(overlay_for.iter().map(AsRef::as_ref));
                self.all(T::Text, &parts)
            }
            Expr::Collate { expr: a, collation: _ } => self.all(T::Text, &[a]),
            Expr::Interval(Interval {
                value,
                leading_field: _,
                leading_precision: _,
                last_field: _,
                fractional_seconds_precision: _,
            }) => self.all(T::Interval, &[value]),
            Expr::Exists { subquery, negated: _ } => {
                let mut value = self.subquery(subquery);
                value.ty = T::Boolean;
                value.nullable = false;
                value
            }
            Expr::Subquery(query) => self.subquery(query),
            Expr::Tuple(parts) => self.all(T::Other, &parts.iter().collect::<Vec<_>>()),
            Expr::Array(Array { elem, named: _ }) => self.all(T::Other, &elem.iter().collect::<Vec<_>>()),
            Expr::CompoundFieldAccess { root, access_chain } => self.access(root, access_chain),
            Expr::Convert { is_try: _, expr: a, data_type, charset: _, target_before_value: _, styles } => {
                if !styles.is_empty() {
                    return self.refused("CONVERT with a style", expr);
                }
                self.all(data_type.as_ref().map_or(T::Text, types::of), &[a])
            }
            Expr::MatchAgainst { columns: _, match_value: _, opt_search_modifier: _ } => {
                self.refused("MATCH … AGAINST", expr)
            }
            Expr::GroupingSets(_) | Expr::Cube(_) | Expr::Rollup(_) => {
                self.refused("grouping sets outside GROUP BY", expr)
            }
            Expr::Wildcard(_) | Expr::QualifiedWildcard(_, _) => self.refused("a star as a value", expr),
            Expr::JsonAccess { value: _, path: _ } => self.refused("access by path", expr),
            Expr::Prefixed { prefix: _, value: _ } => self.refused("a prefixed value", expr),
            Expr::Dictionary(fields) => {
                let parts: Vec<&Expr> = fields.iter().map(|field| field.value.as_ref()).collect();
                self.all(T::Other, &parts)
            }
            Expr::Map(map) => {
                let parts: Vec<&Expr> =
                    map.entries.iter().flat_map(|entry| [entry.key.as_ref(), entry.value.as_ref()]).collect();
                self.all(T::Other, &parts)
            }
            Expr::Struct { values: _, fields: _ } | Expr::Named { expr: _, name: _ } => {
                self.refused("structures", expr)
            }
            Expr::OuterJoin(_) => self.refused("the (+) join", expr),
            Expr::Prior(_) => self.refused("PRIOR", expr),
            Expr::Lambda(_) => self.refused("lambdas", expr),
            Expr::MemberOf(_) => self.refused("MEMBER OF", expr),
        }
    }

    pub(super) fn identifier(&mut self, ident: &'a Ident) -> Value {
        if self.is_parameter(ident) {
            return Value { nullable: true, ..Value::constant(SqlType::Unknown) };
        }
        match self.name(ident) {
            Found::Column(attr) => self.column(attr),
            Found::Alias(key, expr) => {
                self.frame().busy.push(key);
                let value = self.expr(expr);
                self.frame().busy.pop();
                value
            }
            Found::Nothing => Value::constant(SqlType::Unknown),
        }
    }

    fn compound(&mut self, parts: &'a [Ident], expr: &Expr) -> Value {
        match parts {
            [parameter, ..] if self.is_parameter(parameter) => {
                Value { nullable: true, ..Value::constant(SqlType::Unknown) }
            }
            [column, field] if self.is_structure(column) => {
                let _ = field;
                let of = self.identifier(column);
                Value::of(SqlType::Unknown, &[of])
            }
            [qualifier, name] => match self.qualified_name(qualifier, name) {
                Some(attr) => self.column(attr),
                None => Value::constant(SqlType::Unknown),
            },
            // A field of a structure, its column named in full.
            [qualifier, name, _, ..] => {
                let known = self.quietly(|resolver| resolver.qualified_name(qualifier, name));
                let structure = known
                    .and_then(|attr| self.info(attr))
                    .is_some_and(|info| matches!(info.ty, SqlType::Other | SqlType::Unknown));
                match structure {
                    true => match self.qualified_name(qualifier, name) {
                        Some(attr) => Value::of(SqlType::Unknown, &[self.column(attr)]),
                        None => Value::constant(SqlType::Unknown),
                    },
                    false => self.refused("a name of more than two parts", expr),
                }
            }
            [_] | [] => self.refused("a name of one part", expr),
        }
    }

    fn unary(&mut self, op: &'a UnaryOperator, operand: &'a Expr) -> Value {
        match op {
            UnaryOperator::Not | UnaryOperator::BangNot => self.all(SqlType::Boolean, &[operand]),
            UnaryOperator::Plus | UnaryOperator::Minus | UnaryOperator::BitwiseNot => {
                self.like_first(&[operand])
            }
            UnaryOperator::PGAbs
            | UnaryOperator::PGCubeRoot
            | UnaryOperator::PGSquareRoot
            | UnaryOperator::PGPostfixFactorial
            | UnaryOperator::PGPrefixFactorial => self.all(SqlType::Float, &[operand]),
            UnaryOperator::AtDashAt
            | UnaryOperator::DoubleAt
            | UnaryOperator::Hash
            | UnaryOperator::QuestionDash
            | UnaryOperator::QuestionPipe => self.refused("this operator", operand),
        }
    }

    /// A chain of one operator is walked without recursion, however long.
    fn binary(&mut self, left: &'a Expr, op: &'a BinaryOperator, right: &'a Expr) -> Value {
        let mut rights = vec![right];
        let mut first = left;
        while let Expr::BinaryOp { left: inner, op: same, right: next } = first {
            if same != op || matches!(op, BinaryOperator::Divide) {
                break;
            }
            rights.push(next);
            first = inner;
        }
        let mut whole = self.expr(first);
        for right in rights.into_iter().rev() {
            let value = self.expr(right);
            whole = self.operated(&whole, op, &value, left, right);
        }
        whole
    }

    fn operated(&mut self, a: &Value, op: &BinaryOperator, b: &Value, left: &Expr, right: &Expr) -> Value {
        if matches!(op, BinaryOperator::Eq | BinaryOperator::NotEq) {
            if a.is_null_literal || b.is_null_literal {
                self.condition_fact(ConditionKind::EqualsNull, place_of_expr(left));
            }
            for (column, text) in [(a, &b.text), (b, &a.text)] {
                if let Some(text) = text {
                    self.known_value(column.pure, text, right);
                }
            }
        }
        if is_comparison(op) {
            self.across_types(a, b, left);
            self.bounded_column(a, left);
            self.bounded_column(b, right);
        }
        let Some(ty) = types::operated(a.ty, op, b.ty) else {
            return self.refused("this operator", left);
        };
        let mut whole = Value::of(ty, [a, b]);
        if *op == BinaryOperator::Divide {
            self.divided(b, right);
            let integers = a.ty == SqlType::Integer && b.ty == SqlType::Integer;
            if integers && self.dialect.integer_division == IntegerDivision::Truncates {
                self.condition_fact(ConditionKind::IntegerDivision, place_of_expr(left));
            }
            if self.has_passed(a) && self.has_passed(b) {
                whole.additivity = worse(&whole.additivity, &Additivity::Never("a ratio"));
            }
        }
        whole
    }

    /// Whether a value passed through an aggregate.
    fn has_passed(&self, value: &Value) -> bool {
        value.value.iter().any(|attr| self.info(*attr).is_some_and(|info| !info.aggregates.is_empty()))
    }

    /// Every base column behind some attributes.
    pub(super) fn lineage_of(&self, attrs: &[Attr]) -> Columns {
        let mut lineage = Columns::new();
        for attr in attrs {
            for column in self.info(*attr).map(|info| info.lineage.as_slice()).unwrap_or_default() {
                if !lineage.contains(column) {
                    lineage.push(*column);
                }
            }
        }
        lineage
    }

    /// The attribute of a value: its own, or a new one that its inputs determine.
    pub(super) fn attribute(&mut self, value: &Value, label: impl Into<Name<'a>>, expr: &'a Expr) -> Attr {
        if let Some(attr) = value.pure {
            return attr;
        }
        let mut units = Attrs::new();
        let mut aggregates: SmallVec<[&'static str; 1]> = SmallVec::new();
        for attr in &value.value {
            let Some(info) = self.info(*attr) else { continue };
            merge(&mut units, &info.units);
            for aggregate in &info.aggregates {
                if !aggregates.contains(aggregate) {
                    aggregates.push(aggregate);
                }
            }
        }
        let lineage = self.lineage_of(&value.inputs);
        let base = match value.links.as_slice() {
            [] => Bases::new(),
            links => {
                links.iter().filter_map(|attr| self.info(*attr)).flat_map(|info| info.base.clone()).collect()
            }
        };
        let shape = (!value.aggregated && !value.inputs.is_empty()).then_some(expr);
        let attr = self.attr(AttrInfo {
            label: label.into(),
            ty: value.ty,
            nullable: value.nullable,
            base,
            chosen: Bases::new(),
            lineage,
            aggregates,
            units,
            additivity: value.additivity.clone(),
            shape,
            whole_days: false,
            picked: value.value.is_empty() && !value.aggregated,
            named: false,
        });
        self.frame().dependencies.push(Dependency::always(value.inputs.clone(), smallvec![attr]));
        attr
    }
}

fn is_comparison(op: &BinaryOperator) -> bool {
    use BinaryOperator as B;
    matches!(op, B::Eq | B::NotEq | B::Lt | B::LtEq | B::Gt | B::GtEq | B::Spaceship)
}
