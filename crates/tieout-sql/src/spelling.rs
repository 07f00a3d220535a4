//! Owns how names and texts are spelled in a tree. Trees keep quoted parts exactly as they are written, with their
//! doubled quotes, because the printer takes what looks doubled for already doubled; this module goes between that
//! spelling and the plain one.
//!
//! Deliberately absent: folding of case (`dialect`).

use std::borrow::Cow;
use std::ops::ControlFlow;

use sqlparser::ast::{
    BinaryOperator, Expr, FunctionArg, FunctionArgExpr, FunctionArgOperator, FunctionArguments, Ident,
    VisitMut, visit_expressions_mut,
};
use sqlparser::parser::{Parser, ParserOptions};

use crate::dialect::Dialect;

/// A parser that keeps quoted parts as they are written.
pub(crate) fn parser(dialect: &Dialect) -> Parser<'_> {
    let options = ParserOptions::new()
        .with_trailing_commas(dialect.syntax.supports_trailing_commas())
        .with_unescape(false);
    Parser::new(dialect.syntax).with_options(options)
}

/// Puts the comparison back that `f(a = b)` is. The grammar of one dialect takes it for a parameter named `a`, and the
/// column would then not be looked at; none of the functions on a list has such parameters. What stands after the sign
/// is read again beside the name, since `f(a = b AND c)` is `f((a = b) AND c)`.
pub(crate) fn compared<T: VisitMut>(tree: &mut T, dialect: &Dialect) {
    if !dialect.syntax.supports_named_fn_args_with_eq_operator() {
        return;
    }
    let _: ControlFlow<()> = visit_expressions_mut(tree, |expr| {
        let Expr::Function(function) = expr else { return ControlFlow::Continue(()) };
        let FunctionArguments::List(list) = &mut function.args else { return ControlFlow::Continue(()) };
        for argument in &mut list.args {
            let found = match argument {
                FunctionArg::Named {
                    name,
                    arg: FunctionArgExpr::Expr(value),
                    operator: FunctionArgOperator::Equals,
                } => {
                    let name = Expr::Identifier(name.clone());
                    comparison(name, value, dialect)
                }
                _ => continue,
            };
            *argument = FunctionArg::Unnamed(FunctionArgExpr::Expr(found));
        }
        ControlFlow::Continue(())
    });
}

fn comparison(name: Expr, value: &Expr, dialect: &Dialect) -> Expr {
    let plain =
        !matches!(value, Expr::BinaryOp { .. } | Expr::Between { .. } | Expr::IsNull(_) | Expr::IsNotNull(_));
    let read = || {
        let text = format!("{name} = {value}");
        let parsed = parser(dialect).try_with_sql(&text).and_then(|mut parser| parser.parse_expr());
        parsed.ok().filter(|parsed| parsed.to_string() == text).map(|mut parsed| {
            compared(&mut parsed, dialect);
            parsed
        })
    };
    let whole = || Expr::BinaryOp {
        left: Box::new(name.clone()),
        op: BinaryOperator::Eq,
        right: Box::new(value.clone()),
    };
    match plain {
        true => whole(),
        false => read().unwrap_or_else(whole),
    }
}

/// A quoted identifier for a plain name.
pub(crate) fn quoted(quote: char, name: &str) -> Ident {
    Ident::with_quote(quote, name.replace(quote, &format!("{quote}{quote}")))
}

/// The plain name of an identifier.
pub(crate) fn plain(ident: &Ident) -> Cow<'_, str> {
    match ident.quote_style {
        Some(quote) if ident.value.contains(quote) => {
            Cow::Owned(ident.value.replace(&format!("{quote}{quote}"), &quote.to_string()))
        }
        Some(_) | None => Cow::Borrowed(&ident.value),
    }
}

/// Whether an identifier is plainly that name.
pub(crate) fn is(ident: &Ident, name: &str) -> bool {
    match ident.quote_style {
        Some(quote) if ident.value.contains(quote) => plain(ident) == name,
        _ => ident.value == name,
    }
}

/// The plain text of a literal in single quotes.
pub(crate) fn text(written: &str) -> String {
    written.replace("''", "'")
}
