//! OpenSSL as a whole: started once for the process, asked once what it has.

#![allow(unsafe_code)]

use std::ffi::{CStr, c_long};
use std::ptr;
use std::sync::OnceLock;

use openssl::error::ErrorStack;
use openssl::provider::Provider;
use openssl::ssl::{SslContextBuilder, SslMethod, SslVersion};
use openssl_sys::{
    OPENSSL_STACK, OPENSSL_init_ssl, OPENSSL_sk_num, OPENSSL_sk_value, OpenSSL_version, SSL_CTX_ctrl,
};

use super::ffi;
use crate::cell::{CIPHERS, Cell, Cert, Cipher, Feature, Group, KeyExchange, MAX_RECORD_SIZE, Proto};
use crate::engine::{EngineError, EngineInfo, Unsupported};

/// Every cipher that the library has, whatever it thinks of its strength. The NULL ciphers are not in `ALL`.
const ALL_CIPHERS: &str = "ALL:COMPLEMENTOFALL:@SECLEVEL=0";

/// Starts the library as this engine needs it; does nothing from the second call on.
///
/// The machine's `openssl.cnf` is left out: it could change versions, ciphers and options behind a cell's back.
/// The legacy provider (RC4, single DES, IDEA, SEED) is optional, since a build may be without it; then those
/// ciphers are missing from [`Capabilities`].
pub fn start() -> Result<(), EngineError> {
    static STARTED: OnceLock<Result<(), EngineError>> = OnceLock::new();
    STARTED
        .get_or_init(|| {
            // SAFETY: may be called at any time from any thread; no settings are passed.
            unsafe { OPENSSL_init_ssl(ffi::OPENSSL_INIT_NO_LOAD_CONFIG, ptr::null()) };
            let default = Provider::load(None, "default").map_err(|stack| words(&stack))?;
            // Providers live as long as the process: unloading one would pull it from under later contexts.
            std::mem::forget(default);
            if let Ok(legacy) = Provider::load(None, "legacy") {
                std::mem::forget(legacy);
            }
            Ok(())
        })
        .clone()
}

/// The reasons in an error stack, the innermost first.
pub fn words(stack: &ErrorStack) -> EngineError {
    let mut reasons: Vec<String> = Vec::new();
    for error in stack.errors() {
        let reason = error.reason().map_or_else(|| format!("error {:#x}", error.code()), str::to_owned);
        let reason = match error.data() {
            Some(data) if !data.is_empty() => format!("{reason} ({data})"),
            _ => reason,
        };
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    EngineError::new(if reasons.is_empty() { "no reason given".to_owned() } else { reasons.join("; ") })
}

/// OpenSSL's constant for a version; none for SSL 2.0, which left the library in 2016.
pub fn version_of(proto: Proto) -> Option<SslVersion> {
    match proto {
        Proto::Ssl2 => None,
        Proto::Ssl3 => Some(SslVersion::SSL3),
        Proto::Tls10 => Some(SslVersion::TLS1),
        Proto::Tls11 => Some(SslVersion::TLS1_1),
        Proto::Tls12 => Some(SslVersion::TLS1_2),
        Proto::Tls13 => Some(SslVersion::TLS1_3),
    }
}

/// OpenSSL's name of a group; none for static RSA.
pub fn group_name(group: Group) -> Option<&'static str> {
    match group {
        Group::Rsa => None,
        Group::X25519 => Some("X25519"),
        Group::P256 => Some("P-256"),
        Group::P384 => Some("P-384"),
        Group::P521 => Some("P-521"),
        Group::X448 => Some("X448"),
        Group::Ffdhe2048 => Some("ffdhe2048"),
        Group::Ffdhe3072 => Some("ffdhe3072"),
        Group::X25519MlKem768 => Some("X25519MLKEM768"),
        Group::SecP256r1MlKem768 => Some("SecP256r1MLKEM768"),
        Group::MlKem768 => Some("MLKEM768"),
    }
}

/// What this build of the library has, as it says itself.
#[derive(Debug)]
pub struct Capabilities {
    version: String,
    protos: Vec<Proto>,
    ciphers: Vec<u16>,
    groups: Vec<Group>,
    certs: Vec<Cert>,
    /// The lowest limit of a record's data that it takes.
    smallest_record: u32,
}

impl Capabilities {
    /// Asks the library.
    pub fn probe() -> Result<Self, EngineError> {
        start()?;
        Self::probe_started().map_err(|stack| words(&stack))
    }

    fn probe_started() -> Result<Self, ErrorStack> {
        let mut context = SslContextBuilder::new(SslMethod::tls())?;
        context.set_security_level(0);
        let protos = Proto::ALL.iter().copied().filter(|&proto| has_proto(&mut context, proto)).collect();
        let groups = Group::ALL
            .iter()
            .copied()
            .filter(|&group| group_name(group).is_none_or(|name| context.set_groups_list(name).is_ok()))
            .collect();
        let certs = Cert::ALL.iter().copied().filter(|&cert| knows_key(&mut context, cert)).collect();
        let smallest_record =
            (1..MAX_RECORD_SIZE).find(|&bytes| limit_records(&mut context, bytes)).unwrap_or(MAX_RECORD_SIZE);
        context.set_cipher_list(ALL_CIPHERS)?;
        let tls13 = CIPHERS.iter().filter(|cipher| cipher.kx == KeyExchange::Tls13);
        context.set_ciphersuites(&tls13.map(|cipher| cipher.openssl).collect::<Vec<_>>().join(":"))?;
        let ciphers = cipher_codes(&context);
        drop(ErrorStack::get()); // what the refusals left behind
        Ok(Self { version: version(), protos, ciphers, groups, certs, smallest_record })
    }

