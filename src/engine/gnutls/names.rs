//! What the library calls things, and whether it has them: asked from its own lists.

use std::ffi::{CStr, c_uint};
use std::ptr;

use super::library::text;
use super::sys;
use crate::cell::{Cipher, Group, Proto, SignatureScheme};

/// The library's number for a version, if it was built with it.
pub(super) fn protocol(proto: Proto) -> Option<sys::gnutls_protocol_t> {
    let number = match proto {
        Proto::Ssl2 => return None,
        Proto::Ssl3 => sys::GNUTLS_SSL3,
        Proto::Tls10 => sys::GNUTLS_TLS1_0,
        Proto::Tls11 => sys::GNUTLS_TLS1_1,
        Proto::Tls12 => sys::GNUTLS_TLS1_2,
        Proto::Tls13 => sys::GNUTLS_TLS1_3,
    };
    // SAFETY: the answer is a static list that ends with 0.
    unsafe { lists(sys::gnutls_protocol_list(), number) }.then_some(number)
}

/// The library's version number as one of ours.
pub(super) fn proto(protocol: sys::gnutls_protocol_t) -> Option<Proto> {
    Proto::ALL.iter().copied().find(|&proto| self::protocol(proto) == Some(protocol))
}

/// The library's number for a group, if it was built with it.
pub(super) fn group(group: Group) -> Option<sys::gnutls_group_t> {
    let name = match group {
        Group::X25519 => c"X25519",
        Group::X448 => c"X448",
        Group::P256 => c"SECP256R1",
        Group::P384 => c"SECP384R1",
        Group::P521 => c"SECP521R1",
        Group::Ffdhe2048 => c"FFDHE2048",
        Group::Ffdhe3072 => c"FFDHE3072",
        // By these names from GnuTLS 3.8 on, if it was built with them.
        Group::X25519MlKem768 => c"X25519-MLKEM768",
        Group::SecP256r1MlKem768 => c"SECP256R1-MLKEM768",
        Group::Rsa | Group::MlKem768 => return None,
    };
    // SAFETY: the function only compares the C string with its own.
    let number = unsafe { sys::gnutls_group_get_id(name.as_ptr()) };
    (number != sys::GNUTLS_GROUP_INVALID).then_some(number)
}

/// The library's number for a scheme of signatures, if it has it. ECDSA before TLS 1.3 does not say on which curve, and
/// has numbers of its own. Before TLS 1.2, where the key alone decides, the library calls RSA over MD5 and SHA-1 together
/// RSA-SHA1.
pub(super) fn signature(scheme: SignatureScheme, proto: Proto) -> Option<sys::gnutls_sign_algorithm_t> {
    let is_tls13 = proto == Proto::Tls13;
    let number = match scheme {
        SignatureScheme::RsaPkcs1Sha256 => sys::GNUTLS_SIGN_RSA_SHA256,
        SignatureScheme::RsaPssRsaeSha256 => sys::GNUTLS_SIGN_RSA_PSS_RSAE_SHA256,
        SignatureScheme::RsaPssPssSha256 => sys::GNUTLS_SIGN_RSA_PSS_SHA256,
        SignatureScheme::EcdsaSecp256r1Sha256 if is_tls13 => sys::GNUTLS_SIGN_ECDSA_SECP256R1_SHA256,
        SignatureScheme::EcdsaSecp384r1Sha384 if is_tls13 => sys::GNUTLS_SIGN_ECDSA_SECP384R1_SHA384,
        SignatureScheme::EcdsaSecp521r1Sha512 if is_tls13 => sys::GNUTLS_SIGN_ECDSA_SECP521R1_SHA512,
        SignatureScheme::EcdsaSecp256r1Sha256 => sys::GNUTLS_SIGN_ECDSA_SHA256,
        SignatureScheme::EcdsaSecp384r1Sha384 => sys::GNUTLS_SIGN_ECDSA_SHA384,
        SignatureScheme::EcdsaSecp521r1Sha512 => sys::GNUTLS_SIGN_ECDSA_SHA512,
        SignatureScheme::Ed25519 => sys::GNUTLS_SIGN_EDDSA_ED25519,
        SignatureScheme::Ed448 => sys::GNUTLS_SIGN_EDDSA_ED448,
        SignatureScheme::RsaPkcs1Md5Sha1 => sys::GNUTLS_SIGN_RSA_SHA1,
        SignatureScheme::EcdsaSha1 => sys::GNUTLS_SIGN_ECDSA_SHA1,
        SignatureScheme::RsaPkcs1Md5 => return None, // SSL 2.0's
        SignatureScheme::MlDsa44 | SignatureScheme::MlDsa65 | SignatureScheme::MlDsa87 => return None,
    };
    // SAFETY: the answer is a static list that ends with 0.
    unsafe { lists(sys::gnutls_sign_list(), number) }.then_some(number)
}

