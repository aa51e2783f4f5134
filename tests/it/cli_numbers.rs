//! The numbers that the program prints agree with each other and with arithmetic done here by hand.

use tlspair::results::{CellResult, LoopResult, Status};

use crate::cli::{OK, tlspair};

fn cells(arguments: &str) -> Vec<CellResult> {
    tlspair(&format!("run {arguments} --json --quiet")).ends(OK).results().cells
}

fn loops(cell: &CellResult) -> Vec<&LoopResult> {
    [&cell.loops.full, &cell.loops.reuse].into_iter().flatten().collect()
}

#[test]
fn phases_add_up_to_the_samples_and_the_samples_to_their_statistics() {
    for cell in cells("smoke --num 9").iter().filter(|cell| cell.status == Status::Ok) {
        assert_eq!(loops(cell).len(), 2, "{}", cell.id);
        for run in loops(cell) {
            assert_eq!(run.samples_ns.len() as u64, run.connections);
            let (sum, total) = (run.samples_ns.iter().sum::<u64>(), run.phases.total());
            // Each number is rounded down by itself.
            let rounding = run.connections + 8;
            assert!((total.client_ns + total.server_ns).abs_diff(sum) <= rounding, "{}", cell.id);
            let mut sorted = run.samples_ns.clone();
            sorted.sort_unstable();
            let said = &run.per_connection_ns;
            assert_eq!((said.min, said.median), (sorted[0], sorted[4] as f64));
            assert!((said.mean - sum as f64 / 9.0).abs() < 0.001);
            assert!(said.median <= said.p95 && said.p95 <= said.p99 && said.p99 <= sorted[8] as f64);
        }
    }
}

/// Application data of one side: bytes and records.
fn app(cell: &CellResult) -> (u64, u64) {
    let app = cell.wire.app.unwrap_or_else(|| panic!("{}: {:?}", cell.id, cell.reason));
    assert_eq!((app.client_bytes, app.client_records), (app.server_bytes, app.server_records), "{}", cell.id);
    (app.client_bytes, app.client_records)
}

fn flights(cell: &CellResult) -> (u64, u64) {
    let flights = [cell.wire.full, cell.wire.reuse].map(|count| count.expect("it ran").flights);
    (flights[0], flights[1])
}

#[cfg(all(feature = "openssl", feature = "mbedtls"))]
#[test]
fn records_of_old_versions_are_as_long_as_arithmetic_says() {
    // A stream cipher with MD5: 5 + n + 16; 10240 bytes in writes of 8192 are two records.
    for cell in
        cells("--engine openssl,mbedtls --proto ssl3 --cipher RC4-MD5 --cert rsa512 --bytes 10240 --num 1")
    {
        assert_eq!(app(&cell), (10240 + 2 * (5 + 16), 2));
        assert_eq!(flights(&cell), (4, 3));
    }
    // CBC of SSL 3.0, blocks of 8, SHA-1, at least one byte of padding. OpenSSL sends an empty record first: 0 + 20
    // bytes pad to 24; 1024 + 20 pad to 1048. Mbed TLS sends a byte first: 1 + 20 pad to 24; 1023 + 20 pad to 1048
    // too, as 1043 is not a whole number of blocks and 1044 is neither.
    for cell in cells(
        "--engine openssl,mbedtls --proto ssl3 --cipher DES-CBC3-SHA --cert rsa512 --bytes 1024 --num 1",
    ) {
        assert_eq!(app(&cell), ((5 + 24) + (5 + 1048), 2), "{}", cell.id);
    }
    // CBC of TLS 1.2 with encrypt-then-MAC: an explicit vector of 16, 1024 bytes padded to 1040, SHA-1 of 20.
    for cell in cells("--engine openssl,mbedtls --proto tls1.2 --cipher AES128-SHA --bytes 1024 --num 1") {
        assert_eq!(app(&cell), (5 + 16 + 1040 + 20, 1));
        assert_eq!(flights(&cell), (4, 3));
    }
}

#[cfg(all(feature = "openssl", feature = "rustls-ring", feature = "rustls-aws-lc"))]
#[test]
fn records_of_new_versions_are_as_long_as_arithmetic_says() {
    let engines = "--engine openssl,rustls-aws-lc,rustls-ring --num 1 --bytes 20000 --chunk 20000";
    // A write longer than 16384 bytes is two records. GCM of TLS 1.2: 8 bytes of nonce, 16 of tag.
    for cell in cells(&format!("{engines} --proto tls1.2 --cipher ECDHE-RSA-AES128-GCM-SHA256")) {
        assert_eq!((app(&cell), flights(&cell)), ((20000 + 2 * (5 + 8 + 16), 2), (4, 3)));
    }
    for cell in cells(&format!("{engines} --proto tls1.2 --cipher ECDHE-RSA-CHACHA20-POLY1305")) {
        assert_eq!((app(&cell), flights(&cell)), ((20000 + 2 * (5 + 16), 2), (4, 3)));
    }
    // TLS 1.3: the true content type and 16 bytes of tag.
    for cell in cells(&format!("{engines} --proto tls1.3")) {
        assert_eq!((app(&cell), flights(&cell)), ((20000 + 2 * (5 + 1 + 16), 2), (3, 3)));
    }
}

#[cfg(feature = "openssl")]
#[test]
fn a_longer_chain_adds_its_certificates_to_the_servers_bytes() {
    let cells = cells("--engine openssl --cipher ECDHE-ECDSA-AES128-GCM-SHA256 --chain 1..3 --num 1");
    let bytes: Vec<(u64, u64)> = cells
        .iter()
        .map(|cell| cell.wire.full.expect("it ran"))
        .map(|full| (full.client_bytes, full.server_bytes))
        .collect();
    assert_eq!(bytes.len(), 3);
    // The signature's length varies by a few bytes; a certificate is hundreds.
    assert!(bytes.iter().all(|(client, _)| *client == bytes[0].0), "{bytes:?}");
    assert!(bytes[0].1 + 100 < bytes[1].1 && bytes[1].1 + 100 < bytes[2].1, "{bytes:?}");
}
