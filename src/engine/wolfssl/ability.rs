//! What the library can do, asked from the library, and refusals in words.

use std::ffi::{CStr, CString, c_char, c_int, c_uchar};
use std::ptr;
use std::sync::OnceLock;

use wolfssl_sys as sys;

use super::context::{Context, scheme_name};
use super::library::{self, NAME, SUCCESS};
use crate::cell::{Auth, Cell, Cert, Feature, Group, Proto, SignatureScheme, Verify};
use crate::engine::{EngineError, Side, Unsupported};

/// What this build of the library has, as it says itself.
#[derive(Debug)]
pub(super) struct Abilities {
    protos: Vec<Proto>,
    /// The ciphers' numbers and the library's names for them.
    ciphers: Vec<(u16, CString)>,
    groups: Vec<Group>,
    schemes: Vec<SignatureScheme>,
}

impl Abilities {
    /// What the library said when it was first asked.
    pub(super) fn get() -> Result<&'static Self, Unsupported> {
        static ABILITIES: OnceLock<Result<Abilities, EngineError>> = OnceLock::new();
        let asked = ABILITIES.get_or_init(Self::ask).as_ref();
        asked.map_err(|error| Unsupported(format!("{NAME} does not start: {error}")))
    }

    fn ask() -> Result<Self, EngineError> {
        library::start()?;
        let context = Context::of_any_version()?;
        let takes = |scheme: &SignatureScheme| {
            // SAFETY: the context lives, and the name is read during the call.
            scheme_name(*scheme).is_some_and(|name| unsafe {
                sys::wolfSSL_CTX_set1_sigalgs_list(context.at(), name.as_ptr()) == SUCCESS
            })
        };
        Ok(Self {
            protos: Proto::ALL.iter().copied().filter(|&proto| has_proto(&context, proto)).collect(),
            ciphers: ciphers(),
            groups: Group::ALL.iter().copied().filter(|&group| has_group(&context, group)).collect(),
            schemes: SignatureScheme::ALL.iter().copied().filter(takes).collect(),
        })
    }

    /// The library's name for a cipher.
    pub(super) fn cipher_name(&self, code: u16) -> Option<&CStr> {
        self.ciphers.iter().find(|(found, _)| *found == code).map(|(_, name)| name.as_c_str())
    }

    /// Whether the library can play `side` of `cell`.
    pub(super) fn check(&self, cell: &Cell, side: Side) -> Result<(), Unsupported> {
        let lacks = |what: &str| Err(Unsupported(format!("{NAME} {} has no {what}", library::version())));
        if !self.protos.contains(&cell.proto) {
            return lacks(cell.proto.title());
        }
        if self.cipher_name(cell.cipher.code).is_none() {
            return lacks(&format!("cipher {}", cell.cipher.openssl));
        }
        if !self.groups.contains(&cell.group) {
            return lacks(&format!("group {}", cell.group));
        }
        if !has_key_kind(cell.cert) || !self.schemes.contains(&cell.certificate_signature()) {
            return lacks(&format!("{} certificates", cell.cert));
        }
        // RFC 8446, section 4.4.2.2; certificates of short keys are signed as in their day.
        let shows = side == Side::Server || cell.auth == Auth::Mutual;
        let is_of_sha1 = matches!(cell.cert, Cert::Rsa512 | Cert::Rsa1024);
        if shows && is_of_sha1 && cell.proto == Proto::Tls13 {
            return Err(Unsupported(format!(
                "{NAME} {} shows no {} certificates under TLS 1.3: they are signed with SHA-1, which no peer asks for",
                library::version(),
                cell.cert
            )));
        }
        let must_look = cell.auth == Auth::Mutual && cell.verify == Verify::None && cell.chain > 1;
        if side == Side::Server && must_look {
            return Err(Unsupported(format!(
                "{NAME} {} checks the signatures inside a client's chain whenever it asks for one",
                library::version()
            )));
        }
        Ok(())
    }
}

