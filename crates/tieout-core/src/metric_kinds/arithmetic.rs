//! Exact arithmetic over other metrics: `gross_sales - refunds`, `(a + b) / c`.

use std::fmt;

use crate::number::{Number, quotient};

use super::Combined;

/// An arithmetic expression over metrics.
#[derive(Clone, Debug, PartialEq)]
pub enum Arithmetic {
    /// A metric, by name.
    Metric(String),
    /// A number as written.
    Constant(Number),
    /// A sum.
    Add(Box<Self>, Box<Self>),
    /// A difference.
    Subtract(Box<Self>, Box<Self>),
    /// A product.
    Multiply(Box<Self>, Box<Self>),
    /// A quotient; undefined over zero.
    Divide(Box<Self>, Box<Self>),
}

/// Why an expression cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ArithmeticError {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: String,
    /// Where, in bytes from the start of the expression.
    pub offset: usize,
}

/// The deepest nesting that is read.
const DEPTH_MAX: usize = 32;

/// The longest expression that is read, in bytes; with it the depth of a long `a + a + …` is bounded too.
const EXPRESSION_BYTES_MAX: usize = 4_000;

/// Why a quotient over zero has no figure.
const ZERO_DIVISOR: &str = "what it is divided by is zero";

impl Arithmetic {
    /// Reads an expression: metric names, decimal numbers, `+ - * /` and brackets.
    ///
    /// # Errors
    /// The place and a remedy when the text is not such an expression or nests deeper than is read.
    pub fn parse(text: &str) -> Result<Self, ArithmeticError> {
        let mut parser = Parser { text, at: 0 };
        if text.len() > EXPRESSION_BYTES_MAX {
            return Err(parser.error("the expression is too long"));
        }
        let expression = parser.sum(0)?;
        parser.skip_blanks();
        if parser.at < text.len() {
            return Err(parser.error("there is more than one expression here"));
        }
        Ok(expression)
    }

    /// The metrics it names, in order, each once.
    #[must_use]
    pub fn metrics(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.collect(&mut names);
        names
    }

    /// The metrics of a plain sum (`a + b + c`), or none when it is anything else.
    #[must_use]
    pub fn summands(&self) -> Option<Vec<&str>> {
        match self {
            Self::Metric(name) => Some(vec![name]),
            Self::Add(a, b) => {
                let mut all = a.summands()?;
                all.extend(b.summands()?);
                Some(all)
            }
            Self::Constant(_) | Self::Subtract(..) | Self::Multiply(..) | Self::Divide(..) => None,
        }
    }

    /// Works it out, exactly, from the figures of its metrics. Where one metric has no figure the whole has none, and
    /// where one is undefined, or a division is by zero, so is the whole; whether no rows count as zero is for the
    /// caller to say, by what it gives.
    #[must_use]
    pub fn evaluate(&self, figure: &dyn Fn(&str) -> Combined) -> Combined {
        let both = |a: &Self, b: &Self, work: fn(Number, Number) -> Combined| match (
            a.evaluate(figure),
            b.evaluate(figure),
        ) {
            (Combined::Value(a), Combined::Value(b)) => work(a, b),
            (Combined::Undefined(why), _) | (_, Combined::Undefined(why)) => Combined::Undefined(why),
            (Combined::None, _) | (_, Combined::None) => Combined::None,
        };
        match self {
            Self::Metric(name) => figure(name),
            Self::Constant(number) => Combined::Value(number.clone()),
            Self::Add(a, b) => both(a, b, |a, b| Combined::Value(a + b)),
            Self::Subtract(a, b) => both(a, b, |a, b| Combined::Value(a - b)),
            Self::Multiply(a, b) => both(a, b, |a, b| Combined::Value(a * b)),
            Self::Divide(a, b) => both(a, b, |a, b| match quotient(&a, &b) {
                Some(value) => Combined::Value(value),
                None => Combined::Undefined(ZERO_DIVISOR),
            }),
        }
    }

    fn collect<'a>(&'a self, names: &mut Vec<&'a str>) {
        match self {
            Self::Metric(name) => {
                if !names.contains(&name.as_str()) {
                    names.push(name);
                }
            }
            Self::Constant(_) => {}
            Self::Add(a, b) | Self::Subtract(a, b) | Self::Multiply(a, b) | Self::Divide(a, b) => {
                a.collect(names);
                b.collect(names);
            }
        }
    }
}

impl fmt::Display for Arithmetic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Metric(name) => f.write_str(name),
            Self::Constant(number) => f.write_str(&number.to_plain_string()),
            Self::Add(a, b) => write!(f, "({a} + {b})"),
            Self::Subtract(a, b) => write!(f, "({a} - {b})"),
            Self::Multiply(a, b) => write!(f, "({a} * {b})"),
            Self::Divide(a, b) => write!(f, "({a} / {b})"),
        }
    }
}

/// A number written with digits and at most one point; no exponent, which could be larger than any memory.
fn constant(word: &str) -> Option<Number> {
    let plain = word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    (plain && digits > 0 && word.len() - digits <= 1).then(|| word.parse().ok()).flatten()
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn sum(&mut self, depth: usize) -> Result<Arithmetic, ArithmeticError> {
        let mut left = self.product(depth)?;
        loop {
            if self.take('+') {
                left = Arithmetic::Add(Box::new(left), Box::new(self.product(depth)?));
            } else if self.take('-') {
                left = Arithmetic::Subtract(Box::new(left), Box::new(self.product(depth)?));
            } else {
                return Ok(left);
            }
        }
    }

    fn product(&mut self, depth: usize) -> Result<Arithmetic, ArithmeticError> {
        let mut left = self.atom(depth)?;
        loop {
            if self.take('*') {
                left = Arithmetic::Multiply(Box::new(left), Box::new(self.atom(depth)?));
            } else if self.take('/') {
                left = Arithmetic::Divide(Box::new(left), Box::new(self.atom(depth)?));
            } else {
                return Ok(left);
            }
        }
    }

    fn atom(&mut self, depth: usize) -> Result<Arithmetic, ArithmeticError> {
        if depth > DEPTH_MAX {
            return Err(self.error("the brackets nest too deep"));
        }
        if self.take('-') {
            let negated = self.atom(depth + 1)?;
            return Ok(Arithmetic::Subtract(
                Box::new(Arithmetic::Constant(Number::from(0))),
                Box::new(negated),
            ));
        }
        if self.take('(') {
            let inner = self.sum(depth + 1)?;
            return if self.take(')') { Ok(inner) } else { Err(self.error("a closing bracket is missing")) };
        }
        self.skip_blanks();
        let start = self.at;
        let word = self.word();
        if word.is_empty() {
            return Err(self.error("a metric's name or a number should stand here"));
        }
        if word.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            return constant(&word).map(Arithmetic::Constant).ok_or_else(|| {
                self.at = start;
                self.error(&format!("`{word}` is not a number"))
            });
        }
        Ok(Arithmetic::Metric(word))
    }

    fn word(&mut self) -> String {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(rest.len());
        self.at += end;
        rest[..end].to_owned()
    }

    fn take(&mut self, wanted: char) -> bool {
        self.skip_blanks();
        let found = self.text[self.at..].starts_with(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn skip_blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn error(&self, message: &str) -> ArithmeticError {
        ArithmeticError {
            message: message.to_owned(),
            hint: "write metrics, numbers, + - * / and brackets, such as `(a + b) / c`".to_owned(),
            offset: self.at,
        }
    }
}
