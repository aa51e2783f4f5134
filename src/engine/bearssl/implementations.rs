//! The library's several implementations of each algorithm: which it takes on this machine, and which do without the
//! processor's instructions for cryptography.

use std::ptr;

use super::object::Object;
use super::sys;

/// One implementation of everything. The library looks at the processor when asked for its choice; a program that makes
/// many connections asks once and sets what it got on each.
#[derive(Clone, Copy)]
pub(super) struct Implementations {
    pub(super) hashes: [&'static sys::br_hash_class; 6],
    pub(super) prf_md5_sha1: sys::br_tls_prf_impl,
    pub(super) prf_sha256: sys::br_tls_prf_impl,
    pub(super) prf_sha384: sys::br_tls_prf_impl,
    pub(super) aes_cbc: (&'static sys::br_block_cbcenc_class, &'static sys::br_block_cbcdec_class),
    pub(super) aes_ctr: &'static sys::br_block_ctr_class,
    pub(super) aes_ctr_cbc: &'static sys::br_block_ctrcbc_class,
    pub(super) des_cbc: (&'static sys::br_block_cbcenc_class, &'static sys::br_block_cbcdec_class),
    pub(super) ghash: sys::br_ghash,
    pub(super) chacha20: sys::br_chacha20_run,
    pub(super) poly1305: sys::br_poly1305_run,
    records: Records,
    pub(super) curves: &'static sys::br_ec_impl,
    pub(super) ecdsa_sign: sys::br_ecdsa_sign,
    pub(super) ecdsa_verify: sys::br_ecdsa_vrfy,
    pub(super) rsa_public: sys::br_rsa_public,
    pub(super) rsa_private: sys::br_rsa_private,
    pub(super) rsa_sign: sys::br_rsa_pkcs1_sign,
    pub(super) rsa_verify: sys::br_rsa_pkcs1_vrfy,
}

/// What protects records, one for each mode; the library has one implementation of each.
#[derive(Clone, Copy)]
struct Records {
    cbc: (&'static sys::br_sslrec_in_cbc_class, &'static sys::br_sslrec_out_cbc_class),
    gcm: (&'static sys::br_sslrec_in_gcm_class, &'static sys::br_sslrec_out_gcm_class),
    ccm: (&'static sys::br_sslrec_in_ccm_class, &'static sys::br_sslrec_out_ccm_class),
    chapol: (&'static sys::br_sslrec_in_chapol_class, &'static sys::br_sslrec_out_chapol_class),
}

/// A client as the library sets it up with everything that it has.
pub(super) fn full_client() -> Object<sys::br_ssl_client_context> {
    let client = Object::<sys::br_ssl_client_context>::uninit();
    let checker = Object::<sys::br_x509_minimal_context>::uninit();
    // SAFETY: the function fills both contexts in. The client keeps a pointer to the checker, which nobody follows: no
    // connection is made with this client.
    unsafe { sys::br_ssl_client_init_full(client.at(), checker.at(), ptr::null(), 0) };
    client
}

impl Implementations {
    /// The library's own choice for this machine.
    pub(super) fn chosen_by_library(client: &Object<sys::br_ssl_client_context>) -> Self {
        // SAFETY: `full_client` has filled the context in; all its pointers to implementations are to constants.
        unsafe {
            let sys::br_ssl_client_context { eng, irsapub, .. } = &*client.at();
            Self {
                hashes: eng.mhash.impl_.map(|class| &*class),
                prf_md5_sha1: eng.prf10,
                prf_sha256: eng.prf_sha256,
                prf_sha384: eng.prf_sha384,
                aes_cbc: (&*eng.iaes_cbcenc, &*eng.iaes_cbcdec),
                aes_ctr: &*eng.iaes_ctr,
                aes_ctr_cbc: &*eng.iaes_ctrcbc,
                des_cbc: (&*eng.ides_cbcenc, &*eng.ides_cbcdec),
                ghash: eng.ighash,
                chacha20: eng.ichacha,
                poly1305: eng.ipoly,
                records: Records {
                    cbc: (&*eng.icbc_in, &*eng.icbc_out),
                    gcm: (&*eng.igcm_in, &*eng.igcm_out),
                    ccm: (&*eng.iccm_in, &*eng.iccm_out),
                    chapol: (&*eng.ichapol_in, &*eng.ichapol_out),
                },
                curves: &*eng.iec,
                ecdsa_sign: sys::br_ecdsa_sign_asn1_get_default(),
                ecdsa_verify: eng.iecdsa,
                rsa_public: *irsapub,
                rsa_private: sys::br_rsa_private_get_default(),
                rsa_sign: sys::br_rsa_pkcs1_sign_get_default(),
                rsa_verify: eng.irsavrfy,
            }
        }
    }

