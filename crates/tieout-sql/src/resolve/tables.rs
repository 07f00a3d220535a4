//! Owns references in FROM: base tables with what their keys determine, nested queries, and table functions.
//!
//! Deliberately absent: joins (`from`).

use smallvec::smallvec;
use sqlparser::ast::{
    Expr, FunctionArg, FunctionArgExpr, Ident, ObjectName, ObjectNamePart, TableAlias, TableFactor,
    Value as Literal,
};

use super::frame::{Sight, Source};
use super::from::place_of_name;
use super::grain::{AttrInfo, Attrs, Base, Dependency, OutColumn, Relation, Trust, merge};
use super::name::Name;
use super::predicate::peel;
use super::{Level, Reference, Resolver, blank, place_of};
use crate::dialect::{FunctionKind, Lookup};
use crate::facts::{FunctionUse, NameKind, Permission, TableUse};
use crate::rejection::Place;
use crate::schema::{Access, ColumnSource, SqlType, Table, ViewBody};
use crate::spelling;

impl<'a> Resolver<'a> {
    /// A reference to a named query or a base table.
    pub(super) fn table(
        &mut self,
        factor: &'a TableFactor,
        name: &'a ObjectName,
        alias: Option<&'a TableAlias>,
    ) {
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
            match self.view(&idents) {
                Some(index) => self.read_view(factor, index, last),
                None => self.unknown_table(name, last),
            }
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
        self.refer(factor, Reference::Table(index, self.reads.len()));
        self.base(index, alias, last);
    }

    pub(super) fn unknown_table(&mut self, name: &ObjectName, last: &Ident) {
        let system = name.0.iter().filter_map(ObjectNamePart::as_ident).any(|ident| is_system(&ident.value));
        let kind = match system {
            true => NameKind::SystemCatalogue,
            false => NameKind::UnknownTable,
        };
        let mut known: Vec<&str> =
            self.schema.tables.keys().chain(self.schema.views.keys()).map(String::as_str).collect();
        known.extend(self.ctes.iter().flat_map(|scope| scope.keys().map(|name| &**name)));
        let hint = self.near(&last.value, known.iter().copied());
        self.problem(kind, name.to_string(), hint, place_of(last));
    }

    pub(super) fn base_table(&self, idents: &[&Ident]) -> Option<usize> {
        let by_path = |table: &Table| {
            table.relation.len() == idents.len()
                && table.relation.iter().zip(idents).all(|(part, ident)| self.names_path(ident, part))
        };
        match (self.level, idents) {
            (Level::Logical, [ident]) => {
                let folded = self.dialect.fold(ident);
                self.schema.tables.values().position(|table| self.dialect.is_key(&folded, &table.name))
            }
            (Level::Logical, path) => {
                let last = path.last()?;
                self.schema
                    .tables
                    .values()
                    .position(|table| by_path(table) && self.dialect.names(last, &table.name))
            }
            (Level::Physical, _) => self.schema.tables.values().position(by_path),
        }
    }

    fn view(&self, idents: &[&Ident]) -> Option<usize> {
        let last = idents.last()?;
        self.schema.views.values().position(|view| match idents {
            [_] => self.dialect.names(last, &view.name),
            path => {
                view.relation.len() == path.len()
                    && view.relation.iter().zip(path).all(|(part, ident)| self.dialect.names(ident, part))
            }
        })
    }

    /// A view is written out before a statement is judged; until then nothing is said of its columns.
    fn read_view(&mut self, factor: &'a TableFactor, index: usize, last: &Ident) {
        let Some((_, view)) = self.schema.views.get_index(index) else { return };
        match &view.body {
            ViewBody::Query { .. } => self.refer(factor, Reference::View(index)),
            ViewBody::Unseen(reason) => {
                let hint = format!("{reason}; read the tables themselves");
                self.problem(NameKind::UnseenView, view.name.clone(), hint, place_of(last));
            }
        }
    }

    pub(super) fn names_path(&self, ident: &Ident, part: &str) -> bool {
        match self.level {
            Level::Logical => self.dialect.names(ident, part),
            Level::Physical => spelling::is(ident, part),
        }
    }

