//! Results made by hand, for tests of what is made of results.

use std::time::Duration;

use tlspair::cell::{Cell, Cert, Choice, Cipher, Proto};
use tlspair::engine::EngineInfo;
use tlspair::measure::{LoopKind, LoopRun, SideTimes, SplitTimes, TimedLoop};
use tlspair::render::ClassicRow;
use tlspair::results::{
    AppCount, CellResult, Document, HarnessCost, Heap, HeapSide, LoopResult, Machine, Negotiated, PlanEntry,
    Status, WireCount,
};

use crate::support::{cell, mixed, with_cipher};

/// Two cells that ran with all there is to know, one that an engine cannot, one that failed.
pub fn sample() -> Document {
    let mut document = empty();
    document.cells = vec![
        measured(&cell("openssl", &modern(1)), 100_000),
        measured(&mixed("openssl", "rustls-ring", &modern(16384)), 250_000),
        CellResult::without_numbers(
            &cell("rustls-ring", &with_cipher("DES-CBC3-SHA")),
            Status::Unsupported,
            "rustls has no cipher DES-CBC3-SHA",
        ),
        CellResult::without_numbers(
            &cell("mbedtls", &with_cipher("AES128-SHA")),
            Status::Error,
            "server, handshake: bad | record",
        ),
    ];
    document.cells[1].heap = None;
    document.cells[1].loops.full.as_mut().expect("it ran").cpu_wall_differ = true;
    document
}

/// The same run before anything was measured.
pub fn empty() -> Document {
    let info = EngineInfo {
        id: "openssl",
        library: "OpenSSL".to_owned(),
        version: "3.6.3".to_owned(),
        build: "vendored, legacy provider".to_owned(),
        is_tls: true,
    };
    let mut document = Document::begin(&[info], PlanEntry::whole(&[], &LoopKind::BOTH));
    document.tool.version = "0.1.0".to_owned();
    document.machine = Machine {
        cpu: Some("Example CPU".to_owned()),
        features: vec!["aes".to_owned(), "avx2".to_owned()],
        cores: Some(2),
        os: "linux".to_owned(),
        arch: "x86_64".to_owned(),
        kernel: Some("6.1.0".to_owned()),
        target: "x86_64-unknown-linux-gnu".to_owned(),
        opt_level: "3".to_owned(),
        date: "2026-01-02T03:04:05Z".to_owned(),
    };
    document.complete = true;
    document.harness = Some(vec![HarnessCost {
        bytes: 1,
        chunk: 8192,
        loop_name: "full".to_owned(),
        cpu_ns_per_connection: 1234.5,
        median_ns: 800.0,
    }]);
    document
}

/// A cell that ran 8 connections a loop: about `base_ns` each in full, a quarter of it resumed.
pub fn measured(cell: &Cell, base_ns: u64) -> CellResult {
    let mut result = CellResult::ok(cell, negotiated(cell));
    for kind in LoopKind::BOTH {
        result.loops.set(kind, LoopResult::of(&timed(kind, 8, base_ns)));
    }
    result.wire.full = Some(WireCount {
        client_bytes: 600,
        server_bytes: 1400,
        client_records: 4,
        server_records: 5,
        flights: 3,
        post_handshake_bytes: 250,
    });
    result.wire.reuse = Some(WireCount { server_bytes: 300, flights: 3, ..WireCount::default() });
    result.wire.app =
        Some(AppCount { client_bytes: 23, server_bytes: 23, client_records: 1, server_records: 1 });
    let side = |allocations| HeapSide {
        allocations,
        bytes: 70_000,
        peak_bytes: 40_960,
        held_bytes: -16,
        range: None,
    };
    result.heap = Some(Heap { client: side(210), server: side(305) });
    result
}

