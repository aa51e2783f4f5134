//! The documents' examples are run: each `$ tlspair …` line of a `console` block ends well, in short loops.

use std::fs;
use std::path::Path;
use std::process::Command;

const DOCUMENTS: [&str; 3] = ["README.md", "docs/FORMAT.md", "docs/METHODOLOGY.md"];

#[test]
fn the_examples_of_the_documents_run() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::copy(executable_of_their_own(), folder.path().join("mine")).expect("there is room for a copy");
    let mut run = 0;
    for document in DOCUMENTS {
        for example in examples(document) {
            run_example(document, &example, folder.path());
            run += 1;
        }
    }
    assert!(run >= 7, "only {run} examples were found");
    for export in ["results.json", "results.csv", "results.md"] {
        let written = fs::read_to_string(folder.path().join(export)).expect("an example exports this file");
        assert!(written.contains("tls1.3"), "{export}");
    }
}

/// An executable with engines that the program has not; where there is none, the program itself, which adds nothing.
fn executable_of_their_own() -> std::path::PathBuf {
    #[cfg(target_os = "linux")]
    return crate::contests::virtual_clock();
    #[cfg(not(target_os = "linux"))]
    env!("CARGO_BIN_EXE_tlspair").into()
}

/// The commands of CI.md cannot be run here, because they want two builds; but flags and sub-commands that do not exist
/// are refused before help is given.
#[test]
fn the_commands_of_ci_md_are_understood() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/CI.md");
    let text = fs::read_to_string(path).expect("it is there").replace("\\\n", " ");
    // A line that begins with a flag goes on with the command before it, as folded lines of YAML do.
    let lines = text.replace("\n      --", " --");
    let numbers = |command: &str| {
        command.replace("${{ matrix.shard }}", "1").replace("$CI_NODE_INDEX/$CI_NODE_TOTAL", "1/4")
    };
    let commands: Vec<String> = lines
        .lines()
        .filter_map(|line| line.split_once("tlspair ").map(|(_, command)| numbers(command)))
        .filter(|command| ["check", "compare", "run", "merge"].iter().any(|name| command.starts_with(name)))
        .filter(|command| !command.contains('`'))
        .collect();
    assert!(commands.len() >= 9, "{commands:#?}");
    for command in commands {
        let arguments = command.split_whitespace().take_while(|word| *word != "#");
        let output = Command::new(env!("CARGO_BIN_EXE_tlspair"))
            .args(arguments)
            .arg("--help")
            .output()
            .expect("the program starts");
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// The document's code is that of an example, all of it, and of a package's tests; the example is an executable that
/// joins another's table.
#[cfg(all(target_os = "linux", feature = "rustls-ring"))]
#[test]
fn an_engine_of_ones_own_is_what_its_document_says() {
    const DOCUMENT: &str = "docs/BRING-YOUR-OWN-ENGINE.md";
    let read = |path: &str| {
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path))
            .expect("it is part of the source")
    };
    let (code, tests) = (read("examples/own-engine.rs"), read("engines/mbedtls-3.6/tests/it.rs"));
    let (own, shared): (Vec<String>, Vec<String>) =
        blocks(&read(DOCUMENT), "rust").into_iter().partition(|block| code.contains(block));
    assert!(shared.iter().all(|block| tests.contains(block)), "{shared:#?}");
    assert_eq!(shared.len(), 1);
    let lines = |text: &str| -> Vec<String> {
        let is_code = |line: &&str| !line.is_empty() && !line.starts_with("//!");
        text.lines().filter(is_code).map(str::to_owned).collect()
    };
    assert_eq!(lines(&own.concat()), lines(&code));

    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::copy(crate::contests::example("own-engine"), folder.path().join("own-engine"))
        .expect("there is room for a copy");
    let examples = examples(DOCUMENT);
    assert_eq!(examples.len(), 3);
    let printed: Vec<String> =
        examples.iter().map(|example| run_example(DOCUMENT, example, folder.path())).collect();
    assert!(printed[0].contains("own: rustls"), "{}", printed[0]);
    let row = printed[1].lines().find(|line| line.starts_with("own ")).expect("a row of the engine");
    assert!(row.contains(" ok "), "{row}");
    assert!(printed[2].contains("1 verified, 0 unsupported, 0 failed"), "{}", printed[2]);
}