    /// Whether the library can play either side of `cell`.
    pub fn check(&self, cell: &Cell) -> Result<(), Unsupported> {
        let lacks = |what: String| Err(Unsupported(format!("OpenSSL {} has no {what}", self.version)));
        if !self.protos.contains(&cell.proto) {
            return lacks(cell.proto.title().to_owned());
        }
        if !self.ciphers.contains(&cell.cipher.code) {
            return lacks(format!("cipher {}", cell.cipher.openssl));
        }
        if !self.certs.contains(&cell.cert) {
            return lacks(format!("{} certificates", cell.cert));
        }
        if !self.groups.contains(&cell.group) {
            return lacks(format!("group {}", cell.group));
        }
        Ok(())
    }

    /// Whether the library can do on its side what `feature` says.
    pub fn check_feature(&self, feature: Feature) -> Result<(), Unsupported> {
        let refuse = |what: String| Err(Unsupported(format!("OpenSSL {} {what}", self.version)));
        match feature {
            Feature::RecordSize(bytes) if bytes < self.smallest_record => refuse(format!(
                "limits records to {} bytes of data at least, not to {bytes}",
                self.smallest_record
            )),
            Feature::NoAcceleration => refuse(format!("has no way here to {feature}")),
            Feature::RecordSize(_)
            | Feature::PskOnly
            | Feature::EarlyData
            | Feature::HelloRetry
            | Feature::EncryptThenMac(_)
            | Feature::ExtendedMasterSecret(_)
            | Feature::Alpn => Ok(()),
        }
    }

    /// The engine's own account of itself.
    pub fn info(&self, id: &'static str) -> EngineInfo {
        let mut build = vec![platform()];
        build.extend(optimisation());
        build.push(if has_assembly() { "assembly" } else { "portable C" }.to_owned());
        if self.protos.contains(&Proto::Ssl3) {
            build.push("SSL 3.0".to_owned());
        }
        let weak = |name| Cipher::named(name).is_ok_and(|cipher| self.ciphers.contains(&cipher.code));
        if ["NULL-MD5", "RC4-MD5", "DES-CBC3-SHA"].into_iter().all(weak) {
            build.push("weak ciphers".to_owned());
        }
        EngineInfo {
            id,
            library: "OpenSSL".to_owned(),
            version: self.version.clone(),
            build: build.join(", "),
            is_tls: true,
        }
    }
}

fn has_proto(context: &mut SslContextBuilder, proto: Proto) -> bool {
    version_of(proto).is_some_and(|version| {
        context.set_min_proto_version(None).is_ok()
            && context.set_max_proto_version(Some(version)).is_ok()
            && context.set_min_proto_version(Some(version)).is_ok()
    })
}

/// Makes connections send records of at most `bytes` bytes of data, handshake messages too; false if the library refuses.
pub fn limit_records(context: &mut SslContextBuilder, bytes: u32) -> bool {
    // SAFETY: the context lives; the command takes no pointer.
    let set = unsafe {
        SSL_CTX_ctrl(
            context.as_ptr(),
            ffi::SSL_CTRL_SET_MAX_SEND_FRAGMENT,
            c_long::from(bytes),
            ptr::null_mut(),
        )
    };
    set == 1
}

/// Whether the library has the signature scheme in which such a key signs in the newest version.
fn knows_key(context: &mut SslContextBuilder, cert: Cert) -> bool {
    context.set_sigalgs_list(cert.scheme_in(Proto::Tls13).name()).is_ok()
}

fn cipher_codes(context: &SslContextBuilder) -> Vec<u16> {
    // SAFETY: the stack belongs to the living context and holds ciphers of the library's static tables.
    unsafe {
        let stack: *const OPENSSL_STACK = ffi::SSL_CTX_get_ciphers(context.as_ptr()).cast();
        (0..OPENSSL_sk_num(stack))
            .map(|at| openssl_sys::SSL_CIPHER_get_protocol_id(OPENSSL_sk_value(stack, at).cast()))
            .collect()
    }
}

/// `3.6.3` out of `OpenSSL 3.6.3 9 Jun 2026`.
pub fn version() -> String {
    openssl::version::version().split(' ').nth(1).unwrap_or("unknown").to_owned()
}

/// `linux-x86_64` out of `platform: linux-x86_64`.
fn platform() -> String {
    openssl::version::platform().trim_start_matches("platform: ").to_owned()
}

/// The compiler's last `-O` flag, the one that counts.
fn optimisation() -> Option<String> {
    openssl::version::c_flags().split(' ').rfind(|flag| flag.starts_with("-O")).map(str::to_owned)
}

fn has_assembly() -> bool {
    !cpu_info().contains("N/A")
}

/// The first two parts of what the library goes by of CPUID, after `OPENSSL_ia32cap` had its say; none without assembly.
#[cfg(target_arch = "x86_64")]
pub fn ia32cap() -> Option<[u64; 2]> {
    let info = cpu_info();
    let (_, parts) = info.split_once("OPENSSL_ia32cap=")?;
    let mut parts =
        parts.split([':', ' ']).map(|part| u64::from_str_radix(part.strip_prefix("0x")?, 16).ok());
    Some([parts.next()??, parts.next()??])
}

/// `CPUINFO: OPENSSL_ia32cap=0x…:0x…` or the like.
fn cpu_info() -> String {
    // SAFETY: answers with a static string for any key.
    let cpu = unsafe { CStr::from_ptr(OpenSSL_version(ffi::OPENSSL_CPU_INFO)) };
    cpu.to_string_lossy().into_owned()
}