/// Whether the library has a switch that pins `feature` in `cell`, which it otherwise supports.
pub(super) fn offers(feature: Feature, cell: &Cell) -> Result<(), Unsupported> {
    match feature {
        Feature::Alpn
        | Feature::PskOnly
        | Feature::EarlyData
        | Feature::HelloRetry
        | Feature::EncryptThenMac(_)
        | Feature::ExtendedMasterSecret(_) => Ok(()),
        Feature::RecordSize(bytes) => record_size(bytes, cell),
        _ => Err(Unsupported(format!("{NAME} {} has no way here to {feature}", library::version()))),
    }
}

/// The library limits records by the extension that a client offers, RFC 6066, and in no other way.
fn record_size(bytes: u32, cell: &Cell) -> Result<(), Unsupported> {
    let version = library::version();
    if fragment_code(bytes).is_none() {
        return Err(Unsupported(format!(
            "{NAME} {version} limits records to 512, 1024, 2048 or 4096 bytes of data, not to {bytes}"
        )));
    }
    if !cell.is_pure() {
        return Err(Unsupported(format!(
            "{NAME} {version} limits records by an extension that only its own kind sends and answers here"
        )));
    }
    if cell.early_data > bytes {
        return Err(Unsupported(format!(
            "{NAME} {version} limits records once the server has answered, and so not those of 0-RTT data"
        )));
    }
    Ok(())
}

/// The number in RFC 6066 of a limit of record sizes.
pub(super) fn fragment_code(bytes: u32) -> Option<c_uchar> {
    match bytes {
        512 => Some(1),
        1024 => Some(2),
        2048 => Some(3),
        4096 => Some(4),
        _ => None,
    }
}

/// The library's number for a version.
fn version_of(proto: Proto) -> Option<c_int> {
    let version = match proto {
        Proto::Ssl2 => return None,
        Proto::Ssl3 => sys::WOLFSSL_SSLV3,
        Proto::Tls10 => sys::WOLFSSL_TLSV1,
        Proto::Tls11 => sys::WOLFSSL_TLSV1_1,
        Proto::Tls12 => sys::WOLFSSL_TLSV1_2,
        Proto::Tls13 => sys::WOLFSSL_TLSV1_3,
    };
    Some(version as c_int)
}

fn has_proto(context: &Context, proto: Proto) -> bool {
    // SAFETY: the context lives.
    version_of(proto)
        .is_some_and(|version| unsafe { sys::wolfSSL_CTX_SetMinVersion(context.at(), version) == SUCCESS })
}

fn has_group(context: &Context, group: Group) -> bool {
    let Some(code) = group.code() else {
        return true;
    };
    let mut groups = [c_int::from(code)];
    // SAFETY: the context lives, and the list is read during the call.
    unsafe { sys::wolfSSL_CTX_set_groups(context.at(), groups.as_mut_ptr(), 1) == SUCCESS }
}

/// Every cipher that was compiled in.
fn ciphers() -> Vec<(u16, CString)> {
    (0..).map_while(cipher_at).collect()
}

fn cipher_at(place: c_int) -> Option<(u16, CString)> {
    let (mut first, mut second, mut flags): (c_uchar, c_uchar, c_int) = (0, 0, 0);
    // SAFETY: the answer is null past the end of the list, or an entry of a constant table of the library; the three
    // numbers are written during the call.
    unsafe {
        let name: *const c_char = sys::wolfSSL_get_cipher_list(place);
        if name.is_null() {
            return None;
        }
        let name = CStr::from_ptr(name).to_owned();
        let found = sys::wolfSSL_get_cipher_suite_from_name(
            name.as_ptr(),
            ptr::from_mut(&mut first),
            ptr::from_mut(&mut second),
            ptr::from_mut(&mut flags),
        );
        (found == 0).then(|| (u16::from_be_bytes([first, second]), name))
    }
}

/// Whether a key of this kind can be loaded. Which schemes it may sign in is another question.
fn has_key_kind(cert: Cert) -> bool {
    let curve = match cert.curve() {
        Some(Group::P256) => sys::ecc_curve_ids_ECC_SECP256R1,
        Some(Group::P384) => sys::ecc_curve_ids_ECC_SECP384R1,
        Some(Group::P521) => sys::ecc_curve_ids_ECC_SECP521R1,
        _ => return true,
    };
    // SAFETY: the function looks a number up in a table.
    unsafe { sys::wc_ecc_get_curve_idx(curve as c_int) >= 0 }
}
