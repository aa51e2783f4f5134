//! What the library keeps to itself and we need: its policies are named sets of many ciphers and groups, and a cell
//! wants one of each. The library links statically, so its own functions and tables can be named here. Nothing is
//! believed of them unseen: [`obstacle`] compares them with what the library itself says, before anything runs, and
//! every policy that we make is read back by the library (see [`super::policy`]).

use std::ffi::{c_char, c_int, c_void};
use std::ptr;

use s2n_tls_sys as sys;

use super::library::{self, check};
use crate::cell::{CIPHERS, Cipher, Group, SignatureScheme};

/// The library's number for the debugging format of a policy.
const POLICY_FORMAT_DEBUG_V1: c_int = 1;

/// A struct of the library that is only pointed at.
#[repr(C)]
pub(super) struct Opaque {
    _unused: [u8; 0],
}

// SAFETY: nothing of it can be read or written through this type; the library's tables do not change once it has
// started.
unsafe impl Sync for Opaque {}

/// `s2n_cipher_preferences`.
#[repr(C)]
pub(super) struct CipherPreferences {
    pub(super) count: u16,
    pub(super) suites: *const *const CipherSuite,
    pub(super) allow_chacha20_boosting: bool,
}

/// `s2n_signature_preferences`.
#[repr(C)]
pub(super) struct SignaturePreferences {
    pub(super) count: u8,
    pub(super) schemes: *const *const Opaque,
}

/// `s2n_ecc_preferences`.
#[repr(C)]
pub(super) struct CurvePreferences {
    pub(super) count: u8,
    pub(super) curves: *const *const Opaque,
}

/// `s2n_kem_preferences`.
#[repr(C)]
pub(super) struct KemPreferences {
    pub(super) kem_count: u8,
    pub(super) kems: *const *const Opaque,
    pub(super) group_count: u8,
    pub(super) groups: *const *const Opaque,
    /// 5 for the format that became the standard; versions without this field leave the byte alone.
    pub(super) hybrid_draft_revision: u8,
}

/// `s2n_security_policy`, and room behind it: what a later version may add there reads as not set.
#[repr(C)]
pub(super) struct SecurityPolicy {
    pub(super) minimum_protocol_version: u8,
    pub(super) ciphers: *const CipherPreferences,
    pub(super) kems: *const KemPreferences,
    pub(super) signatures: *const SignaturePreferences,
    pub(super) certificate_signatures: *const SignaturePreferences,
    pub(super) curves: *const CurvePreferences,
    pub(super) strongly_preferred_groups: *const c_void,
    pub(super) certificate_keys: *const c_void,
    pub(super) preferences_apply_locally: bool,
    pub(super) rules: [bool; 2],
    pub(super) room: [usize; 8],
}

/// The beginning of `s2n_cipher_suite`, which the library fills in when it starts.
#[repr(C)]
pub(super) struct CipherSuite {
    /// The lowest bit says whether the cryptography library has it.
    flags: u32,
    name: *const c_char,
    iana_name: *const c_char,
    iana_value: [u8; 2],
    key_exchange: *const Opaque,
    authentication: u32,
    record_algorithm: *const Opaque,
}

/// `s2n_result`.
#[repr(C)]
#[must_use]
pub(super) struct LibraryResult {
    signal: c_int,
}

