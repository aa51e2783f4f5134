//! How many messages the handshake has.

use crate::cell::{Auth, Cell, Hello, KeyExchange, Proto, Resume};

/// Messages of a full or resumed handshake, ChangeCipherSpec and the ticket with them. Each is made by one side and read by
/// the other.
pub fn messages(cell: &Cell, resumed: bool) -> u64 {
    let mutual = !resumed && cell.auth == Auth::Mutual;
    match cell.proto {
        // Hellos, the client's master key, ServerVerify, and both Finished messages.
        Proto::Ssl2 => 5 + u64::from(!resumed),
        Proto::Tls13 => of_tls13(cell, resumed, mutual),
        _ => {
            // Hellos; a ChangeCipherSpec and a Finished message of either side.
            let ticket = u64::from(cell.resume == Resume::Ticket && !resumed);
            let always = 2 + 4 + ticket;
            // Certificate, ServerHelloDone, ClientKeyExchange; ServerKeyExchange where it has something to say.
            let full = 3 + u64::from(cell.cipher.kx != KeyExchange::StaticRsa);
            // CertificateRequest, Certificate, CertificateVerify.
            always + if resumed { 0 } else { full } + if mutual { 3 } else { 0 }
        }
    }
}

fn of_tls13(cell: &Cell, resumed: bool, mutual: bool) -> u64 {
    // Hellos, EncryptedExtensions, both Finished messages, a ticket.
    const ALWAYS: u64 = 6;
    let certificate = if resumed { 0 } else { 2 };
    let clients = if mutual { 3 } else { 0 };
    // HelloRetryRequest and the second hello.
    let retry = if cell.hello == Hello::Retry { 2 } else { 0 };
    let end_of_early_data = u64::from(resumed && cell.early_data > 0);
    ALWAYS + certificate + clients + retry + end_of_early_data
}
