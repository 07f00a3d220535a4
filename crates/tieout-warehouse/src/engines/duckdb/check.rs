//! Owns `data check` on DuckDB: every source whole, then keys, relationships and declared values.
//!
//! It looks at the rows of every tenant: it is the owner of the data who asks. Deliberately absent: running at every
//! question.

use tieout_core::{
    catalogue::{Dataset, Datatype, Field, Project, Relationship},
    halt::Fault,
};

use super::{
    attach::{self, Extent},
    attached::{Attached, Kind, Naming, Origin},
    failure, proof,
    session::{Session, literal, name},
    wanted::word,
};
use crate::{
    Attachment,
    files::{Dialect, Encoding, NewLine},
    report::{
        ColumnReport, DataReport, DecidedBy, KeyReport, OutsideReport, RefusedRow, RelationshipReport,
        SourceReport,
    },
};

/// How many examples of a finding are shown.
const EXAMPLES_MAX: usize = 5;
/// The column that tells tenants apart, inside the statements below.
const TENANT: &str = "tieout tenant";

/// Checks a project's data.
pub(crate) fn check(at: Attachment<'_>) -> Result<DataReport, Fault> {
    let mut session = Session::start()?;
    let mut report = DataReport::default();
    let mut attached = Vec::new();
    for outcome in attach::attach_each(&mut session, at.project, at.root, at.corpora, Extent::Everything)? {
        match outcome {
            (_, Ok(source)) => attached.push(source),
            (source, Err(fault)) => report.unreadable.push((source, fault)),
        }
    }
    for source in &attached {
        report.sources.push(self::source(&session, source)?);
    }
    let checks = Checks { session: &session, project: at.project, attached: &attached };
    for dataset in at.project.catalogue.datasets.values() {
        checks.keys(dataset, &mut report);
        checks.values(dataset, &mut report);
    }
    for relationship in at.project.catalogue.relationships.values() {
        checks.relationship(relationship, &mut report);
    }
    Ok(report)
}

/// What is told of a source.
fn source(session: &Session, source: &Attached) -> Result<SourceReport, Fault> {
    let (rows, columns) = columns(session, source)?;
    let refusals = &source.refusals;
    let refused = refusals.kept.iter();
    let unnamed = source.columns.iter().filter(|column| column.naming == Naming::Unnamed);
    Ok(SourceReport {
        source: source.source.clone(),
        file: source.shown.clone(),
        format: match source.kind {
            Kind::Delimited(_) => "csv",
            Kind::Json => "json lines",
            Kind::Parquet => "parquet",
            Kind::Table => "table",
        },
        decisions: match &source.kind {
            Kind::Delimited(dialect) => decisions(dialect),
            Kind::Json | Kind::Parquet | Kind::Table => Vec::new(),
        },
        rows,
        refused: refusals.count,
        refusals: refused
            .map(|row| RefusedRow {
                place: format!("{} {}", refusals.unit, row.place),
                reason: row.reason.clone(),
            })
            .collect(),
        columns,
        unnamed: unnamed.map(|column| column.name.clone()).collect(),
        notes: source.totals().into_iter().collect(),
    })
}

/// How many rows a source has, and what is told of its columns.
fn columns(session: &Session, source: &Attached) -> Result<(u64, Vec<ColumnReport>), Fault> {
    let mut counts = vec!["count(*)".to_owned()];
    for column in &source.columns {
        let column_name = name(&column.name);
        counts.push(format!("count({column_name})"));
        counts.push(match column.stored.as_str() {
            "FLOAT" | "DOUBLE" => format!("count(*) FILTER (WHERE NOT isfinite({column_name}))"),
            _ => "0::BIGINT".to_owned(),
        });
    }
    let sql = format!("SELECT {} FROM {}", counts.join(", "), source.target);
    let counted: Vec<u64> = session
        .connection()
        .query_row(&sql, [], |row| (0..counts.len()).map(|at| row.get(at)).collect())
        .map_err(|error| failure::fault(&error, &format!("counting the rows of `{}`", source.shown)))?;
    let rows = counted.first().copied().unwrap_or_default();
    let count = |at: usize| counted.get(at).copied().unwrap_or_default();
    let columns = source.columns.iter().enumerate().map(|(at, column)| {
        let (datatype, decided_by) = match column.origin {
            Origin::Catalogue(datatype) => (word(datatype).to_owned(), DecidedBy::Catalogue),
            Origin::Sniffed(datatype) => (word(datatype).to_owned(), DecidedBy::Sniffed),
            Origin::Source => (column.stored.to_lowercase(), DecidedBy::Source),
        };
        ColumnReport {
            name: column.name.clone(),
            datatype,
            decided_by,
            stored: column.stored.clone(),
            date_format: column.date_format.clone(),
            nulls: rows.saturating_sub(count(1 + at * 2)),
            not_finite: count(2 + at * 2),
        }
    });
    Ok((rows, columns.collect()))
}

