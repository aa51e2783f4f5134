//! What SSL 2.0 leaves without protection: it has no transcript of its handshake, and its MAC does not cover where the
//! data end and the padding begins. The tests prove that each hole is there, and what is noticed nevertheless.

use std::ops::Range;

use tlspair::cell::{Auth, Proto, Verify};
use tlspair::measure::FailureCause;

use super::allowed::Flip;
use super::trial::Outcome;

/// Bytes of a hello's fixed part behind the header of its record: CLIENT-HELLO, SERVER-HELLO.
const FIXED: [usize; 2] = [3 + 6, 5 + 6];
const HEADER: usize = 2;
const CIPHER: usize = 3;
/// Bytes of a session id, and of the challenge and the connection id of our own engine.
const ID: usize = 16;
/// Bytes of a CLIENT-HELLO that offers a session.
const RESUMING_HELLO: usize = HEADER + FIXED[0] + CIPHER + ID + ID;
/// More bytes than a SERVER-HELLO without a certificate has.
const WITH_CERTIFICATE: usize = 100;

/// Whether a flip is where nothing protects the byte, and its outcome what the protocol makes of it.
pub fn has_no_protection(flip: &Flip<'_>, outcome: &Outcome) -> bool {
    if flip.cell.proto != Proto::Ssl2 {
        return false;
    }
    let cause = match outcome {
        Outcome::Wrong(failure) => Some(&failure.cause),
        _ => None,
    };
    match cause {
        // The end of the data moves (D. Wagner and B. Schneier, "Analysis of the SSL 3.0 Protocol", 1996).
        Some(FailureCause::Changed(_)) => is_padding_length(flip),
        // The server does not know the session, and both go through a full handshake: the harness refuses that.
        Some(FailureCause::Disagrees(_)) => is_in(flip, offered_session(flip)),
        // Where certificates are not checked, of the server's only the key counts.
        None => {
            *outcome == Outcome::Completed && is_in(flip, server_certificate(flip)) && !checks_server(flip)
        }
        Some(_) => false,
    }
}

fn is_padding_length(flip: &Flip<'_>) -> bool {
    flip.place.header == HEADER + 1 && flip.place.offset == HEADER
}

fn is_in(flip: &Flip<'_>, place: Option<Range<usize>>) -> bool {
    place.is_some_and(|place| place.contains(&flip.place.offset))
}

fn offered_session(flip: &Flip<'_>) -> Option<Range<usize>> {
    let start = HEADER + FIXED[0] + CIPHER;
    (flip.is_client_hello() && flip.place.bytes.len() == RESUMING_HELLO).then_some(start..start + ID)
}

fn server_certificate(flip: &Flip<'_>) -> Option<Range<usize>> {
    let length = flip.place.bytes.len();
    let shows = flip.is_server_hello() && length > WITH_CERTIFICATE;
    shows.then(|| HEADER + FIXED[1]..length - CIPHER - ID)
}

/// A client that shows a certificate signs the server's as well.
fn checks_server(flip: &Flip<'_>) -> bool {
    flip.cell.verify != Verify::None || flip.cell.auth == Auth::Mutual
}

#[cfg(feature = "ssl2")]
mod tests {
    use tlspair::cell::{Auth, Cell, Cert, Choice, Verify};
    use tlspair::engine::Side;
    use tlspair::measure::{FailureCause, LoopKind, Phase};

    use super::super::meddler::Deed;
    use super::super::trial::{Outcome, Trials, make_ready};
    use super::{CIPHER, FIXED, HEADER, ID};
    use crate::support::{cell, with_cipher};

    /// The records of a full handshake: hello, master key, finish; then one of data.
    const CLIENT_DATA: usize = 3;

    fn ssl2(choice: Choice) -> Cell {
        let cert = Some(Cert::Rsa512);
        cell("ssl2", &Choice { cert, bytes: Some(34), chunk: Some(17), ..choice })
    }

    fn outcome(cell: &Cell, kind: LoopKind, side: Side, deed: Deed) -> Outcome {
        let ready = make_ready(cell);
        Trials::new(&ready, kind).run(side, deed).0
    }

    fn cause(outcome: Outcome) -> Option<FailureCause> {
        match outcome {
            Outcome::Wrong(failure) => Some(failure.cause),
            _ => None,
        }
    }

    /// 17 bytes of data and the MAC leave 7 bytes of a block; with 6 of padding said, one of them is data.
    #[test]
    fn the_length_of_padding_is_not_protected() {
        let cell = ssl2(with_cipher("DES-CBC3-MD5"));
        let deed = |bit| Deed::Flip { record: CLIENT_DATA, offset: HEADER, bit };
        let shorter = outcome(&cell, LoopKind::Full, Side::Client, deed(0));
        assert!(matches!(cause(shorter), Some(FailureCause::Changed(17))));
        let longer_than_a_block = outcome(&cell, LoopKind::Full, Side::Client, deed(3));
        assert_eq!(longer_than_a_block, Outcome::Refused(Phase::Transfer));
    }

    #[test]
    fn an_offered_session_is_not_protected() {
        let cell = ssl2(with_cipher("DES-CBC3-MD5"));
        let deed = Deed::Flip { record: 0, offset: HEADER + FIXED[0] + CIPHER + ID - 1, bit: 0 };
        let other_session = outcome(&cell, LoopKind::Reuse, Side::Client, deed);
        assert!(matches!(cause(other_session), Some(FailureCause::Disagrees(_))));
    }

    /// The last byte of a certificate belongs to its issuer's signature.
    #[test]
    fn the_server_s_certificate_is_protected_by_its_issuer_s_signature_alone() {
        let of = |choice: Choice| {
            let cell = ssl2(choice);
            let certificate = tlspair::fixtures::Credentials::of(&cell).server.chain[0].len();
            let deed = Deed::Flip { record: 0, offset: HEADER + FIXED[1] + certificate - 1, bit: 0 };
            outcome(&cell, LoopKind::Full, Side::Server, deed)
        };
        let plain = with_cipher("DES-CBC3-MD5");
        assert_eq!(of(plain.clone()), Outcome::Completed);
        let checked = Choice { verify: Some(Verify::Chain), ..plain.clone() };
        assert_eq!(of(checked), Outcome::Refused(Phase::Handshake));
        let signed_by_the_client = Choice { auth: Some(Auth::Mutual), ..plain };
        assert_eq!(of(signed_by_the_client), Outcome::Refused(Phase::Handshake));
    }
}
