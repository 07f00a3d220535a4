//! Owns the builder of whole SELECT statements.
//!
//! Deliberately absent: dialects. What an engine lacks (NULLS LAST, FILTER) the checker rewrites.

use sqlparser::ast::helpers::attached_token::AttachedToken;
use sqlparser::ast::{
    Cte, Distinct as AstDistinct, Expr, GroupByExpr, Join, JoinConstraint, JoinOperator, LimitClause,
    ObjectName, ObjectNamePart, OrderBy, OrderByExpr, OrderByKind, OrderByOptions, OrderBySort, Query,
    Select, SelectFlavor, SelectItem, SetExpr, SetOperator, SetQuantifier, TableAlias, TableFactor,
    TableWithJoins, Value, With,
};

use super::{and, ident, literal};

/// How rows of two sides are paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinKind {
    /// Pairs that meet the condition.
    Inner,
    /// Those, and rows of the left side without a partner.
    Left,
    /// Those, and rows of either side without a partner.
    Full,
    /// Every pair.
    Cross,
}

/// The direction of an order. NULLs come last in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Smallest first.
    Ascending,
    /// Largest first.
    Descending,
}

/// Builds one SELECT, clause by clause.
#[derive(Clone, Debug, Default)]
pub struct SelectBuilder {
    with: Vec<Cte>,
    distinct: Option<AstDistinct>,
    from: Vec<TableWithJoins>,
    columns: Vec<SelectItem>,
    filters: Vec<Expr>,
    groups: Vec<Expr>,
    having: Vec<Expr>,
    order: Vec<OrderByExpr>,
    limit: Option<u64>,
}

impl SelectBuilder {
    /// A SELECT with nothing in it yet.
    pub fn new() -> SelectBuilder {
        SelectBuilder::default()
    }

    /// Adds a named query in front (`WITH name AS (…)`).
    pub fn with(mut self, name: &str, query: Query) -> SelectBuilder {
        self.with.push(Cte {
            alias: TableAlias { explicit: false, ..alias(name) },
            query: Box::new(query),
            from: None,
            materialized: None,
            closing_paren_token: AttachedToken::empty(),
        });
        self
    }

    /// Each row once.
    pub fn distinct(mut self) -> SelectBuilder {
        self.distinct = Some(AstDistinct::Distinct);
        self
    }

    /// Reads from a table (or a query named by `with`).
    pub fn from_table(mut self, table: &str, alias: &str) -> SelectBuilder {
        self.from.push(TableWithJoins { relation: table_factor(table, alias), joins: Vec::new() });
        self
    }

    /// Reads from a nested query.
    pub fn from_query(mut self, query: Query, alias: &str) -> SelectBuilder {
        self.from.push(TableWithJoins { relation: derived(query, alias), joins: Vec::new() });
        self
    }

    /// Joins a table (or a query named by `with`). Without a condition the join is a cross join.
    pub fn join_table(self, kind: JoinKind, table: &str, alias: &str, on: Option<Expr>) -> SelectBuilder {
        self.join(kind, table_factor(table, alias), on)
    }

    /// Joins a nested query. Without a condition the join is a cross join.
    pub fn join_query(self, kind: JoinKind, query: Query, alias: &str, on: Option<Expr>) -> SelectBuilder {
        self.join(kind, derived(query, alias), on)
    }

    fn join(mut self, kind: JoinKind, relation: TableFactor, on: Option<Expr>) -> SelectBuilder {
        let constraint = on.map_or(JoinConstraint::None, JoinConstraint::On);
        let join_operator = match (kind, constraint) {
            (JoinKind::Cross, JoinConstraint::None) => JoinOperator::CrossJoin(JoinConstraint::None),
            (JoinKind::Inner | JoinKind::Cross, constraint) => JoinOperator::Inner(constraint),
            (JoinKind::Left, constraint) => JoinOperator::Left(constraint),
            (JoinKind::Full, constraint) => JoinOperator::FullOuter(constraint),
        };
        let join = Join { relation, global: false, join_operator };
        match self.from.last_mut() {
            Some(last) => last.joins.push(join),
            None => self.from.push(TableWithJoins { relation: join.relation, joins: Vec::new() }),
        }
        self
    }

    /// Adds an output column.
    pub fn column(mut self, expr: Expr, alias: &str) -> SelectBuilder {
        self.columns.push(SelectItem::ExprWithAlias { expr, alias: ident(alias) });
        self
    }

    /// Keeps rows that meet the condition, beside every condition added before.
    pub fn filter(mut self, condition: Expr) -> SelectBuilder {
        self.filters.push(condition);
        self
    }

    /// Groups by an expression, beside every one added before.
    pub fn group_by(mut self, expr: Expr) -> SelectBuilder {
        self.groups.push(expr);
        self
    }

