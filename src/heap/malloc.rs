//! The allocator's functions, defined once more in front of the C library's own: every call is counted if its thread
//! counts, and passed on to what glibc calls `__libc_malloc` and so on.
//!
//! They end up in every executable that links this crate, and there they stand before the shared C library for C and
//! Rust alike. `malloc_usable_size`, `mallopt` and the rest stay glibc's: the heap is glibc's as before.

use std::ffi::{c_int, c_void};
use std::ptr;

use super::counter;

unsafe extern "C" {
    fn __libc_malloc(size: usize) -> *mut c_void;
    fn __libc_calloc(count: usize, size: usize) -> *mut c_void;
    fn __libc_realloc(block: *mut c_void, size: usize) -> *mut c_void;
    fn __libc_free(block: *mut c_void);
    fn __libc_memalign(alignment: usize, size: usize) -> *mut c_void;
    fn __libc_valloc(size: usize) -> *mut c_void;
    fn __libc_pvalloc(size: usize) -> *mut c_void;
}

/// What the allocator set aside for a block. What is live is counted so, because a free does not say what was asked for.
#[inline]
fn size_of_block(block: *mut c_void) -> usize {
    // SAFETY: callers pass null or a block that glibc has handed out and not taken back.
    unsafe { libc::malloc_usable_size(block) }
}

#[inline]
fn counted(block: *mut c_void, asked: usize) -> *mut c_void {
    if counter::is_on() {
        count_allocation(block, asked);
    }
    block
}

/// Out of the way, so that calls which nobody counts stay short.
#[cold]
fn count_allocation(block: *mut c_void, asked: usize) {
    if !block.is_null() {
        counter::allocated(asked, size_of_block(block));
    }
}

/// # Safety
/// As `malloc` of the C library.
// SAFETY: this is the C library's function by name, signature and behaviour.
#[unsafe(no_mangle)]
unsafe extern "C" fn malloc(size: usize) -> *mut c_void {
    if counter::is_on() {
        return counted_malloc(size);
    }
    // SAFETY: any size may be asked for.
    unsafe { __libc_malloc(size) }
}

/// Apart, so that a call which nobody counts is a test and a jump.
#[cold]
fn counted_malloc(size: usize) -> *mut c_void {
    // SAFETY: any size may be asked for.
    counted(unsafe { __libc_malloc(size) }, size)
}

/// # Safety
/// As `calloc` of the C library.
// SAFETY: this is the C library's function by name, signature and behaviour.
#[unsafe(no_mangle)]
unsafe extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
    if counter::is_on() {
        return counted_calloc(count, size);
    }
    // SAFETY: any size may be asked for.
    unsafe { __libc_calloc(count, size) }
}

#[cold]
fn counted_calloc(count: usize, size: usize) -> *mut c_void {
    // SAFETY: any size may be asked for.
    counted(unsafe { __libc_calloc(count, size) }, count.wrapping_mul(size))
}

/// # Safety
/// As `realloc` of the C library: `block` is null or not yet freed.
// SAFETY: this is the C library's function by name, signature and behaviour.
#[unsafe(no_mangle)]
unsafe extern "C" fn realloc(block: *mut c_void, size: usize) -> *mut c_void {
    if counter::is_on() {
        // SAFETY: the caller keeps realloc's contract.
        return unsafe { counted_realloc(block, size) };
    }
    // SAFETY: the caller keeps realloc's contract.
    unsafe { __libc_realloc(block, size) }
}

/// # Safety
/// As `realloc` of the C library: `block` is null or not yet freed.
#[cold]
unsafe fn counted_realloc(block: *mut c_void, size: usize) -> *mut c_void {
    let before = size_of_block(block);
    // SAFETY: the caller keeps realloc's contract.
    let moved = unsafe { __libc_realloc(block, size) };
    // A block is given back when another takes its place, or when none of its bytes is wanted.
    let is_given_back = !block.is_null() && (!moved.is_null() || size == 0);
    if is_given_back {
        counter::freed(before);
    }
    counted(moved, size)
}

