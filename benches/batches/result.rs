//! What benches return.

use std::error::Error;

/// A success, or whatever went wrong.
pub type Result<T> = std::result::Result<T, Box<dyn Error>>;
