//! A policy that leaves one cipher, one signature scheme and one group of all that the library has.

use std::ptr::{self, NonNull};

use super::internals::{
    self, CipherPreferences, CipherSuite, CurvePreferences, KemPreferences, KeyShare, Opaque, SecurityPolicy,
    SignaturePreferences,
};
use super::{ability, names};
use crate::cell::{Cell, Group, Hello, KeyExchange, Proto};
use crate::engine::{EngineError, Side};

/// What the library calls the format of hybrid key shares that became the standard.
const FINAL_FORMAT: u8 = 5;

/// A policy and all that it points to, at addresses that never change.
pub(super) struct Policy(NonNull<Parts>);

struct Parts {
    policy: SecurityPolicy,
    ciphers: CipherPreferences,
    signatures: SignaturePreferences,
    curves: CurvePreferences,
    kems: KemPreferences,
    cipher_list: [*const CipherSuite; 1],
    signature_list: [*const Opaque; 1],
    curve_list: Vec<*const Opaque>,
    kem_list: Vec<*const Opaque>,
}

impl Policy {
    /// The policy of `side` of a cell that the engine supports, as the library has read it back.
    pub(super) fn new(side: Side, cell: &Cell) -> Result<Self, EngineError> {
        let missing = || EngineError::new("the library lacks a part of the cell");
        let suite = internals::suite(cell.cipher).ok_or_else(missing)?;
        let signature = internals::signature(cell.certificate_signature()).ok_or_else(missing)?;
        let (mut curve_list, mut kem_list) = (Vec::new(), Vec::new());
        let groups = groups(side, cell);
        for &group in &groups {
            match internals::key_share(group).ok_or_else(missing)? {
                KeyShare::Curve(curve) => curve_list.push(curve),
                KeyShare::Kem(kem) => kem_list.push(kem),
            }
        }
        let policy = Self::of(cell.proto, suite, signature, curve_list, kem_list);
        policy.check(&Expected::of(cell, &groups))?;
        Ok(policy)
    }

    fn of(
        proto: Proto,
        suite: *const CipherSuite,
        signature: *const Opaque,
        curve_list: Vec<*const Opaque>,
        kem_list: Vec<*const Opaque>,
    ) -> Self {
        let parts = NonNull::from(Box::leak(Box::new(Parts {
            policy: SecurityPolicy {
                minimum_protocol_version: ability::version_number(proto).unwrap_or_default(),
                ciphers: ptr::null(),
                kems: internals::no_kems(),
                signatures: ptr::null(),
                certificate_signatures: ptr::null(),
                curves: ptr::null(),
                strongly_preferred_groups: ptr::null(),
                certificate_keys: ptr::null(),
                preferences_apply_locally: false,
                rules: [false; 2],
                room: [0; 8],
            },
            ciphers: CipherPreferences { count: 1, suites: ptr::null(), allow_chacha20_boosting: false },
            signatures: SignaturePreferences { count: 1, schemes: ptr::null() },
            curves: CurvePreferences { count: curve_list.len() as u8, curves: ptr::null() },
            kems: KemPreferences {
                kem_count: 0,
                kems: ptr::null(),
                group_count: kem_list.len() as u8,
                groups: ptr::null(),
                hybrid_draft_revision: FINAL_FORMAT,
            },
            cipher_list: [suite],
            signature_list: [signature],
            curve_list,
            kem_list,
        })));
        let at = parts.as_ptr();
        // SAFETY: the box is ours alone and stays where it is; all that is stored are addresses within it.
        unsafe {
            (*at).ciphers.suites = (&raw const (*at).cipher_list).cast();
            (*at).signatures.schemes = (&raw const (*at).signature_list).cast();
            (*at).curves.curves = Vec::as_ptr(&(*at).curve_list);
            (*at).kems.groups = Vec::as_ptr(&(*at).kem_list);
            (*at).policy.ciphers = &raw const (*at).ciphers;
            (*at).policy.signatures = &raw const (*at).signatures;
            (*at).policy.curves = &raw const (*at).curves;
            if (*at).kems.group_count > 0 {
                (*at).policy.kems = &raw const (*at).kems;
            }
        }
        Self(parts)
    }

