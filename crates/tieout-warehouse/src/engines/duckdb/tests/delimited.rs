//! Delimited files with every ailment.

use tieout_core::{
    catalogue::{Datatype, FileSource},
    halt::{Fault, FaultKind},
    ports::Warehouse,
};

use super::{DuckDb, over};
use crate::testing::{dataset, field, source, write};

const AMOUNT: &[(&str, Datatype)] = &[("id", Datatype::Integer), ("amount", Datatype::Decimal)];

fn opened(text: impl AsRef<[u8]>, file: FileSource, fields: &[(&str, Datatype)]) -> Result<DuckDb, Fault> {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &file.path, text);
    over(folder.path(), file, dataset("t", fields))
}

fn csv(text: impl AsRef<[u8]>, fields: &[(&str, Datatype)]) -> DuckDb {
    opened(text, source("t.csv"), fields).unwrap()
}

fn refused(engine: &DuckDb) -> Vec<String> {
    engine.notes().iter().map(|note| note.message.clone()).collect()
}

const ALL: &str = "SELECT * FROM t";

#[test]
fn plain_files_of_every_line_end() {
    for text in [
        "id,amount\n1,2.50\n2,\n",
        "id,amount\r\n1,2.50\r\n2,\r\n",
        "id,amount\r1,2.50\r2,\r",
        "id,amount\r\n1,2.50\n2,",
        "\u{feff}id,amount\n\n1,2.50\n\n2,\n\n",
    ] {
        let engine = csv(text, AMOUNT);
        assert_eq!(engine.printed(ALL), ["1 | 2.50", "2 | null"], "{text:?}");
        assert_eq!(refused(&engine), Vec::<String>::new(), "{text:?}");
    }
}

#[test]
fn separators_are_found() {
    for mark in [",", ";", "\t", "|"] {
        let text = format!("id{mark}amount\n1{mark}2.50\n");
        assert_eq!(csv(text, AMOUNT).printed(ALL), ["1 | 2.50"], "{mark:?}");
    }
    let file = FileSource { delimiter: Some('~'), ..source("t.csv") };
    assert_eq!(opened("id~amount\n1~2.50\n", file, AMOUNT).unwrap().printed(ALL), ["1 | 2.50"]);
    let tsv = opened("id\tamount\n1\t2.50\n", source("t.tsv"), AMOUNT).unwrap();
    assert_eq!(tsv.printed(ALL), ["1 | 2.50"]);
}

#[test]
fn quoted_fields_hold_anything() {
    let fields = &[("id", Datatype::Integer), ("name", Datatype::String)];
    let engine = csv("id,name\r\n1,\"two\r\nlines, and \"\"marks\"\"\"\r\n\"2\",plain\r\n", fields);
    assert_eq!(engine.printed(ALL), ["1 | 'two\r\nlines, and \"marks\"'", "2 | 'plain'"]);
}

#[test]
fn a_mark_in_an_unquoted_field_is_a_letter() {
    let fields = &[("id", Datatype::Integer), ("name", Datatype::String)];
    let engine = csv("id,name\n1,5\" pipe\n2,a\"b\"c\n", fields);
    assert_eq!(engine.printed(ALL), ["1 | '5\" pipe'", "2 | 'a\"b\"c'"]);
}

#[test]
fn latin_1_is_read_when_it_is_sniffed_and_when_it_is_declared() {
    let fields = &[("id", Datatype::Integer), ("name", Datatype::String)];
    let text = b"id,name\n1,M\xfcller\n2,\x80 5\n";
    for encoding in [None, Some("latin-1".to_owned())] {
        let file = FileSource { encoding, ..source("t.csv") };
        assert_eq!(opened(text, file, fields).unwrap().printed(ALL), ["1 | 'Müller'", "2 | '€ 5'"]);
    }
    let utf8 = FileSource { encoding: Some("utf-8".to_owned()), ..source("t.csv") };
    let engine = opened(b"id,name\n1,M\xfcller\n2,M\xc3\xbcller\n", utf8, fields).unwrap();
    assert_eq!(engine.printed(ALL), ["2 | 'Müller'"]);
    assert_eq!(refused(&engine), ["t: 1 of 2 rows was refused; see `tieout data check`"]);
}

#[test]
fn latin_1_that_shows_late_is_found_and_a_late_slip_is_refused() {
    let fields = &[("id", Datatype::Integer), ("name", Datatype::String)];
    let plain = "1,plain\n".repeat(100_000);
    let late = [b"id,name\n", plain.as_bytes(), b"2,M\xfcller\n"].concat();
    let engine = csv(late, fields);
    assert_eq!(engine.printed("SELECT name FROM t WHERE id = 2"), ["'Müller'"]);
    let slip = ["id,name\n3,M\u{fc}ller\n".as_bytes(), plain.as_bytes(), b"2,M\xfcller\n"].concat();
    let engine = csv(slip, fields);
    assert_eq!(engine.printed("SELECT name FROM t WHERE id <> 1"), ["'Müller'"]);
    assert_eq!(refused(&engine), ["t: 1 of 100,002 rows was refused; see `tieout data check`"]);
}

