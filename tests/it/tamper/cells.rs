//! The cells to tamper with: each version with each kind of record protection, with certificates that are quick, each
//! way to resume, and what adds messages to TLS 1.3: 0-RTT data and HelloRetryRequest.

use tlspair::cell::{Auth, Cell, Cert, Choice, Hello, Proto, Resume, Verify};
use tlspair::measure::supported;

use super::positions::Coverage;
use crate::engines;
use crate::support::{mixed, with_cipher};

/// Two records of different lengths each way, so that paddings differ; in none of these cells does data
/// fill whole blocks together with its MAC (for that case, see the tests of SSL 3.0's padding).
const BYTES: u64 = 33;
const CHUNK: u32 = 17;

const STATIC_RSA: [(&str, Proto, Resume); 15] = [
    ("RC4-MD5", Proto::Ssl2, Resume::SessionId),
    ("DES-CBC-MD5", Proto::Ssl2, Resume::SessionId),
    ("DES-CBC3-MD5", Proto::Ssl2, Resume::SessionId),
    ("NULL-MD5", Proto::Ssl3, Resume::SessionId),
    ("RC4-SHA", Proto::Ssl3, Resume::SessionId),
    ("DES-CBC3-SHA", Proto::Ssl3, Resume::SessionId),
    ("AES128-SHA", Proto::Ssl3, Resume::SessionId),
    ("RC4-SHA", Proto::Tls10, Resume::Ticket),
    ("NULL-SHA", Proto::Tls10, Resume::SessionId),
    ("AES128-SHA", Proto::Tls10, Resume::SessionId),
    ("AES128-SHA", Proto::Tls11, Resume::Ticket),
    ("NULL-SHA256", Proto::Tls12, Resume::SessionId),
    ("AES128-SHA256", Proto::Tls12, Resume::SessionId),
    ("AES128-GCM-SHA256", Proto::Tls12, Resume::Ticket),
    ("AES128-CCM8", Proto::Tls12, Resume::Ticket),
];

const EPHEMERAL: [(&str, Proto, Resume, Auth, Coverage); 6] = {
    use Coverage::{EveryByte, Sample};
    [
        ("ECDHE-ECDSA-AES128-GCM-SHA256", Proto::Tls12, Resume::SessionId, Auth::Server, EveryByte),
        ("ECDHE-ECDSA-CHACHA20-POLY1305", Proto::Tls12, Resume::Ticket, Auth::Server, Sample(200)),
        ("TLS_AES_128_GCM_SHA256", Proto::Tls13, Resume::PskDhe, Auth::Server, EveryByte),
        ("TLS_CHACHA20_POLY1305_SHA256", Proto::Tls13, Resume::PskDhe, Auth::Server, Sample(200)),
        ("ECDHE-ECDSA-AES128-GCM-SHA256", Proto::Tls12, Resume::Ticket, Auth::Mutual, Sample(300)),
        ("TLS_AES_128_GCM_SHA256", Proto::Tls13, Resume::PskDhe, Auth::Mutual, Sample(300)),
    ]
};

/// The cells that both engines support, and how thoroughly to go over each. With client certificates, certificates
/// are checked as well; without, none is, and a flip in one must fail all the same.
pub fn cells(client: &str, server: &str) -> Vec<(Cell, Coverage)> {
    // Curves in portable C take ten times as long as elsewhere.
    let is_slow = [client, server].contains(&"mbedtls");
    let static_rsa = STATIC_RSA.iter().map(|&(name, proto, resume)| {
        let choice = Choice { proto: Some(proto), cert: Some(Cert::Rsa512), ..sized(name, resume) };
        (choice, Coverage::EveryByte)
    });
    let ephemeral = EPHEMERAL.iter().map(|&(name, proto, resume, auth, coverage)| {
        let verify = if auth == Auth::Mutual { Verify::Name } else { Verify::None };
        let choice = Choice {
            proto: Some(proto),
            cert: Some(Cert::P256),
            auth: Some(auth),
            verify: Some(verify),
            ..sized(name, resume)
        };
        (choice, if is_slow { Coverage::Sample(40) } else { coverage })
    });
    let ssl2_mutual = Choice {
        cert: Some(Cert::Rsa512),
        auth: Some(Auth::Mutual),
        verify: Some(Verify::Name),
        ..sized("DES-CBC3-MD5", Resume::SessionId)
    };
    let tls13 = |choice| Choice { cert: Some(Cert::P256), verify: Some(Verify::None), ..choice };
    let more_messages = [
        Choice { early_data: Some(CHUNK), ..sized("TLS_AES_128_GCM_SHA256", Resume::PskDhe) },
        Choice { hello: Some(Hello::Retry), ..sized("TLS_AES_128_GCM_SHA256", Resume::PskDhe) },
    ]
    .map(|choice| (tls13(choice), Coverage::Sample(if is_slow { 40 } else { 200 })));
    let engines = engines();
    static_rsa
        .chain(ephemeral)
        .chain(more_messages)
        .chain([(ssl2_mutual, Coverage::EveryByte)])
        .map(|(choice, coverage)| (mixed(client, server, &choice), coverage))
        .filter(|(cell, _)| supported(&engines, cell).is_ok())
        .collect()
}

fn sized(name: &str, resume: Resume) -> Choice {
    Choice { resume: Some(resume), bytes: Some(BYTES), chunk: Some(CHUNK), ..with_cipher(name) }
}
