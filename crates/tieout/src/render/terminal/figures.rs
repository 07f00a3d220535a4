//! The number, then the table. A figure is never cut or broken: where columns do not fit, each group stands by itself.

use comfy_table::{
    Cell as TableCell, CellAlignment, ColumnConstraint, ContentArrangement, Row, Table as Grid,
    TableComponent, Width, presets::NOTHING,
};

use super::{Page, Style};
use crate::{
    render::text::{Run, columns, harmless, paint, shortened},
    wire::{Cell, Column, FigureValue, Key, Line, ListCell, Listing, Record, Table},
};

/// The fewest columns that a text column of a table is squeezed into.
const TEXT_COLUMNS_MIN: usize = 12;
/// The columns between two columns of a table.
const BETWEEN: usize = 2;

/// The figures of an answer.
pub(super) fn table(page: &mut Page<'_>, table: &Table) {
    if let Some(total) = &table.total {
        headline(page, table, total);
    }
    if table.groupings.is_empty() {
        return;
    }
    page.gap();
    let headings: Vec<String> =
        table.groupings.iter().cloned().chain(table.columns.iter().map(heading(table))).collect();
    let rows: Vec<Vec<String>> = table.lines.iter().map(cells).collect();
    let keys = table.groupings.len();
    let right: Vec<bool> = (0..headings.len()).map(|place| place >= keys).collect();
    grid(page, &headings, &rows, &right);
}

/// The total, or the only line: the numbers large and first, each with what it is.
fn headline(page: &mut Page<'_>, table: &Table, line: &Line) {
    // Above a part of the groups, a total is easily taken for theirs.
    let over = match (table.groupings.is_empty(), table.groups_before_cut) {
        (true, _) => String::new(),
        (false, None) => ", all groups".to_owned(),
        (false, Some(all)) => {
            format!(", all {all} groups, of which {} are shown", table.lines.len())
        }
    };
    let numbers: Vec<String> = line.figures.iter().map(|figure| harmless(&figure.shown)).collect();
    // What is no number does not push the numbers aside.
    let aligned = numbers.iter().zip(&line.figures).filter(|(_, figure)| figure_is_number(&figure.value));
    let (wide_number, wide_unit) = aligned
        .map(|(shown, _)| split(shown))
        .fold((0, 0), |(a, b), (number, unit)| (a.max(columns(number)), b.max(columns(unit))));
    let mut measure = None;
    for ((figure, shown), column) in line.figures.iter().zip(&numbers).zip(&table.columns) {
        if measure != Some(&column.label) {
            page.gap();
            page.flow(0, &[Run::new(format!("{}{over}", column.label), Style::Dim)]);
            measure = Some(&column.label);
        }
        let words = meaning(column);
        let style = match (figure_is_number(&figure.value), column.role.as_str()) {
            (true, "value" | "part") => Style::Strong,
            (true, _) => Style::Plain,
            (false, _) => Style::Warning,
        };
        let (number, unit) = split(shown);
        let pad = " ".repeat(wide_number.saturating_sub(columns(number)));
        let text = paint(format!("{number} {unit}").trim_end(), style, page.layout.colour);
        let beside = |wide: usize| if wide > 0 { wide + 1 } else { 0 };
        let missing = match figure_is_number(&figure.value) {
            true => beside(wide_unit).saturating_sub(beside(columns(unit))),
            false => 0,
        };
        let after = " ".repeat(missing + BETWEEN);
        let words = paint(&words, Style::Dim, page.layout.colour);
        page.raw(BETWEEN, &format!("{pad}{text}{after}{words}"));
    }
}

/// A number and its unit; what is no number is all unit-less text.
fn split(shown: &str) -> (&str, &str) {
    match shown.split_once(' ') {
        Some((number, unit)) if number.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => {
            (number, unit)
        }
        Some(_) | None => (shown, ""),
    }
}

fn figure_is_number(value: &FigureValue) -> bool {
    match value {
        FigureValue::Number { .. } => true,
        FigureValue::Undefined { .. } | FigureValue::NoRows | FigureValue::Withheld => false,
    }
}

/// What a column is beside its measure, in words.
fn meaning(column: &Column) -> String {
    let period = column.period.clone();
    match column.role.as_str() {
        "value" => period.unwrap_or_default(),
        "baseline" => period.unwrap_or_else(|| "the step before".to_owned()),
        "part" => "the part".to_owned(),
        "whole" => "of the whole".to_owned(),
        role => role.to_owned(),
    }
}

/// A column's heading: the measure's name where the table has several, or where nothing else says what it is.
fn heading(table: &Table) -> impl Fn(&Column) -> String {
    let several = table.columns.iter().any(|column| column.measure != table.columns[0].measure);
    let columns = table.columns.len();
    move |column| match (meaning(column), several || columns == 1) {
        (words, true) if words.is_empty() => column.label.clone(),
        (words, true) => format!("{}, {words}", column.label),
        (words, false) if words.is_empty() => column.label.clone(),
        (words, false) => words,
    }
}

