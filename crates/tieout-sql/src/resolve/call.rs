//! Owns calls: scalar functions, and aggregates with their row grain.
//!
//! Deliberately absent: the allow-lists (`dialect`), windows (`window`), and verdicts on grain (the rules).

use smallvec::{SmallVec, smallvec};
use sqlparser::ast::{Expr, Function, FunctionArguments, ObjectName, ObjectNamePart, Query};

use super::frame::{Clause, Grouping};
use super::grain::{Attr, AttrInfo, Attrs, Dependency, merge};
use super::passed::Passed;
use super::predicate::peel;
use super::value::{Value, worse};
use super::{Resolver, blank, place_of};
use crate::dialect::{FunctionEntry, FunctionKind, Lookup, Returns};
use crate::facts::{Additivity, Aggregate, AggregateKind, FunctionUse, Permission, Usage};
use crate::rejection::Place;
use crate::schema::SqlType;

/// Functions that cut a point in time to a unit, in the session's zone where none is passed.
const TRUNCATES: &[&str] = &[
    "date_trunc",
    "datetrunc",
    "date_part",
    "datepart",
    "date",
    "year",
    "quarter",
    "month",
    "week",
    "day",
    "dayofmonth",
    "dayofweek",
    "dayofyear",
    "hour",
    "dayname",
    "monthname",
    "strftime",
    "to_char",
    "date_format",
];

/// Functions that take a lambda after their list.
const LAMBDA_TAKERS: &[&str] = &[
    "list_transform",
    "array_transform",
    "list_apply",
    "array_apply",
    "apply",
    "list_filter",
    "array_filter",
    "filter",
    "list_reduce",
    "array_reduce",
    "reduce",
];

/// Aggregates and windows that give one of the values they are over.
const CHOOSERS: &[&str] = &[
    "min",
    "max",
    "any_value",
    "arbitrary",
    "first",
    "last",
    "mode",
    "first_value",
    "last_value",
    "nth_value",
    "lag",
    "lead",
];

impl<'a> Resolver<'a> {
    pub(super) fn call(&mut self, function: &'a Function) -> Value {
        let Function {
            name,
            uses_odbc_syntax,
            parameters,
            args,
            within_group,
            filter,
            null_treatment: _,
            over,
        } = function;
        let place = name.0.first().and_then(ObjectNamePart::as_ident).and_then(place_of);
        if *uses_odbc_syntax || *parameters != FunctionArguments::None {
            self.unsupported("this form of call", place);
        }
        if let FunctionArguments::Subquery(query) = args {
            return self.array_of(name, query, place);
        }
        let Some(passed) = self.passed(args, over.is_none(), place) else {
            return Value::constant(SqlType::Unknown);
        };
        let text = name.to_string();
        let count = passed.values.len().saturating_add(usize::from(passed.star));
        let lookup = match name.0.as_slice() {
            [ObjectNamePart::Identifier(ident)] => self.dialect.function(&ident.value, count),
            _ => Lookup::Absent,
        };
        let entry = match lookup {
            Lookup::Found(entry) => entry,
            Lookup::WrongArguments(_) => {
                return self.barred(text, Permission::WrongArguments, &passed, place);
            }
            Lookup::Absent => return self.barred(text, Permission::Absent, &passed, place),
        };
        let misplaced = match (entry.kind, over) {
            (FunctionKind::Table, None) => {
                self.frame().clause != Clause::Select || self.frame().inside_aggregate
            }
            (FunctionKind::Table | FunctionKind::Scalar, Some(_)) | (FunctionKind::Window, None) => true,
            (FunctionKind::Scalar, None)
            | (FunctionKind::Window, Some(_))
            | (FunctionKind::Additive | FunctionKind::Idempotent, _) => false,
        } || (passed.star && entry.name != "count")
            || (entry.kind == FunctionKind::Scalar && (filter.is_some() || passed.distinct));
        if misplaced {
            return self.barred(text, Permission::Misplaced, &passed, place);
        }
        self.facts.functions.push(FunctionUse { name: text, permission: Permission::Allowed, place });
        match (entry.kind, over) {
            (FunctionKind::Additive | FunctionKind::Idempotent, None) => {
                self.aggregate(entry, &passed, within_group, filter.as_deref(), place)
            }
            (FunctionKind::Table, _) => self.expanding(entry, &passed),
            (FunctionKind::Scalar, _) | (FunctionKind::Window, None) => self.scalar(entry, &passed),
            (_, Some(window)) => self.window(entry, &passed, filter.as_deref(), window, place),
        }
    }

    /// `ARRAY(SELECT …)`: the rows of a query as one list.
    fn array_of(&mut self, name: &ObjectName, query: &'a Query, place: Option<Place>) -> Value {
        let permission = match (name.0.as_slice(), self.dialect.function(&name.to_string(), 1)) {
            ([ObjectNamePart::Identifier(_)], Lookup::Found(entry)) if entry.name == "array" => {
                Permission::Allowed
            }
            _ => Permission::Absent,
        };
        self.facts.functions.push(FunctionUse { name: name.to_string(), permission, place });
        let rows = self.subquery(query);
        Value::of(SqlType::Other, &[rows])
    }

