//! Owns stars: the columns that they stand for, and what the outermost ones show.
//!
//! Deliberately absent: hidden columns, which no star includes.

use sqlparser::ast::{
    ExcludeSelectItem, IdentWithAlias, ObjectName, ObjectNamePart, RenameSelectItem, ReplaceSelectElement,
    WildcardAdditionalOptions,
};

use super::grain::{Attrs, OutColumn};
use super::name::Name;
use super::{Resolver, place_of};
use crate::facts::NameKind;

impl<'a> Resolver<'a> {
    /// The names that a star leaves out.
    pub(super) fn star_options(&mut self, options: &'a WildcardAdditionalOptions) -> Vec<Name<'a>> {
        let WildcardAdditionalOptions {
            wildcard_token: _,
            opt_ilike,
            opt_exclude,
            opt_except,
            opt_replace: _,
            opt_rename: _,
            opt_alias,
        } = options;
        let plain = opt_ilike.is_none() && opt_except.is_none() && opt_alias.is_none();
        if !plain {
            self.unsupported("ILIKE of a star", None);
        }
        let names: Vec<&ObjectName> = match opt_exclude {
            None => Vec::new(),
            Some(ExcludeSelectItem::Single(name)) => vec![name],
            Some(ExcludeSelectItem::Multiple(names)) => names.iter().collect(),
        };
        let mut keys = Vec::new();
        for name in names {
            match name.0.as_slice() {
                [ObjectNamePart::Identifier(ident)] => keys.push(self.dialect.fold(ident).into()),
                _ => self.unsupported("a qualified name in EXCLUDE", None),
            }
        }
        keys
    }

    /// Puts values in the place of columns of a star.
    pub(super) fn replaced(&mut self, options: &'a WildcardAdditionalOptions, columns: &mut [OutColumn<'a>]) {
        let items = options.opt_replace.iter().flat_map(|replace| &replace.items);
        for item in items {
            let ReplaceSelectElement { expr, column_name, as_keyword: _ } = item.as_ref();
            let key = self.dialect.fold(column_name);
            let value = self.expr(expr);
            let name = Name::from(crate::spelling::plain(column_name));
            let attr = self.attribute(&value, name.clone(), expr);
            match columns.iter_mut().find(|column| column.is(&key)) {
                Some(column) => column.attr = attr,
                None => {
                    let hint = self.near(&name, columns.iter().map(|column| &*column.name));
                    self.problem(NameKind::UnknownColumn, name.to_string(), hint, place_of(column_name));
                }
            }
        }
    }

    /// Gives columns of a star other names.
    pub(super) fn renamed(&mut self, options: &'a WildcardAdditionalOptions, columns: &mut [OutColumn<'a>]) {
        let items: &[IdentWithAlias] = match &options.opt_rename {
            None => &[],
            Some(RenameSelectItem::Single(item)) => std::slice::from_ref(item),
            Some(RenameSelectItem::Multiple(items)) => items,
        };
        // All at once: `RENAME (a AS b, b AS a)` exchanges two names.
        let found: Vec<Option<usize>> = items
            .iter()
            .map(|IdentWithAlias { ident, alias: _ }| {
                let key = self.dialect.fold(ident);
                columns.iter().position(|column| column.is(&key))
            })
            .collect();
        for (IdentWithAlias { ident, alias }, at) in items.iter().zip(found) {
            match at.and_then(|at| columns.get_mut(at)) {
                Some(column) => {
                    column.key = Some(self.dialect.fold(alias).into());
                    column.name = crate::spelling::plain(alias).into();
                }
                None => {
                    let hint = self.near(&ident.value, columns.iter().map(|column| &*column.name));
                    self.problem(NameKind::UnknownColumn, ident.value.clone(), hint, place_of(ident));
                }
            }
        }
    }

    /// Holds that a star has what it leaves out.
    fn left_out(&mut self, columns: &[OutColumn<'a>], excluded: &[Name<'a>]) {
        for name in excluded {
            if !columns.iter().any(|column| column.is(name)) {
                let hint = self.near(name, columns.iter().map(|column| &*column.name));
                self.problem(NameKind::UnknownColumn, name.to_string(), hint, None);
            }
        }
    }

    pub(super) fn every_column(&mut self, excluded: &[Name<'a>]) -> Vec<OutColumn<'a>> {
        let frame = self.frame();
        let mut columns: Vec<OutColumn<'a>> =
            frame.merged.iter().map(|merged| merged.shown.clone()).collect();
        let merged: Attrs = frame.merged.iter().flat_map(|merged| merged.parts.clone()).collect();
        let sources = frame.sources.iter().flat_map(|source| &source.columns);
        columns.extend(sources.filter(|column| !merged.contains(&column.attr)).cloned());
        columns.iter().for_each(|column| self.name_it(column.attr));
        self.left_out(&columns, excluded);
        columns.retain(|column| !column.key.as_ref().is_some_and(|key| excluded.contains(key)));
        columns
    }

    pub(super) fn columns_of(&mut self, name: &'a ObjectName, excluded: &[Name<'a>]) -> Vec<OutColumn<'a>> {
        let [ObjectNamePart::Identifier(ident)] = name.0.as_slice() else {
            self.unsupported("a qualified name before a star", None);
            return Vec::new();
        };
        let key = self.dialect.fold(ident);
        let source = self.frame().sources.iter().find(|source| *source.key == *key);
        let Some(mut columns) = source.map(|source| source.columns.clone()) else {
            let hint = "qualify the star with a source of this FROM".to_owned();
            self.problem(NameKind::UnknownTable, ident.value.clone(), hint, place_of(ident));
            return Vec::new();
        };
        columns.iter().for_each(|column| self.name_it(column.attr));
        self.left_out(&columns, excluded);
        columns.retain(|column| !column.key.as_ref().is_some_and(|key| excluded.contains(key)));
        columns
    }

    /// Records that whatever these columns plainly show is read. Stars inside other queries read nothing yet.
    pub(super) fn shown(&mut self, columns: &[OutColumn<'a>]) {
        for column in columns {
            let Some(info) = self.info(column.attr) else { continue };
            if info.aggregates.is_empty() {
                for (table, column) in info.lineage.clone() {
                    self.used(table, column, None);
                }
            }
        }
    }
}