#[test]
fn a_line_that_is_far_too_long_is_refused() {
    let fields = &[("id", Datatype::Integer), ("name", Datatype::String)];
    let engine =
        csv(format!("id,name\n1,{}\n2,{}\n3,c\n", "a".repeat(500_000), "\"".repeat(600_000)), fields);
    assert_eq!(engine.printed("SELECT id, length(name) FROM t"), ["1 | 500000", "3 | 1"]);
    assert_eq!(refused(&engine), ["t: 1 of 3 rows was refused; see `tieout data check`"]);
}

#[test]
fn rows_that_cannot_be_read_are_refused_and_counted() {
    let engine = csv("id,amount\n1,2.50\nx,3\n3\n4,5,6\n5,$7\n6,inf\n7,NaN\n\"8,1\n9,8.123\n", AMOUNT);
    assert_eq!(engine.printed(ALL), ["1 | 2.500", "9 | 8.123"]);
    assert_eq!(refused(&engine), ["t: 7 of 9 rows were refused; see `tieout data check`"]);
}

#[test]
fn nothing_is_rounded_or_cut_off() {
    let fields = &[("n", Datatype::Integer), ("d", Datatype::Date), ("t", Datatype::Timestamp)];
    let engine = csv(
        "n,d,t\n1.5,2026-01-01,2026-01-01 00:00:00\n2,2026-01-01 13:00:00,2026-01-01 00:00:00\n3,2026-01-01,2026-01-01 00:00:00+02\n4.0,2026-01-01 00:00:00,2026-01-01\n",
        fields,
    );
    assert_eq!(engine.printed(ALL), ["4 | date 2026-01-01 | civil 2026-01-01T00:00:00"]);
    assert_eq!(refused(&engine).len(), 1);
}

#[test]
fn large_numbers_widen_their_column() {
    let late = |last: &str| format!("id,amount\n{}{last}\n", "1,2.5\n".repeat(200_000));
    let engine = csv(late("9223372036854775808,0.123456789"), AMOUNT);
    let sums = "SELECT count(*), sum(id), sum(amount) FROM t";
    assert_eq!(engine.printed(sums), ["200001 | 9223372036854975808 | 500000.123456789"]);
    let engine = csv(late("1,12345678901234567890123456789.25"), AMOUNT);
    assert_eq!(engine.printed(sums), ["200001 | 200001 | 12345678901234567890123956789.25"]);
    assert_eq!(refused(&engine), Vec::<String>::new());
}

#[test]
fn thousands_and_decimal_commas() {
    let file = FileSource { thousands: Some('.'), decimal: Some(','), ..source("t.csv") };
    let engine = opened("id;amount\n1.000;1.234,50\n2;-0,5\n3;1,5,0\n", file, AMOUNT).unwrap();
    assert_eq!(engine.printed(ALL), ["1000 | 1234.5", "2 | -0.5"]);
    assert_eq!(refused(&engine), ["t: 1 of 3 rows was refused; see `tieout data check`"]);
}

#[test]
fn day_first_dates() {
    let fields = &[("d", Datatype::Date)];
    let british = csv("d\n13/02/2026\n01/03/2026\n", fields);
    assert_eq!(british.printed(ALL), ["date 2026-02-13", "date 2026-03-01"]);
    let american = csv("d\n02/13/2026\n01/03/2026\n", fields);
    assert_eq!(american.printed(ALL), ["date 2026-02-13", "date 2026-01-03"]);
    let late = format!("d\n{}13/02/2026\n", "01/03/2026\n".repeat(100_000));
    assert_eq!(
        csv(late, fields).printed("SELECT min(d), max(d) FROM t"),
        ["date 2026-02-13 | date 2026-03-01"]
    );
    let either = opened("d\n01/02/2026\n", source("t.csv"), fields).err().unwrap();
    assert!(either.message.contains("%d/%m/%Y or %m/%d/%Y"), "{either}");
    let declared = FileSource { date_format: Some("%m/%d/%Y".to_owned()), ..source("t.csv") };
    assert_eq!(opened("d\n01/02/2026\n", declared, fields).unwrap().printed(ALL), ["date 2026-01-02"]);
}

#[test]
fn totals_at_the_end() {
    let text = "id,amount\n1,2\n2,3\nTotal,5\n\n";
    let engine = csv(text, AMOUNT);
    assert_eq!(engine.printed(ALL), ["1 | 2", "2 | 3"]);
    let notes = refused(&engine);
    assert_eq!(notes[0], "t: 1 of 3 rows was refused; see `tieout data check`");
    assert!(notes[1].contains("looks like a total"), "{notes:?}");
    let skipped = FileSource { skip_trailing: 1, ..source("t.csv") };
    let engine = opened(text, skipped, AMOUNT).unwrap();
    assert_eq!(engine.printed(ALL), ["1 | 2", "2 | 3"]);
    assert_eq!(refused(&engine), Vec::<String>::new());
}

