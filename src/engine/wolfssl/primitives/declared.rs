//! What the bindings leave out, because its headers are not among those that they are made from: `curve25519.h`, `kdf.h` and
//! `wc_mlkem.h`.

use std::ffi::{c_int, c_void};
use std::marker::PhantomData;

use wolfssl_sys as sys;

/// Of `curve25519.h`.
#[repr(C)]
pub(super) struct Curve25519Key {
    _bytes: [u8; 0],
    _is_the_librarys: PhantomData<*mut u8>,
}

/// Of `wc_mlkem.h`.
#[repr(C)]
pub(super) struct MlKemKey {
    _bytes: [u8; 0],
    _is_the_librarys: PhantomData<*mut u8>,
}

/// `EC25519_LITTLE_ENDIAN`: keys as TLS has them.
pub(super) const LITTLE_ENDIAN: c_int = 0;
/// `WC_ML_KEM_768`.
pub(super) const ML_KEM_768: c_int = 1;

unsafe extern "C" {
    pub(super) fn wc_curve25519_new(
        heap: *mut c_void,
        device: c_int,
        result: *mut c_int,
    ) -> *mut Curve25519Key;
    pub(super) fn wc_curve25519_delete(key: *mut Curve25519Key, place: *mut *mut Curve25519Key) -> c_int;
    pub(super) fn wc_curve25519_make_key(
        random: *mut sys::WC_RNG,
        length: c_int,
        key: *mut Curve25519Key,
    ) -> c_int;
    pub(super) fn wc_curve25519_check_public(from: *const u8, length: u32, order: c_int) -> c_int;
    pub(super) fn wc_curve25519_import_public_ex(
        from: *const u8,
        length: u32,
        key: *mut Curve25519Key,
        order: c_int,
    ) -> c_int;
    pub(super) fn wc_curve25519_export_public_ex(
        key: *mut Curve25519Key,
        to: *mut u8,
        length: *mut u32,
        order: c_int,
    ) -> c_int;
    pub(super) fn wc_curve25519_shared_secret_ex(
        own: *mut Curve25519Key,
        peer: *mut Curve25519Key,
        secret: *mut u8,
        length: *mut u32,
        order: c_int,
    ) -> c_int;

    pub(super) fn wc_MlKemKey_New(kind: c_int, heap: *mut c_void, device: c_int) -> *mut MlKemKey;
    pub(super) fn wc_MlKemKey_Delete(key: *mut MlKemKey, place: *mut *mut MlKemKey) -> c_int;
    pub(super) fn wc_MlKemKey_MakeKey(key: *mut MlKemKey, random: *mut sys::WC_RNG) -> c_int;
    pub(super) fn wc_MlKemKey_DecodePrivateKey(key: *mut MlKemKey, from: *const u8, length: u32) -> c_int;
    pub(super) fn wc_MlKemKey_DecodePublicKey(key: *mut MlKemKey, from: *const u8, length: u32) -> c_int;
    pub(super) fn wc_MlKemKey_EncodePublicKey(key: *mut MlKemKey, to: *mut u8, length: u32) -> c_int;
    pub(super) fn wc_MlKemKey_Encapsulate(
        key: *mut MlKemKey,
        ciphertext: *mut u8,
        secret: *mut u8,
        random: *mut sys::WC_RNG,
    ) -> c_int;
    pub(super) fn wc_MlKemKey_Decapsulate(
        key: *mut MlKemKey,
        secret: *mut u8,
        ciphertext: *const u8,
        length: u32,
    ) -> c_int;

    pub(super) fn wc_PRF_TLS(
        key: *mut u8,
        key_length: u32,
        secret: *const u8,
        secret_length: u32,
        label: *const u8,
        label_length: u32,
        seed: *const u8,
        seed_length: u32,
        at_least_sha256: c_int,
        hash: c_int,
        heap: *mut c_void,
        device: c_int,
    ) -> c_int;
    pub(super) fn wc_PRF_TLSv1(
        key: *mut u8,
        key_length: u32,
        secret: *const u8,
        secret_length: u32,
        label: *const u8,
        label_length: u32,
        seed: *const u8,
        seed_length: u32,
        heap: *mut c_void,
        device: c_int,
    ) -> c_int;
}