    /// The same with AES, GHASH and ChaCha20 in portable C, in constant time over 64-bit words. The rest is portable C
    /// anyway. What seeds a connection's random numbers is not to be chosen: RDRAND where the processor has it.
    pub(super) fn without_acceleration(self) -> Self {
        // SAFETY: constants of the library.
        unsafe {
            Self {
                aes_cbc: (&sys::br_aes_ct64_cbcenc_vtable, &sys::br_aes_ct64_cbcdec_vtable),
                aes_ctr: &sys::br_aes_ct64_ctr_vtable,
                aes_ctr_cbc: &sys::br_aes_ct64_ctrcbc_vtable,
                ghash: Some(sys::br_ghash_ctmul64),
                chacha20: Some(sys::br_chacha20_ct_run),
                ..self
            }
        }
    }

    /// Sets everything that cells do not restrict: not hashes, curves and signatures.
    pub(super) fn install(&self, engine: &mut sys::br_ssl_engine_context) {
        engine.prf10 = self.prf_md5_sha1;
        engine.prf_sha256 = self.prf_sha256;
        engine.prf_sha384 = self.prf_sha384;
        (engine.iaes_cbcenc, engine.iaes_cbcdec) = (self.aes_cbc.0, self.aes_cbc.1);
        engine.iaes_ctr = self.aes_ctr;
        engine.iaes_ctrcbc = self.aes_ctr_cbc;
        (engine.ides_cbcenc, engine.ides_cbcdec) = (self.des_cbc.0, self.des_cbc.1);
        engine.ighash = self.ghash;
        engine.ichacha = self.chacha20;
        engine.ipoly = self.poly1305;
        let Records { cbc, gcm, ccm, chapol } = self.records;
        (engine.icbc_in, engine.icbc_out) = (cbc.0, cbc.1);
        (engine.igcm_in, engine.igcm_out) = (gcm.0, gcm.1);
        (engine.iccm_in, engine.iccm_out) = (ccm.0, ccm.1);
        (engine.ichapol_in, engine.ichapol_out) = (chapol.0, chapol.1);
    }

    /// What these are, with the library's names for them.
    pub(super) fn names(&self) -> Vec<&'static str> {
        // SAFETY: functions that look at the processor and answer with an address, or with null.
        let (aes_ni, aes_pwr8, pclmul, ghash_pwr8, sse2, ctmulq, i62) = unsafe {
            (
                sys::br_aes_x86ni_cbcenc_get_vtable(),
                sys::br_aes_pwr8_cbcenc_get_vtable(),
                sys::br_ghash_pclmul_get(),
                sys::br_ghash_pwr8_get(),
                sys::br_chacha20_sse2_get(),
                sys::br_poly1305_ctmulq_get(),
                sys::br_rsa_i62_private_get(),
            )
        };
        let aes = [
            (aes_ni, "AES-NI (x86ni)"),
            (aes_pwr8, "AES of POWER8 (pwr8)"),
            (&raw const sys::br_aes_ct64_cbcenc_vtable, "AES in portable C (ct64)"),
            (&raw const sys::br_aes_ct_cbcenc_vtable, "AES in portable C (ct)"),
        ];
        let ghash: [(sys::br_ghash, _); 5] = [
            (pclmul, "GHASH by PCLMULQDQ (pclmul)"),
            (ghash_pwr8, "GHASH of POWER8 (pwr8)"),
            (Some(sys::br_ghash_ctmul64), "GHASH in portable C (ctmul64)"),
            (Some(sys::br_ghash_ctmul), "GHASH in portable C (ctmul)"),
            (Some(sys::br_ghash_ctmul32), "GHASH in portable C (ctmul32)"),
        ];
        let chacha20: [(sys::br_chacha20_run, _); 2] = [
            (sse2, "ChaCha20 by SSE2 (sse2)"),
            (Some(sys::br_chacha20_ct_run), "ChaCha20 in portable C (ct)"),
        ];
        let poly1305: [(sys::br_poly1305_run, _); 3] = [
            (ctmulq, "Poly1305 in portable C (ctmulq)"),
            (Some(sys::br_poly1305_ctmul_run), "Poly1305 in portable C (ctmul)"),
            (Some(sys::br_poly1305_ctmul32_run), "Poly1305 in portable C (ctmul32)"),
        ];
        let rsa: [(sys::br_rsa_private, _); 3] = [
            (i62, "RSA in portable C (i62)"),
            (Some(sys::br_rsa_i31_private), "RSA in portable C (i31)"),
            (Some(sys::br_rsa_i15_private), "RSA in portable C (i15)"),
        ];
        let curves = [
            (&raw const sys::br_ec_all_m31, "curves in portable C (all_m31)"),
            (&raw const sys::br_ec_all_m15, "curves in portable C (all_m15)"),
        ];
        [
            name_of(ptr::from_ref(self.aes_cbc.0), &aes),
            name_of(self.ghash, &ghash),
            name_of(self.chacha20, &chacha20),
            name_of(self.poly1305, &poly1305),
            name_of(self.rsa_private, &rsa),
            name_of(ptr::from_ref(self.curves), &curves),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// The name of an implementation among those that the library may have chosen.
fn name_of<T: PartialEq>(chosen: T, known: &[(T, &'static str)]) -> Option<&'static str> {
    known.iter().find(|(other, _)| *other == chosen).map(|(_, name)| *name)
}
