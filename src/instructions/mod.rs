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
//! * Random values (nonces, blinding, seeds of hash tables, and through the lengths of signatures the layout of the heap)
//!   make the count of a connection vary a little; hence a mean of several ([`counted_connections`]). Of both sides
//!   together it then repeats within 0.2 % where the handshake is all, and within 0.1 % where 1 MiB is sent. One side
//!   does so too, but for Mbed TLS's elliptic curves: their arithmetic takes as long as the numbers demand, and a client
//!   whose peer bears the greater part of the work repeats within 0.7 % only. So it is the sum that should decide.

pub mod callgrind;
mod count;
mod count_loop;
mod error;
mod fence;
mod valgrind;

pub use count::{Counting, available, count, counted_connections};
pub use count_loop::{Reply, count_loop};
pub use error::CountError;
