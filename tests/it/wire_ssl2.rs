//! The wire observer on bytes of SSL 2.0 made by hand.

use tlspair::cell::{Auth, Choice, Group, Proto};
use tlspair::engine::Side;
use tlspair::wire::{ContentType, HandshakeParser, Message, RecordReader, Seen, ssl2_message_type};

use crate::support::{cell, with_cipher};

const CLIENT_HELLO: [u8; 9] = [1, 0, 2, 0, 3, 0, 0, 0, 16];
/// With an empty certificate, no ciphers and a connection id of 16 bytes.
const SERVER_HELLO: [u8; 11] = [4, 0, 1, 0, 2, 0, 0, 0, 0, 0, 16];
/// The server knows the session.
const SERVER_HELLO_HIT: [u8; 11] = [4, 1, 0, 0, 2, 0, 0, 0, 0, 0, 16];

/// A record with a header of two bytes.
fn unpadded(payload: &[u8]) -> Vec<u8> {
    let [high, low] = u16::try_from(payload.len()).expect("short payloads only").to_be_bytes();
    [&[high | 0x80, low], payload].concat()
}

/// A record with a header of three.
fn padded(payload: &[u8], padding: u8) -> Vec<u8> {
    let [high, low] = u16::try_from(payload.len()).expect("short payloads only").to_be_bytes();
    [&[high, low, padding], payload].concat()
}

fn read(reader: &mut RecordReader, bytes: &[u8]) -> Vec<(ContentType, Vec<u8>)> {
    let mut found = Vec::new();
    reader.read(bytes, |content_type, record| found.push((content_type, record.to_vec())));
    found
}

/// What the parser makes of these records' payloads.
fn parsed(records: &[(Side, &[u8])]) -> HandshakeParser {
    let mut parser = HandshakeParser::default();
    for (side, payload) in records {
        parser.record(*side, ContentType::Ssl2, payload);
    }
    parser
}

fn seen(records: &[(Side, &[u8])]) -> Seen {
    *parsed(records).seen()
}

fn client_master_key(cipher: [u8; 3]) -> Vec<u8> {
    [&[2][..], &cipher, &[0, 0, 0, 64, 0, 0], &[9; 64]].concat()
}

#[test]
fn records_of_both_headers_are_found_wherever_the_stream_is_cut() {
    let stream = [unpadded(b"hello"), padded(b"padded data", 7), unpadded(b""), unpadded(b"end")].concat();
    let whole = read(&mut RecordReader::default(), &stream);
    let lengths: Vec<usize> = whole.iter().map(|(_, record)| record.len()).collect();
    assert_eq!(lengths, [2 + 5, 3 + 11, 2, 2 + 3]);
    assert!(whole.iter().all(|(content_type, _)| *content_type == ContentType::Ssl2));
    for cut in 0..=stream.len() {
        let mut reader = RecordReader::default();
        let (first, rest) = stream.split_at(cut);
        let pieces = [read(&mut reader, first), read(&mut reader, rest)].concat();
        assert_eq!((pieces, reader.unfinished()), (whole.clone(), 0), "cut at {cut}");
    }
}

/// A record of SSL 2.0 may begin like one of TLS; the connection's first byte decides.
#[test]
fn the_first_byte_of_a_connection_decides_how_its_records_are_read() {
    let looks_like_tls = padded(&[0; 0x1603], 3);
    assert_eq!(looks_like_tls[..2], [22, 3]);
    let mut reader = RecordReader::default();
    read(&mut reader, &unpadded(b"hello"));
    let found = read(&mut reader, &looks_like_tls);
    assert_eq!(found, [(ContentType::Ssl2, looks_like_tls)]);
    reader.reset();
    let found = read(&mut reader, &[21, 3, 1, 0, 2, 1, 0]);
    assert_eq!(found[0].0, ContentType::Alert);
}

#[test]
fn a_full_handshake_shows_version_cipher_and_static_rsa() {
    for (name, kind) in
        [("RC4-MD5", [1, 0, 0x80]), ("DES-CBC-MD5", [6, 0, 0x40]), ("DES-CBC3-MD5", [7, 0, 0xc0])]
    {
        let cell = cell("x", &Choice { proto: Some(Proto::Ssl2), ..with_cipher(name) });
        let parser = parsed(&[
            (Side::Client, &CLIENT_HELLO),
            (Side::Server, &SERVER_HELLO),
            (Side::Client, &client_master_key(kind)),
            (Side::Client, &[0; 33]), // protected from here on: not to be read
            (Side::Server, &[4; 33]),
            (Side::Server, &[4; 33]),
        ]);
        let seen = parser.seen();
        assert_eq!(seen.check(&cell, false), Ok(()), "{name}");
        assert_eq!((seen.proto, seen.cipher), (Some(Proto::Ssl2), Some(cell.cipher.code)));
        assert_eq!((seen.group, seen.resumed), (Some(Group::Rsa), Some(false)));
        assert_eq!(seen.client_cert, Some(false));
        let master_key =
            Message { side: Side::Client, kind: ssl2_message_type::CLIENT_MASTER_KEY, length: 74 };
        assert_eq!(parser.messages().last(), Some(&master_key));
        assert_eq!(parser.messages().len(), 3);
    }
}

#[test]
fn a_known_session_shows_as_resumed_and_leaves_the_rest_protected() {
    let parser = parsed(&[
        (Side::Client, &CLIENT_HELLO),
        (Side::Server, &SERVER_HELLO_HIT),
        (Side::Server, &[2; 33]),
        (Side::Client, &[2; 33]),
        (Side::Server, &[4; 33]),
    ]);
    let seen = parser.seen();
    assert_eq!((seen.proto, seen.resumed), (Some(Proto::Ssl2), Some(true)));
    assert_eq!((seen.cipher, seen.group, seen.client_cert), (None, None, Some(false)));
    assert_eq!(parser.messages().len(), 2);
}

/// The client's second protected message is its certificate, or the word that it has none.
#[test]
fn a_client_certificate_shows_by_its_length() {
    let rc4 = client_master_key([1, 0, 0x80]);
    let with = |answer: &[u8]| {
        let records: [(Side, &[u8]); 5] = [
            (Side::Server, &SERVER_HELLO),
            (Side::Client, &rc4),
            (Side::Client, &[0; 33]),
            (Side::Server, &[0; 34]),
            (Side::Client, answer),
        ];
        seen(&records)
    };
    assert_eq!(with(&[0; 500]).client_cert, Some(true));
    assert_eq!(with(&[0; 19]).client_cert, Some(false));
    let mutual = Choice { proto: Some(Proto::Ssl2), auth: Some(Auth::Mutual), ..with_cipher("RC4-MD5") };
    let mutual = cell("x", &mutual);
    assert_eq!(with(&[0; 500]).check(&mutual, false), Ok(()));
    assert!(with(&[0; 19]).check(&mutual, false).is_err());
}

#[test]
fn shortened_messages_show_less_and_do_no_harm() {
    let whole = client_master_key([1, 0, 0x80]);
    for length in 0..SERVER_HELLO.len() {
        seen(&[(Side::Server, &SERVER_HELLO[..length]), (Side::Client, &whole[..length])]);
    }
    assert_eq!(seen(&[(Side::Server, &SERVER_HELLO[..4])]).proto, None);
}