    /// Adds a base table as a source: its columns, and what its keys determine.
    pub(super) fn base(&mut self, index: usize, alias: Option<&'a TableAlias>, name: &'a Ident) {
        let schema = self.schema;
        let Some((_, table)) = schema.tables.get_index(index) else { return };
        let row = self.row(spelling::plain(alias.map_or(name, |alias| &alias.name)));
        let mut columns = Vec::with_capacity(table.columns.len());
        let mut hidden = Vec::new();
        for (position, column) in table.columns.values().enumerate() {
            let key = Name::from(self.dialect.key(&column.name));
            if column.access == Access::Hidden && self.level == Level::Logical {
                hidden.push((key, index, position));
                continue;
            }
            let computed = matches!(column.source, ColumnSource::Computed(_));
            let attr = self.attr(AttrInfo {
                ty: column.ty,
                nullable: column.nullable || computed,
                base: smallvec![Base { table: index, column: position, row }],
                lineage: smallvec![(index, position)],
                units: smallvec![row],
                ..blank(column.name.as_str())
            });
            columns.push(OutColumn { key: Some(key), name: Name::Known(&column.name), attr });
        }
        let first = row.saturating_add(1);
        self.reads.push(first..first.saturating_add(columns.len()).min(self.attrs.len()).max(first));
        let mut dependencies =
            vec![Dependency::always(smallvec![row], columns.iter().map(|column| column.attr).collect())];
        for key in table.keys() {
            let attrs: Attrs = key
                .iter()
                .filter_map(|name| {
                    let exact = columns.iter().find(|column| *column.name == **name);
                    exact.or_else(|| columns.iter().find(|column| column.name.eq_ignore_ascii_case(name)))
                })
                .map(|column| column.attr)
                .collect();
            if attrs.len() == key.len() {
                dependencies.push(Dependency::always(attrs, smallvec![row]));
            }
        }
        if table.keys().next().is_none() {
            let assumed = columns.iter().map(|column| Dependency {
                trust: Trust::Assumed,
                ..Dependency::always(smallvec![column.attr], smallvec![row])
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
        let relation = Relation { columns, rows: smallvec![row], dependencies, ..Relation::default() };
        self.source(relation, alias, Some(name), place_of(name));
        self.record_table(index);
        if let Some(source) = self.frame().sources.last_mut() {
            source.hidden = hidden;
            source.table_use = table_use;
        }
    }

    pub(super) fn derived(
        &mut self,
        lateral: bool,
        subquery: &'a sqlparser::ast::Query,
        alias: Option<&'a TableAlias>,
    ) {
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

    pub(super) fn table_function(
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
        let (permission, names): (_, &'static [&'static str]) =
            match (name.0.as_slice(), self.dialect.function(&text, values.len())) {
                ([ObjectNamePart::Identifier(_)], Lookup::Found(entry))
                    if entry.kind == FunctionKind::Table =>
                {
                    (Permission::Allowed, entry.columns)
                }
                ([_], Lookup::Found(_)) => (Permission::Misplaced, &[]),
                ([_], Lookup::WrongArguments(_)) => (Permission::WrongArguments, &[]),
                (_, _) => (Permission::Absent, &[]),
            };
        self.facts.functions.push(FunctionUse { name: text.clone(), permission, place });
        self.rows_of_function(&text, &values, alias, with_ordinality, names);
    }

    /// The rows of a table function: constant, unless its arguments read columns.
    pub(super) fn rows_of_function(
        &mut self,
        name: &str,
        values: &[&'a Expr],
        alias: Option<&'a TableAlias>,
        with_ordinality: bool,
        names: &'static [&'static str],
    ) {
        let before = self.frame().rows();
        let mut read = Attrs::new();
        let mut ty = SqlType::Unknown;
        for value in values {
            let value = self.expr(value);
            if ty == SqlType::Unknown {
                ty = value.ty;
            }
            merge(&mut read, &value.inputs);
        }
        let label = alias.map_or_else(|| Name::from(name.to_owned()), |alias| Name::Known(&alias.name.value));
        let row = self.row(label.clone());
        let lineage = self.lineage_of(&read);
        let (picked, whole_days) = (read.is_empty(), whole_days(name, values));
        let names: Vec<Name<'a>> = match names {
            [] => vec![label],
            names => names.iter().map(|name| Name::Known(name)).collect(),
        };
        let ty = if names.len() > 1 { SqlType::Unknown } else { ty };
        let mut columns = Vec::with_capacity(names.len());
        for name in names {
            let lineage = lineage.clone();
            let attr = self.attr(AttrInfo {
                ty,
                lineage,
                units: smallvec![row],
                picked,
                whole_days,
                ..blank(name.clone())
            });
            columns.push(OutColumn { key: Some(name.to_lowercase().into()), name, attr });
        }
        let made: Attrs = columns.iter().map(|column| column.attr).collect();
        if with_ordinality {
            let ordinal =
                self.attr(AttrInfo { ty: SqlType::Integer, units: smallvec![row], ..blank("ordinality") });
            columns.push(OutColumn {
                key: Some("ordinality".into()),
                name: "ordinality".into(),
                attr: ordinal,
            });
        }
        let all: Attrs = columns.iter().map(|column| column.attr).collect();
        let mut dependencies = vec![Dependency::always(smallvec![row], all)];
        let constant = read.is_empty();
        match constant {
            true => dependencies.push(Dependency::always(made, smallvec![row])),
            // Each of its rows is made for one row of the sources before it.
            false => dependencies.push(Dependency::always(smallvec![row], before)),
        }
        let relation =
            Relation { columns, rows: smallvec![row], dependencies, constant, ..Relation::default() };
        self.source(relation, alias, None, alias.and_then(|alias| place_of(&alias.name)));
        if let Some(source) = self.frame().sources.last_mut() {
            source.lateral = !constant;
        }
        let mut with = self.units(&read);
        with.push(row);
        self.frame().ties.tie(&with);
    }

    /// Adds a relation to the sources under its alias, with the alias's own column names if it has them.
    pub(super) fn source(
        &mut self,
        relation: Relation<'a>,
        alias: Option<&'a TableAlias>,
        name: Option<&'a Ident>,
        place: Option<Place>,
    ) {
        let Relation { mut columns, rows, dependencies, mut ties, constant, grouped, block } = relation;
        if constant {
            merge(&mut ties.spines, &rows);
        }
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
            if !renamed.is_empty() {
                // Names by position: none may be left out.
                columns.iter().for_each(|column| self.name_it(column.attr));
            }
            for (column, renamed) in columns.iter_mut().zip(renamed) {
                column.key = Some(self.dialect.fold(&renamed.name).into());
                column.name = spelling::plain(&renamed.name).into();
            }
        }
        let ident = alias.map(|alias| &alias.name).or(name);
        let (key, label): (Name, Name) = match ident {
            Some(ident) => (self.dialect.fold(ident).into(), spelling::plain(ident).into()),
            None => (format!("?{}", self.frames.len()).into(), "the nested query".into()),
        };
        if ident.is_some() && self.frame().sources.iter().any(|source| source.key == key) {
            let hint = "give each source of a FROM its own alias".to_owned();
            self.problem(NameKind::DuplicateSource, label.to_string(), hint, place);
        }
        self.record_source(&label, &columns, block, place);
        let frame = self.frame();
        frame.dependencies.extend(dependencies);
        frame.ties.absorb(&ties);
        frame.sources.push(Source {
            key,
            label,
            attrs: columns.iter().map(|column| column.attr).collect(),
            columns,
            rows,
            spines: ties.spines,
            constant,
            grouped,
            lateral: false,
            nearest: false,
            named: ident.is_some(),
            place,
            hidden: Vec::new(),
            table_use: None,
            unknown: false,
        });
    }
}

/// Whether a series is one of days: it begins at a midnight that is written out, and goes on by whole days.
fn whole_days(name: &str, values: &[&Expr]) -> bool {
    let series = ["generate_series", "range"].iter().any(|known| known.eq_ignore_ascii_case(name));
    let [first, _, step] = values else { return false };
    series && written(first).is_some_and(|text| text.trim().len() == "2026-01-01".len()) && steps_days(step)
}

/// The text of a literal, through casts.
fn written(expr: &Expr) -> Option<String> {
    match peel(expr) {
        Expr::Value(value) => match &value.value {
            Literal::SingleQuotedString(text) | Literal::Number(text, _) => Some(text.clone()),
            _ => None,
        },
        Expr::TypedString(typed) => match &typed.value.value {
            Literal::SingleQuotedString(text) => Some(text.clone()),
            _ => None,
        },
        Expr::Cast { expr, .. } => written(expr),
        _ => None,
    }
}

/// Whether a step is some whole days, weeks, months or years.
fn steps_days(step: &Expr) -> bool {
    let (text, unit) = match peel(step) {
        Expr::Interval(interval) => {
            let unit = interval.leading_field.as_ref().map(|field| field.to_string().to_lowercase());
            (written(&interval.value), unit)
        }
        other => (written(other), None),
    };
    let Some(text) = text else { return false };
    let whole = format!("{text} {}", unit.unwrap_or_default()).to_lowercase();
    let mut words = whole.split_whitespace();
    let number = words.next().is_some_and(|word| word.parse::<u32>().is_ok_and(|number| number > 0));
    let unit = words.next().is_some_and(|word| {
        ["day", "week", "month", "quarter", "year"].contains(&word.trim_end_matches('s'))
    });
    number && unit && words.next().is_none()
}

/// Whether a name belongs to an engine's own catalogues.
fn is_system(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    ["information_schema", "pg_", "sqlite_", "duckdb_", "mysql", "performance_schema", "sys"]
        .iter()
        .any(|prefix| lower.starts_with(prefix))
}
