//! Mbed TLS 2.28, from SSL 3.0 to TLS 1.2, through its C functions: every connection does what a C program that
//! uses the library would do, and no wrapper stands inside the timers.
//!
//! Where records are limited, a client asks for the same limit by the maximum fragment length extension (RFC 6066), and
//! both sides keep to it in their data whether or not the peer knows it. Handshake messages are not cut: the library
//! neither sends nor takes one in several records.

#![allow(unsafe_code)]

mod ability;
mod connection;
mod object;
mod pinned;
mod primitives;
mod random;

use std::ffi::{CStr, c_char};
use std::rc::Rc;
use std::sync::Arc;

use ::mbedtls as _; // brings in the platform functions that the C library was built to call
use mbedtls_sys as sys;

use self::connection::Connection;
use self::pinned::{OwnSide, Pinned};
use super::{
    Endpoint, Engine, EngineError, EngineInfo, Prepared, RecordHabit, Share, Side, Start, Unsupported,
};
use crate::cell::{Cell, Feature};
use crate::fixtures::Credentials;
use crate::primitive::{Input, NoOperation, Operation, Primitive};

/// See the module's documentation.
#[derive(Debug)]
pub struct MbedTls(());

impl MbedTls {
    /// The library as it was linked in; it needs no setting up.
    pub fn new() -> Self {
        Self(())
    }
}

impl Engine for MbedTls {
    fn info(&self) -> EngineInfo {
        EngineInfo {
            id: "mbedtls",
            library: "Mbed TLS".to_owned(),
            version: version(),
            build: build(),
            is_tls: true,
        }
    }

    fn supports(&self, cell: &Cell, _side: Side) -> Result<(), Unsupported> {
        ability::check(cell)
    }

    fn offers(&self, feature: Feature, cell: &Cell, _side: Side) -> Result<(), Unsupported> {
        ability::offers(feature, cell)
    }

    fn prepare(
        &self,
        side: Side,
        cell: &Cell,
        credentials: &Credentials,
    ) -> Result<Box<dyn Prepared>, EngineError> {
        Ok(Box::new(PreparedSide::over(Pinned::new(side, cell, credentials)?)))
    }

    fn operation(&self, primitive: Primitive, input: &Input) -> Result<Box<dyn Operation>, NoOperation> {
        primitives::operation(primitive, input)?.ok_or_else(|| self.has_no_such_primitive().into())
    }

    fn acceleration_switch(&self) -> Result<&'static [(&'static str, &'static str)], Unsupported> {
        Err(Unsupported(format!(
            "Mbed TLS {} uses AES instructions if it was compiled with them and CPUID names them, and has no switch",
            version()
        )))
    }

    fn record_habit(&self, cell: &Cell) -> RecordHabit {
        RecordHabit::OneThenRest.where_needed(cell)
    }
}

struct PreparedSide(Rc<OwnSide>);

impl PreparedSide {
    fn over(pinned: Arc<Pinned>) -> Self {
        Self(Rc::new(OwnSide::new(pinned)))
    }
}

impl Prepared for PreparedSide {
    fn endpoint(&self, start: Start) -> Result<Box<dyn Endpoint>, EngineError> {
        Ok(Connection::open(&self.0, start)?)
    }

    fn share(&self) -> Result<Share, Unsupported> {
        let pinned = self.0.pinned.for_threads()?;
        Ok(Box::new(move || Ok(Box::new(Self::over(pinned)))))
    }
}

/// The library's version, in its own words.
fn version() -> String {
    let mut text: [c_char; 16] = [0; 16];
    // SAFETY: the function writes at most 9 bytes including the final zero.
    unsafe { sys::version_get_string(text.as_mut_ptr()) };
    // SAFETY: the text is zero-terminated: it was all zeros and was written as a C string.
    unsafe { CStr::from_ptr(text.as_ptr()) }.to_string_lossy().into_owned()
}

/// Whether the library was compiled with this switch of its config.h.
fn was_built_with(switch: &CStr) -> bool {
    // SAFETY: the function only compares the C string it is given with its own list.
    unsafe { sys::version_check_feature(switch.as_ptr()) == 0 }
}

fn build() -> String {
    // Cargo's levels 1 to 3 choose the release flags of the library's own build files, which say -O2.
    let optimised = match env!("TLSPAIR_OPT_LEVEL") {
        "0" => "-O0",
        "s" | "z" => "-Os",
        _ => "-O2",
    };
    let mut parts = vec!["static", optimised, aes()];
    parts.extend(
        [
            (c"MBEDTLS_ENABLE_WEAK_CIPHERSUITES", "weak ciphers"),
            (c"MBEDTLS_THREADING_C", "mutexes"),
            (c"MBEDTLS_DEBUG_C", "debug hooks compiled in, off"),
        ]
        .into_iter()
        .filter(|(switch, _)| was_built_with(switch))
        .map(|(_, words)| words),
    );
    parts.join(", ")
}

/// What AES runs on: compiled in, and found in this CPU by the library itself.
#[cfg(target_arch = "x86_64")]
fn aes() -> &'static str {
    let found = |feature: i32| {
        // SAFETY: the function reads CPUID and keeps the answer in a static of its own.
        was_built_with(c"MBEDTLS_AESNI_C") && unsafe { sys::aesni_has_support(feature.cast_unsigned()) == 1 }
    };
    match (found(sys::AESNI_AES), found(sys::AESNI_CLMUL)) {
        (true, true) => "AES-NI and PCLMULQDQ, one block at a time",
        (true, false) => "AES-NI, one block at a time",
        (false, _) => "AES in portable C",
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn aes() -> &'static str {
    "AES in portable C"
}
