//! What BoringSSL goes by of the processor.

#![allow(unsafe_code)]

use std::ffi::c_int;

unsafe extern "C" {
    /// Finds out about the processor unless that was done before, and answers a part of what was found: EDX and ECX of
    /// CPUID leaf 1, EBX and ECX of leaf 7, after `OPENSSL_ia32cap` had its say. A function of the library's own in C++.
    #[link_name = "_ZN4bssl19OPENSSL_get_ia32capEi"]
    safe fn get_ia32cap(part: c_int) -> u32;
}

/// The two parts of `OPENSSL_ia32cap`.
pub fn ia32cap() -> [u64; 2] {
    [0, 2].map(|part| u64::from(get_ia32cap(part + 1)) << 32 | u64::from(get_ia32cap(part)))
}
