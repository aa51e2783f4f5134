//! What was counted and measured here, at a device's prices.

use super::{Device, Published};
use crate::cell::Cell;
use crate::cost::{Part, Priced, Stage, Substitute, price};
use crate::engine::Side;
use crate::link::{Arrival, Link};
use crate::measure::LoopKind;
use crate::primitive::Primitive;
use crate::results::{
    CellExplanation, CellPrediction, DeviceEntry, ExplainedOperations, ExplainedSide, ExplainedSides,
    PredictedSide, PredictedSides, PublishedMs, SideMs, Status,
};

impl From<&Device> for DeviceEntry {
    fn from(device: &Device) -> Self {
        Self {
            id: device.id.clone(),
            cpu: device.cpu.clone(),
            library: device.library.clone(),
            source: device.source.clone(),
        }
    }
}

/// Predicts a connection from its explanation here. `ratio` is what the machinery's time is multiplied by; without it
/// only primitives count.
pub fn predict(
    device: &Device,
    cell: &Cell,
    kind: LoopKind,
    explained: &CellExplanation,
    ratio: Option<f64>,
) -> CellPrediction {
    let mut predicted = CellPrediction {
        id: explained.id.clone(),
        dims: explained.dims.clone(),
        loop_name: explained.loop_name.clone(),
        status: explained.status,
        reason: explained.reason.clone(),
        handshake: None,
        transfer: None,
        close: None,
        sides: None,
        primitives_share: None,
        lacks: Vec::new(),
        rules: Vec::new(),
        arrival: None,
        published: Vec::new(),
    };
    if let (Status::Ok, Some(sides)) = (explained.status, &explained.sides) {
        if let Some(name) = unpriced(sides) {
            predicted.status = Status::Unsupported;
            predicted.reason = Some(format!(
                "{} here has no {name} in its interface, so that its machinery cannot be told apart",
                cell.engines()
            ));
            return predicted;
        }
        fill(&mut predicted, device, sides, ratio.unwrap_or(0.0));
        let published = device.published.iter().filter(|published| published.is_about(cell, kind));
        predicted.published = published.filter_map(|published| beside(published, &predicted)).collect();
    }
    predicted
}

/// When the answer arrives over a link, with the device on both sides: everything but the close is waited for.
pub fn arrival(link: &Link, explained: &CellExplanation, predicted: &CellPrediction) -> Option<Arrival> {
    let requests = explained.dims.number("requests").unwrap_or(1).max(1);
    let cpu_ms = predicted.handshake?.sum() + predicted.transfer?.sum() / requests as f64;
    link.arrival(&explained.traffic?, cpu_ms * 1e6)
}

/// An operation that has no price here.
fn unpriced(sides: &ExplainedSides) -> Option<&str> {
    let operations = sides.client.operations.iter().chain(&sides.server.operations);
    operations.into_iter().find(|one| one.ns.is_none()).map(|one| one.primitive.as_str())
}

fn fill(predicted: &mut CellPrediction, device: &Device, sides: &ExplainedSides, ratio: f64) {
    let priced = |side: &ExplainedSide| {
        let mut priced = price(parts(side), device);
        priced.iter_mut().for_each(|one| scale_reading(one, side, ratio));
        priced
    };
    let (client, server) = (priced(&sides.client), priced(&sides.server));
    let of = |stage: Stage| SideMs {
        client_ms: stage_ns(stage, &client, &sides.client, ratio) / 1e6,
        server_ms: stage_ns(stage, &server, &sides.server, ratio) / 1e6,
    };
    (predicted.handshake, predicted.transfer, predicted.close) =
        (Some(of(Stage::Handshake)), Some(of(Stage::Transfer)), Some(of(Stage::Close)));
    let primitives: f64 = client.iter().chain(&server).filter_map(|one| one.ns).sum::<f64>() / 1e6;
    predicted.primitives_share = predicted
        .total_ms()
        .filter(|_| client.iter().chain(&server).all(|one| one.ns.is_some()))
        .filter(|all| *all > 0.0)
        .map(|all| primitives / all);
    for one in client.iter().chain(&server) {
        let name = one.part.primitive.to_string();
        match (&one.substitute, one.ns) {
            (Some(substitute), _) => push_new(&mut predicted.rules, format!("{name}: {}", substitute.rule)),
            (None, None) => push_new(&mut predicted.lacks, name),
            (None, Some(_)) => {}
        }
    }
    predicted.sides = Some(PredictedSides {
        client: predicted_side(client, &sides.client, ratio),
        server: predicted_side(server, &sides.server, ratio),
    });
}

/// Nobody publishes what it takes to read a certificate; it is parsing and allocating, as the machinery is.
fn scale_reading(one: &mut Priced, side: &ExplainedSide, ratio: f64) {
    if one.ns.is_some() || ratio == 0.0 || !matches!(one.part.primitive, Primitive::ReadCertificate(_)) {
        return;
    }
    let name = one.part.primitive.to_string();
    let here = side.operations.iter().find(|known| known.primitive == name);
    one.ns = here.and_then(|known| known.ns).map(|ns| ns * ratio);
    let rule = "read here, and scaled as the machinery is";
    one.substitute = one.ns.map(|_| Substitute { missing: one.part.primitive, rule });
}

fn push_new(list: &mut Vec<String>, item: String) {
    if !list.contains(&item) {
        list.push(item);
    }
}

/// The operations again, as they were counted.
fn parts(side: &ExplainedSide) -> Vec<Part> {
    let stage_of = |name: &str| Stage::ALL.into_iter().find(|stage| stage.name() == name);
    let part = |one: &ExplainedOperations| {
        Some(Part {
            stage: stage_of(&one.stage)?,
            purpose: one.purpose.clone().into(),
            primitive: one.primitive.parse().ok()?,
            bytes: one.bytes,
            count: one.count,
            share: one.share,
        })
    };
    side.operations.iter().filter_map(part).collect()
}

/// The primitives of a stage at the device's prices, and the machinery.
fn stage_ns(stage: Stage, priced: &[Priced], side: &ExplainedSide, ratio: f64) -> f64 {
    let primitives: f64 = priced.iter().filter(|one| one.part.stage == stage).filter_map(|one| one.ns).sum();
    primitives + machinery_ns(stage, side) * ratio
}

/// The machinery of a stage here. Where primitives came to more than was measured, there is none.
fn machinery_ns(stage: Stage, side: &ExplainedSide) -> f64 {
    let here = side.stages.iter().find(|one| one.stage == stage.name());
    here.map_or(0.0, |here| here.rest_ns().max(0.0))
}

fn predicted_side(priced: Vec<Priced>, side: &ExplainedSide, ratio: f64) -> PredictedSide {
    let machinery: f64 = Stage::ALL.map(|stage| machinery_ns(stage, side)).iter().sum();
    let operations = priced.into_iter().map(ExplainedOperations::from).collect();
    PredictedSide { operations, machinery_ns: machinery * ratio }
}

fn beside(published: &Published, predicted: &CellPrediction) -> Option<PublishedMs> {
    let handshake = predicted.handshake?;
    let (what, predicted_ms) = match published.side {
        None => ("both sides, all", predicted.total_ms()?),
        Some(Side::Client) => ("client, handshake", handshake.client_ms),
        Some(Side::Server) => ("server, handshake", handshake.server_ms),
    };
    Some(PublishedMs {
        what: what.to_owned(),
        published_ms: published.ms,
        predicted_ms,
        error: predicted_ms / published.ms - 1.0,
    })
}