// `s2n_tls_sys` declares none of these: they are in no public header.
unsafe extern "C" {
    /// What a new connection takes for the highest version there is.
    pub(super) static mut s2n_highest_protocol_version: u8;

    static kem_preferences_null: Opaque;
    static cipher_preferences_test_all: Opaque;
    static kem_preferences_all: Opaque;
    static s2n_signature_preferences_all: Opaque;
    static s2n_ecc_preferences_test_all: Opaque;

    static s2n_rsa_pkcs1_md5_sha1: Opaque;
    static s2n_rsa_pkcs1_sha256: Opaque;
    static s2n_rsa_pss_rsae_sha256: Opaque;
    static s2n_rsa_pss_pss_sha256: Opaque;
    static s2n_ecdsa_sha1: Opaque;
    static s2n_ecdsa_sha256: Opaque;
    static s2n_ecdsa_sha384: Opaque;
    static s2n_ecdsa_sha512: Opaque;
    static s2n_mldsa44: Opaque;
    static s2n_mldsa65: Opaque;
    static s2n_mldsa87: Opaque;

    static s2n_record_alg_rc4_md5: Opaque;
    static s2n_record_alg_rc4_sha: Opaque;
    static s2n_record_alg_3des_sha: Opaque;
    static s2n_record_alg_aes128_sha: Opaque;
    static s2n_record_alg_aes128_sha_composite: Opaque;
    static s2n_record_alg_aes128_sha256: Opaque;
    static s2n_record_alg_aes128_sha256_composite: Opaque;
    static s2n_record_alg_aes256_sha: Opaque;
    static s2n_record_alg_aes256_sha_composite: Opaque;
    static s2n_record_alg_aes256_sha256: Opaque;
    static s2n_record_alg_aes256_sha256_composite: Opaque;
    static s2n_record_alg_aes256_sha384: Opaque;
    static s2n_record_alg_aes128_gcm: Opaque;
    static s2n_record_alg_aes256_gcm: Opaque;
    static s2n_record_alg_chacha20_poly1305: Opaque;
    static s2n_tls13_record_alg_aes128_gcm: Opaque;
    static s2n_tls13_record_alg_aes256_gcm: Opaque;
    static s2n_tls13_record_alg_chacha20_poly1305: Opaque;

    fn s2n_find_security_policy_from_version(name: *const c_char, found: *mut *const SecurityPolicy)
    -> c_int;
    fn s2n_cipher_suite_from_iana(
        code: *const u8,
        length: usize,
        found: *mut *const CipherSuite,
    ) -> LibraryResult;
    fn s2n_find_ecc_curve_from_iana_id(code: u16, curve: *mut *const Opaque, found: *mut bool) -> c_int;
    fn s2n_find_kem_group_from_iana_id(code: u16, group: *mut *const Opaque, found: *mut bool) -> c_int;
    fn s2n_kem_group_is_available(group: *const Opaque) -> bool;
    fn s2n_connection_set_max_fragment_length(
        connection: *mut sys::s2n_connection,
        most: u16,
    ) -> LibraryResult;
    fn s2n_security_policy_write_bytes(
        policy: *const SecurityPolicy,
        format: c_int,
        into: *mut u8,
        room: u32,
        written: *mut u32,
    ) -> c_int;
    /// Not a name but a policy itself.
    pub(super) fn s2n_config_set_security_policy(
        config: *mut sys::s2n_config,
        policy: *const SecurityPolicy,
    ) -> c_int;
}

/// A key exchange group as the library has it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyShare {
    /// An elliptic curve.
    Curve(*const Opaque),
    /// A key encapsulation, alone or with a curve.
    Kem(*const Opaque),
}

/// Preferences of no key encapsulation: the library's own, which it knows by its address.
pub(super) fn no_kems() -> *const KemPreferences {
    (&raw const kem_preferences_null).cast()
}

/// The library's cipher suite of this number, whether its cryptography library has it or not.
pub(super) fn suite(cipher: &Cipher) -> Option<&'static CipherSuite> {
    let code = cipher.code.to_be_bytes();
    let mut found = ptr::null();
    // SAFETY: the library has started; `code` is readable for its length, and what is found is null or an entry of a
    // table of the library, which changes no more.
    unsafe {
        let result = s2n_cipher_suite_from_iana(code.as_ptr(), code.len(), &mut found);
        if result.signal == 0 { found.as_ref() } else { None }
    }
}

impl CipherSuite {
    /// Whether the cryptography library has what the suite needs.
    pub(super) fn is_available(&self) -> bool {
        self.flags & 1 == 1
    }

    /// Whether cipher and MAC are computed in one go.
    pub(super) fn is_composite(&self) -> bool {
        let composites = [
            &raw const s2n_record_alg_aes128_sha_composite,
            &raw const s2n_record_alg_aes256_sha_composite,
            &raw const s2n_record_alg_aes128_sha256_composite,
            &raw const s2n_record_alg_aes256_sha256_composite,
        ];
        composites.contains(&self.record_algorithm)
    }

    /// Whether the fields stand where we read them: the number is the one asked for, and the algorithm is none or one
    /// that the library has.
    fn is_as_declared(&self, cipher: &Cipher) -> bool {
        let algorithms = [
            ptr::null(),
            &raw const s2n_record_alg_rc4_md5,
            &raw const s2n_record_alg_rc4_sha,
            &raw const s2n_record_alg_3des_sha,
            &raw const s2n_record_alg_aes128_sha,
            &raw const s2n_record_alg_aes128_sha256,
            &raw const s2n_record_alg_aes256_sha,
            &raw const s2n_record_alg_aes256_sha256,
            &raw const s2n_record_alg_aes256_sha384,
            &raw const s2n_record_alg_aes128_gcm,
            &raw const s2n_record_alg_aes256_gcm,
            &raw const s2n_record_alg_chacha20_poly1305,
            &raw const s2n_tls13_record_alg_aes128_gcm,
            &raw const s2n_tls13_record_alg_aes256_gcm,
            &raw const s2n_tls13_record_alg_chacha20_poly1305,
        ];
        self.iana_value == cipher.code.to_be_bytes()
            && (self.is_composite() || algorithms.contains(&self.record_algorithm))
            && self.is_available() != self.record_algorithm.is_null()
    }
}