fn cells(line: &Line) -> Vec<String> {
    let keys = line.keys.iter().map(key);
    keys.chain(line.figures.iter().map(|figure| figure.shown.clone())).collect()
}

/// A group's key. A missing value is written `(none)`; a text that says so is quoted, to be told from it.
fn key(key: &Key) -> String {
    told_apart(&key.cell, &key.shown)
}

fn told_apart(cell: &Cell, shown: &str) -> String {
    match cell {
        Cell::Text(text) if text.is_empty() || text.trim() != text || text == "(none)" => {
            format!("\"{shown}\"")
        }
        Cell::Text(_) => shortened(shown),
        Cell::Null
        | Cell::Boolean(_)
        | Cell::Number(_)
        | Cell::NotFinite(_)
        | Cell::Date(_)
        | Cell::Datetime(_)
        | Cell::Instant(_) => shown.to_owned(),
    }
}

/// The rows of a list, and how many there are in all.
pub(super) fn listing(page: &mut Page<'_>, listing: &Listing, record: &Record) {
    page.gap();
    let headings: Vec<String> = listing.columns.iter().map(|column| column.label.clone()).collect();
    let shown = |cell: &ListCell| told_apart(&cell.cell, &cell.shown);
    let rows: Vec<Vec<String>> = listing.rows.iter().map(|row| row.iter().map(shown).collect()).collect();
    let number = |place: usize| {
        listing.rows.iter().any(|row| matches!(row.get(place).map(|c| &c.cell), Some(Cell::Number(_))))
    };
    let right: Vec<bool> = (0..headings.len()).map(number).collect();
    grid(page, &headings, &rows, &right);
    let query = record.queries.iter().find(|query| query.id == listing.query);
    let words =
        format!("{} lines{}", rows.len(), query.map(|q| format!(" [{} rows]", q.id)).unwrap_or_default());
    page.flow(0, &[Run::new(words, Style::Dim)]);
}

/// A table, or one group after the other where its figures do not fit beside each other.
pub(super) fn grid(page: &mut Page<'_>, headings: &[String], rows: &[Vec<String>], right: &[bool]) {
    let headings: Vec<String> = headings.iter().map(|text| harmless(text)).collect();
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|text| harmless(text)).collect()).collect();
    let least: Vec<usize> = (0..headings.len()).map(|place| least(place, &headings, &rows, right)).collect();
    let between = BETWEEN * headings.len().saturating_sub(1);
    if least.iter().sum::<usize>() + between > page.width() {
        return stacked(page, &headings, &rows);
    }
    let mut grid = Grid::new();
    grid.load_preset(NOTHING).force_no_tty().set_content_arrangement(ContentArrangement::Dynamic);
    grid.set_style(TableComponent::HeaderLines, '─')
        .set_style(TableComponent::MiddleHeaderIntersections, '─');
    grid.set_width(u16::try_from(page.width()).unwrap_or(u16::MAX));
    grid.set_header(row(&headings, right));
    for cells in &rows {
        grid.add_row(row(cells, right));
    }
    for (place, wide) in least.iter().enumerate() {
        // The library puts one blank of its own between two columns.
        let after = if place + 1 < least.len() { BETWEEN - 1 } else { 0 };
        if let Some(column) = grid.column_mut(place) {
            column.set_padding((0, u16::try_from(after).unwrap_or_default()));
            let wide = u16::try_from(wide + after).unwrap_or(u16::MAX);
            column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(wide)));
        }
    }
    for line in grid.lines() {
        page.raw(0, &line);
    }
}

/// The fewest columns that a column needs: all of a figure's, some of a text's.
fn least(place: usize, headings: &[String], rows: &[Vec<String>], right: &[bool]) -> usize {
    let cells = rows.iter().filter_map(|row| row.get(place)).map(|text| columns(text)).max().unwrap_or(0);
    let word = headings.get(place).map(|text| text.split(' ').map(columns).max().unwrap_or(0)).unwrap_or(0);
    match right.get(place) {
        Some(true) => cells.max(word),
        Some(false) | None => cells.max(word).min(TEXT_COLUMNS_MIN),
    }
}

fn row(cells: &[String], right: &[bool]) -> Row {
    let cell = |(text, right): (&String, &bool)| {
        let side = if *right { CellAlignment::Right } else { CellAlignment::Left };
        TableCell::new(text).set_alignment(side)
    };
    Row::from(cells.iter().zip(right).map(cell).collect::<Vec<_>>())
}

/// Each row by itself, a line for each of its cells.
fn stacked(page: &mut Page<'_>, headings: &[String], rows: &[Vec<String>]) {
    for row in rows {
        page.gap();
        for (heading, cell) in headings.iter().zip(row) {
            // A figure stands on a line of its own where the line is too narrow for both.
            if columns(heading) + columns(cell) + BETWEEN <= page.width() {
                page.raw(0, &format!("{heading}  {cell}"));
            } else {
                page.flow(0, &[Run::new(heading.clone(), Style::Dim)]);
                page.raw(BETWEEN, cell);
            }
        }
    }
}