    fn barred(
        &mut self,
        name: String,
        permission: Permission,
        passed: &Passed<'a>,
        place: Option<Place>,
    ) -> Value {
        self.facts.functions.push(FunctionUse { name, permission, place });
        // It may have been meant as an aggregate; what is said of it is enough.
        let inside = std::mem::replace(&mut self.frame().inside_aggregate, true);
        let values: Vec<Value> = passed.values.iter().map(|value| self.expr(value)).collect();
        self.frame().inside_aggregate = inside;
        Value::of(SqlType::Unknown, &values)
    }

    pub(super) fn returns(&self, entry: &'static FunctionEntry, values: &[Value]) -> SqlType {
        match entry.returns {
            Returns::Type(ty) => ty,
            Returns::First => values
                .iter()
                .map(|value| value.ty)
                .find(|ty| *ty != SqlType::Unknown)
                .unwrap_or(SqlType::Unknown),
            Returns::Last => values.last().map_or(SqlType::Unknown, |value| value.ty),
        }
    }

    fn scalar(&mut self, entry: &'static FunctionEntry, passed: &Passed<'a>) -> Value {
        let unit = self.dialect.takes_unit(entry.name);
        let skipped = usize::from(unit && matches!(passed.values.first(), Some(Expr::Identifier(_))));
        let takes_lambda = LAMBDA_TAKERS.contains(&entry.name);
        let mut values: Vec<Value> = Vec::new();
        for (position, value) in passed.values.iter().enumerate().skip(skipped) {
            values.push(match value {
                Expr::Lambda(lambda) if takes_lambda && position > 0 => self.lambda(lambda),
                value => self.expr(value),
            });
        }
        if TRUNCATES.contains(&entry.name) && values.len() < 3 {
            for (value, expr) in values.iter().zip(passed.values.iter().skip(skipped)) {
                self.zoned(value, expr);
            }
        }
        let mut whole = Value::of(self.returns(entry, &values), &values);
        if ["coalesce", "ifnull"].contains(&entry.name) {
            values.iter().for_each(|value| merge(&mut whole.links, &value.links));
            whole.nullable = values.iter().all(|value| value.nullable);
        }
        whole
    }

    /// A table function in SELECT: a row for each of its values, beside every row.
    fn expanding(&mut self, entry: &'static FunctionEntry, passed: &Passed<'a>) -> Value {
        let outer = std::mem::replace(&mut self.frame().expanding, true);
        let whole = self.scalar(entry, passed);
        self.frame().expanding = outer;
        if outer {
            // `unnest(generate_series(…))`: the inner one is the list that the outer one opens.
            return whole;
        }
        let row = self.row(entry.name);
        let lineage = self.lineage_of(&whole.inputs);
        let picked = whole.value.is_empty() || whole.aggregated;
        let info = AttrInfo { ty: whole.ty, lineage, units: smallvec![row], picked, ..blank(entry.name) };
        let attr = self.attr(info);
        let mut with = self.units(&whole.inputs);
        let frame = self.frame();
        match with.is_empty() {
            true => frame.ties.spines.push(row),
            false => {
                with.push(row);
                frame.ties.tie(&with);
            }
        }
        frame.expanded.push(row);
        frame.dependencies.push(Dependency::always(smallvec![row], smallvec![attr]));
        if picked {
            frame.dependencies.push(Dependency::always(smallvec![attr], smallvec![row]));
        }
        Value { aggregated: whole.aggregated, ..self.column(attr) }
    }

    fn aggregate(
        &mut self,
        entry: &'static FunctionEntry,
        passed: &Passed<'a>,
        within_group: &'a [sqlparser::ast::OrderByExpr],
        filter: Option<&'a Expr>,
        place: Option<Place>,
    ) -> Value {
        if self.frame().inside_aggregate {
            self.unsupported("an aggregate inside an aggregate", place);
            return Value::constant(SqlType::Unknown);
        }
        let grouping = self.grouping();
        let counting = self.frame().counting;
        self.frame().inside_aggregate = true;
        self.frame().tied_within.clear();
        let mut values: Vec<Value> = Vec::new();
        for value in &passed.values {
            // Only a column itself is counted: `COUNT(CASE WHEN …)` asks what its values are.
            let plain = matches!(peel(value), Expr::Identifier(_) | Expr::CompoundIdentifier(_));
            self.frame().counting = match plain && entry.name == "count" {
                true => Usage::Counted,
                false => counting,
            };
            values.push(self.expr(value));
            self.frame().counting = counting;
        }
        values.extend(within_group.iter().map(|item| self.ordered(item)));
        let filter = filter.map(|filter| self.filtered(filter));
        self.frame().inside_aggregate = false;
        let kind = aggregate_kind(entry, passed, &values);
        let arguments = Value::of(self.returns(entry, &values), &values);
        let (grain, additivity) = self.judged((kind, passed.distinct), &arguments, &grouping.keys);
        self.frame().tied_within.clear();
        self.summable(kind, entry.name, arguments.ty, place);
        self.balances(kind, &arguments, &grouping.keys, place);
        self.facts.aggregates.push(Aggregate {
            name: entry.name.to_owned(),
            kind,
            grain,
            additivity: arguments.additivity.clone(),
            identifier: self.identifier_in(kind, entry, &arguments),
            place,
        });
        let mut read = arguments.inputs.clone();
        if let Some(filter) = &filter {
            merge(&mut read, &filter.inputs);
        }
        let additivity = match self.frame().subtotals {
            true => worse(&additivity, &Additivity::Never("a subtotal")),
            false => additivity,
        };
        let attr = self.passed_through(entry, &read, arguments.ty, smallvec![grouping.row], additivity);
        self.chosen(attr, entry, &values);
        self.frame().results.push(Dependency::always(smallvec![grouping.row], smallvec![attr]));
        Value { aggregated: true, nullable: entry.name != "count", ..self.column(attr) }
    }

