//! `tlspair baseline`: results kept under a name.

use serde::Serialize;

use super::args::{BaselineCommand, ExportArgs};
use super::exporting::{finish, open_exports};
use super::progress::OnStderr;
use super::{Color, Ending, Exit, output};
use crate::baseline::{BaselineName, Baselines, Kept};
use crate::render::baselines::write_baselines;
use crate::render::{Report, Style};

/// What `baseline list --json` prints.
#[derive(Debug, Serialize)]
struct Listing<'a> {
    baselines: &'a [Kept],
}

/// Runs the sub-command.
pub fn run(command: &BaselineCommand, color: Color) -> Result<Exit, Ending> {
    let baselines = Baselines::open().map_err(Ending::baseline)?;
    match command {
        BaselineCommand::List { json } => list(&baselines, *json, color),
        BaselineCommand::Show { name, export } => show(&baselines, name, export, color),
        BaselineCommand::Rm { names } => remove(&baselines, names),
    }
}

fn list(baselines: &Baselines, json: bool, color: Color) -> Result<Exit, Ending> {
    let kept = baselines.kept().map_err(Ending::baseline)?;
    let folder = baselines.folder();
    let mut text = Vec::new();
    if json {
        serde_json::to_writer_pretty(&mut text, &Listing { baselines: &kept })
            .map_err(Ending::operational)?;
        text.push(b'\n');
    } else if kept.is_empty() {
        let lines = OnStderr::new(false).lines();
        lines.note(&format!(
            "no baseline in {}; `tlspair run … --save-baseline NAME` makes one",
            folder.display()
        ));
    } else {
        let style = Style { color: color.on_stdout(), ..Style::for_stdout() };
        write_baselines(&folder, &kept, style, &mut text).map_err(Ending::operational)?;
    }
    output::print(&text)?;
    Ok(Exit::Ok)
}

fn show(baselines: &Baselines, name: &str, export: &ExportArgs, color: Color) -> Result<Exit, Ending> {
    let exports = open_exports(export)?;
    let name = baselines.find(name).map_err(Ending::baseline)?;
    let document = baselines.load(&name).map_err(Ending::baseline)?;
    let lines = OnStderr::new(export.quiet).lines();
    lines.note(&format!("baseline {name}: {}", baselines.path(&name).display()));
    finish(&exports, color, |see| see(&Report::Cells(&document)))?;
    Ok(Exit::Ok)
}

/// All names are looked up before any baseline goes.
fn remove(baselines: &Baselines, names: &[String]) -> Result<Exit, Ending> {
    let found: Vec<BaselineName> =
        names.iter().map(|name| baselines.find(name)).collect::<Result<_, _>>().map_err(Ending::baseline)?;
    let mut removed: Vec<BaselineName> = Vec::new();
    for name in found {
        if !removed.contains(&name) {
            baselines.remove(&name).map_err(Ending::baseline)?;
            removed.push(name);
        }
    }
    Ok(Exit::Ok)
}