/// The fenced blocks of a language.
#[cfg(all(target_os = "linux", feature = "rustls-ring"))]
fn blocks(text: &str, language: &str) -> Vec<String> {
    let opening = format!("```{language}\n");
    let block = |rest: &str| rest.split_once("```").map(|(block, _)| block.to_owned());
    text.split(&opening).skip(1).filter_map(block).collect()
}

/// What stands behind `$ tlspair` in the console blocks of a document.
fn examples(document: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(document);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{document}: {error}"));
    let mut in_console = false;
    let mut examples = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with("```") {
            in_console = line == "```console";
        } else if let Some(arguments) = line.strip_prefix("$ tlspair ").filter(|_| in_console) {
            examples.push(words(arguments));
        }
    }
    examples
}

/// Splits at spaces, but not inside single quotes.
fn words(arguments: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for letter in arguments.chars() {
        match letter {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            other => words.last_mut().expect("never empty").push(other),
        }
    }
    words
}

/// Runs an example as it stands, but for the length of its loops. Says what it printed.
fn run_example(document: &str, example: &[String], folder: &Path) -> String {
    let mut arguments = example.to_vec();
    if let Some(at) = arguments.iter().position(|word| word == "--num") {
        arguments.drain(at..at + 2);
    }
    if matches!(arguments[0].as_str(), "run" | "classic") {
        arguments.extend(["--num", "3"].map(str::to_owned));
    }
    let output = Command::new(env!("CARGO_BIN_EXE_tlspair"))
        .args(&arguments)
        .current_dir(folder)
        .env(tlspair::store::HOME_VARIABLE, folder.join("home"))
        .output()
        .expect("the program starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{document}: tlspair {}: {errors}", arguments.join(" "));
    assert!(!output.stdout.is_empty(), "{document}: tlspair {}: nothing printed", arguments.join(" "));
    String::from_utf8(output.stdout).expect("results are text")
}

/// What docs/ENGINES.md says of engines that this executable has in the same version. (Others come from the system, or are in
/// packages.)
#[test]
fn the_list_of_engines_is_what_engines_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/ENGINES.md");
    let text = fs::read_to_string(&path).expect("it is there");
    let mut compared = 0;
    for engine in crate::engines().iter() {
        let said = tlspair::engine::Capabilities::of(engine);
        if !text.contains(&format!("| `{}` | {} | {} |", said.id, said.library, said.version)) {
            continue;
        }
        for (dimension, values) in &said.supports {
            let listed = column(&text, dimension, &said.id);
            let mut values = values.clone();
            values.sort_unstable();
            assert_eq!(
                listed, values,
                "{}, {dimension}: tlspair list --all --md says another thing",
                said.id
            );
            compared += 1;
        }
    }
    assert!(compared >= 8, "only {compared} columns were compared");
}

/// The values that the table of a dimension marks in an engine's column, sorted.
fn column(text: &str, dimension: &str, engine: &str) -> Vec<String> {
    let heading = format!("\n## `{dimension}`\n\n");
    let (_, table) = text.split_once(&heading).unwrap_or_else(|| panic!("docs/ENGINES.md lacks {dimension}"));
    let rows: Vec<Vec<&str>> = table
        .lines()
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let wanted = format!("`{engine}`");
    let Some(place) = rows[0].iter().position(|title| *title == wanted) else { return Vec::new() };
    let marked = rows[2..].iter().filter(|row| row[place] == "yes");
    let mut values: Vec<String> = marked.map(|row| row[0].trim_matches('`').to_owned()).collect();
    values.sort_unstable();
    values
}
