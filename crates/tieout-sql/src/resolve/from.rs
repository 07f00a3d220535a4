//! Owns FROM: tables, named and nested queries, table functions, and the joins among them.
//!
//! Deliberately absent: conditions (`predicate`), and judging joins (the rules).

use sqlparser::ast::{
    Expr, FunctionArg, FunctionArgExpr, Ident, Join, JoinConstraint, JoinOperator, ObjectName,
    ObjectNamePart, TableAlias, TableFactor, TableFunctionArgs, TableWithJoins,
};

use super::frame::{Clause, Merged, Sight, Source};
use super::grain::{Attr, AttrInfo, Base, Dependency, OutColumn, Relation, Trust, merge};
use super::{Reference, Resolver, blank, place_of, place_of_expr};
use crate::dialect::{FunctionKind, Lookup};
use crate::facts::{FunctionUse, NameKind, Permission, TableUse};
use crate::nearest::nearest_hint;
use crate::rejection::Place;
use crate::schema::{Access, ColumnSource, SqlType, Table};
use crate::spelling;

/// Which side of a join may be without a partner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pairing {
    Inner,
    Left,
    Right,
    Full,
    /// Rows of one side only, each at most once.
    Semi,
}

/// What one join adds: the sources on its right.
struct Side {
    sources: Vec<usize>,
    rows: Vec<Attr>,
}

impl<'a> Resolver<'a> {
    pub(super) fn from(&mut self, from: &'a [TableWithJoins]) {
        for tables in from {
            self.table_with_joins(tables);
        }
    }

    fn table_with_joins(&mut self, tables: &'a TableWithJoins) {
        let TableWithJoins { relation, joins } = tables;
        let first = self.frame().sources.len();
        self.factor(relation);
        for join in joins {
            self.join(join, first);
        }
    }

