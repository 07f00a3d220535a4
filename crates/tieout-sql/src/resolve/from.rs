//! Owns FROM: tables, named and nested queries, table functions, and the joins among them.
//!
//! Deliberately absent: conditions (`predicate`), and judging joins (the rules).

use smallvec::smallvec;
use sqlparser::ast::{
    Expr, Join, JoinConstraint, JoinOperator, ObjectName, ObjectNamePart, TableFactor, TableFunctionArgs,
    TableWithJoins,
};

use super::frame::{Clause, Merged};
use super::grain::{Attr, Attrs, Dependency, OutColumn, merge};
use super::name::Name;
use super::{Reference, Resolver, place_of, place_of_expr};
use crate::dialect::Support;
use crate::facts::NameKind;
use crate::rejection::Place;

/// Which side of a join may be without a partner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pairing {
    Inner,
    Left,
    Right,
    Full,
    /// Rows of one side only, each at most once.
    Semi,
    /// Rows of one side that have no partner.
    Anti,
}

/// What one join adds: the sources on its right.
struct Side {
    sources: Vec<usize>,
    rows: Attrs,
}

impl<'a> Resolver<'a> {
    pub(super) fn from(&mut self, from: &'a [TableWithJoins]) {
        for tables in from {
            self.table_with_joins(tables);
        }
    }

    fn table_with_joins(&mut self, tables: &'a TableWithJoins) {
        let TableWithJoins { relation, joins } = tables;
        let frame = self.frame();
        let first = (frame.sources.len(), frame.dependencies.len());
        self.factor(relation);
        for join in joins {
            self.join(join, first);
        }
    }

    /// Resolves the right side of a join and its condition; the left side are the sources from `first` on.
    fn join(&mut self, join: &'a Join, (first, known): (usize, usize)) {
        let Join { relation, global, join_operator } = join;
        if *global {
            self.unsupported("GLOBAL joins", None);
        }
        let Some((pairing, constraint, nearest)) = self.operator(join_operator) else { return };
        let middle = self.frame().sources.len();
        let left = self.side(first, middle);
        let known_left = known..self.frame().dependencies.len();
        self.factor(relation);
        let end = self.frame().sources.len();
        let right = self.side(middle, end);
        let known_right = known_left.end..self.frame().dependencies.len();
        match pairing {
            Pairing::Left => self.loosen(known_right, &right.rows, &left.rows),
            Pairing::Right => self.loosen(known_left, &left.rows, &right.rows),
            Pairing::Full => {
                self.loosen(known_right, &right.rows, &left.rows);
                self.loosen(known_left, &left.rows, &right.rows);
            }
            Pairing::Inner | Pairing::Semi | Pairing::Anti => {}
        }
        let conditioned = self.frame().dependencies.len();
        let on = match constraint {
            JoinConstraint::On(condition) => Some(condition),
            _ => None,
        };
        match constraint {
            JoinConstraint::On(condition) => self.on(condition, pairing, &left, &right),
            JoinConstraint::Using(names) => self.using(names, pairing, &left, &right),
            JoinConstraint::UsingAlias(_, _) => self.unsupported("USING with an alias", None),
            JoinConstraint::Natural => self.natural(pairing, &left, &right),
            JoinConstraint::None => {}
        }
        if let Some(comparison) = nearest {
            self.nearest(comparison, pairing, &left, &right);
        }
        self.record_join(join_operator, (first, middle, end), on);
        let frame = self.frame();
        match pairing {
            Pairing::Left => merge(&mut frame.optional, &right.rows),
            Pairing::Right => merge(&mut frame.optional, &left.rows),
            Pairing::Full => {
                merge(&mut frame.optional, &left.rows);
                merge(&mut frame.optional, &right.rows);
            }
            Pairing::Semi | Pairing::Anti => {
                if pairing == Pairing::Anti {
                    // The condition holds of no row that is left: nothing follows from it.
                    frame.dependencies.truncate(conditioned);
                }
                frame.dependencies.push(Dependency::always(left.rows, right.rows));
                for source in right.sources {
                    if let Some(source) = frame.sources.get_mut(source) {
                        source.columns.clear();
                    }
                }
            }
            Pairing::Inner => {}
        }
    }

