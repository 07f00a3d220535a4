//! The FROM of one query: a base dataset, the datasets joined to it along stated relationships, and the values bound.

use jiff::tz::TimeZone;
use tieout_sql::{
    Value,
    build::{JoinKind, SelectBuilder, and, bind, col, eq},
};

use crate::{
    catalogue::{Catalogue, Direction, Hop, JoinPath, Project},
    halt::Halt,
    reading::{Problem, ReasonCode},
};
use tieout_sql::sqlparser::ast::Expr;

/// Whether a joined row must be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// A row without one is kept.
    MayMiss,
    /// A row without one is left out.
    MustMatch,
}

struct Joined {
    hops: Vec<Hop>,
    parent: String,
    alias: String,
    need: Need,
}

/// A query's source, built up as its parts ask for fields.
pub(super) struct Source<'a> {
    pub(super) catalogue: &'a Catalogue,
    /// The zone whose civil time the data is written in.
    pub(super) zone: &'a TimeZone,
    base: String,
    base_alias: String,
    joined: Vec<Joined>,
    aliases: Vec<String>,
    binds: Vec<Value>,
}

impl<'a> Source<'a> {
    pub(super) fn new(project: &'a Project, base: &str) -> Self {
        let base_alias = base.to_owned();
        Self {
            catalogue: &project.catalogue,
            zone: &project.calendar.zone,
            base: base.to_owned(),
            aliases: vec![base_alias.clone()],
            base_alias,
            joined: Vec::new(),
            binds: Vec::new(),
        }
    }

    /// The alias of the base dataset.
    pub(super) fn base_alias(&self) -> &str {
        &self.base_alias
    }

    /// Binds a value and gives its placeholder.
    pub(super) fn bind(&mut self, value: Value) -> Expr {
        self.binds.push(value);
        bind(self.binds.len() - 1)
    }

    /// All values bound, in order.
    pub(super) fn into_binds(self) -> Vec<Value> {
        self.binds
    }

    /// The alias under which the dataset at the end of a way is joined; joined now when it was not.
    pub(super) fn alias(&mut self, way: &JoinPath, need: Need) -> String {
        let mut alias = self.base_alias.clone();
        for end in 1..=way.hops.len() {
            let hops = &way.hops[..end];
            alias = match self.joined.iter_mut().find(|j| j.hops == hops) {
                Some(found) => {
                    if need == Need::MustMatch {
                        found.need = Need::MustMatch;
                    }
                    found.alias.clone()
                }
                None => {
                    let fresh = self.fresh_alias(&hops[end - 1].to);
                    self.joined.push(Joined {
                        hops: hops.to_vec(),
                        parent: alias,
                        alias: fresh.clone(),
                        need,
                    });
                    fresh
                }
            };
        }
        alias
    }

    /// Whether the whole way is joined already.
    pub(super) fn has(&self, way: &JoinPath) -> bool {
        way.hops.is_empty() || self.joined.iter().any(|j| j.hops == way.hops)
    }

    /// An alias that no other table of the query has.
    pub(super) fn fresh_alias(&mut self, dataset: &str) -> String {
        let mut alias = dataset.to_owned();
        let mut n = 1;
        while self.aliases.contains(&alias) {
            n += 1;
            alias = format!("{dataset}_{n}");
        }
        self.aliases.push(alias.clone());
        alias
    }

    /// The equality of a hop's whole key, between two aliases.
    ///
    /// # Errors
    /// A refusal when the relationship is not in the catalogue.
    pub(super) fn on(&self, hop: &Hop, from_alias: &str, to_alias: &str) -> Result<Expr, Halt> {
        let relationship = self.catalogue.relationships.get(&hop.relationship);
        let pairs = relationship.map(|r| {
            let (left, right) = match hop.direction {
                Direction::ToOne => (&r.from_columns, &r.to_columns),
                Direction::ToMany => (&r.to_columns, &r.from_columns),
            };
            left.iter().zip(right).map(|(a, b)| eq(col(from_alias, a), col(to_alias, b))).collect()
        });
        pairs.and_then(and).ok_or_else(|| {
            Halt::Refuse(vec![Problem::new(
                ReasonCode::NoRelationship,
                format!("there is no relationship {}", hop.relationship),
                "state it in the catalogue",
            )])
        })
    }

    /// The FROM clause, as the start of a select.
    ///
    /// # Errors
    /// A refusal when a relationship is not in the catalogue.
    pub(super) fn select(&self) -> Result<SelectBuilder, Halt> {
        let mut select = SelectBuilder::new().from_table(&self.base, &self.base_alias);
        for join in &self.joined {
            let Some(hop) = join.hops.last() else { continue };
            let kind = match join.need {
                Need::MayMiss => JoinKind::Left,
                Need::MustMatch => JoinKind::Inner,
            };
            let on = self.on(hop, &join.parent, &join.alias)?;
            select = select.join_table(kind, &hop.to, &join.alias, Some(on));
        }
        Ok(select)
    }
}
