//! The handshake messages: how each is laid out, and what it must hold to be one.

use crate::engine::EngineError;

/// The version in both hellos.
pub const VERSION: [u8; 2] = [0, 2];
/// The only type of certificates that was ever defined.
pub const X509: u8 = 1;
/// The only way of client authentication that was ever defined: an RSA signature over MD5.
pub const MD5_WITH_RSA: u8 = 1;
/// Bytes of a session id.
pub const SESSION_ID: usize = 16;
/// Bytes of the challenges and connection ids that are made here; others may take up to [`MAX_NONCE`].
pub const NONCE: usize = 16;
/// The most bytes of a challenge or connection id.
pub const MAX_NONCE: usize = 32;

/// The first byte of each message.
pub mod kind {
    /// Either side gives up, or a client has no certificate.
    pub const ERROR: u8 = 0;
    /// Versions, ciphers, session, challenge.
    pub const CLIENT_HELLO: u8 = 1;
    /// The master key, encrypted to the server's certificate.
    pub const CLIENT_MASTER_KEY: u8 = 2;
    /// The connection id, protected.
    pub const CLIENT_FINISHED: u8 = 3;
    /// Certificate, ciphers, connection id.
    pub const SERVER_HELLO: u8 = 4;
    /// The challenge, protected: the server has the master key.
    pub const SERVER_VERIFY: u8 = 5;
    /// The session id, protected.
    pub const SERVER_FINISHED: u8 = 6;
    /// The server wants a certificate.
    pub const REQUEST_CERTIFICATE: u8 = 7;
    /// The client's certificate and signature.
    pub const CLIENT_CERTIFICATE: u8 = 8;
}

/// The codes of ERROR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The two have no cipher in common.
    NoCipher = 1,
    /// The client has no certificate to show.
    NoCertificate = 2,
    /// A certificate or its signature is not accepted.
    BadCertificate = 4,
    /// A certificate is of a type that is not known.
    UnsupportedCertificateType = 6,
}

impl Fault {
    /// The message that tells the peer.
    pub fn message(self) -> [u8; 3] {
        [kind::ERROR, 0, self as u8]
    }
}

/// The client's first message.
#[derive(Debug)]
pub struct ClientHello<'a> {
    /// Three bytes each.
    pub ciphers: &'a [u8],
    /// Empty for a new session.
    pub session_id: &'a [u8],
    /// What the server must send back protected.
    pub challenge: &'a [u8],
}

/// The server's answer.
#[derive(Debug)]
pub struct ServerHello<'a> {
    /// Whether the session is resumed; certificate and ciphers are empty then.
    pub is_hit: bool,
    /// Of the certificate.
    pub certificate_type: u8,
    /// As DER.
    pub certificate: &'a [u8],
    /// Three bytes each.
    pub ciphers: &'a [u8],
    /// What the client must send back protected.
    pub connection_id: &'a [u8],
}

/// The key of a new session.
#[derive(Debug)]
pub struct ClientMasterKey<'a> {
    /// The cipher that the client has chosen.
    pub cipher: [u8; 3],
    /// What export ciphers leave in the clear.
    pub clear: &'a [u8],
    /// The rest, encrypted.
    pub encrypted: &'a [u8],
    /// The initial vector of a block cipher.
    pub argument: &'a [u8],
}

/// The client's certificate.
#[derive(Debug)]
pub struct ClientCertificate<'a> {
    /// As DER.
    pub certificate: &'a [u8],
    /// The signature.
    pub response: &'a [u8],
}

impl<'a> ClientHello<'a> {
    /// Lays it out.
    pub fn write(&self, into: &mut Vec<u8>) {
        let [high, low] = VERSION;
        lay_out(into, &[kind::CLIENT_HELLO, high, low], &[self.ciphers, self.session_id, self.challenge]);
    }

    /// Takes it apart.
    pub fn read(message: &'a [u8]) -> Result<Self, EngineError> {
        let ([_, high, low], [ciphers, session_id, challenge]) = take_apart(message, kind::CLIENT_HELLO)?;
        if [high, low] != VERSION {
            return Err(EngineError::new(format_args!("the client wants version {high}.{low}")));
        }
        let is_well_formed = is_cipher_list(ciphers)
            && !ciphers.is_empty()
            && matches!(session_id.len(), 0 | SESSION_ID)
            && is_nonce(challenge);
        if is_well_formed {
            Ok(Self { ciphers, session_id, challenge })
        } else {
            Err(malformed(kind::CLIENT_HELLO))
        }
    }
}

impl<'a> ServerHello<'a> {
    /// Lays it out.
    pub fn write(&self, into: &mut Vec<u8>) {
        let [high, low] = VERSION;
        let fixed = [kind::SERVER_HELLO, u8::from(self.is_hit), self.certificate_type, high, low];
        lay_out(into, &fixed, &[self.certificate, self.ciphers, self.connection_id]);
    }

    /// Takes it apart.
    pub fn read(message: &'a [u8]) -> Result<Self, EngineError> {
        let ([_, hit, certificate_type, high, low], [certificate, ciphers, connection_id]) =
            take_apart(message, kind::SERVER_HELLO)?;
        if [high, low] != VERSION {
            return Err(EngineError::new(format_args!("the server speaks version {high}.{low}")));
        }
        let is_bare = certificate_type == 0 && certificate.is_empty() && ciphers.is_empty();
        let fits = match hit {
            0 => is_cipher_list(ciphers),
            1 => is_bare,
            _ => false,
        };
        if !fits || !is_nonce(connection_id) {
            return Err(malformed(kind::SERVER_HELLO));
        }
        Ok(Self { is_hit: hit == 1, certificate_type, certificate, ciphers, connection_id })
    }
}