    /// For the library's functions; valid as long as `self`.
    pub(super) fn at(&self) -> *const SecurityPolicy {
        // SAFETY: computes an address within the living box.
        unsafe { &raw const (*self.0.as_ptr()).policy }
    }

    /// Has the library describe the policy, and compares.
    fn check(&self, expected: &Expected) -> Result<(), EngineError> {
        // SAFETY: the layouts have been compared with the library's own (`internals::obstacle`), and the box lives.
        let described = unsafe { internals::described(&*self.at()) }?;
        if Expected::read(&described) == *expected {
            return Ok(());
        }
        let described = described.lines().collect::<Vec<_>>().join("; ");
        Err(EngineError::new(format_args!("the library reads the cell's policy otherwise: {described}")))
    }
}

impl Drop for Policy {
    fn drop(&mut self) {
        // SAFETY: `of` leaked this box, and the configuration that used it is gone (see `Pinned`).
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

/// The groups that a side offers or takes, the first one preferred.
///
/// A client that shall be asked for another key share puts a wrong one first. Up to TLS 1.2 its list also says which
/// curves a certificate's key may lie on, and other libraries' servers keep to that: the certificate's curve comes
/// second, and is not used for the exchange, because servers are pinned to the cell's group. Static RSA uses no group,
/// but the library takes no policy without any.
fn groups(side: Side, cell: &Cell) -> Vec<Group> {
    if cell.cipher.kx == KeyExchange::StaticRsa {
        return vec![Group::P256];
    }
    let mut groups = Vec::new();
    if side == Side::Client && cell.hello == Hello::Retry {
        groups.push(cell.group.wrong_guess());
    }
    groups.push(cell.group);
    let named_by_list = side == Side::Client && cell.proto < Proto::Tls13;
    if let Some(curve) = cell.cert.curve().filter(|&curve| named_by_list && curve != cell.group) {
        groups.push(curve);
    }
    groups
}

/// What the library's description of a policy must say, in the description's words.
#[derive(Debug, PartialEq, Eq)]
struct Expected {
    version: String,
    rules_kept: usize,
    ciphers: Vec<String>,
    signatures: Vec<String>,
    groups: Vec<String>,
}

impl Expected {
    fn of(cell: &Cell, groups: &[Group]) -> Self {
        let words = |name: Option<&str>| name.unwrap_or("without a name").to_owned();
        Self {
            version: words(ability::version_name(cell.proto)),
            rules_kept: 0,
            ciphers: vec![cell.cipher.iana.to_owned()],
            signatures: vec![words(names::of_signature(cell.certificate_signature()))],
            groups: groups.iter().map(|&group| words(names::of_group(group))).collect(),
        }
    }

    /// Curves and key encapsulations stand in lists of their own; cells have one or the other.
    fn read(described: &str) -> Self {
        let version = described.lines().find_map(|line| line.strip_prefix("min version: "));
        let rules = items(described, "rules:", "- ");
        let mut groups = items(described, "curves:", "- ");
        groups.extend(items(described, "- kem groups:", "-- "));
        Self {
            version: version.unwrap_or_default().to_owned(),
            rules_kept: rules.iter().filter(|rule| !rule.ends_with(": no")).count(),
            ciphers: items(described, "cipher suites:", "- "),
            signatures: items(described, "signature schemes:", "- "),
            groups,
        }
    }
}

fn items(described: &str, heading: &str, mark: &str) -> Vec<String> {
    let after = described.lines().skip_while(|line| *line != heading).skip(1);
    after.map_while(|line| line.strip_prefix(mark)).map(str::to_owned).collect()
}