    /// Resolves the right side of a join and its condition; the left side are the sources from `first` on.
    fn join(&mut self, join: &'a Join, first: usize) {
        let Join { relation, global, join_operator } = join;
        if *global {
            self.unsupported("GLOBAL joins", None);
        }
        let Some((pairing, constraint)) = self.operator(join_operator) else { return };
        let middle = self.frame().sources.len();
        let left = self.side(first, middle);
        self.factor(relation);
        let end = self.frame().sources.len();
        let right = self.side(middle, end);
        match constraint {
            JoinConstraint::On(condition) => self.on(condition, pairing, &left, &right),
            JoinConstraint::Using(names) => self.using(names, pairing, &left, &right),
            JoinConstraint::UsingAlias(_, _) => self.unsupported("USING with an alias", None),
            JoinConstraint::Natural => self.natural(pairing, &left, &right),
            JoinConstraint::None => {}
        }
        let frame = self.frame();
        match pairing {
            Pairing::Left => merge(&mut frame.optional, &right.rows),
            Pairing::Right => merge(&mut frame.optional, &left.rows),
            Pairing::Full => {
                merge(&mut frame.optional, &left.rows);
                merge(&mut frame.optional, &right.rows);
            }
            Pairing::Semi => {
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

    fn side(&mut self, from: usize, to: usize) -> Side {
        let frame = self.frame();
        let mut rows = Vec::new();
        for source in frame.sources.iter().take(to).skip(from) {
            merge(&mut rows, &source.rows);
        }
        Side { sources: (from..to).collect(), rows }
    }

    fn operator(&mut self, operator: &'a JoinOperator) -> Option<(Pairing, &'a JoinConstraint)> {
        match operator {
            JoinOperator::Join(c)
            | JoinOperator::Inner(c)
            | JoinOperator::CrossJoin(c)
            | JoinOperator::StraightJoin(c) => Some((Pairing::Inner, c)),
            JoinOperator::Left(c) | JoinOperator::LeftOuter(c) => Some((Pairing::Left, c)),
            JoinOperator::Right(c) | JoinOperator::RightOuter(c) => Some((Pairing::Right, c)),
            JoinOperator::FullOuter(c) => Some((Pairing::Full, c)),
            JoinOperator::Semi(c)
            | JoinOperator::LeftSemi(c)
            | JoinOperator::Anti(c)
            | JoinOperator::LeftAnti(c) => Some((Pairing::Semi, c)),
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
            Pairing::Inner | Pairing::Semi => self.condition(condition),
            Pairing::Left => self.optional_condition(condition, &[(&left.rows, &right.rows)]),
            Pairing::Right => self.optional_condition(condition, &[(&right.rows, &left.rows)]),
            Pairing::Full => {
                self.optional_condition(condition, &[(&left.rows, &right.rows), (&right.rows, &left.rows)]);
            }
        }
    }

    fn natural(&mut self, pairing: Pairing, left: &Side, right: &Side) {
        let keys_of = |resolver: &mut Self, side: &Side| -> Vec<String> {
            let frame = resolver.frame();
            let sources = side.sources.iter().filter_map(|source| frame.sources.get(*source));
            sources.flat_map(|source| source.columns.iter().filter_map(|column| column.key.clone())).collect()
        };
        let (left_keys, right_keys) = (keys_of(self, left), keys_of(self, right));
        let mut shared: Vec<String> = right_keys.into_iter().filter(|key| left_keys.contains(key)).collect();
        shared.dedup();
        for key in shared {
            self.merge_column(&key, &key, pairing, left, right, None);
        }
    }

    fn using(&mut self, names: &'a [ObjectName], pairing: Pairing, left: &Side, right: &Side) {
        for name in names {
            let [ObjectNamePart::Identifier(ident)] = name.0.as_slice() else {
                self.unsupported("a qualified name in USING", None);
                continue;
            };
            let key = self.dialect.fold(ident);
            self.merge_column(&key, &ident.value, pairing, left, right, place_of(ident));
        }
    }

    /// One column of USING or NATURAL: an equality, and one column where there were two.
    fn merge_column(
        &mut self,
        key: &str,
        name: &str,
        pairing: Pairing,
        left: &Side,
        right: &Side,
        place: Option<Place>,
    ) {
        let (Some(a), Some(b)) = (self.only_column(key, left), self.only_column(key, right)) else {
            let hint = "name a column that each side has exactly once".to_owned();
            self.problem(NameKind::UnknownColumn, name.to_owned(), hint, place);
            return;
        };
        for attr in [a, b] {
            for base in self.info(attr).map(|info| info.base.clone()).unwrap_or_default() {
                self.used(base.table, base.column, place);
            }
        }
        match pairing {
            Pairing::Inner | Pairing::Semi => self.equal_columns(a, b, &[]),
            Pairing::Left => self.equal_columns(a, b, &[(&left.rows, &right.rows)]),
            Pairing::Right => self.equal_columns(a, b, &[(&right.rows, &left.rows)]),
            Pairing::Full => {
                self.equal_columns(a, b, &[(&left.rows, &right.rows), (&right.rows, &left.rows)]);
            }
        }
        let shown = match pairing {
            Pairing::Right => b,
            Pairing::Inner | Pairing::Left | Pairing::Semi => a,
            Pairing::Full => self.coalesced(a, b),
        };
        let shown = OutColumn { key: Some(key.to_owned()), name: name.to_owned(), attr: shown };
        let frame = self.frame();
        let mut parts = vec![a, b];
        if let Some(earlier) = frame.merged.iter().find(|merged| merged.key == key) {
            merge(&mut parts, &earlier.parts);
        }
        frame.merged.retain(|merged| merged.key != key);
        frame.merged.push(Merged { key: key.to_owned(), shown, parts });
    }

    fn only_column(&mut self, key: &str, side: &Side) -> Option<Attr> {
        let frame = self.frame();
        let merged = frame.merged.iter().find(|merged| merged.key == key);
        let sources = side.sources.iter().filter_map(|source| frame.sources.get(*source));
        let columns = sources.flat_map(|source| &source.columns);
        let found: Vec<Attr> =
            columns.filter(|column| column.key.as_deref() == Some(key)).map(|column| column.attr).collect();
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
        self.frame().dependencies.push(Dependency::always(vec![a, b], vec![attr]));
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
                self.rows_of_function("unnest", &values, alias.as_ref(), *with_ordinality, SqlType::Unknown);
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

    /// A reference to a named query or a base table.
    fn table(&mut self, factor: &'a TableFactor, name: &'a ObjectName, alias: Option<&'a TableAlias>) {
        let idents: Vec<&Ident> = name.0.iter().filter_map(ObjectNamePart::as_ident).collect();
        let Some(last) = idents.last().filter(|_| idents.len() == name.0.len()) else {
            self.unsupported("a function in a table's name", place_of_name(name));
            return;
        };
        if let [ident] = idents.as_slice() {
            let key = self.dialect.fold(ident);
            if let Some(relation) = self.named_query(&key) {
                self.refer(factor, Reference::Named);
                self.source(relation, alias, Some(last), place_of(last));
                return;
            }
        }
        let dummy = self.dialect.dummy_table.is_some_and(|dummy| last.value.eq_ignore_ascii_case(dummy));
        if dummy && idents.len() == 1 && self.base_table(&idents).is_none() {
            self.refer(factor, Reference::Named);
            self.source(
                Relation { constant: true, ..Relation::default() },
                alias,
                Some(last),
                place_of(last),
            );
            return;
        }
        let Some(index) = self.base_table(&idents) else {
            self.unknown_table(name, last);
            self.source(
                Relation { constant: true, ..Relation::default() },
                alias,
                Some(last),
                place_of(last),
            );
            if let Some(source) = self.frame().sources.last_mut() {
                source.unknown = true;
            }
            return;
        };
        self.refer(factor, Reference::Table(index));
        self.base(index, alias, last);
    }

    fn unknown_table(&mut self, name: &ObjectName, last: &Ident) {
        let system = name.0.iter().filter_map(ObjectNamePart::as_ident).any(|ident| is_system(&ident.value));
        let kind = match system {
            true => NameKind::SystemCatalogue,
            false => NameKind::UnknownTable,
        };
        let mut known: Vec<&str> = self.schema.tables.keys().map(String::as_str).collect();
        known.extend(self.ctes.iter().flat_map(|scope| scope.keys().map(String::as_str)));
        let hint = nearest_hint(&last.value, known.iter().copied());
        self.problem(kind, name.to_string(), hint, place_of(last));
    }

    fn base_table(&self, idents: &[&Ident]) -> Option<usize> {
        let by_path = |table: &Table| {
            table.relation.len() == idents.len()
                && table.relation.iter().zip(idents).all(|(part, ident)| self.names_path(ident, part))
        };
        match (self.level, idents) {
            (super::Level::Logical, [ident]) => {
                self.schema.tables.values().position(|table| self.dialect.names(ident, &table.name))
            }
            (super::Level::Logical, path) => {
                let last = path.last()?;
                self.schema
                    .tables
                    .values()
                    .position(|table| by_path(table) && self.dialect.names(last, &table.name))
            }
            (super::Level::Physical, _) => self.schema.tables.values().position(by_path),
        }
    }

    fn names_path(&self, ident: &Ident, part: &str) -> bool {
        match self.level {
            super::Level::Logical => self.dialect.names(ident, part),
            super::Level::Physical => spelling::plain(ident) == part,
        }
    }

    /// Adds a base table as a source: its columns, and what its keys determine.
    fn base(&mut self, index: usize, alias: Option<&'a TableAlias>, name: &'a Ident) {
        let schema = self.schema;
        let Some((_, table)) = schema.tables.get_index(index) else { return };
        let label = &spelling::plain(alias.map_or(name, |alias| &alias.name));
        let row = self.row(label);
        let mut columns = Vec::with_capacity(table.columns.len());
        let mut hidden = Vec::new();
        for (position, column) in table.columns.values().enumerate() {
            let key = match self.level {
                super::Level::Logical => self.dialect.key(&column.name),
                super::Level::Physical => {
                    self.dialect.fold(&spelling::quoted(self.dialect.quote, &column.name))
                }
            };
            if column.access == Access::Hidden && self.level == super::Level::Logical {
                hidden.push((key, index, position));
                continue;
            }
            let computed = matches!(column.source, ColumnSource::Computed(_));
            let attr = self.attr(AttrInfo {
                ty: column.ty,
                nullable: column.nullable || computed,
                base: vec![Base { table: index, column: position, row }],
                lineage: vec![(index, position)],
                units: vec![row],
                ..blank(&column.name)
            });
            columns.push(OutColumn { key: Some(key), name: column.name.clone(), attr });
        }
        let mut dependencies =
            vec![Dependency::always(vec![row], columns.iter().map(|column| column.attr).collect())];
        for key in table.keys() {
            let attrs: Vec<Attr> = key
                .iter()
                .filter_map(|name| columns.iter().find(|column| column.name.eq_ignore_ascii_case(name)))
                .map(|column| column.attr)
                .collect();
            if attrs.len() == key.len() {
                dependencies.push(Dependency::always(attrs, vec![row]));
            }
        }
        if table.keys().next().is_none() {
            let assumed = columns.iter().map(|column| Dependency {
                trust: Trust::Assumed,
                ..Dependency::always(vec![column.attr], vec![row])
            });
            dependencies.extend(assumed.collect::<Vec<_>>());
        }
        self.facts.tables.push(TableUse {
            table: table.name.clone(),
            tenant: table.tenant.clone(),
            bound: Vec::new(),
            place: place_of(name),
        });
        let table_use = self.facts.tables.len().checked_sub(1);
        let relation = Relation { columns, rows: vec![row], dependencies, constant: false, grouped: false };
        self.source(relation, alias, Some(name), place_of(name));
        if let Some(source) = self.frame().sources.last_mut() {
            source.hidden = hidden;
            source.table_use = table_use;
        }
    }

    fn derived(&mut self, lateral: bool, subquery: &'a sqlparser::ast::Query, alias: Option<&'a TableAlias>) {
        let before = self.frame().rows();
        let sight = match lateral {
            true => Sight::Open,
            false => Sight::Closed,
        };
        let outer = self.frame().sight;
        self.frame().sight = sight;
        let (mut relation, reached) = self.nested(subquery);
        self.frame().sight = outer;
        let correlated = lateral && !reached.is_empty();
        if correlated {
            for dependency in &mut relation.dependencies {
                if dependency.from.is_empty() {
                    dependency.from.clone_from(&before);
                }
            }
            if relation.grouped {
                relation.dependencies.push(Dependency::always(relation.rows.clone(), before));
            }
        }
        let place = alias.and_then(|alias| place_of(&alias.name));
        self.source(relation, alias, None, place);
        if let Some(source) = self.frame().sources.last_mut() {
            source.lateral = correlated;
        }
    }

    fn table_function(
        &mut self,
        name: &'a ObjectName,
        args: &'a [FunctionArg],
        alias: Option<&'a TableAlias>,
        with_ordinality: bool,
    ) {
        let place = place_of_name(name);
        let mut values = Vec::new();
        for argument in args {
            match argument {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => values.push(expr),
                FunctionArg::Unnamed(_)
                | FunctionArg::Named { name: _, arg: _, operator: _ }
                | FunctionArg::ExprNamed { name: _, arg: _, operator: _ } => {
                    self.unsupported("a named or star argument of a table function", place);
                }
            }
        }
        let text = name.to_string();
        let (permission, returns) = match (name.0.as_slice(), self.dialect.function(&text, values.len())) {
            ([ObjectNamePart::Identifier(_)], Lookup::Found(entry)) if entry.kind == FunctionKind::Table => {
                (Permission::Allowed, SqlType::Unknown)
            }
            ([_], Lookup::Found(_)) => (Permission::Misplaced, SqlType::Unknown),
            ([_], Lookup::WrongArguments(_)) => (Permission::WrongArguments, SqlType::Unknown),
            (_, _) => (Permission::Absent, SqlType::Unknown),
        };
        self.facts.functions.push(FunctionUse { name: text.clone(), permission, place });
        self.rows_of_function(&text, &values, alias, with_ordinality, returns);
    }

    /// The rows of a table function: constant, unless its arguments read columns.
    fn rows_of_function(
        &mut self,
        name: &str,
        values: &[&'a Expr],
        alias: Option<&'a TableAlias>,
        with_ordinality: bool,
        ty: SqlType,
    ) {
        let mut read = Vec::new();
        let mut ty = ty;
        for value in values {
            let value = self.expr(value);
            if ty == SqlType::Unknown {
                ty = value.ty;
            }
            merge(&mut read, &value.inputs);
        }
        let label = alias.map_or(name, |alias| alias.name.value.as_str());
        let row = self.row(label);
        let lineage = self.lineage_of(&read);
        let attr =
            self.attr(AttrInfo { ty, lineage, units: vec![row], picked: read.is_empty(), ..blank(label) });
        let mut columns = vec![OutColumn { key: Some(label.to_lowercase()), name: label.to_owned(), attr }];
        if with_ordinality {
            let ordinal =
                self.attr(AttrInfo { ty: SqlType::Integer, units: vec![row], ..blank("ordinality") });
            columns.push(OutColumn {
                key: Some("ordinality".into()),
                name: "ordinality".into(),
                attr: ordinal,
            });
        }
        let all: Vec<Attr> = columns.iter().map(|column| column.attr).collect();
        let mut dependencies = vec![Dependency::always(vec![row], all)];
        let constant = read.is_empty();
        if constant {
            dependencies.push(Dependency::always(vec![attr], vec![row]));
        }
        let relation = Relation { columns, rows: vec![row], dependencies, constant, grouped: false };
        self.source(relation, alias, None, alias.and_then(|alias| place_of(&alias.name)));
        if let Some(source) = self.frame().sources.last_mut() {
            source.lateral = !constant;
        }
    }

    /// Adds a relation to the sources under its alias, with the alias's own column names if it has them.
    fn source(
        &mut self,
        relation: Relation,
        alias: Option<&'a TableAlias>,
        name: Option<&'a Ident>,
        place: Option<Place>,
    ) {
        let Relation { mut columns, rows, dependencies, constant, grouped } = relation;
        if let Some(TableAlias { explicit: _, name: _, columns: renamed, at }) = alias {
            if at.is_some() {
                self.unsupported("an AT alias", place);
            }
            if renamed.len() > columns.len() {
                self.problem(
                    NameKind::ColumnCount,
                    "the alias".into(),
                    "name as many columns as there are".into(),
                    place,
                );
            }
            for (column, renamed) in columns.iter_mut().zip(renamed) {
                column.key = Some(self.dialect.fold(&renamed.name));
                column.name = spelling::plain(&renamed.name);
            }
        }
        let ident = alias.map(|alias| &alias.name).or(name);
        let (key, label) = ident.map_or_else(
            || (format!("?{}", self.frames.len()), "the nested query".to_owned()),
            |ident| (self.dialect.fold(ident), spelling::plain(ident)),
        );
        if ident.is_some() && self.frame().sources.iter().any(|source| source.key == key) {
            let hint = "give each source of a FROM its own alias".to_owned();
            self.problem(NameKind::DuplicateSource, label.clone(), hint, place);
        }
        let frame = self.frame();
        frame.dependencies.extend(dependencies);
        frame.sources.push(Source {
            key,
            label,
            columns,
            rows,
            constant,
            grouped,
            lateral: false,
            place,
            hidden: Vec::new(),
            table_use: None,
            unknown: false,
        });
    }
}

fn place_of_name(name: &ObjectName) -> Option<Place> {
    name.0.first().and_then(ObjectNamePart::as_ident).and_then(place_of)
}

/// Whether a name belongs to an engine's own catalogues.
fn is_system(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    ["information_schema", "pg_", "sqlite_", "duckdb_", "mysql", "performance_schema", "sys"]
        .iter()
        .any(|prefix| lower.starts_with(prefix))
}