    /// What always held of one side of a join holds only where that side has a row, once its rows may be missing;
    /// which of both it is, the other side's row decides.
    fn loosen(&mut self, known: std::ops::Range<usize>, side: &[Attr], other: &[Attr]) {
        let frame = self.frame();
        let mut decided = Vec::new();
        for dependency in frame.dependencies.iter_mut().take(known.end).skip(known.start) {
            if !dependency.from.is_empty() || !dependency.when.is_empty() {
                continue;
            }
            if !dependency.to.is_empty() {
                decided.push(Dependency::always(other.into(), dependency.to.clone()));
            }
            dependency.when = side.into();
        }
        frame.dependencies.extend(decided);
    }

    fn side(&mut self, from: usize, to: usize) -> Side {
        let frame = self.frame();
        let mut rows = Attrs::new();
        for source in frame.sources.iter().take(to).skip(from) {
            merge(&mut rows, &source.rows);
        }
        Side { sources: (from..to).collect(), rows }
    }

    /// The comparison of an ASOF join: of the rows that it and the equalities let through, each row of the left has the
    /// nearest one.
    fn nearest(&mut self, comparison: &'a Expr, pairing: Pairing, left: &Side, right: &Side) {
        self.on(comparison, pairing, left, right);
        let frame = self.frame();
        frame.dependencies.push(Dependency::always(left.rows.clone(), right.rows.clone()));
        for source in &right.sources {
            if let Some(source) = frame.sources.get_mut(*source) {
                source.nearest = true;
            }
        }
    }

    fn operator(
        &mut self,
        operator: &'a JoinOperator,
    ) -> Option<(Pairing, &'a JoinConstraint, Option<&'a Expr>)> {
        let plain = |pairing, constraint| Some((pairing, constraint, None));
        match operator {
            JoinOperator::Join(c)
            | JoinOperator::Inner(c)
            | JoinOperator::CrossJoin(c)
            | JoinOperator::StraightJoin(c) => plain(Pairing::Inner, c),
            JoinOperator::Left(c) | JoinOperator::LeftOuter(c) => plain(Pairing::Left, c),
            JoinOperator::Right(c) | JoinOperator::RightOuter(c) => plain(Pairing::Right, c),
            JoinOperator::FullOuter(c) => plain(Pairing::Full, c),
            JoinOperator::Semi(c) | JoinOperator::LeftSemi(c) => plain(Pairing::Semi, c),
            JoinOperator::Anti(c) | JoinOperator::LeftAnti(c) => plain(Pairing::Anti, c),
            JoinOperator::AsOf { match_condition, constraint } if self.dialect.asof == Support::Native => {
                match match_condition {
                    Expr::IsTrue(comparison) => Some((Pairing::Left, constraint, Some(comparison.as_ref()))),
                    comparison => Some((Pairing::Inner, constraint, Some(comparison))),
                }
            }
            JoinOperator::RightSemi(_)
            | JoinOperator::RightAnti(_)
            | JoinOperator::CrossApply
            | JoinOperator::OuterApply
            | JoinOperator::AsOf { match_condition: _, constraint: _ }
            | JoinOperator::ArrayJoin
            | JoinOperator::LeftArrayJoin
            | JoinOperator::InnerArrayJoin => {
                self.unsupported("this kind of join", None);
                None
            }
        }
    }

    fn on(&mut self, condition: &'a Expr, pairing: Pairing, left: &Side, right: &Side) {
        self.frame().clause = Clause::On;
        match pairing {
            Pairing::Inner | Pairing::Semi | Pairing::Anti => self.condition(condition),
            Pairing::Left => self.optional_condition(condition, &[(&left.rows, &right.rows)]),
            Pairing::Right => self.optional_condition(condition, &[(&right.rows, &left.rows)]),
            Pairing::Full => {
                self.optional_condition(condition, &[(&left.rows, &right.rows), (&right.rows, &left.rows)]);
            }
        }
    }