/// Whether a list that ends with 0 has this number.
///
/// # Safety
/// It is such a list.
unsafe fn lists(mut list: *const c_uint, number: c_uint) -> bool {
    // SAFETY: reads no further than the 0.
    unsafe {
        while *list != 0 {
            if *list == number {
                return true;
            }
            list = list.add(1);
        }
    }
    false
}

/// What the library says of a cipher suite: the names of its parts, as priority strings have them.
#[derive(Debug)]
pub(super) struct Suite {
    /// None under TLS 1.3.
    pub(super) kx: Option<String>,
    pub(super) cipher: String,
    pub(super) mac: String,
}

/// The library's own description of a cipher, if it has it.
pub(super) fn suite(cipher: &Cipher) -> Option<Suite> {
    let (mut kx, mut bulk, mut mac) = (0, 0, 0);
    let mut index = 0;
    while let Some(code) = suite_code(index, &mut kx, &mut bulk, &mut mac) {
        if code == cipher.code {
            // SAFETY: each maps a number to null or a static C string.
            let [kx, cipher, mac] = unsafe {
                [
                    sys::gnutls_kx_get_name(kx),
                    sys::gnutls_cipher_get_name(bulk),
                    sys::gnutls_mac_get_name(mac),
                ]
            }
            .map(text);
            return Some(Suite { kx: (!kx.is_empty()).then_some(kx), cipher, mac });
        }
        index += 1;
    }
    None
}

fn suite_code(
    index: usize,
    kx: &mut sys::gnutls_kx_algorithm_t,
    bulk: &mut sys::gnutls_cipher_algorithm_t,
    mac: &mut sys::gnutls_mac_algorithm_t,
) -> Option<u16> {
    let mut code = [0; 2];
    // SAFETY: writes two bytes and three numbers; null says that there are no more suites.
    let name =
        unsafe { sys::gnutls_cipher_suite_info(index, code.as_mut_ptr(), kx, bulk, mac, ptr::null_mut()) };
    (!name.is_null()).then_some(u16::from_be_bytes(code))
}

/// The number on the wire of the library's suite with this place in its table, and whether it is of TLS 1.3.
pub(super) fn suite_at(index: c_uint) -> Option<(u16, bool)> {
    let mut kx = 0;
    let code = suite_code(index as usize, &mut kx, &mut 0, &mut 0)?;
    Some((code, kx == sys::GNUTLS_KX_UNKNOWN))
}

/// The number on the wire of the suite that the library names like this: it uses the registry's names.
pub(super) fn cipher_named(name: &CStr) -> Option<u16> {
    let name = name.to_str().ok()?;
    Cipher::named(name).ok().map(|cipher| cipher.code)
}

/// Whether the library knows this switch of priority strings.
pub(super) fn has_switch(name: &str) -> bool {
    (0..)
        // SAFETY: the answer is null after the last switch, else a static C string.
        .map(|place| unsafe { sys::gnutls_priority_string_list(place, sys::GNUTLS_PRIORITY_LIST_SPECIAL) })
        .take_while(|switch| !switch.is_null())
        .any(|switch| text(switch) == name)
}

/// The library's name for a group.
pub(super) fn group_name(group: sys::gnutls_group_t) -> String {
    // SAFETY: maps a number to null or a static C string.
    text(unsafe { sys::gnutls_group_get_name(group) })
}

/// The library's name for a scheme of signatures.
pub(super) fn signature_name(signature: sys::gnutls_sign_algorithm_t) -> String {
    // SAFETY: maps a number to null or a static C string.
    text(unsafe { sys::gnutls_sign_get_name(signature) })
}