#[test]
fn a_total_that_could_be_a_row_is_told() {
    let engine = csv(
        "name,amount\na,2\nGrand total:,2\n",
        &[("name", Datatype::String), ("amount", Datatype::Decimal)],
    );
    assert_eq!(engine.printed("SELECT count(*) FROM t"), ["2"]);
    assert!(refused(&engine)[0].contains("`Grand total:,2`"));
}

#[test]
fn columns_of_one_name_must_be_told_apart() {
    let text = "id,amount,amount\n1,2,3\n";
    let fault = opened(text, source("t.csv"), AMOUNT).err().unwrap();
    assert!(fault.message.contains("more than one column `amount`"), "{fault}");
    assert_eq!(fault.hint, "say which: `column: amount_1` or `column: amount_2`");
    let mut second = dataset("t", &[("id", Datatype::Integer)]);
    let mut amount = field("amount", Datatype::Decimal);
    amount.column = Some("amount_2".to_owned());
    second.fields.insert("amount".to_owned(), amount);
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "t.csv", text);
    let engine = over(folder.path(), source("t.csv"), second).unwrap();
    assert_eq!(engine.printed("SELECT amount_2 FROM t"), ["3"]);
}

#[test]
fn a_missing_column_is_named_with_what_there_is() {
    let fault = opened("id,sum\n1,2\n", source("t.csv"), AMOUNT).err().unwrap();
    assert_eq!(fault.message, "`t.csv` has no column `amount`, which t.amount needs");
    assert!(fault.hint.starts_with("its columns are: id, sum;"), "{}", fault.hint);
}

#[test]
fn files_that_are_not_there_or_hold_nothing() {
    let told = |name: &str, text: Option<&[u8]>| {
        let folder = tempfile::tempdir().unwrap();
        if let Some(text) = text {
            write(folder.path(), name, text);
        }
        over(folder.path(), source(name), dataset("t", AMOUNT)).err().unwrap()
    };
    assert_eq!(told("t.csv", None).message, "`t.csv` is not there");
    assert!(told("t.csv", Some(b"")).message.starts_with("`t.csv` is empty"));
    assert!(told("t.csv", Some(b"\n\n")).message.starts_with("`t.csv` is empty"));
    assert_eq!(told("t.doc", Some(b"x")).message, "`t.doc` is of no format that is read here");
    assert_eq!(told("t.csv", Some(b"\xff\xfei\0d\0")).message, "`t.csv` is encoded in UTF-16");
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("t.csv")).unwrap();
    let fault = over(folder.path(), source("t.csv"), dataset("t", AMOUNT)).err().unwrap();
    assert_eq!((fault.kind, fault.message.as_str()), (FaultKind::Data, "`t.csv` is a folder, not a file"));
}

#[test]
fn a_header_without_rows_is_an_empty_table() {
    let engine = csv("id,amount\n", AMOUNT);
    assert_eq!(engine.printed("SELECT count(*), sum(amount) FROM t"), ["0 | null"]);
}

#[test]
fn a_file_without_a_header() {
    let file = FileSource { header: Some(false), ..source("t.csv") };
    let engine =
        opened("1,2.5\n2,3\n", file, &[("column1", Datatype::Integer), ("column2", Datatype::Decimal)])
            .unwrap();
    assert_eq!(engine.printed(ALL), ["1 | 2.5", "2 | 3.0"]);
}

#[test]
fn a_file_of_which_no_row_can_be_read_is_a_fault() {
    let fault = opened("id,amount\nx,1\ny,2\n", source("t.csv"), AMOUNT).err().unwrap();
    assert_eq!(
        fault.message,
        "none of the 2 rows of `t.csv` can be read; the first, line 2: `x` in column `id` is not a whole number"
    );
}

#[test]
fn empty_and_null_fields_are_no_values() {
    let fields = &[("id", Datatype::Integer), ("name", Datatype::String), ("n", Datatype::Integer)];
    let engine = csv("id,name,n\n1,,NULL\n2,\"\",\\N\n3,NULL,\n,,\n", fields);
    assert_eq!(engine.printed(ALL), ["1 | null | null", "2 | null | null", "3 | 'NULL' | null"]);
    assert_eq!(refused(&engine), ["t: 1 of 4 rows was refused; see `tieout data check`"]);
}

#[test]
fn a_column_of_one_keeps_its_empty_rows_out() {
    let engine = csv("name\na\n\nb\n", &[("name", Datatype::String)]);
    assert_eq!(engine.printed(ALL), ["'a'", "'b'"]);
}
