//! Owns the grammars that differ from those of the parser: what an engine reads and the parser does not, and operators
//! that it binds otherwise. A tree that binds otherwise than its engine would be judged as another statement.
//!
//! Deliberately absent: anything that the parser reads as the engine does.

use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentList, FunctionArguments,
    Ident, LambdaFunction, LambdaFunctionParameter, LambdaSyntax, ObjectName, OneOrManyWithParens, Statement,
    UnaryOperator,
};
use sqlparser::dialect::{
    BindPlaceholderStyle, Dialect, DuckDbDialect, MySqlDialect, Precedence, SQLiteDialect,
};
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::Token;

/// How tight `^` and `**` bind on DuckDB: tighter than `*`.
const POWER: u8 = 45;
/// How tight `!` binds on MySQL: tighter than every operator between two values.
const BANG: u8 = 60;
/// How tight `XOR` binds on MySQL: looser than AND, tighter than OR.
const EXCLUSIVE_OR: u8 = 7;

/// How far a list is looked through for the FOR of a comprehension.
const COMPREHENSION_TOKENS_MAX: usize = 64;

/// Answers of a grammar that are those of the parser's own.
macro_rules! as_in {
    ($base:expr; $($method:ident)*) => {
        $(fn $method(&self) -> bool { $base.$method() })*

        fn dialect(&self) -> std::any::TypeId {
            $base.dialect()
        }

        fn identifier_quote_style(&self, identifier: &str) -> Option<char> {
            $base.identifier_quote_style(identifier)
        }

        fn is_identifier_start(&self, ch: char) -> bool {
            $base.is_identifier_start(ch)
        }

        fn is_identifier_part(&self, ch: char) -> bool {
            $base.is_identifier_part(ch)
        }

        fn is_delimited_identifier_start(&self, ch: char) -> bool {
            $base.is_delimited_identifier_start(ch)
        }

        fn is_table_factor_alias(&self, explicit: bool, keyword: &Keyword, parser: &mut Parser) -> bool {
            $base.is_table_factor_alias(explicit, keyword, parser)
        }

        fn supports_string_literal_table_alias(&self, explicit: bool) -> bool {
            $base.supports_string_literal_table_alias(explicit)
        }

        fn supports_string_literal_column_alias(&self, explicit: bool) -> bool {
            $base.supports_string_literal_column_alias(explicit)
        }

        fn ordered_bind_placeholder_style(&self) -> Option<BindPlaceholderStyle> {
            $base.ordered_bind_placeholder_style()
        }

        fn parse_statement(&self, parser: &mut Parser) -> Option<Result<Statement, ParserError>> {
            $base.parse_statement(parser)
        }
    };
}

/// DuckDB, with powers, GLOB, list comprehensions, `IGNORE NULLS` inside a call, and RENAME of a star.
#[derive(Debug)]
pub(super) struct DuckDb;

impl Dialect for DuckDb {
    as_in! { DuckDbDialect;
        supports_cte_materialization supports_trailing_commas supports_filter_during_aggregation
        supports_group_by_expr supports_bitwise_shift_operators supports_tilde_like_match_operator
        supports_aggregate_order_by_with_empty_args supports_comparison_in_between_low_bound
        supports_named_fn_args_with_eq_operator supports_named_fn_args_with_assignment_operator
        supports_dictionary_syntax support_map_literal_syntax supports_lambda_functions
        allow_extract_single_quotes supports_explain_with_utility_options supports_load_extension
        supports_array_typedef_with_brackets supports_from_first_select supports_order_by_all
        supports_select_wildcard_exclude supports_notnull_operator supports_install supports_detach
        supports_select_wildcard_replace supports_comma_separated_trim supports_numeric_literal_underscores
        supports_nested_comments supports_add_column_if_not_exists
    }

    fn supports_window_function_null_treatment_arg(&self) -> bool {
        true
    }

    fn supports_select_wildcard_rename(&self) -> bool {
        true
    }

    fn get_next_precedence(&self, parser: &Parser) -> Option<Result<u8, ParserError>> {
        let is_power = match &parser.peek_token_ref().token {
            Token::Caret => true,
            Token::Mul => parser.peek_nth_token_ref(1).token == Token::Mul,
            _ => false,
        };
        is_power.then_some(Ok(POWER))
    }

    fn parse_infix(
        &self,
        parser: &mut Parser,
        expr: &Expr,
        precedence: u8,
    ) -> Option<Result<Expr, ParserError>> {
        let op = match &parser.peek_token_ref().token {
            Token::Caret => BinaryOperator::PGExp,
            Token::Mul if parser.peek_nth_token_ref(1).token == Token::Mul => {
                parser.advance_token();
                BinaryOperator::PGExp
            }
            Token::Word(word) if word.keyword == Keyword::GLOB => BinaryOperator::Glob,
            _ => return None,
        };
        parser.advance_token();
        Some(operation(parser, expr, op, precedence))
    }

