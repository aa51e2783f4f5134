//! The functions of AWS-LC that primitives call. The package that links the library in hands its bindings to nobody who
//! would not have to name its version, so they are declared here, as its headers have them; every version of the package
//! puts a prefix of its own before each name.

use std::ffi::{c_char, c_int, c_long, c_uint, c_void};

macro_rules! opaque {
    ($($name:ident)*) => {
        $(#[repr(C)]
        pub(super) struct $name {
            _opaque: [u8; 0],
        })*
    };
}

opaque! { Aead AeadCtx BigNum Cipher CipherCtx CmacCtx Dh Engine HmacCtx Md MdCtx Pkey PkeyCtx X509 }

macro_rules! functions {
    ($(fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $answer:ty)?;)*) => {
        unsafe extern "C" {
            $(#[link_name = concat!(env!("TLSPAIR_AWS_LC_PREFIX"), "_", stringify!($name))]
            pub(super) fn $name($($argument: $type),*) $(-> $answer)?;)*
        }
    };
}

// Algorithms.
functions! {
    fn EVP_md5() -> *const Md;
    fn EVP_sha1() -> *const Md;
    fn EVP_sha256() -> *const Md;
    fn EVP_sha384() -> *const Md;
    fn EVP_sha512() -> *const Md;
    fn EVP_md5_sha1() -> *const Md;
    fn EVP_rc4() -> *const Cipher;
    fn EVP_des_cbc() -> *const Cipher;
    fn EVP_des_ede3_cbc() -> *const Cipher;
    fn EVP_aes_128_cbc() -> *const Cipher;
    fn EVP_aes_192_cbc() -> *const Cipher;
    fn EVP_aes_256_cbc() -> *const Cipher;
    fn EVP_aes_128_ctr() -> *const Cipher;
    fn EVP_aes_192_ctr() -> *const Cipher;
    fn EVP_aes_256_ctr() -> *const Cipher;
    fn EVP_aes_128_ccm() -> *const Cipher;
    fn EVP_aes_192_ccm() -> *const Cipher;
    fn EVP_aes_256_ccm() -> *const Cipher;
    fn EVP_aes_256_xts() -> *const Cipher;
    fn EVP_aead_aes_128_gcm_tls13() -> *const Aead;
    fn EVP_aead_aes_192_gcm() -> *const Aead;
    fn EVP_aead_aes_256_gcm_tls13() -> *const Aead;
    fn EVP_aead_chacha20_poly1305() -> *const Aead;
}

// Hashes, MACs, and what is derived with them.
functions! {
    fn EVP_MD_CTX_new() -> *mut MdCtx;
    fn EVP_MD_CTX_free(context: *mut MdCtx);
    fn EVP_DigestInit_ex(context: *mut MdCtx, md: *const Md, engine: *mut Engine) -> c_int;
    fn EVP_DigestUpdate(context: *mut MdCtx, data: *const c_void, length: usize) -> c_int;
    fn EVP_DigestFinal_ex(context: *mut MdCtx, into: *mut u8, length: *mut c_uint) -> c_int;
    fn EVP_Digest(
        data: *const c_void, length: usize, into: *mut u8, filled: *mut c_uint, md: *const Md, engine: *mut Engine,
    ) -> c_int;
    fn HMAC_CTX_new() -> *mut HmacCtx;
    fn HMAC_CTX_free(context: *mut HmacCtx);
    fn HMAC_Init_ex(
        context: *mut HmacCtx, key: *const c_void, length: usize, md: *const Md, engine: *mut Engine,
    ) -> c_int;
    fn HMAC_Update(context: *mut HmacCtx, data: *const u8, length: usize) -> c_int;
    fn HMAC_Final(context: *mut HmacCtx, into: *mut u8, length: *mut c_uint) -> c_int;
    fn CMAC_CTX_new() -> *mut CmacCtx;
    fn CMAC_CTX_free(context: *mut CmacCtx);
    fn CMAC_Init(
        context: *mut CmacCtx, key: *const c_void, length: usize, cipher: *const Cipher, engine: *mut Engine,
    ) -> c_int;
    fn CMAC_Reset(context: *mut CmacCtx) -> c_int;
    fn CMAC_Update(context: *mut CmacCtx, data: *const u8, length: usize) -> c_int;
    fn CMAC_Final(context: *mut CmacCtx, into: *mut u8, length: *mut usize) -> c_int;
    fn HKDF_extract(
        into: *mut u8, filled: *mut usize, md: *const Md, secret: *const u8, secret_length: usize,
        salt: *const u8, salt_length: usize,
    ) -> c_int;
    fn HKDF_expand(
        into: *mut u8, length: usize, md: *const Md, secret: *const u8, secret_length: usize,
        info: *const u8, info_length: usize,
    ) -> c_int;
    fn CRYPTO_tls1_prf(
        md: *const Md, into: *mut u8, length: usize, secret: *const u8, secret_length: usize,
        label: *const c_char, label_length: usize, seed: *const u8, seed_length: usize,
        second_seed: *const u8, second_seed_length: usize,
    ) -> c_int;
    fn PKCS5_PBKDF2_HMAC(
        password: *const c_char, password_length: usize, salt: *const u8, salt_length: usize, rounds: u32,
        md: *const Md, length: usize, into: *mut u8,
    ) -> c_int;
}

