//! AEADs, each with functions of its own. All work in place.

use std::ffi::c_int;

use super::super::implementations::Implementations;
use super::super::object::Object;
use super::super::sys;
use super::in_place::InPlace;
use super::{Made, function};
use crate::engine::EngineError;
use crate::primitive::{ADDITIONAL_DATA, Act, Input, Mode, Operation, SymmetricCipher};

const TAG: usize = 16;
const ENCRYPT: c_int = 1;
const DECRYPT: c_int = 0;

/// A cipher with its key and nonce.
trait Aead: Sized + 'static {
    fn new(with: &Implementations, input: &Input) -> Self;

    fn seal(&mut self, data: &mut [u8], tag: &mut [u8]);

    /// Whether the tag is right.
    fn open(&mut self, data: &mut [u8], tag: &[u8]) -> bool;
}

pub(super) fn seal(with: &Implementations, cipher: SymmetricCipher, input: &Input) -> Made {
    Ok(Some(match cipher.mode() {
        Mode::Gcm => sealing::<Gcm>(with, input),
        Mode::Ccm => sealing::<Ccm>(with, input),
        Mode::ChaCha20 => sealing::<ChaCha20Poly1305>(with, input),
        _ => return Ok(None),
    }))
}

pub(super) fn open(with: &Implementations, cipher: SymmetricCipher, input: &Input) -> Made {
    Ok(Some(match cipher.mode() {
        Mode::Gcm => opening::<Gcm>(with, input),
        Mode::Ccm => opening::<Ccm>(with, input),
        Mode::ChaCha20 => opening::<ChaCha20Poly1305>(with, input),
        _ => return Ok(None),
    }))
}

fn sealing<A: Aead>(with: &Implementations, input: &Input) -> Box<dyn Operation> {
    let mut aead = A::new(with, input);
    let length = input.data.len();
    Act::over([&input.data[..], &[0; TAG]].concat(), move |place| {
        let (data, tag) = place.split_at_mut(length);
        aead.seal(data, tag);
        Ok(place.len())
    })
}

fn opening<A: Aead>(with: &Implementations, input: &Input) -> Box<dyn Operation> {
    let mut aead = A::new(with, input);
    let length = input.data.len();
    let mut sealed = [&input.data[..], &[0; TAG]].concat();
    let (data, tag) = sealed.split_at_mut(length);
    aead.seal(data, tag);
    InPlace::on(sealed, move |place| {
        let (data, tag) = place.split_at_mut(length);
        if aead.open(data, tag) { Ok(length) } else { Err(EngineError::new("the tag is wrong")) }
    })
}

struct Gcm {
    context: Object<sys::br_gcm_context>,
    /// What the context points to.
    _keys: Object<sys::br_aes_gen_ctr_keys>,
    nonce: Vec<u8>,
}

impl Gcm {
    fn run(&mut self, direction: c_int, data: &mut [u8]) {
        let context = self.context.at();
        // SAFETY: the context is filled in, and the bytes can be read and written.
        unsafe {
            sys::br_gcm_reset(context, self.nonce.as_ptr().cast(), self.nonce.len());
            sys::br_gcm_aad_inject(context, ADDITIONAL_DATA.as_ptr().cast(), ADDITIONAL_DATA.len());
            sys::br_gcm_flip(context);
            sys::br_gcm_run(context, direction, data.as_mut_ptr().cast(), data.len());
        }
    }
}

impl Aead for Gcm {
    fn new(with: &Implementations, input: &Input) -> Self {
        let keys = Object::<sys::br_aes_gen_ctr_keys>::uninit();
        let context = Object::uninit();
        let init = function(with.aes_ctr.init);
        // SAFETY: there is room for the class's keys; the first function fills them in, the second the context.
        unsafe {
            let keys = &raw mut (*keys.at()).vtable;
            init(keys, input.key.as_ptr().cast(), input.key.len());
            sys::br_gcm_init(context.at(), keys, with.ghash);
        }
        Self { context, _keys: keys, nonce: input.nonce.clone() }
    }

    fn seal(&mut self, data: &mut [u8], tag: &mut [u8]) {
        self.run(ENCRYPT, data);
        // SAFETY: `run` has prepared the context, and there is room for a tag.
        unsafe { sys::br_gcm_get_tag(self.context.at(), tag.as_mut_ptr().cast()) };
    }

