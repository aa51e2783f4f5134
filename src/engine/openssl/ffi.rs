//! Calls of OpenSSL that openssl-sys does not declare, with its own names for them.

#![allow(unsafe_code)]

use std::ffi::{c_char, c_int, c_long, c_void};

use openssl_sys::{
    BIO, BIO_METHOD, EVP_KDF_CTX, EVP_PKEY, EVP_PKEY_CTX, OSSL_PARAM, SSL, SSL_CTX, SSL_SESSION, X509,
    X509_STORE_CTX, stack_st_SSL_CIPHER,
};

/// `SSL_CTX_set1_client_sigalgs_list`.
pub const SSL_CTRL_SET_CLIENT_SIGALGS_LIST: c_int = 102;
/// `SSL_CTX_set_max_send_fragment`.
pub const SSL_CTRL_SET_MAX_SEND_FRAGMENT: c_int = 52;
/// `SSL_get_peer_tmp_key`: the key that the peer sent for an exchange.
pub const SSL_CTRL_GET_PEER_TMP_KEY: c_int = 109;
/// `SSL_get_negotiated_group`.
pub const SSL_CTRL_GET_NEGOTIATED_GROUP: c_int = 134;
/// `SSL_get0_signature_name`: the scheme of the own signature.
pub const SSL_CTRL_GET_SIGNATURE_NAME: c_int = 140;
/// `SSL_get0_peer_signature_name`: the scheme of the peer's signature.
pub const SSL_CTRL_GET_PEER_SIGNATURE_NAME: c_int = 141;
/// The library's number of ffdhe2048.
pub const NID_FFDHE2048: c_int = 1126;
/// The library's number of ffdhe3072.
pub const NID_FFDHE3072: c_int = 1127;
/// Set in the answer of `SSL_get_negotiated_group` where the rest is a `NamedGroup` number, not an OpenSSL one.
pub const TLSEXT_NID_UNKNOWN: c_int = 0x0100_0000;
/// Does without the extended master secret.
pub const SSL_OP_NO_EXTENDED_MASTER_SECRET: u64 = 1;
/// Does without encrypt-then-MAC.
pub const SSL_OP_NO_ENCRYPT_THEN_MAC: u64 = 1 << 19;
/// Offers or takes TLS 1.3 resumption without a key exchange.
pub const SSL_OP_ALLOW_NO_DHE_KEX: u64 = 1 << 10;
/// A server prefers that to resumption with one.
pub const SSL_OP_PREFER_NO_DHE_KEX: u64 = 1 << 35;
/// A server takes 0-RTT data without remembering what it has had.
pub const SSL_OP_NO_ANTI_REPLAY: u64 = 1 << 24;
/// The answer of `SSL_get_early_data_status` where 0-RTT data was sent and taken.
pub const SSL_EARLY_DATA_ACCEPTED: c_int = 2;
/// Keeps `openssl.cnf` from having a say.
pub const OPENSSL_INIT_NO_LOAD_CONFIG: u64 = 0x80;
/// The key of `OpenSSL_version` for what was found of the processor; `N/A` without assembly.
pub const OPENSSL_CPU_INFO: c_int = 9;
/// RSA decryption of a premaster secret, as TLS does it.
pub const RSA_PKCS1_WITH_TLS_PADDING: c_int = 7;
/// The reason code of a failed certificate check.
pub const SSL_R_CERTIFICATE_VERIFY_FAILED: c_int = 134;

pub type BioRead = unsafe extern "C" fn(*mut BIO, *mut u8, usize, *mut usize) -> c_int;
pub type BioWrite = unsafe extern "C" fn(*mut BIO, *const u8, usize, *mut usize) -> c_int;
pub type CertVerify = unsafe extern "C" fn(*mut X509_STORE_CTX, *mut c_void) -> c_int;

unsafe extern "C" {
    pub fn BIO_up_ref(bio: *mut BIO) -> c_int;
    pub fn BIO_meth_set_read_ex(method: *mut BIO_METHOD, read: Option<BioRead>) -> c_int;
    pub fn BIO_meth_set_write_ex(method: *mut BIO_METHOD, write: Option<BioWrite>) -> c_int;
    pub fn SSL_CTX_set_cert_verify_callback(
        ctx: *mut SSL_CTX,
        callback: Option<CertVerify>,
        argument: *mut c_void,
    );
    pub fn SSL_CTX_set_timeout(ctx: *mut SSL_CTX, seconds: c_long) -> c_long;
    pub fn SSL_CTX_get_ciphers(ctx: *const SSL_CTX) -> *mut stack_st_SSL_CIPHER;
    pub fn SSL_get1_session(ssl: *mut SSL) -> *mut SSL_SESSION;
    pub fn SSL_SESSION_is_resumable(session: *const SSL_SESSION) -> c_int;
    pub fn SSL_get0_peer_certificate(ssl: *const SSL) -> *mut X509;
    pub fn SSL_get_early_data_status(ssl: *const SSL) -> c_int;
    pub fn SSL_get_signature_type_nid(ssl: *const SSL, nid: *mut c_int) -> c_int;

    pub fn OSSL_PARAM_construct_utf8_string(
        key: *const c_char,
        value: *mut c_char,
        size: usize,
    ) -> OSSL_PARAM;
    pub fn EVP_KDF_CTX_set_params(ctx: *mut EVP_KDF_CTX, params: *const OSSL_PARAM) -> c_int;
    pub fn EVP_PKEY_CTX_set_group_name(ctx: *mut EVP_PKEY_CTX, name: *const c_char) -> c_int;
    pub fn EVP_PKEY_CTX_set_dh_pad(ctx: *mut EVP_PKEY_CTX, pad: c_int) -> c_int;
    pub fn EVP_PKEY_set1_encoded_public_key(key: *mut EVP_PKEY, public: *const u8, length: usize) -> c_int;
    pub fn EVP_PKEY_get1_encoded_public_key(key: *mut EVP_PKEY, public: *mut *mut u8) -> usize;
}
