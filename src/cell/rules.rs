//! What the protocol itself rules out, whatever the engine.

use super::{
    Alpn, Auth, Bulk, Cell, Cert, Direction, Extension, Group, Hello, KeyExchange, MAX_BYTES, MAX_CHUNK,
    MAX_EARLY_DATA, MAX_RECORD_SIZE, MAX_REQUESTS, MAX_WRITES, MIN_RECORD_SIZE, Proto, Resume, RuledOut,
};

type Allowed = Result<(), RuledOut>;

fn ruled_out(why: String) -> Allowed {
    Err(RuledOut(why))
}

impl Cell {
    pub(super) fn check_protocol_rules(&self) -> Allowed {
        self.check_exchange()?;
        self.check_certificate()?;
        self.check_resumption()?;
        self.check_extensions()?;
        self.check_numbers()
    }

    fn check_exchange(&self) -> Allowed {
        let Self { proto, cipher, group, .. } = self;
        if !cipher.fits(*proto) {
            return ruled_out(format!("{} has no cipher {}", proto.title(), cipher.openssl));
        }
        if (*group == Group::Rsa) != (cipher.kx == KeyExchange::StaticRsa) {
            return ruled_out(match group {
                Group::Rsa => format!("{} agrees on keys in a group, not by static RSA", cipher.openssl),
                _ => format!("{} agrees on keys by static RSA, not in group {group}", cipher.openssl),
            });
        }
        if group.needs_tls13() && *proto != Proto::Tls13 {
            return ruled_out(format!("{} with {} has no group {group}", proto.title(), cipher.openssl));
        }
        Ok(())
    }

    fn check_certificate(&self) -> Allowed {
        let Self { proto, cipher, cert, .. } = self;
        let fits = match cipher.kx {
            KeyExchange::StaticRsa => cert.rsa_bits().is_some(),
            KeyExchange::EcdheRsa => cert.signs_with_rsa(),
            KeyExchange::EcdheEcdsa => !cert.signs_with_rsa(),
            KeyExchange::Tls13 => true,
        };
        if *proto < cert.since() && fits {
            return ruled_out(format!("{} has no signatures of {cert} keys", proto.title()));
        }
        if !fits {
            return ruled_out(format!("{} does not go with a {cert} certificate", cipher.openssl));
        }
        if *cert == Cert::Rsa512 && *proto == Proto::Tls13 {
            return ruled_out("an RSA-PSS signature over SHA-256 does not fit a 512-bit modulus".to_owned());
        }
        if *proto == Proto::Ssl2 && self.chain > 1 {
            return ruled_out(format!(
                "{} has room for one certificate, not for {}",
                proto.title(),
                self.chain
            ));
        }
        if self.auth == Auth::Mutual && *proto == Proto::Ssl3 && !cert.signs_with_rsa() {
            return ruled_out(format!("{} clients sign with RSA only", proto.title()));
        }
        Ok(())
    }

    fn check_resumption(&self) -> Allowed {
        let Self { proto, resume, .. } = self;
        let is_psk = matches!(resume, Resume::PskDhe | Resume::Psk);
        if is_psk != (*proto == Proto::Tls13) {
            return ruled_out(format!("{} does not resume by {resume}", proto.title()));
        }
        if *resume == Resume::Ticket && *proto < Proto::Tls10 {
            return ruled_out(format!("{} has no extensions, so no session tickets", proto.title()));
        }
        if self.early_data > 0 && *proto != Proto::Tls13 {
            return ruled_out(format!("{} has no 0-RTT data", proto.title()));
        }
        if self.early_data > 0 && self.hello == Hello::Retry {
            return ruled_out("a HelloRetryRequest turns 0-RTT data down".to_owned());
        }
        if self.early_data > 0 && self.direction == Direction::Down {
            return ruled_out("a client that sends nothing sends no 0-RTT data".to_owned());
        }
        let first_write = self.bytes.min(self.chunk.into());
        if u64::from(self.early_data) > first_write {
            return ruled_out(format!(
                "0-RTT data of {} bytes is more than the first write of {first_write} bytes",
                self.early_data
            ));
        }
        Ok(())
    }

    fn check_extensions(&self) -> Allowed {
        let Self { proto, cipher, .. } = self;
        if self.hello == Hello::Retry && *proto != Proto::Tls13 {
            return ruled_out(format!("{} has no HelloRetryRequest", proto.title()));
        }
        if self.hello == Hello::Retry && self.resume == Resume::Psk {
            return ruled_out("without Diffie-Hellman there is no key share to ask again for".to_owned());
        }
        let has_cbc = matches!(cipher.bulk, Bulk::Cbc(_));
        let is_classic_tls = (Proto::Tls10..=Proto::Tls12).contains(proto);
        if self.etm != Extension::Auto && !(is_classic_tls && has_cbc) {
            return ruled_out(format!(
                "encrypt-then-MAC is for CBC ciphers of TLS 1.0 to 1.2, not for {} in {}",
                cipher.openssl,
                proto.title()
            ));
        }
        if self.ems != Extension::Auto && !is_classic_tls {
            return ruled_out(format!("{} has no extended master secret to negotiate", proto.title()));
        }
        if self.alpn != Alpn::None && *proto < Proto::Tls10 {
            return ruled_out(format!("{} has no extensions, so no application protocols", proto.title()));
        }
        if self.record_size != MAX_RECORD_SIZE && *proto == Proto::Ssl2 {
            return ruled_out(format!("{} has no way to limit records", proto.title()));
        }
        Ok(())
    }

    fn check_numbers(&self) -> Allowed {
        in_range("chain", self.chain.into(), 1, 3)?;
        in_range("bytes", self.bytes, 1, MAX_BYTES)?;
        in_range("chunk", self.chunk.into(), 1, MAX_CHUNK.into())?;
        in_range("requests", self.requests.into(), 1, MAX_REQUESTS.into())?;
        in_range("record-size", self.record_size.into(), MIN_RECORD_SIZE.into(), MAX_RECORD_SIZE.into())?;
        in_range("early-data", self.early_data.into(), 0, MAX_EARLY_DATA.into())?;
        self.check_pieces()
    }

    /// Neither writes nor records of a connection may be so many that it keeps busy for minutes.
    fn check_pieces(&self) -> Allowed {
        let Self { bytes, chunk, requests, record_size, .. } = self;
        let pieces = |piece: u32| bytes.div_ceil(u64::from(piece)) * u64::from(*requests);
        let writes = pieces(*chunk);
        if writes > MAX_WRITES && *requests == 1 {
            let least = bytes.div_ceil(MAX_WRITES);
            return ruled_out(format!(
                "{bytes} bytes in chunks of {chunk} are {writes} writes, more than {MAX_WRITES}: chunk must be at least {least}",
            ));
        }
        if writes > MAX_WRITES {
            return ruled_out(format!(
                "{requests} requests of {bytes} bytes in chunks of {chunk} are {writes} writes, more than {MAX_WRITES}"
            ));
        }
        let records = pieces(*record_size);
        if records > MAX_WRITES {
            return ruled_out(format!(
                "{bytes} bytes are {records} records of {record_size}, more than {MAX_WRITES}"
            ));
        }
        Ok(())
    }
}

fn in_range(key: &str, value: u64, least: u64, most: u64) -> Allowed {
    if (least..=most).contains(&value) {
        Ok(())
    } else {
        ruled_out(format!("{key} must be {least} to {most}, not {value}"))
    }
}