/// # Safety
/// As `reallocarray` of the C library: `block` is null or not yet freed.
// SAFETY: this is the C library's function by name, signature and behaviour.
#[unsafe(no_mangle)]
unsafe extern "C" fn reallocarray(block: *mut c_void, count: usize, size: usize) -> *mut c_void {
    match count.checked_mul(size) {
        // SAFETY: the caller keeps realloc's contract.
        Some(total) => unsafe { realloc(block, total) },
        None => {
            set_errno(libc::ENOMEM);
            ptr::null_mut()
        }
    }
}

/// # Safety
/// As `free` of the C library: `block` is null or not yet freed.
// SAFETY: this is the C library's function by name, signature and behaviour.
#[unsafe(no_mangle)]
unsafe extern "C" fn free(block: *mut c_void) {
    if counter::is_on() {
        // SAFETY: the caller keeps free's contract.
        return unsafe { counted_free(block) };
    }
    // SAFETY: the caller keeps free's contract.
    unsafe { __libc_free(block) }
}

/// # Safety
/// As `free` of the C library: `block` is null or not yet freed.
#[cold]
unsafe fn counted_free(block: *mut c_void) {
    if !block.is_null() {
        counter::freed(size_of_block(block));
    }
    // SAFETY: the caller keeps free's contract.
    unsafe { __libc_free(block) }
}

/// # Safety
/// As `memalign` of the C library.
// SAFETY: this is the C library's function by name, signature and behaviour.
#[unsafe(no_mangle)]
unsafe extern "C" fn memalign(alignment: usize, size: usize) -> *mut c_void {
    // SAFETY: glibc checks the alignment itself.
    counted(unsafe { __libc_memalign(alignment, size) }, size)
}

/// # Safety
/// As `aligned_alloc` of the C library.
// SAFETY: this is the C library's function by name, signature and behaviour.
#[unsafe(no_mangle)]
unsafe extern "C" fn aligned_alloc(alignment: usize, size: usize) -> *mut c_void {
    // SAFETY: glibc checks the alignment itself.
    counted(unsafe { __libc_memalign(alignment, size) }, size)
}

/// # Safety
/// As `posix_memalign` of the C library: `into` can be written to.
// SAFETY: this is the C library's function by name, signature and behaviour.
#[unsafe(no_mangle)]
unsafe extern "C" fn posix_memalign(into: *mut *mut c_void, alignment: usize, size: usize) -> c_int {
    if !alignment.is_power_of_two() || !alignment.is_multiple_of(size_of::<*mut c_void>()) {
        return libc::EINVAL;
    }
    // SAFETY: the alignment is a power of two.
    let block = counted(unsafe { __libc_memalign(alignment, size) }, size);
    if block.is_null() {
        return libc::ENOMEM;
    }
    // SAFETY: the caller gives a place to write the block's address to.
    unsafe { into.write(block) };
    0
}

/// # Safety
/// As `valloc` of the C library.
// SAFETY: this is the C library's function by name, signature and behaviour.
#[unsafe(no_mangle)]
unsafe extern "C" fn valloc(size: usize) -> *mut c_void {
    // SAFETY: any size may be asked for.
    counted(unsafe { __libc_valloc(size) }, size)
}

/// # Safety
/// As `pvalloc` of the C library.
// SAFETY: this is the C library's function by name, signature and behaviour.
#[unsafe(no_mangle)]
unsafe extern "C" fn pvalloc(size: usize) -> *mut c_void {
    // SAFETY: any size may be asked for.
    counted(unsafe { __libc_pvalloc(size) }, size)
}

fn set_errno(code: c_int) {
    // SAFETY: glibc gives the address of this thread's errno.
    unsafe { *libc::__errno_location() = code };
}