impl<'a> ClientMasterKey<'a> {
    /// Lays it out.
    pub fn write(&self, into: &mut Vec<u8>) {
        let [first, second, third] = self.cipher;
        let fixed = [kind::CLIENT_MASTER_KEY, first, second, third];
        lay_out(into, &fixed, &[self.clear, self.encrypted, self.argument]);
    }

    /// Takes it apart.
    pub fn read(message: &'a [u8]) -> Result<Self, EngineError> {
        let ([_, first, second, third], [clear, encrypted, argument]) =
            take_apart(message, kind::CLIENT_MASTER_KEY)?;
        Ok(Self { cipher: [first, second, third], clear, encrypted, argument })
    }
}

impl<'a> ClientCertificate<'a> {
    /// Lays it out.
    pub fn write(&self, into: &mut Vec<u8>) {
        lay_out(into, &[kind::CLIENT_CERTIFICATE, X509], &[self.certificate, self.response]);
    }

    /// Takes it apart. A certificate of another type is none.
    pub fn read(message: &'a [u8]) -> Result<Option<Self>, EngineError> {
        let ([_, certificate_type], [certificate, response]) = take_apart(message, kind::CLIENT_CERTIFICATE)?;
        Ok((certificate_type == X509).then_some(Self { certificate, response }))
    }
}

/// A message that is nothing but its first byte and one field.
pub fn write_single(into: &mut Vec<u8>, kind: u8, field: &[u8]) {
    into.clear();
    into.push(kind);
    into.extend_from_slice(field);
}

/// The field of such a message, of `kind` and no other.
pub fn read_single(message: &[u8], kind: u8) -> Result<&[u8], EngineError> {
    match message {
        [found, field @ ..] if *found == kind => Ok(field),
        _ => Err(unexpected(message, kind)),
    }
}

/// The certificate challenge in REQUEST-CERTIFICATE.
pub fn read_request(message: &[u8]) -> Result<&[u8], EngineError> {
    match read_single(message, kind::REQUEST_CERTIFICATE)? {
        [MD5_WITH_RSA, challenge @ ..] if is_nonce(challenge) => Ok(challenge),
        _ => Err(malformed(kind::REQUEST_CERTIFICATE)),
    }
}

/// Whether a list of ciphers has this one.
pub fn has_cipher(list: &[u8], cipher: [u8; 3]) -> bool {
    list.chunks_exact(3).any(|entry| entry == cipher)
}

/// Fixed bytes, then the lengths of the fields, then the fields.
fn lay_out(into: &mut Vec<u8>, fixed: &[u8], fields: &[&[u8]]) {
    into.clear();
    into.extend_from_slice(fixed);
    for field in fields {
        into.extend_from_slice(&(field.len() as u16).to_be_bytes());
    }
    for field in fields {
        into.extend_from_slice(field);
    }
}

/// The reverse: the fields must fill the message to its last byte.
fn take_apart<const FIXED: usize, const FIELDS: usize>(
    message: &[u8],
    kind: u8,
) -> Result<([u8; FIXED], [&[u8]; FIELDS]), EngineError> {
    if message.first() != Some(&kind) {
        return Err(unexpected(message, kind));
    }
    let (fixed, rest) = message.split_first_chunk::<FIXED>().ok_or_else(|| malformed(kind))?;
    let (lengths, mut rest) = rest.split_at_checked(2 * FIELDS).ok_or_else(|| malformed(kind))?;
    let mut fields: [&[u8]; FIELDS] = [&[]; FIELDS];
    for (field, length) in fields.iter_mut().zip(lengths.chunks_exact(2)) {
        let length = u16::from_be_bytes([length[0], length[1]]).into();
        (*field, rest) = rest.split_at_checked(length).ok_or_else(|| malformed(kind))?;
    }
    if rest.is_empty() { Ok((*fixed, fields)) } else { Err(malformed(kind)) }
}

fn is_cipher_list(list: &[u8]) -> bool {
    list.len().is_multiple_of(3)
}

fn is_nonce(bytes: &[u8]) -> bool {
    (NONCE..=MAX_NONCE).contains(&bytes.len())
}

fn malformed(kind: u8) -> EngineError {
    EngineError::new(format_args!("{} makes no sense", name(kind)))
}

/// What came in place of the message that was due: the peer's reason to give up, if it has told one.
pub fn unexpected(message: &[u8], due: u8) -> EngineError {
    match *message {
        [kind::ERROR, high, low] => {
            let code = u16::from_be_bytes([high, low]);
            EngineError::new(format_args!("the peer gave up: {}", fault_words(code)))
        }
        [found, ..] => EngineError::new(format_args!("{} came where {} was due", name(found), name(due))),
        [] => EngineError::new(format_args!("an empty record came where {} was due", name(due))),
    }
}

fn fault_words(code: u16) -> String {
    let named = [
        (Fault::NoCipher, "no cipher"),
        (Fault::NoCertificate, "no certificate"),
        (Fault::BadCertificate, "bad certificate"),
        (Fault::UnsupportedCertificateType, "unsupported certificate type"),
    ];
    named
        .iter()
        .find(|(fault, _)| *fault as u16 == code)
        .map_or_else(|| format!("error {code}"), |(_, words)| (*words).to_owned())
}

fn name(kind: u8) -> String {
    const NAMES: [&str; 9] = [
        "ERROR",
        "CLIENT-HELLO",
        "CLIENT-MASTER-KEY",
        "CLIENT-FINISHED",
        "SERVER-HELLO",
        "SERVER-VERIFY",
        "SERVER-FINISHED",
        "REQUEST-CERTIFICATE",
        "CLIENT-CERTIFICATE",
    ];
    NAMES
        .get(usize::from(kind))
        .map_or_else(|| format!("a message of unknown type {kind}"), |name| (*name).to_owned())
}