    /// The condition of FILTER.
    pub(super) fn filtered(&mut self, filter: &'a Expr) -> Value {
        let value = self.expr(filter);
        self.tie_within(filter);
        value
    }

    /// The grouping of this SELECT, made on the first aggregate when there is no GROUP BY.
    fn grouping(&mut self) -> Grouping {
        if let Some(grouping) = &self.frame().grouping {
            return grouping.clone();
        }
        let grouping = Grouping { row: self.row("the group"), keys: Attrs::new() };
        self.frame().grouping = Some(grouping.clone());
        grouping
    }

    /// Remembers of whose values an attribute is one: whatever relates to the column relates to it.
    pub(super) fn chosen(&mut self, attr: Attr, entry: &'static FunctionEntry, values: &[Value]) {
        let of = values.first().and_then(|value| value.pure).filter(|_| CHOOSERS.contains(&entry.name));
        let base = of.and_then(|of| self.info(of)).map(|of| match of.base.is_empty() {
            true => of.chosen.clone(),
            false => of.base.clone(),
        });
        if let (Some(base), Some(info)) = (base, self.attrs.get_mut(attr)) {
            info.chosen = base;
        }
    }

    /// A new attribute that an aggregate or a window gives.
    pub(super) fn passed_through(
        &mut self,
        entry: &'static FunctionEntry,
        read: &[Attr],
        ty: SqlType,
        units: Attrs,
        additivity: Additivity,
    ) -> Attr {
        let mut aggregates: SmallVec<[&'static str; 1]> = SmallVec::new();
        for attr in read {
            for known in self.info(*attr).map(|info| info.aggregates.as_slice()).unwrap_or_default() {
                if !aggregates.contains(known) {
                    aggregates.push(known);
                }
            }
        }
        aggregates.push(entry.name);
        let lineage = self.lineage_of(read);
        self.attr(AttrInfo { ty, lineage, aggregates, units, additivity, ..blank(entry.name) })
    }

    pub(super) fn identifier_in(
        &self,
        kind: AggregateKind,
        entry: &'static FunctionEntry,
        arguments: &Value,
    ) -> Option<String> {
        let adds = matches!(kind, AggregateKind::Sum | AggregateKind::Average) && entry.name != "mode";
        if !adds
            || !matches!(
                arguments.ty,
                SqlType::Integer | SqlType::Decimal | SqlType::Float | SqlType::Unknown
            )
        {
            return None;
        }
        arguments.value.iter().find_map(|attr| {
            let info = self.info(*attr)?;
            let [base] = info.base.as_slice() else { return None };
            let (_, table) = self.schema.tables.get_index(base.table)?;
            let (_, column) = table.columns.get_index(base.column)?;
            column.identifier.then(|| format!("{}.{}", table.name, column.name))
        })
    }
}

pub(super) fn aggregate_kind(
    entry: &'static FunctionEntry,
    passed: &Passed,
    values: &[Value],
) -> AggregateKind {
    let constant = values.iter().all(|value| value.value.is_empty());
    match (entry.kind, entry.name) {
        (FunctionKind::Additive, _) if passed.distinct => AggregateKind::Idempotent,
        (FunctionKind::Additive, "count" | "count_star" | "count_if" | "countif") => {
            match constant || passed.star {
                true => AggregateKind::CountRows,
                false => AggregateKind::Count,
            }
        }
        (FunctionKind::Additive, "sum" | "total" | "fsum" | "product") => match constant {
            true => AggregateKind::CountRows,
            false => AggregateKind::Sum,
        },
        (FunctionKind::Additive, _) => AggregateKind::Average,
        (FunctionKind::Idempotent | FunctionKind::Scalar | FunctionKind::Window | FunctionKind::Table, _) => {
            AggregateKind::Idempotent
        }
    }
}
