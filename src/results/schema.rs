//! JSON Schemas made from the types, as text that ends in a line feed. Those checked in under `fixtures/` must be these.

use schemars::JsonSchema;

use super::{Comparison, Document, Explanation, Prediction, Speed};

/// The JSON Schema of a results file.
pub fn json_schema() -> String {
    schema_of::<Document>()
}

/// The JSON Schema of a comparison file.
pub fn comparison_schema() -> String {
    schema_of::<Comparison>()
}

/// The JSON Schema of a file of `speed`.
pub fn speed_schema() -> String {
    schema_of::<Speed>()
}

/// The JSON Schema of a file of `explain`.
pub fn explanation_schema() -> String {
    schema_of::<Explanation>()
}

/// The JSON Schema of a file of `predict`.
pub fn prediction_schema() -> String {
    schema_of::<Prediction>()
}

fn schema_of<T: JsonSchema>() -> String {
    let generator = schemars::generate::SchemaSettings::draft2020_12().for_serialize().into_generator();
    let schema = generator.into_root_schema_for::<T>();
    let mut text =
        serde_json::to_string_pretty(&schema).expect("a schema is plain JSON, which always serializes");
    text.push('\n');
    text
}
