//! The JSON Schemas that are checked in are those that the table of keys gives. `TIEOUT_REWRITE=1` writes them.

use std::{fs, path::Path};

use tieout_core::catalogue::load::{catalogue_schema, project_schema};

#[test]
fn schemas_are_fresh() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schema");
    for (name, schema) in
        [("tieout.schema.json", project_schema()), ("catalogue.schema.json", catalogue_schema())]
    {
        let fresh = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        let path = folder.join(name);
        if std::env::var_os("TIEOUT_REWRITE").is_some() {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&path, &fresh).unwrap();
        }
        let written = fs::read_to_string(&path).unwrap_or_default();
        assert!(written == fresh, "schema/{name} is stale; run this test with TIEOUT_REWRITE=1");
    }
}