/// A loop whose connections take `base_ns` plus 0, 1, 2, … ‰; resumed ones a quarter of that.
pub fn timed(kind: LoopKind, connections: u64, base_ns: u64) -> TimedLoop {
    let samples_ns: Vec<u64> = (0..connections)
        .map(|index| {
            let full = base_ns + base_ns * index / 1000;
            if kind == LoopKind::Reuse && index > 0 { full / 4 } else { full }
        })
        .collect();
    let total: u64 = samples_ns.iter().sum();
    let first_ns = samples_ns.first().copied().unwrap_or_default();
    let quarter = SideTimes { client_ns: total / 12, server_ns: total / 6 };
    TimedLoop {
        run: LoopRun {
            connections,
            resumed: if kind == LoopKind::Reuse { connections.saturating_sub(1) } else { 0 },
        },
        cpu: Duration::from_nanos(total),
        wall: Duration::from_nanos(total + total / 100),
        split: SplitTimes { phases: [quarter; 4] },
        first: SideTimes { client_ns: first_ns / 3, server_ns: first_ns - first_ns / 3 },
        samples_ns,
    }
}

/// Cells for some rows of the table of 1997: one that ran whole, the 28th, one that ran 20 connections, the row of
/// the closing sentence, one that nothing runs.
pub fn classic_document() -> Document {
    let mut document = empty();
    let row = |proto, cipher: &str, bytes| {
        let choice = Choice {
            proto: Some(proto),
            cert: Some(Cert::Rsa512),
            bytes: Some(bytes),
            ..with_cipher(cipher)
        };
        cell("openssl", &choice)
    };
    let run = |proto, cipher, bytes, connections, base_ns| {
        let cell = row(proto, cipher, bytes);
        let mut result = CellResult::ok(&cell, negotiated(&cell));
        for kind in LoopKind::BOTH {
            result.loops.set(kind, LoopResult::of(&timed(kind, connections, base_ns)));
        }
        result
    };
    document.cells = vec![
        CellResult::without_numbers(
            &row(Proto::Ssl2, "RC4-MD5", 1),
            Status::Unsupported,
            "no engine of this build has SSL 2.0",
        ),
        run(Proto::Ssl3, "NULL-MD5", 1, 1000, 100_000),
        run(Proto::Ssl3, "RC4-MD5", 1024, 20, 120_000),
        run(Proto::Ssl3, "RC4-MD5", 10240, 1000, 150_000),
        CellResult::without_numbers(
            &row(Proto::Ssl3, "DES-CBC3-SHA", 10240),
            Status::Error,
            "client, handshake: no ciphers available",
        ),
    ];
    document
}

/// The rows over [`classic_document`].
pub fn classic_rows(document: &Document) -> Vec<ClassicRow<'_>> {
    let times = [
        (Proto::Ssl2, "RC4-MD5", 1, Some((12.83, 0.70))),
        (Proto::Ssl3, "NULL-MD5", 1, Some((14.35, 1.47))),
        (Proto::Ssl3, "RC4-MD5", 1024, None),
        (Proto::Ssl3, "RC4-MD5", 10240, Some((20.25, 7.90))),
        (Proto::Ssl3, "DES-CBC3-SHA", 10240, Some((47.04, 34.53))),
    ];
    let row = |((proto, cipher, bytes, seconds), now): ((_, _, _, Option<(f64, f64)>), _)| ClassicRow {
        proto,
        cipher,
        rsa_bits: 512,
        bytes,
        full_1997: seconds.map(|(full, _)| full),
        reuse_1997: seconds.map(|(_, reuse)| reuse),
        now,
    };
    times.into_iter().zip(&document.cells).map(row).collect()
}

fn modern(bytes: u64) -> Choice {
    Choice { bytes: Some(bytes), ..Choice::default() }
}

fn negotiated(cell: &Cell) -> Negotiated {
    let cipher: &Cipher = cell.cipher;
    Negotiated {
        proto: cell.proto.to_string(),
        cipher: cipher.openssl.to_owned(),
        cipher_iana: cipher.iana.to_owned(),
        group: cell.group.code().map(|_| cell.group.to_string()),
        signature: cell.signature().map(|scheme| scheme.to_string()),
        client_cert: false,
        alpn: None,
        encrypt_then_mac: None,
        extended_master_secret: Some(true).filter(|_| cell.proto == Proto::Tls12),
    }
}