fn decisions(dialect: &Dialect) -> Vec<(&'static str, String)> {
    let encoding = match dialect.encoding {
        Encoding::Utf8 => "utf-8",
        Encoding::Latin1 => "latin-1",
    };
    let delimiter = match dialect.delimiter {
        b'\t' => "tab".to_owned(),
        mark => char::from(mark).to_string(),
    };
    let newline = match dialect.newline {
        NewLine::Feed => "line feed",
        NewLine::ReturnFeed => "carriage return and line feed",
        NewLine::Return => "carriage return",
        NewLine::Mixed => "mixed",
    };
    let header = if dialect.header { "first line" } else { "none; columns are numbered" };
    let mut decisions = vec![
        ("encoding", encoding.to_owned()),
        ("delimiter", delimiter),
        ("quote", "\"".to_owned()),
        ("line ends", newline.to_owned()),
        ("header", header.to_owned()),
    ];
    if dialect.skip_trailing > 0 {
        decisions.push(("skipped", format!("the last {} lines", dialect.skip_trailing)));
    }
    if !dialect.repeated.is_empty() {
        decisions.push(("same name", format!("{}; told apart by numbers", dialect.repeated.join(", "))));
    }
    decisions
}

/// Checks across the datasets of a project.
struct Checks<'a> {
    session: &'a Session,
    project: &'a Project,
    attached: &'a [Attached],
}