    fn parse_prefix(&self, parser: &mut Parser) -> Option<Result<Expr, ParserError>> {
        comprehends(parser).then(|| comprehension(parser))
    }
}

/// MySQL and MariaDB, with `||` for OR, XOR between AND and OR, `!`, MOD, and every unit of EXTRACT.
#[derive(Debug)]
pub(super) struct MySql;

impl Dialect for MySql {
    as_in! { MySqlDialect {};
        supports_string_literal_backslash_escape supports_string_literal_concatenation
        ignores_wildcard_escapes supports_numeric_prefix supports_literal_prefix_in_qualified_name
        supports_bitwise_shift_operators supports_singular_value_keyword supports_multiline_comment_hints
        require_interval_qualifier supports_limit_comma supports_create_table_select supports_insert_set
        supports_user_host_grantee supports_table_hints requires_single_line_comment_whitespace
        supports_hash_comment supports_match_against supports_select_modifiers supports_set_names
        supports_comma_separated_set_assignments supports_alter_column_position supports_update_order_by
        supports_data_type_signed_suffix supports_data_type_zerofill_suffix supports_cross_join_constraint
        supports_double_ampersand_operator supports_binary_kw_as_cast supports_table_partitions
        supports_comment_optimizer_hint supports_constraint_keyword_without_name supports_key_column_option
        supports_group_by_with_modifier supports_left_associative_joins_without_parens
    }

    fn allow_extract_custom(&self) -> bool {
        true
    }

    fn get_next_precedence(&self, parser: &Parser) -> Option<Result<u8, ParserError>> {
        match &parser.peek_token_ref().token {
            Token::StringConcat => Some(Ok(self.prec_value(Precedence::Or))),
            Token::Word(word) if word.keyword == Keyword::XOR => Some(Ok(EXCLUSIVE_OR)),
            Token::Word(word) if is_mod(&word.value, word.quote_style) => {
                Some(Ok(self.prec_value(Precedence::MulDivModOp)))
            }
            _ => MySqlDialect {}.get_next_precedence(parser),
        }
    }

    fn parse_infix(
        &self,
        parser: &mut Parser,
        expr: &Expr,
        precedence: u8,
    ) -> Option<Result<Expr, ParserError>> {
        let op = match &parser.peek_token_ref().token {
            Token::StringConcat => BinaryOperator::Or,
            Token::Word(word) if is_mod(&word.value, word.quote_style) => BinaryOperator::Modulo,
            _ => return MySqlDialect {}.parse_infix(parser, expr, precedence),
        };
        parser.advance_token();
        Some(operation(parser, expr, op, precedence))
    }

    fn parse_prefix(&self, parser: &mut Parser) -> Option<Result<Expr, ParserError>> {
        parser.consume_token(&Token::ExclamationMark).then(|| {
            let expr = Box::new(parser.parse_subexpr(BANG)?);
            Ok(Expr::UnaryOp { op: UnaryOperator::BangNot, expr })
        })
    }
}

/// SQLite, with ISNULL and MATERIALIZED.
#[derive(Debug)]
pub(super) struct SQLite;

impl Dialect for SQLite {
    as_in! { SQLiteDialect {};
        supports_filter_during_aggregation supports_start_transaction_modifier supports_in_empty_list
        supports_limit_comma supports_asc_desc_in_column_definition supports_dollar_placeholder
        supports_notnull_operator supports_is_operator supports_comma_separated_trim
        supports_numeric_literal_underscores supports_double_eq_assignment
        supports_string_literal_column_names supports_cast_empty_data_type_to_unspecified
        supports_national_string_literal supports_parens_around_table_factor
        supports_unterminated_block_comments supports_over_keyword_as_column_alias supports_indexed_by
        supports_comma_join_constraint supports_aggregate_order_by_with_empty_args
        supports_bitwise_shift_operators supports_in_table_expression
    }

    fn supports_cte_materialization(&self) -> bool {
        true
    }

    fn parse_data_type(&self, parser: &mut Parser) -> Option<Result<sqlparser::ast::DataType, ParserError>> {
        SQLiteDialect {}.parse_data_type(parser)
    }

