//! As much of JSON Schema as the results schema uses. A keyword it does not know makes it fail, so that it cannot
//! pass what it does not understand.

use serde_json::{Map, Value};

/// Where and how `value` breaks `schema`.
pub fn violations(schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(schema, schema, value, "", &mut found);
    found
}

fn check(root: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    let rules: &Map<String, Value> = schema.as_object().expect("a schema is an object");
    for (keyword, rule) in rules {
        match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" | "format" | "default" => {}
            "$ref" => {
                let pointer =
                    rule.as_str().and_then(|text| text.strip_prefix('#')).expect("a local reference");
                check(root, root.pointer(pointer).expect("it leads somewhere"), value, at, found);
            }
            "type" => {
                let names = rule.as_array().map_or(std::slice::from_ref(rule), Vec::as_slice);
                if !names.iter().any(|name| is_of_type(value, name.as_str().expect("a type's name"))) {
                    found.push(format!("{at}: not of type {rule}"));
                }
            }
            "const" if rule != value => found.push(format!("{at}: not {rule}")),
            "const" => {}
            "minimum" => {
                if value.as_f64().is_some_and(|number| number < rule.as_f64().expect("a number")) {
                    found.push(format!("{at}: below {rule}"));
                }
            }
            "maximum" => {
                if value.as_f64().is_some_and(|number| number > rule.as_f64().expect("a number")) {
                    found.push(format!("{at}: above {rule}"));
                }
            }
            "minItems" | "maxItems" => {
                let limit = rule.as_u64().expect("a count");
                let is_broken =
                    |count: u64| if keyword == "minItems" { count < limit } else { count > limit };
                if value.as_array().is_some_and(|items| is_broken(items.len() as u64)) {
                    found.push(format!("{at}: {keyword} is {rule}"));
                }
            }
            "required" => {
                let names = rule.as_array().expect("names").iter().filter_map(Value::as_str);
                let missing = names.filter(|name| value.is_object() && value.get(name).is_none());
                found.extend(missing.map(|name| format!("{at}: no {name}")));
            }
            "properties" => {
                for (name, rule) in rule.as_object().expect("properties") {
                    if let Some(value) = value.get(name) {
                        check(root, rule, value, &format!("{at}/{name}"), found);
                    }
                }
            }
            "additionalProperties" => {
                for (name, value) in value.as_object().into_iter().flatten() {
                    check(root, rule, value, &format!("{at}/{name}"), found);
                }
            }
            "items" => {
                for (index, value) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, rule, value, &format!("{at}/{index}"), found);
                }
            }
            "anyOf" | "oneOf" => check_any(root, rule, value, at, found),
            unknown => panic!("{at}: keyword {unknown} is not known here"),
        }
    }
}

fn check_any(root: &Value, rule: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    let choices = rule.as_array().expect("choices");
    let fits = |choice: &Value| {
        let mut inner = Vec::new();
        check(root, choice, value, at, &mut inner);
        inner.is_empty()
    };
    if !choices.iter().any(fits) {
        found.push(format!("{at}: fits none of {} choices", choices.len()));
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        unknown => panic!("type {unknown} is not known here"),
    }
}
