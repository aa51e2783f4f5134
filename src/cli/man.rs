//! `tlspair man`: manual pages, made from the same definitions as `--help`.

use std::fs;
use std::path::Path;

use clap::CommandFactory;
use clap_mangen::Man;

use super::args::Arguments;
use super::{Ending, Exit, output};

/// Runs the sub-command.
pub fn run(folder: Option<&Path>) -> Result<Exit, Ending> {
    let Some(folder) = folder else {
        let mut page = Vec::new();
        Man::new(Arguments::command()).render(&mut page).map_err(Ending::operational)?;
        output::print(&page)?;
        return Ok(Exit::Ok);
    };
    let failed = |error| Ending::operational(format!("{}: {error}", folder.display()));
    fs::create_dir_all(folder).map_err(failed)?;
    clap_mangen::generate_to(Arguments::command(), folder).map_err(failed)?;
    Ok(Exit::Ok)
}
