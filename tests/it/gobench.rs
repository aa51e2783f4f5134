//! The text format of Go's benchmarks as its definition has it, read strictly: what the definition would have a reader
//! pass over in silence is a mistake here, unless it is empty or a comment.

use std::collections::BTreeMap;

/// One result line, under the configuration that was in force.
#[derive(Debug)]
pub struct GoResult {
    /// The name without `Benchmark`.
    pub name: String,
    pub iterations: u64,
    /// Unit and value.
    pub values: BTreeMap<String, f64>,
    pub config: BTreeMap<String, String>,
}

/// What a file says.
#[derive(Debug, Default)]
pub struct GoFile {
    pub results: Vec<GoResult>,
    /// Unit, key and value of unit metadata.
    pub units: Vec<(String, String, String)>,
}

/// Reads a file, or says what is wrong with which line.
pub fn parse(text: &str) -> Result<GoFile, String> {
    let mut file = GoFile::default();
    let mut config = BTreeMap::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if line.starts_with("Benchmark") {
            file.results.push(result(line, &config).map_err(|wrong| format!("{wrong}: {line}"))?);
        } else if let Some(metadata) = line.strip_prefix("Unit ") {
            file.units.extend(units(metadata).map_err(|wrong| format!("{wrong}: {line}"))?);
        } else {
            let (key, value) = configuration(line).map_err(|wrong| format!("{wrong}: {line}"))?;
            config.insert(key, value);
        }
    }
    Ok(file)
}

/// `<name> <iterations> <value> <unit> [<value> <unit>...]`
fn result(line: &str, config: &BTreeMap<String, String>) -> Result<GoResult, String> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    if fields.len() < 4 || !fields.len().is_multiple_of(2) {
        return Err(format!("{} fields", fields.len()));
    }
    let name = fields[0].strip_prefix("Benchmark").expect("it was looked at");
    if !name.starts_with(char::is_uppercase) {
        return Err("no capital letter behind Benchmark".to_owned());
    }
    for part in name.split('/').skip(1) {
        if part.split_once('=').is_none_or(|(key, _)| key.is_empty()) {
            return Err(format!("part {part} of the name is not key=value"));
        }
    }
    let processors =
        name.rsplit_once('-').is_some_and(|(_, tail)| tail.chars().all(|it| it.is_ascii_digit()));
    if processors {
        return Err("the end of the name would be taken for GOMAXPROCS".to_owned());
    }
    let iterations: u64 = fields[1].parse().map_err(|_| format!("{} iterations", fields[1]))?;
    if iterations == 0 {
        return Err("no iterations".to_owned());
    }
    let mut values = BTreeMap::new();
    for pair in fields[2..].chunks(2) {
        let value: f64 = pair[0].parse().map_err(|_| format!("{} is no number", pair[0]))?;
        if !value.is_finite() {
            return Err(format!("{} is no measurement", pair[0]));
        }
        if values.insert(pair[1].to_owned(), value).is_some() {
            return Err(format!("unit {} twice", pair[1]));
        }
    }
    Ok(GoResult { name: name.to_owned(), iterations, values, config: config.clone() })
}

/// `Unit <unit> <key>=<value>...`, with the keys and values that are defined.
fn units(metadata: &str) -> Result<Vec<(String, String, String)>, String> {
    let mut fields = metadata.split_whitespace();
    let unit = fields.next().ok_or("no unit")?;
    let pairs = fields.map(|pair| match pair {
        "better=higher" | "better=lower" | "assume=nothing" | "assume=exact" => {
            let (key, value) = pair.split_once('=').expect("it has one");
            Ok((unit.to_owned(), key.to_owned(), value.to_owned()))
        }
        unknown => Err(format!("{unknown} is not defined")),
    });
    pairs.collect()
}

/// `key: value`, the key without spaces and capitals and begun by a small letter.
fn configuration(line: &str) -> Result<(String, String), String> {
    let (key, value) = line.split_once(':').ok_or("neither result, nor unit, nor configuration")?;
    let fits = key.starts_with(char::is_lowercase)
        && !key.contains(|it: char| it.is_whitespace() || it.is_uppercase());
    match value.strip_prefix([' ', '\t']) {
        Some(value) if fits && !value.trim().is_empty() => Ok((key.to_owned(), value.trim().to_owned())),
        _ => Err("not a configuration line".to_owned()),
    }
}

#[test]
fn the_reader_takes_what_the_definition_has() {
    let text = "# a comment\n\ngoos: linux\nUnit flights/op better=lower assume=exact\n\
                BenchmarkA/k=v/loop=full 3 1.5 ns/op 2 B/op\n";
    let file = parse(text).expect("valid");
    let result = &file.results[0];
    assert_eq!(
        (result.name.as_str(), result.iterations, result.values["ns/op"]),
        ("A/k=v/loop=full", 3, 1.5)
    );
    assert_eq!(result.config["goos"], "linux");
    assert_eq!(file.units.len(), 2);
}

#[test]
fn the_reader_refuses_what_the_definition_does_not_have() {
    for wrong in [
        "BenchmarkA/k=v 3 1.5",
        "BenchmarkA/k=v 3 1.5 ns/op 2",
        "BenchmarkA/k=v 0 1.5 ns/op",
        "BenchmarkA/k=v 1 x ns/op",
        "BenchmarkA/k=v 1 NaN ns/op",
        "BenchmarkA/k=v 1 1 ns/op 2 ns/op",
        "BenchmarkA/k=v-8 1 1 ns/op",
        "BenchmarkA/word 1 1 ns/op",
        "Benchmarka 1 1 ns/op",
        "Unit flights/op worse=lower",
        "Key: value",
        "key:value",
        "a sentence",
    ] {
        assert!(parse(wrong).is_err(), "{wrong}");
    }
}
