//! Owns how DuckDB's values become cells, exactly. Deliberately absent: rounding.

use ::duckdb::arrow::{
    array::{self, Array, ArrayRef, ArrowPrimitiveType, AsArray},
    datatypes::{self, DataType, TimeUnit},
    util::display::{ArrayFormatter, FormatOptions},
};
use ::duckdb::core::LogicalTypeId;
use bigdecimal::{BigDecimal, num_bigint::BigInt};
use jiff::{SignedDuration, Timestamp, civil::Date, civil::DateTime};
use tieout_core::{evidence::Cell, halt::Fault};

use crate::fault;

const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

/// Reads the cells of one column.
pub(super) struct Reader<'a> {
    column: &'a ArrayRef,
    logical: LogicalTypeId,
    name: &'a str,
}

impl<'a> Reader<'a> {
    /// A reader of a column, by its name and the engine's own type.
    pub(super) fn new(column: &'a ArrayRef, logical: LogicalTypeId, name: &'a str) -> Reader<'a> {
        Reader { column, logical, name }
    }

    /// The cell of a row.
    pub(super) fn cell(&self, row: usize) -> Result<Cell, Fault> {
        if self.column.is_null(row) || self.column.data_type() == &DataType::Null {
            return Ok(Cell::Null);
        }
        let cell = match self.column.data_type() {
            DataType::Boolean => Cell::Boolean(self.column.as_boolean().value(row)),
            DataType::Int8 => whole(self.primitive::<datatypes::Int8Type>(row)?),
            DataType::Int16 => whole(self.primitive::<datatypes::Int16Type>(row)?),
            DataType::Int32 => whole(self.primitive::<datatypes::Int32Type>(row)?),
            DataType::Int64 => whole(self.primitive::<datatypes::Int64Type>(row)?),
            DataType::UInt8 => whole(self.primitive::<datatypes::UInt8Type>(row)?),
            DataType::UInt16 => whole(self.primitive::<datatypes::UInt16Type>(row)?),
            DataType::UInt32 => whole(self.primitive::<datatypes::UInt32Type>(row)?),
            DataType::UInt64 => whole(self.primitive::<datatypes::UInt64Type>(row)?),
            DataType::Float32 => self.float32(self.primitive::<datatypes::Float32Type>(row)?)?,
            DataType::Float64 => self.float64(self.primitive::<datatypes::Float64Type>(row)?)?,
            DataType::Decimal32(_, scale) => scaled(self.primitive::<datatypes::Decimal32Type>(row)?, *scale),
            DataType::Decimal64(_, scale) => scaled(self.primitive::<datatypes::Decimal64Type>(row)?, *scale),
            DataType::Decimal128(_, scale) => {
                let digits = self.primitive::<datatypes::Decimal128Type>(row)?;
                match self.logical {
                    // The engine hands these over bit by bit: what is negative here is a number above 2^127.
                    LogicalTypeId::UHugeint => whole(digits.cast_unsigned()),
                    _ => scaled(digits, *scale),
                }
            }
            DataType::Utf8 => Cell::Text(self.column.as_string::<i32>().value(row).to_owned()),
            DataType::LargeUtf8 => Cell::Text(self.column.as_string::<i64>().value(row).to_owned()),
            DataType::Date32 => self.date(self.primitive::<datatypes::Date32Type>(row)?)?,
            DataType::Timestamp(unit, zone) => self.moment(row, *unit, zone.is_some())?,
            DataType::Dictionary(_, _) => self.text_of_dictionary(row)?,
            DataType::Binary
            | DataType::LargeBinary
            | DataType::Time32(_)
            | DataType::Time64(_)
            | DataType::Interval(_)
            | DataType::List(_)
            | DataType::LargeList(_)
            | DataType::FixedSizeList(_, _)
            | DataType::Struct(_)
            | DataType::Map(_, _) => self.plain_form(row)?,
            other => return Err(self.strange(&other.to_string())),
        };
        Ok(cell)
    }

    fn primitive<T: ArrowPrimitiveType>(&self, row: usize) -> Result<T::Native, Fault> {
        match self.column.as_primitive_opt::<T>() {
            Some(values) => Ok(values.value(row)),
            None => Err(self.strange(&self.column.data_type().to_string())),
        }
    }

    fn float64(&self, value: f64) -> Result<Cell, Fault> {
        self.float(value.is_finite(), value.to_string())
    }

    fn float32(&self, value: f32) -> Result<Cell, Fault> {
        self.float(value.is_finite(), value.to_string())
    }

    /// A float by its shortest decimal.
    fn float(&self, finite: bool, shortest: String) -> Result<Cell, Fault> {
        if !finite {
            return Ok(Cell::NotFinite(shortest));
        }
        let number: BigDecimal = shortest.parse().map_err(|_| self.strange(&shortest))?;
        Ok(Cell::Number(number))
    }

    fn date(&self, days: i32) -> Result<Cell, Fault> {
        if days == i32::MAX || days == -i32::MAX {
            return Ok(Cell::NotFinite(if days > 0 { "infinity" } else { "-infinity" }.to_owned()));
        }
        let day = EPOCH.date().checked_add(SignedDuration::from_hours(i64::from(days) * 24));
        day.map(|date: Date| Cell::Date(date)).map_err(|_| self.out_of_range())
    }

    fn moment(&self, row: usize, unit: TimeUnit, zoned: bool) -> Result<Cell, Fault> {
        let (value, since) = match unit {
            TimeUnit::Second => {
                let value = self.primitive::<datatypes::TimestampSecondType>(row)?;
                (value, SignedDuration::from_secs(value))
            }
            TimeUnit::Millisecond => {
                let value = self.primitive::<datatypes::TimestampMillisecondType>(row)?;
                (value, SignedDuration::from_millis(value))
            }
            TimeUnit::Microsecond => {
                let value = self.primitive::<datatypes::TimestampMicrosecondType>(row)?;
                (value, SignedDuration::from_micros(value))
            }
            TimeUnit::Nanosecond => {
                let value = self.primitive::<datatypes::TimestampNanosecondType>(row)?;
                (value, SignedDuration::from_nanos(value))
            }
        };
        if value == i64::MAX || value == -i64::MAX {
            return Ok(Cell::NotFinite(if value > 0 { "infinity" } else { "-infinity" }.to_owned()));
        }
        match zoned {
            true => Timestamp::from_duration(since).map(Cell::Instant).map_err(|_| self.out_of_range()),
            false => EPOCH.checked_add(since).map(Cell::DateTime).map_err(|_| self.out_of_range()),
        }
    }

    fn text_of_dictionary(&self, row: usize) -> Result<Cell, Fault> {
        let dictionary =
            self.column.as_any_dictionary_opt().ok_or_else(|| self.strange("a dictionary of values"))?;
        let key = dictionary.normalized_keys().get(row).copied();
        let values = dictionary.values().as_any().downcast_ref::<array::StringArray>();
        match (key, values) {
            (Some(key), Some(values)) if key < values.len() => Ok(Cell::Text(values.value(key).to_owned())),
            _ => Err(self.strange("a dictionary of values")),
        }
    }

    /// Lists, structures, bytes and lengths of time, as a person would write them.
    fn plain_form(&self, row: usize) -> Result<Cell, Fault> {
        let options = FormatOptions::default().with_display_error(false).with_null("null");
        let formatter = ArrayFormatter::try_new(self.column.as_ref(), &options)
            .map_err(|error| self.strange(&error.to_string()))?;
        let text = formatter.value(row).try_to_string().map_err(|error| self.strange(&error.to_string()))?;
        Ok(Cell::Text(text))
    }

    fn strange(&self, what: &str) -> Fault {
        fault::data(
            format!("column `{}` holds values that cannot be shown: {what}", self.name),
            "leave the column out of the catalogue, or give its field an `expression` of a plain type",
        )
    }

    fn out_of_range(&self) -> Fault {
        fault::data(
            format!("column `{}` holds a date outside of the years -9999 to 9999", self.name),
            "correct the date in the data",
        )
    }
}

fn whole(value: impl Into<BigInt>) -> Cell {
    Cell::Number(BigDecimal::new(value.into(), 0))
}

fn scaled(digits: impl Into<BigInt>, scale: i8) -> Cell {
    Cell::Number(BigDecimal::new(digits.into(), i64::from(scale)))
}