// Ciphers.
functions! {
    fn EVP_AEAD_CTX_new(aead: *const Aead, key: *const u8, length: usize, tag: usize) -> *mut AeadCtx;
    fn EVP_AEAD_CTX_free(context: *mut AeadCtx);
    fn EVP_AEAD_CTX_seal(
        context: *const AeadCtx, into: *mut u8, filled: *mut usize, most: usize, nonce: *const u8, nonce_length: usize,
        data: *const u8, length: usize, additional: *const u8, additional_length: usize,
    ) -> c_int;
    fn EVP_AEAD_CTX_open(
        context: *const AeadCtx, into: *mut u8, filled: *mut usize, most: usize, nonce: *const u8, nonce_length: usize,
        data: *const u8, length: usize, additional: *const u8, additional_length: usize,
    ) -> c_int;
    fn EVP_CIPHER_CTX_new() -> *mut CipherCtx;
    fn EVP_CIPHER_CTX_free(context: *mut CipherCtx);
    fn EVP_CIPHER_CTX_set_padding(context: *mut CipherCtx, padding: c_int) -> c_int;
    fn EVP_CIPHER_CTX_ctrl(context: *mut CipherCtx, command: c_int, number: c_int, pointer: *mut c_void) -> c_int;
    fn EVP_CipherInit_ex(
        context: *mut CipherCtx, cipher: *const Cipher, engine: *mut Engine, key: *const u8, vector: *const u8,
        encrypts: c_int,
    ) -> c_int;
    fn EVP_CipherUpdate(
        context: *mut CipherCtx, into: *mut u8, filled: *mut c_int, data: *const u8, length: c_int,
    ) -> c_int;
}

// Keys and signatures.
functions! {
    fn d2i_AutoPrivateKey(into: *mut *mut Pkey, from: *mut *const u8, length: c_long) -> *mut Pkey;
    fn d2i_X509(into: *mut *mut X509, from: *mut *const u8, length: c_long) -> *mut X509;
    fn X509_free(certificate: *mut X509);
    fn X509_get_pubkey(certificate: *const X509) -> *mut Pkey;
    fn EVP_PKEY_new() -> *mut Pkey;
    fn EVP_PKEY_free(key: *mut Pkey);
    fn EVP_PKEY_size(key: *const Pkey) -> c_int;
    fn EVP_PKEY_CTX_new(key: *mut Pkey, engine: *mut Engine) -> *mut PkeyCtx;
    fn EVP_PKEY_CTX_new_id(kind: c_int, engine: *mut Engine) -> *mut PkeyCtx;
    fn EVP_PKEY_CTX_free(context: *mut PkeyCtx);
    fn EVP_PKEY_CTX_set_signature_md(context: *mut PkeyCtx, md: *const Md) -> c_int;
    fn EVP_PKEY_CTX_set_rsa_padding(context: *mut PkeyCtx, padding: c_int) -> c_int;
    fn EVP_PKEY_CTX_set_rsa_pss_saltlen(context: *mut PkeyCtx, length: c_int) -> c_int;
    fn EVP_PKEY_sign_init(context: *mut PkeyCtx) -> c_int;
    fn EVP_PKEY_sign(
        context: *mut PkeyCtx, into: *mut u8, filled: *mut usize, digest: *const u8, length: usize,
    ) -> c_int;
    fn EVP_PKEY_verify_init(context: *mut PkeyCtx) -> c_int;
    fn EVP_PKEY_verify(
        context: *mut PkeyCtx, signature: *const u8, signature_length: usize, digest: *const u8, length: usize,
    ) -> c_int;
    fn EVP_DigestSignInit(
        context: *mut MdCtx, of_key: *mut *mut PkeyCtx, md: *const Md, engine: *mut Engine, key: *mut Pkey,
    ) -> c_int;
    fn EVP_DigestSign(
        context: *mut MdCtx, into: *mut u8, filled: *mut usize, data: *const u8, length: usize,
    ) -> c_int;
    fn EVP_DigestVerifyInit(
        context: *mut MdCtx, of_key: *mut *mut PkeyCtx, md: *const Md, engine: *mut Engine, key: *mut Pkey,
    ) -> c_int;
    fn EVP_DigestVerify(
        context: *mut MdCtx, signature: *const u8, signature_length: usize, data: *const u8, length: usize,
    ) -> c_int;
    fn EVP_PKEY_encrypt_init(context: *mut PkeyCtx) -> c_int;
    fn EVP_PKEY_encrypt(
        context: *mut PkeyCtx, into: *mut u8, filled: *mut usize, data: *const u8, length: usize,
    ) -> c_int;
    fn EVP_PKEY_decrypt_init(context: *mut PkeyCtx) -> c_int;
    fn EVP_PKEY_decrypt(
        context: *mut PkeyCtx, into: *mut u8, filled: *mut usize, data: *const u8, length: usize,
    ) -> c_int;
}