    fn parse_infix(
        &self,
        parser: &mut Parser,
        expr: &Expr,
        precedence: u8,
    ) -> Option<Result<Expr, ParserError>> {
        match &parser.peek_token_ref().token {
            Token::Word(word) if is_isnull(&word.value, word.quote_style) => {
                parser.advance_token();
                Some(Ok(Expr::IsNull(Box::new(expr.clone()))))
            }
            _ => SQLiteDialect {}.parse_infix(parser, expr, precedence),
        }
    }

    fn get_next_precedence(&self, parser: &Parser) -> Option<Result<u8, ParserError>> {
        match &parser.peek_token_ref().token {
            Token::Word(word) if is_isnull(&word.value, word.quote_style) => {
                Some(Ok(self.prec_value(Precedence::Is)))
            }
            _ => SQLiteDialect {}.get_next_precedence(parser),
        }
    }

    fn prec_value(&self, precedence: Precedence) -> u8 {
        SQLiteDialect {}.prec_value(precedence)
    }

    fn is_column_alias(&self, keyword: &Keyword, parser: &mut Parser) -> bool {
        SQLiteDialect {}.is_column_alias(keyword, parser)
    }

    fn is_table_alias(&self, keyword: &Keyword, parser: &mut Parser) -> bool {
        SQLiteDialect {}.is_table_alias(keyword, parser)
    }

    fn is_table_factor(&self, keyword: &Keyword, parser: &mut Parser) -> bool {
        SQLiteDialect {}.is_table_factor(keyword, parser)
    }

    fn between_low_bound_precedence(&self) -> u8 {
        SQLiteDialect {}.between_low_bound_precedence()
    }
}

fn is_mod(word: &str, quote: Option<char>) -> bool {
    quote.is_none() && word.eq_ignore_ascii_case("mod")
}

fn is_isnull(word: &str, quote: Option<char>) -> bool {
    quote.is_none() && word.eq_ignore_ascii_case("isnull")
}

/// The rest of an operation whose operator was just read.
fn operation(
    parser: &mut Parser,
    left: &Expr,
    op: BinaryOperator,
    precedence: u8,
) -> Result<Expr, ParserError> {
    let right = Box::new(parser.parse_subexpr(precedence)?);
    Ok(Expr::BinaryOp { left: Box::new(left.clone()), op, right })
}

/// Whether a list comprehension comes next: `[`, and a FOR before the bracket ends.
fn comprehends(parser: &Parser) -> bool {
    if parser.peek_token_ref().token != Token::LBracket {
        return false;
    }
    let mut open = 0_usize;
    for nth in 0..COMPREHENSION_TOKENS_MAX {
        match &parser.peek_nth_token_ref(nth).token {
            Token::LBracket | Token::LParen | Token::LBrace => open = open.saturating_add(1),
            Token::RBracket | Token::RParen | Token::RBrace => {
                open = open.saturating_sub(1);
                if open == 0 {
                    return false;
                }
            }
            Token::Word(word) if open == 1 && word.keyword == Keyword::FOR => return true,
            Token::EOF => return false,
            _ => {}
        }
    }
    false
}

/// `[body FOR x IN list IF condition]`, as the calls that DuckDB itself reads it as.
fn comprehension(parser: &mut Parser) -> Result<Expr, ParserError> {
    parser.expect_token(&Token::LBracket)?;
    let body = parser.parse_expr()?;
    parser.expect_keyword(Keyword::FOR)?;
    let name = parser.parse_identifier()?;
    parser.expect_keyword(Keyword::IN)?;
    let mut list = parser.parse_expr()?;
    if parser.parse_keyword(Keyword::IF) {
        let condition = parser.parse_expr()?;
        list = over_list("list_filter", list, name.clone(), condition);
    }
    parser.expect_token(&Token::RBracket)?;
    Ok(over_list("list_transform", list, name, body))
}

/// `name(list, lambda x : body)`.
fn over_list(name: &str, list: Expr, parameter: Ident, body: Expr) -> Expr {
    let lambda = Expr::Lambda(LambdaFunction {
        params: OneOrManyWithParens::One(LambdaFunctionParameter { name: parameter, data_type: None }),
        body: Box::new(body),
        syntax: LambdaSyntax::LambdaKeyword,
    });
    let args = [list, lambda].map(|value| FunctionArg::Unnamed(FunctionArgExpr::Expr(value)));
    Expr::Function(Function {
        name: ObjectName::from(vec![Ident::new(name)]),
        uses_odbc_syntax: false,
        parameters: FunctionArguments::None,
        args: FunctionArguments::List(FunctionArgumentList {
            duplicate_treatment: None,
            args: args.into(),
            clauses: Vec::new(),
        }),
        filter: None,
        null_treatment: None,
        over: None,
        within_group: Vec::new(),
    })
}
