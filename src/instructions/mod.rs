//! Instructions of a connection by valgrind's callgrind, per side: the same on a busy machine as on an idle one, and
//! nearly the same every time.
//!
//! [`count`] runs an executable of this project under valgrind. There, `tlspair count-loop` ([`count_loop`]) warms a
//! cell up and then plays connections whose every call into an engine passes through a function of its side's own (a
//! fence); callgrind collects inside these two functions only. What is counted is what the clocks time: creation of
//! endpoints, handshake, transfer, close and free, with their copies into and out of the pipes; not the harness, and not
//! the question what was negotiated.
//!
//! What the numbers mean:
//! * One instruction is one as valgrind's processor runs it. That processor lacks the newest instructions (SHA-256,
//!   AVX-512), so that libraries may choose other code there than on the real one.
//! * Instructions of the kernel do not count, as behind a call for random bytes.
//! * Random values (nonces, blinding, seeds of hash tables) make a handshake's count vary a little; hence a mean of
//!   several connections ([`counted_connections`]).

pub mod callgrind;
mod count;
mod count_loop;
mod error;
mod fence;
mod valgrind;

pub use count::{Counting, available, count, counted_connections};
pub use count_loop::{Reply, count_loop};
pub use error::CountError;