// Exchanges.
functions! {
    fn EVP_PKEY_paramgen_init(context: *mut PkeyCtx) -> c_int;
    fn EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context: *mut PkeyCtx, curve: c_int) -> c_int;
    fn EVP_PKEY_paramgen(context: *mut PkeyCtx, into: *mut *mut Pkey) -> c_int;
    fn EVP_PKEY_keygen_init(context: *mut PkeyCtx) -> c_int;
    fn EVP_PKEY_keygen(context: *mut PkeyCtx, into: *mut *mut Pkey) -> c_int;
    fn EVP_PKEY_copy_parameters(to: *mut Pkey, from: *const Pkey) -> c_int;
    fn EVP_PKEY_get1_tls_encodedpoint(key: *const Pkey, into: *mut *mut u8) -> usize;
    fn EVP_PKEY_set1_tls_encodedpoint(key: *mut Pkey, point: *const u8, length: usize) -> c_int;
    fn EVP_PKEY_get_raw_public_key(key: *const Pkey, into: *mut u8, length: *mut usize) -> c_int;
    fn EVP_PKEY_new_raw_public_key(kind: c_int, engine: *mut Engine, from: *const u8, length: usize) -> *mut Pkey;
    fn EVP_PKEY_derive_init(context: *mut PkeyCtx) -> c_int;
    fn EVP_PKEY_derive_set_peer(context: *mut PkeyCtx, peer: *mut Pkey) -> c_int;
    fn EVP_PKEY_derive(context: *mut PkeyCtx, into: *mut u8, length: *mut usize) -> c_int;
    fn EVP_PKEY_CTX_kem_set_params(context: *mut PkeyCtx, kem: c_int) -> c_int;
    fn EVP_PKEY_kem_new_raw_public_key(kem: c_int, from: *const u8, length: usize) -> *mut Pkey;
    fn EVP_PKEY_kem_new_raw_secret_key(kem: c_int, from: *const u8, length: usize) -> *mut Pkey;
    fn EVP_PKEY_encapsulate(
        context: *mut PkeyCtx, ciphertext: *mut u8, ciphertext_length: *mut usize, secret: *mut u8,
        secret_length: *mut usize,
    ) -> c_int;
    fn EVP_PKEY_decapsulate(
        context: *mut PkeyCtx, secret: *mut u8, secret_length: *mut usize, ciphertext: *const u8,
        ciphertext_length: usize,
    ) -> c_int;
    fn DH_new_by_nid(group: c_int) -> *mut Dh;
    fn DH_new() -> *mut Dh;
    fn DH_get0_pqg(dh: *const Dh, p: *mut *const BigNum, q: *mut *const BigNum, g: *mut *const BigNum);
    fn DH_set0_pqg(dh: *mut Dh, p: *mut BigNum, q: *mut BigNum, g: *mut BigNum) -> c_int;
    fn BN_dup(number: *const BigNum) -> *mut BigNum;
    fn DHparams_dup(dh: *const Dh) -> *mut Dh;
    fn DH_free(dh: *mut Dh);
    fn DH_generate_key(dh: *mut Dh) -> c_int;
    fn DH_get0_pub_key(dh: *const Dh) -> *const BigNum;
    fn DH_size(dh: *const Dh) -> c_int;
    fn DH_compute_key_padded(into: *mut u8, peer: *const BigNum, dh: *mut Dh) -> c_int;
    fn BN_bin2bn(from: *const u8, length: usize, into: *mut BigNum) -> *mut BigNum;
    fn BN_bn2bin_padded(into: *mut u8, length: usize, number: *const BigNum) -> c_int;
    fn BN_free(number: *mut BigNum);
}

// Memory and errors.
functions! {
    fn OPENSSL_free(pointer: *mut c_void);
    fn ERR_clear_error();
    fn ERR_get_error() -> u32;
    fn ERR_error_string_n(error: u32, into: *mut c_char, length: usize) -> *mut c_char;
}
