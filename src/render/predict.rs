//! The page of `predict`.

use super::grid::{Align, Column, Grid, Row};
use super::number::{percent, significant};
use super::page::{List, Notes, Page, engine_words, machine_line};
use super::{ABSENT, arrivals, bars, connection, or_absent};
use crate::results::{CellPrediction, Prediction, PublishedMs, SideMs, Status};

/// How the list of bars begins.
pub(super) const BARS: &str = "Of both sides' time";

pub(super) fn page(prediction: &Prediction) -> Page {
    let mut notes = Notes::default();
    let rows = prediction
        .cells
        .iter()
        .map(|cell| Row::Cells(cells(cell, prediction.link.is_some(), &mut notes)))
        .collect();
    let lists = [
        list(
            "Left out, because the device has no price, which makes each sum with it a lower bound (≥):",
            prediction,
            |cell| &cell.lacks,
        ),
        list("Priced by a rule:", prediction, |cell| &cell.rules),
        bar_list(prediction),
    ];
    let mut footer = vec![machine_line(&prediction.machine, &prediction.tool)];
    footer.extend(prediction.engines.iter().map(|one| format!("{}: {}", one.id, engine_words(one))));
    footer.extend(prediction.warnings.iter().map(|warning| format!("Warning: {warning}.")));
    if !prediction.complete {
        footer.push("Not complete: the run was interrupted.".to_owned());
    }
    Page {
        caption: caption(prediction),
        grid: Grid { columns: columns(prediction.link.is_some()), rows },
        notes: notes.into_texts(),
        lists: lists.into_iter().flatten().collect(),
        footer,
    }
}

fn caption(prediction: &Prediction) -> Vec<String> {
    let device = &prediction.device;
    let scaled = match &prediction.scale {
        Some(scale) => format!(
            "multiplied by {}, by which {} takes longer there than in {} here",
            significant(scale.ratio, 2),
            scale.primitive,
            scale.engine
        ),
        None => "left out, because the device has no hash to scale it by".to_owned(),
    };
    vec![
        format!(
            "What connections would take on {}: {}, {} ({}).",
            device.id, device.cpu, device.library, device.source
        ),
        format!(
            "Operations as they were counted here, at the device's prices; the protocol's machinery as it was measured here, \
             {scaled}. Times in ms of one core. primitives: their share of all. error: how much more was predicted than \
             published."
        ),
    ]
    .into_iter()
    .chain(prediction.link.as_ref().map(arrivals::caption))
    .collect()
}

fn columns(has_link: bool) -> Vec<Column> {
    let mut columns = vec![
        Column::key("cell", Align::Left),
        Column::key("connection", Align::Left),
        Column::number("handshake", "client"),
        Column::number("handshake", "server"),
        Column::number("transfer", "client"),
        Column::number("transfer", "server"),
        Column::number("connection", "all"),
        Column::number("connection", "primitives"),
        Column::number("published", "ms"),
        Column::number("published", "error"),
    ];
    columns.extend(has_link.then(|| arrivals::columns("link")).into_iter().flatten());
    columns
}

fn cells(cell: &CellPrediction, has_link: bool, notes: &mut Notes) -> Vec<String> {
    // Without some of the prices a sum is a lower bound.
    let bound = if cell.lacks.is_empty() { "" } else { "≥" };
    let ms =
        |value: Option<f64>| or_absent(value.map(|value| format!("{bound}{}", significant(value + 0.0, 3))));
    let (handshake, transfer) = (cell.handshake, cell.transfer);
    let client = |sides: Option<SideMs>| ms(sides.map(|sides| sides.client_ms));
    let server = |sides: Option<SideMs>| ms(sides.map(|sides| sides.server_ms));
    let all = if cell.status == Status::Ok {
        ms(cell.total_ms())
    } else {
        let word = if cell.status == Status::Unsupported { "no" } else { "error" };
        format!("{word} {}", notes.mark(cell.reason.as_deref().unwrap_or("no reason is on record")))
    };
    let each = |text: fn(&PublishedMs) -> String| {
        let texts: Vec<String> = cell.published.iter().map(text).collect();
        if texts.is_empty() { ABSENT.to_owned() } else { texts.join("; ") }
    };
    let is_part = |what: &str| what != "both sides, all";
    let mark: Vec<String> = cell
        .published
        .iter()
        .filter(|one| is_part(&one.what))
        .map(|one| notes.mark(&format!("published of: {}", one.what)))
        .collect();
    let mut values = vec![
        cell.id.clone(),
        connection(&cell.loop_name).to_owned(),
        client(handshake),
        server(handshake),
        client(transfer),
        server(transfer),
        all,
        or_absent(cell.primitives_share.map(percent)),
        [each(|one| significant(one.published_ms, 3))].into_iter().chain(mark).collect::<Vec<_>>().join(" "),
        each(|one| signed_percent(one.error)),
    ];
    values.extend(has_link.then(|| arrivals::values(cell.arrival.as_ref())).into_iter().flatten());
    values
}

fn signed_percent(share: f64) -> String {
    if share < 0.0 { format!("−{}", percent(-share)) } else { format!("+{}", percent(share)) }
}

/// What all cells say of something, each once.
fn list(heading: &str, prediction: &Prediction, of: fn(&CellPrediction) -> &Vec<String>) -> Option<List> {
    let mut items: Vec<String> = Vec::new();
    for item in prediction.cells.iter().flat_map(of) {
        if !items.contains(item) {
            items.push(item.clone());
        }
    }
    (!items.is_empty()).then(|| List { heading: heading.to_owned(), items })
}

/// What each connection is made of, both sides together.
fn bar_list(prediction: &Prediction) -> Option<List> {
    let line = |cell: &CellPrediction| {
        let drawn = bars::draw(&bars::predicted_shares(cell.sides.as_ref()?));
        Some(format!("{} {drawn} {}", connection(&cell.loop_name), cell.id))
    };
    let items: Vec<String> = prediction.cells.iter().filter_map(line).collect();
    let heading = format!("{BARS} ({}):", bars::legend_line());
    (!items.is_empty()).then_some(List { heading, items })
}