/// The library's group, if it and its cryptography library have it.
pub(super) fn key_share(group: Group) -> Option<KeyShare> {
    let code = group.code()?;
    let (mut at, mut found) = (ptr::null(), false);
    // SAFETY: the library has started, and writes a pointer into its tables and a truth value.
    unsafe {
        if s2n_find_ecc_curve_from_iana_id(code, &mut at, &mut found) == 0 && found {
            return Some(KeyShare::Curve(at));
        }
        if s2n_find_kem_group_from_iana_id(code, &mut at, &mut found) == 0 && found {
            return s2n_kem_group_is_available(at).then_some(KeyShare::Kem(at));
        }
    }
    None
}

/// The library's scheme of signatures.
pub(super) fn signature(scheme: SignatureScheme) -> Option<*const Opaque> {
    Some(match scheme {
        SignatureScheme::RsaPkcs1Md5Sha1 => &raw const s2n_rsa_pkcs1_md5_sha1,
        SignatureScheme::EcdsaSha1 => &raw const s2n_ecdsa_sha1,
        SignatureScheme::RsaPkcs1Sha256 => &raw const s2n_rsa_pkcs1_sha256,
        SignatureScheme::RsaPssRsaeSha256 => &raw const s2n_rsa_pss_rsae_sha256,
        SignatureScheme::RsaPssPssSha256 => &raw const s2n_rsa_pss_pss_sha256,
        SignatureScheme::EcdsaSecp256r1Sha256 => &raw const s2n_ecdsa_sha256,
        SignatureScheme::EcdsaSecp384r1Sha384 => &raw const s2n_ecdsa_sha384,
        SignatureScheme::EcdsaSecp521r1Sha512 => &raw const s2n_ecdsa_sha512,
        SignatureScheme::MlDsa44 => &raw const s2n_mldsa44,
        SignatureScheme::MlDsa65 => &raw const s2n_mldsa65,
        SignatureScheme::MlDsa87 => &raw const s2n_mldsa87,
        SignatureScheme::RsaPkcs1Md5 | SignatureScheme::Ed25519 | SignatureScheme::Ed448 => return None,
    })
}

/// Limits what a connection sends in one record.
///
/// # Safety
/// `connection` must be a living connection that has negotiated nothing yet.
pub(super) unsafe fn limit_records(connection: *mut sys::s2n_connection, most: u16) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { s2n_connection_set_max_fragment_length(connection, most) }.signal
}

/// A policy as the library describes it, line by line.
///
/// # Safety
/// `policy` and all that it points to must be of the layout that the library expects.
pub(super) unsafe fn described(policy: &SecurityPolicy) -> Result<String, crate::engine::EngineError> {
    let mut text = vec![0; 16 * 1024];
    let mut length = 0;
    // SAFETY: the caller's promise for `policy`; the buffer is writable for its length.
    check(unsafe {
        s2n_security_policy_write_bytes(
            policy,
            POLICY_FORMAT_DEBUG_V1,
            text.as_mut_ptr(),
            text.len() as u32,
            &mut length,
        )
    })?;
    text.truncate(length as usize);
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Why nothing can run: the library's structs are not those declared here. Compares addresses in one of its own
/// policies with those of the tables that it is known to consist of, and numbers in its cipher suites with those that
/// were asked for; nothing is followed before it has been compared.
pub(super) fn obstacle() -> Option<String> {
    let same = policy_is_as_declared()
        && CIPHERS.iter().all(|cipher| suite(cipher).is_none_or(|suite| suite.is_as_declared(cipher)));
    (!same).then(|| {
        format!("the policies of s2n-tls {} are not laid out as this engine knows them", library::VERSION)
    })
}

fn policy_is_as_declared() -> bool {
    let mut found: *const SecurityPolicy = ptr::null();
    // SAFETY: the library has started; the name is a C string, and what is found is null or a policy of the library.
    let Some(policy) = (unsafe {
        match s2n_find_security_policy_from_version(c"test_all".as_ptr(), &mut found) {
            0 if !found.is_null() => Some(found),
            _ => None,
        }
    }) else {
        return false;
    };
    // SAFETY: the fields lie in memory of the library's tables, of which this policy is a small part; addresses are
    // compared and not followed.
    unsafe {
        (*policy).ciphers.cast() == &raw const cipher_preferences_test_all
            && (*policy).kems.cast() == &raw const kem_preferences_all
            && (*policy).signatures.cast() == &raw const s2n_signature_preferences_all
            && (*policy).curves.cast() == &raw const s2n_ecc_preferences_test_all
    }
}
