//! What AWS-LC, under aws-lc-rs and s2n-tls alike, goes by of CPUID. Neither crate has a call for it, nor hands its own
//! bindings to anybody, so the C symbols are named here: every version of aws-lc-sys has a prefix of its own.

#![allow(unsafe_code)]

unsafe extern "C" {
    /// Finds out about the processor unless that was done before.
    #[link_name = concat!(env!("TLSPAIR_AWS_LC_PREFIX"), "_CRYPTO_library_init")]
    fn library_init();
    /// EDX and ECX of CPUID leaf 1, EBX and ECX of leaf 7, after `OPENSSL_ia32cap` had its say.
    #[link_name = concat!(env!("TLSPAIR_AWS_LC_PREFIX"), "_OPENSSL_ia32cap_P")]
    static mut IA32CAP: [u32; 4];
}

/// The two parts of what the library goes by of CPUID.
pub(super) fn ia32cap() -> [u64; 2] {
    // SAFETY: the call may come at any time from any thread, and returns when the array has been written; nothing writes
    // to it afterwards.
    let [edx, ecx, ebx_of_7, ecx_of_7] = unsafe {
        library_init();
        (&raw const IA32CAP).read()
    };
    let part = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
    [part(edx, ecx), part(ebx_of_7, ecx_of_7)]
}
