//! Owns what is passed to a call: its arguments, and the clauses inside its brackets.
//!
//! Deliberately absent: what the call makes of them (`call`).

use sqlparser::ast::{
    DuplicateTreatment, Expr, FunctionArg, FunctionArgExpr, FunctionArgOperator, FunctionArgumentClause,
    FunctionArgumentList, FunctionArguments,
};

use super::Resolver;
use crate::rejection::Place;

/// What is passed to a call.
pub(super) struct Passed<'a> {
    pub values: Vec<&'a Expr>,
    pub star: bool,
    pub distinct: bool,
}

impl<'a> Resolver<'a> {
    /// What is passed. The order inside an aggregate (`plain`: not over a window) is among the rows it is over.
    pub(super) fn passed(
        &mut self,
        args: &'a FunctionArguments,
        plain: bool,
        place: Option<Place>,
    ) -> Option<Passed<'a>> {
        let mut passed = Passed { values: Vec::new(), star: false, distinct: false };
        let list = match args {
            FunctionArguments::None => return Some(passed),
            FunctionArguments::Subquery(_) => {
                self.unsupported("a query as a function's argument", place);
                return None;
            }
            FunctionArguments::List(list) => list,
        };
        let FunctionArgumentList { duplicate_treatment, args, clauses } = list;
        passed.distinct = match duplicate_treatment {
            Some(DuplicateTreatment::Distinct) => true,
            Some(DuplicateTreatment::All) | None => false,
        };
        for argument in args {
            match argument {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expr))
                | FunctionArg::Named {
                    name: _,
                    arg: FunctionArgExpr::Expr(expr),
                    operator: FunctionArgOperator::RightArrow | FunctionArgOperator::Assignment,
                }
                | FunctionArg::ExprNamed {
                    name: Expr::Identifier(_),
                    arg: FunctionArgExpr::Expr(expr),
                    operator: FunctionArgOperator::RightArrow | FunctionArgOperator::Assignment,
                } => {
                    passed.values.push(expr);
                }
                FunctionArg::Unnamed(FunctionArgExpr::Wildcard) => passed.star = true,
                FunctionArg::Unnamed(
                    FunctionArgExpr::QualifiedWildcard(_) | FunctionArgExpr::WildcardWithOptions(_),
                )
                | FunctionArg::Named { name: _, arg: _, operator: _ }
                | FunctionArg::ExprNamed { name: _, arg: _, operator: _ } => {
                    self.unsupported("this kind of argument", place);
                }
            }
        }
        for clause in clauses {
            match clause {
                FunctionArgumentClause::IgnoreOrRespectNulls(_) | FunctionArgumentClause::Separator(_) => {}
                FunctionArgumentClause::OrderBy(items) => {
                    let inside = self.frame().inside_aggregate;
                    self.frame().inside_aggregate |= plain;
                    for item in items {
                        self.ordered(item);
                    }
                    self.frame().inside_aggregate = inside;
                }
                FunctionArgumentClause::Where(_)
                | FunctionArgumentClause::Limit(_)
                | FunctionArgumentClause::OnOverflow(_)
                | FunctionArgumentClause::Having(_)
                | FunctionArgumentClause::JsonNullClause(_)
                | FunctionArgumentClause::JsonReturningClause(_) => {
                    self.unsupported("this clause inside a call", place);
                }
            }
        }
        Some(passed)
    }
}