    fn natural(&mut self, pairing: Pairing, left: &Side, right: &Side) {
        let keys_of = |resolver: &mut Self, side: &Side| -> Vec<Name<'a>> {
            let frame = resolver.frame();
            let sources = side.sources.iter().filter_map(|source| frame.sources.get(*source));
            sources.flat_map(|source| source.columns.iter().filter_map(|column| column.key.clone())).collect()
        };
        let (left_keys, right_keys) = (keys_of(self, left), keys_of(self, right));
        let mut shared: Vec<Name<'a>> =
            right_keys.into_iter().filter(|key| left_keys.contains(key)).collect();
        shared.dedup();
        for key in shared {
            self.merge_column(key.clone(), key, pairing, left, right, None);
        }
    }

    fn using(&mut self, names: &'a [ObjectName], pairing: Pairing, left: &Side, right: &Side) {
        for name in names {
            let [ObjectNamePart::Identifier(ident)] = name.0.as_slice() else {
                self.unsupported("a qualified name in USING", None);
                continue;
            };
            let key = self.dialect.fold(ident);
            self.merge_column(key.into(), Name::Known(&ident.value), pairing, left, right, place_of(ident));
        }
    }

    /// One column of USING or NATURAL: an equality, and one column where there were two.
    fn merge_column(
        &mut self,
        key: Name<'a>,
        name: Name<'a>,
        pairing: Pairing,
        left: &Side,
        right: &Side,
        place: Option<Place>,
    ) {
        let (Some(a), Some(b)) = (self.only_column(&key, left), self.only_column(&key, right)) else {
            let hint = "name a column that each side has exactly once".to_owned();
            self.problem(NameKind::UnknownColumn, name.to_string(), hint, place);
            return;
        };
        self.record_merge(a, b, place);
        self.name_it(a);
        self.name_it(b);
        for attr in [a, b] {
            for base in self.info(attr).map(|info| info.base.clone()).unwrap_or_default() {
                self.used(base.table, base.column, place);
            }
        }
        match pairing {
            Pairing::Inner | Pairing::Semi | Pairing::Anti => self.equal_columns(a, b, &[]),
            Pairing::Left => self.equal_columns(a, b, &[(&left.rows, &right.rows)]),
            Pairing::Right => self.equal_columns(a, b, &[(&right.rows, &left.rows)]),
            Pairing::Full => {
                self.equal_columns(a, b, &[(&left.rows, &right.rows), (&right.rows, &left.rows)]);
            }
        }
        let shown = match pairing {
            Pairing::Right => b,
            Pairing::Inner | Pairing::Left | Pairing::Semi | Pairing::Anti => a,
            Pairing::Full => self.coalesced(a, b),
        };
        let shown = OutColumn { key: Some(key.clone()), name, attr: shown };
        let frame = self.frame();
        let mut parts: Attrs = smallvec![a, b];
        if let Some(earlier) = frame.merged.iter().find(|merged| merged.key == key) {
            merge(&mut parts, &earlier.parts);
        }
        frame.merged.retain(|merged| merged.key != key);
        frame.merged.push(Merged { key, shown, parts });
    }

    fn only_column(&mut self, key: &str, side: &Side) -> Option<Attr> {
        let frame = self.frame();
        let merged = frame.merged.iter().find(|merged| *merged.key == *key);
        let sources = side.sources.iter().filter_map(|source| frame.sources.get(*source));
        let columns = sources.flat_map(|source| &source.columns);
        let found: Attrs = columns.filter(|column| column.is(key)).map(|column| column.attr).collect();
        match (merged, found.as_slice()) {
            (Some(merged), parts)
                if !parts.is_empty() && parts.iter().all(|attr| merged.parts.contains(attr)) =>
            {
                Some(merged.shown.attr)
            }
            (_, [only]) => Some(*only),
            (_, _) => None,
        }
    }

    fn coalesced(&mut self, a: Attr, b: Attr) -> Attr {
        let (Some(left), Some(right)) = (self.info(a).cloned(), self.info(b).cloned()) else { return a };
        let mut info = left;
        info.base.extend(right.base);
        info.lineage.extend(right.lineage);
        merge(&mut info.units, &right.units);
        let attr = self.attr(info);
        self.frame().dependencies.push(Dependency::always(smallvec![a, b], smallvec![attr]));
        attr
    }

    #[expect(clippy::too_many_lines, reason = "one exhaustive match over every kind of table factor")]
    fn factor(&mut self, factor: &'a TableFactor) {
        match factor {
            TableFactor::Table {
                name,
                alias,
                args,
                with_hints,
                version,
                with_ordinality,
                partitions,
                json_path,
                sample,
                index_directives,
                inheritance,
            } => {
                let plain = with_hints.is_empty()
                    && version.is_none()
                    && partitions.is_empty()
                    && json_path.is_none()
                    && sample.is_none()
                    && index_directives.is_empty()
                    && inheritance.is_none();
                if !plain {
                    self.unsupported(
                        "hints, versions, partitions or samples of a table",
                        place_of_name(name),
                    );
                }
                match args {
                    Some(TableFunctionArgs { args, settings }) => {
                        if settings.is_some() {
                            self.unsupported("settings of a table function", place_of_name(name));
                        }
                        self.refer(factor, Reference::Named);
                        self.table_function(name, args, alias.as_ref(), *with_ordinality);
                    }
                    None => self.table(factor, name, alias.as_ref()),
                }
            }
            TableFactor::Derived { lateral, subquery, alias, sample } => {
                if sample.is_some() {
                    self.unsupported("a sample", None);
                }
                self.derived(*lateral, subquery, alias.as_ref());
            }
            TableFactor::Function { lateral: _, name, args, with_ordinality, alias } => {
                self.table_function(name, args, alias.as_ref(), *with_ordinality);
            }
            TableFactor::UNNEST { alias, array_exprs, with_offset, with_offset_alias, with_ordinality } => {
                if *with_offset || with_offset_alias.is_some() {
                    self.unsupported("UNNEST with an offset", None);
                }
                let values: Vec<&Expr> = array_exprs.iter().collect();
                self.rows_of_function("unnest", &values, alias.as_ref(), *with_ordinality, &[]);
            }
            TableFactor::TableFunction { expr, alias } => match expr {
                Expr::Function(function) => match &function.args {
                    sqlparser::ast::FunctionArguments::List(list) => {
                        self.table_function(&function.name, &list.args, alias.as_ref(), false);
                    }
                    _ => self.unsupported("this table function", place_of_expr(expr)),
                },
                _ => self.unsupported("a value as a table", place_of_expr(expr)),
            },
            TableFactor::NestedJoin { table_with_joins, alias } => {
                if alias.is_some() {
                    self.unsupported("an alias of a bracketed join", None);
                }
                self.deeper((), |resolver| resolver.table_with_joins(table_with_joins));
            }
            TableFactor::JsonTable { json_expr: _, json_path: _, columns: _, alias: _ }
            | TableFactor::OpenJsonTable { json_expr: _, json_path: _, columns: _, alias: _ } => {
                self.unsupported("a table made of JSON", None);
            }
            TableFactor::Pivot {
                table: _,
                aggregate_functions: _,
                value_column: _,
                value_source: _,
                default_on_null: _,
                alias: _,
            }
            | TableFactor::Unpivot { table: _, value: _, name: _, columns: _, null_inclusion: _, alias: _ }
            | TableFactor::UnpivotExpr { expression: _, value_alias: _, attribute_alias: _ } => {
                self.unsupported("PIVOT and UNPIVOT", None);
            }
            TableFactor::MatchRecognize {
                table: _,
                partition_by: _,
                order_by: _,
                measures: _,
                rows_per_match: _,
                after_match_skip: _,
                pattern: _,
                symbols: _,
                alias: _,
            } => self.unsupported("MATCH_RECOGNIZE", None),
            TableFactor::XmlTable { namespaces: _, row_expression: _, passing: _, columns: _, alias: _ } => {
                self.unsupported("XMLTABLE", None);
            }
            TableFactor::SemanticView {
                name: _,
                dimensions: _,
                metrics: _,
                facts: _,
                where_clause: _,
                alias: _,
            } => self.unsupported("a semantic view", None),
        }
    }
}

pub(super) fn place_of_name(name: &ObjectName) -> Option<Place> {
    name.0.first().and_then(ObjectNamePart::as_ident).and_then(place_of)
}