    fn open(&mut self, data: &mut [u8], tag: &[u8]) -> bool {
        self.run(DECRYPT, data);
        // SAFETY: `run` has prepared the context, and the tag is whole.
        unsafe { sys::br_gcm_check_tag(self.context.at(), tag.as_ptr().cast()) == 1 }
    }
}

struct Ccm {
    context: Object<sys::br_ccm_context>,
    /// What the context points to.
    _keys: Object<sys::br_aes_gen_ctrcbc_keys>,
    nonce: Vec<u8>,
}

impl Ccm {
    fn run(&mut self, direction: c_int, data: &mut [u8]) {
        let (context, nonce) = (self.context.at(), &self.nonce);
        let (more, length) = (ADDITIONAL_DATA.len() as u64, data.len() as u64);
        // SAFETY: the context is filled in, the bytes can be read and written, and the lengths are ones that the mode has.
        unsafe {
            sys::br_ccm_reset(context, nonce.as_ptr().cast(), nonce.len(), more, length, TAG);
            sys::br_ccm_aad_inject(context, ADDITIONAL_DATA.as_ptr().cast(), ADDITIONAL_DATA.len());
            sys::br_ccm_flip(context);
            sys::br_ccm_run(context, direction, data.as_mut_ptr().cast(), data.len());
        }
    }
}

impl Aead for Ccm {
    fn new(with: &Implementations, input: &Input) -> Self {
        let keys = Object::<sys::br_aes_gen_ctrcbc_keys>::uninit();
        let context = Object::uninit();
        let init = function(with.aes_ctr_cbc.init);
        // SAFETY: there is room for the class's keys; the first function fills them in, the second the context.
        unsafe {
            let keys = &raw mut (*keys.at()).vtable;
            init(keys, input.key.as_ptr().cast(), input.key.len());
            sys::br_ccm_init(context.at(), keys);
        }
        Self { context, _keys: keys, nonce: input.nonce.clone() }
    }

    fn seal(&mut self, data: &mut [u8], tag: &mut [u8]) {
        self.run(ENCRYPT, data);
        // SAFETY: `run` has prepared the context, and there is room for a tag.
        unsafe { sys::br_ccm_get_tag(self.context.at(), tag.as_mut_ptr().cast()) };
    }

    fn open(&mut self, data: &mut [u8], tag: &[u8]) -> bool {
        self.run(DECRYPT, data);
        // SAFETY: `run` has prepared the context, and the tag is whole.
        unsafe { sys::br_ccm_check_tag(self.context.at(), tag.as_ptr().cast()) == 1 }
    }
}

/// One function does it all; comparing tags is left to its caller.
struct ChaCha20Poly1305 {
    with: Implementations,
    key: Vec<u8>,
    nonce: Vec<u8>,
}

impl ChaCha20Poly1305 {
    fn run(&mut self, direction: c_int, data: &mut [u8]) -> [u8; TAG] {
        let mut tag = [0; TAG];
        // SAFETY: key and nonce are as long as the algorithm's, and the bytes can be read and written.
        unsafe {
            function(self.with.poly1305)(
                self.key.as_ptr().cast(),
                self.nonce.as_ptr().cast(),
                data.as_mut_ptr().cast(),
                data.len(),
                ADDITIONAL_DATA.as_ptr().cast(),
                ADDITIONAL_DATA.len(),
                tag.as_mut_ptr().cast(),
                self.with.chacha20,
                direction,
            );
        }
        tag
    }
}

impl Aead for ChaCha20Poly1305 {
    fn new(with: &Implementations, input: &Input) -> Self {
        Self { with: *with, key: input.key.clone(), nonce: input.nonce.clone() }
    }

    fn seal(&mut self, data: &mut [u8], tag: &mut [u8]) {
        tag.copy_from_slice(&self.run(ENCRYPT, data));
    }

    fn open(&mut self, data: &mut [u8], tag: &[u8]) -> bool {
        let found = self.run(DECRYPT, data);
        found.iter().zip(tag).fold(0, |differences, (a, b)| differences | (a ^ b)) == 0
    }
}