impl Checks<'_> {
    /// Whether each stated key is one, among the rows of each tenant.
    fn keys(&self, dataset: &Dataset, report: &mut DataReport) {
        let Some(relation) = self.relation(dataset) else { return };
        for key in
            std::iter::once(&dataset.primary_key).chain(&dataset.unique_keys).filter(|key| !key.is_empty())
        {
            let key_names: Vec<String> = key.iter().map(|field| name(field)).collect();
            let whole = key_names
                .iter()
                .map(|field| format!("{field} IS NOT NULL"))
                .collect::<Vec<_>>()
                .join(" AND ");
            let groups = format!("{}, {}", key_names.join(", "), name(TENANT));
            let repeated = format!(
                "SELECT {}, count(*) AS n FROM {relation} WHERE {whole} GROUP BY {groups} HAVING count(*) > 1",
                shown_key(&key_names),
            );
            let found = (|| {
                let duplicates = match self.surely_a_key(dataset, key, &relation)? {
                    true => 0,
                    false => self.count(&format!("SELECT count(*) FROM ({repeated})"))?,
                };
                let incomplete =
                    self.count(&format!("SELECT count(*) FROM {relation} WHERE NOT ({whole})"))?;
                let examples = match duplicates {
                    0 => Vec::new(),
                    _ => {
                        self.examples(&format!("SELECT shown, n FROM ({repeated}) ORDER BY n DESC, shown"))?
                    }
                };
                Ok::<_, ::duckdb::Error>(KeyReport {
                    dataset: dataset.name.clone(),
                    fields: key.clone(),
                    duplicates,
                    examples,
                    incomplete,
                })
            })();
            match found {
                Ok(found) => report.keys.push(found),
                Err(error) => {
                    let told = failure::words(&error);
                    report.unchecked.push(format!(
                        "the key of {} ({}): {told}",
                        dataset.name,
                        key.join(", ")
                    ));
                }
            }
        }
    }

    /// Whether a key of one whole number is one even across tenants, which is proven quickly.
    fn surely_a_key(
        &self,
        dataset: &Dataset,
        key: &[String],
        relation: &str,
    ) -> Result<bool, ::duckdb::Error> {
        let [field] = key else { return Ok(false) };
        let datatype = dataset.fields.get(field).map(|field| field.datatype);
        if datatype != Some(Datatype::Integer) {
            return Ok(false);
        }
        Ok(proof::all_different(self.session.connection(), relation, &name(field))? == Some(true))
    }

    /// Whether fields hold only the values that they declare.
    fn values(&self, dataset: &Dataset, report: &mut DataReport) {
        let Some(relation) = self.relation(dataset) else { return };
        for field in dataset.fields.values().filter(|field| !field.values.is_empty()) {
            let declared: Vec<String> = field.values.iter().map(|known| literal(&known.value)).collect();
            let text = format!("CAST({} AS VARCHAR)", name(&field.name));
            let outside = format!("{text} IS NOT NULL AND {text} NOT IN ({})", declared.join(", "));
            let shown =
                format!("SELECT {text} AS shown, count(*) AS n FROM {relation} WHERE {outside} GROUP BY ALL");
            let found = (|| {
                let rows = self.count(&format!("SELECT count(*) FROM {relation} WHERE {outside}"))?;
                let examples = self.examples(&format!("{shown} ORDER BY n DESC, shown"))?;
                Ok::<_, ::duckdb::Error>((rows, examples))
            })();
            let field = format!("{}.{}", dataset.name, field.name);
            match found {
                Ok((0, _)) => {}
                Ok((rows, examples)) => report.outside.push(OutsideReport { field, rows, examples }),
                Err(error) => {
                    report.unchecked.push(format!("the values of {field}: {}", failure::words(&error)))
                }
            }
        }
    }

    /// Whether rows find the rows that they point to, among those of their tenant.
    fn relationship(&self, relationship: &Relationship, report: &mut DataReport) {
        let datasets = &self.project.catalogue.datasets;
        let ends = datasets.get(&relationship.from).zip(datasets.get(&relationship.to));
        let Some((from, to)) = ends else { return };
        let Some((many, one)) = self.relation(from).zip(self.relation(to)) else { return };
        let columns: Vec<String> =
            relationship.from_columns.iter().map(|column| format!("m.{}", name(column))).collect();
        let whole =
            columns.iter().map(|column| format!("{column} IS NOT NULL")).collect::<Vec<_>>().join(" AND ");
        let mut pairs: Vec<String> = columns
            .iter()
            .zip(&relationship.to_columns)
            .map(|(column, to)| format!("{column} = o.{}", name(to)))
            .collect();
        if from.tenant.is_some() && to.tenant.is_some() {
            pairs.push(format!("m.{0} = o.{0}", name(TENANT)));
        }
        let lost = format!(
            "FROM {many} m WHERE {whole} AND NOT EXISTS (SELECT 1 FROM {one} o WHERE {})",
            pairs.join(" AND ")
        );
        let found = (|| {
            let rows = self.count(&format!("SELECT count(*) FROM {many} m WHERE {whole}"))?;
            let orphans = self.count(&format!("SELECT count(*) {lost}"))?;
            let missing = match relationship.required {
                true => self.count(&format!("SELECT count(*) FROM {many} m WHERE NOT ({whole})"))?,
                false => 0,
            };
            let examples = self.examples(&format!(
                "SELECT {}, count(*) AS n {lost} GROUP BY ALL ORDER BY n DESC, shown",
                shown_key(&columns)
            ))?;
            Ok::<_, ::duckdb::Error>((rows, orphans, missing, examples))
        })();
        match found {
            Ok((rows, orphans, missing, examples)) => report.relationships.push(RelationshipReport {
                name: relationship.name.clone(),
                link: format!(
                    "{}.{} to {}.{}",
                    relationship.from,
                    relationship.from_columns.join("+"),
                    relationship.to,
                    relationship.to_columns.join("+")
                ),
                rows,
                orphans,
                examples: examples.into_iter().map(|(shown, _)| shown).collect(),
                missing,
            }),
            Err(error) => report.unchecked.push(format!("{}: {}", relationship.name, failure::words(&error))),
        }
    }

    /// A dataset's rows with its fields by their own names, and the tenant; none when its source was not read.
    fn relation(&self, dataset: &Dataset) -> Option<String> {
        let source = self.attached.iter().find(|source| source.source == dataset.source)?;
        let tenant = dataset.tenant.as_ref().map_or_else(|| "NULL".to_owned(), |column| name(column));
        let physical = |field: &&Field| field.expression.is_none();
        let columns: Vec<String> = dataset
            .fields
            .values()
            .filter(physical)
            .map(|field| {
                format!("{} AS {}", name(field.column.as_ref().unwrap_or(&field.name)), name(&field.name))
            })
            .chain([format!("{tenant} AS {}", name(TENANT))])
            .collect();
        let computed: Vec<String> = dataset
            .fields
            .values()
            .filter_map(|field| {
                Some(format!(", ({}) AS {}", field.expression.as_ref()?.text(), name(&field.name)))
            })
            .collect();
        let filter =
            dataset.filter.as_ref().map(|filter| format!(" WHERE ({})", filter.text())).unwrap_or_default();
        Some(format!(
            "(SELECT * FROM (SELECT *{} FROM (SELECT {} FROM {}) fields) computed{filter})",
            computed.concat(),
            columns.join(", "),
            source.target
        ))
    }

    fn count(&self, sql: &str) -> Result<u64, ::duckdb::Error> {
        self.session.connection().query_row(sql, [], |row| row.get(0))
    }

    fn examples(&self, sql: &str) -> Result<Vec<(String, u64)>, ::duckdb::Error> {
        let mut statement = self.session.connection().prepare(&format!("{sql} LIMIT {EXAMPLES_MAX}"))?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.collect()
    }
}

/// A key as one text.
fn shown_key(columns: &[String]) -> String {
    let texts: Vec<String> = columns.iter().map(|column| format!("CAST({column} AS VARCHAR)")).collect();
    format!("concat_ws(' + ', {}) AS shown", texts.join(", "))
}
