//! Worker processes: an executable that runs cells on request, one JSON message a line on its standard input and output.
//! Two builds are compared by two workers, and a crash in a C library takes a worker along and not the results.
//!
//! `docs/FORMAT.md` describes the messages.

mod executable;
mod guests;
mod isolated;
mod post;
mod process;
mod protocol;
mod reading;
mod routes;
mod serve;
mod work;

pub use executable::{Executable, is_program};
pub use guests::{Guest, GuestError, Guests};
pub use isolated::Isolated;
pub use post::Post;
pub(crate) use process::allowance;
pub use process::{Terms, Worker, WorkerError};
pub use protocol::{BatchTimes, Build, Failed, Hello, PROTOCOL, Reply, Request};
pub use routes::Routes;
pub use serve::{Desk, EngineDesk, serve, serve_stdio};
pub use work::last_core;