    /// Keeps groups that meet the condition, beside every condition added before.
    pub fn having(mut self, condition: Expr) -> SelectBuilder {
        self.having.push(condition);
        self
    }

    /// Orders by an expression after every one added before; NULLs come last.
    pub fn order_by(mut self, expr: Expr, order: Order) -> SelectBuilder {
        let sort = match order {
            Order::Ascending => OrderBySort::Asc,
            Order::Descending => OrderBySort::Desc,
        };
        let options = OrderByOptions { sort: Some(sort), nulls_first: Some(false) };
        self.order.push(OrderByExpr { expr, options, with_fill: None });
        self
    }

    /// At most so many rows.
    pub fn limit(mut self, rows: u64) -> SelectBuilder {
        self.limit = Some(rows);
        self
    }

    /// The finished query.
    pub fn build(self) -> Query {
        let select = Select {
            distinct: self.distinct,
            projection: self.columns,
            from: self.from,
            selection: and(self.filters),
            group_by: GroupByExpr::Expressions(self.groups, Vec::new()),
            having: and(self.having),
            ..empty_select()
        };
        let with = (!self.with.is_empty()).then(|| With {
            with_token: AttachedToken::empty(),
            recursive: false,
            cte_tables: self.with,
        });
        let order_by = (!self.order.is_empty())
            .then_some(OrderBy { kind: OrderByKind::Expressions(self.order), interpolate: None });
        let limit_clause = self.limit.map(limit_clause);
        Query { with, order_by, limit_clause, ..plain_query(SetExpr::Select(Box::new(select))) }
    }
}

/// Rows of every query, one after the other. Of no query: an empty SELECT, which no checker accepts.
pub fn union_all(queries: Vec<Query>) -> Query {
    queries
        .into_iter()
        .map(branch)
        .reduce(|left, right| SetExpr::SetOperation {
            left: Box::new(left),
            op: SetOperator::Union,
            set_quantifier: SetQuantifier::All,
            right: Box::new(right),
        })
        .map_or_else(|| SelectBuilder::new().build(), plain_query)
}

/// A query as one side of a set operation: bracketed unless it is a bare SELECT.
fn branch(query: Query) -> SetExpr {
    let bare = query.with.is_none() && query.order_by.is_none() && query.limit_clause.is_none();
    match *query.body {
        SetExpr::Select(select) if bare => SetExpr::Select(select),
        body => SetExpr::Query(Box::new(Query { body: Box::new(body), ..query })),
    }
}

pub(crate) fn limit_clause(rows: u64) -> LimitClause {
    LimitClause::LimitOffset {
        limit: Some(literal(Value::Number(rows.to_string(), false))),
        offset: None,
        limit_by: Vec::new(),
    }
}

pub(crate) fn plain_query(body: SetExpr) -> Query {
    Query {
        with: None,
        body: Box::new(body),
        order_by: None,
        limit_clause: None,
        fetch: None,
        locks: Vec::new(),
        for_clause: None,
        settings: None,
        format_clause: None,
        pipe_operators: Vec::new(),
    }
}

pub(crate) fn empty_select() -> Select {
    Select {
        select_token: AttachedToken::empty(),
        optimizer_hints: Vec::new(),
        distinct: None,
        select_modifiers: None,
        top: None,
        top_before_distinct: false,
        projection: Vec::new(),
        exclude: None,
        into: None,
        from: Vec::new(),
        lateral_views: Vec::new(),
        prewhere: None,
        selection: None,
        connect_by: Vec::new(),
        group_by: GroupByExpr::Expressions(Vec::new(), Vec::new()),
        cluster_by: Vec::new(),
        distribute_by: Vec::new(),
        sort_by: Vec::new(),
        having: None,
        named_window: Vec::new(),
        qualify: None,
        window_before_qualify: false,
        value_table_mode: None,
        flavor: SelectFlavor::Standard,
    }
}

fn alias(name: &str) -> TableAlias {
    TableAlias { explicit: true, name: ident(name), columns: Vec::new(), at: None }
}

fn table_factor(table: &str, name: &str) -> TableFactor {
    relation(ObjectName(vec![ObjectNamePart::Identifier(ident(table))]), Some(alias(name)))
}

pub(crate) fn relation(name: ObjectName, alias: Option<TableAlias>) -> TableFactor {
    TableFactor::Table {
        name,
        alias,
        args: None,
        with_hints: Vec::new(),
        version: None,
        with_ordinality: false,
        partitions: Vec::new(),
        json_path: None,
        sample: None,
        index_directives: Vec::new(),
        inheritance: None,
    }
}

fn derived(query: Query, name: &str) -> TableFactor {
    TableFactor::Derived { lateral: false, subquery: Box::new(query), alias: Some(alias(name)), sample: None }
}
