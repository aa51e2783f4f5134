//! The columns of answers that arrive over a link.

use super::grid::Column;
use super::number::{percent, significant};
use super::or_absent;
use crate::link::{Arrival, Link};

/// Two times and the processors' part, of one kind of connection.
pub(super) fn columns(group: &'static str) -> [Column; 3] {
    ["first byte ms", "last byte ms", "cpu"].map(|title| Column::number(group, title))
}

pub(super) fn values(arrival: Option<&Arrival>) -> [String; 3] {
    let ms = |ns: f64| significant(ns / 1e6, 3);
    [
        or_absent(arrival.map(|arrival| ms(arrival.first_byte_ns))),
        or_absent(arrival.map(|arrival| ms(arrival.last_byte_ns))),
        or_absent(
            arrival
                .filter(|arrival| arrival.last_byte_ns > 0.0)
                .map(|arrival| percent(arrival.cpu_ns / arrival.last_byte_ns)),
        ),
    ]
}

/// What the columns mean.
pub(super) fn caption(link: &Link) -> String {
    format!(
        "link: when a client has the first and the last byte of the answer to its first request, over {link}; TCP's own \
         handshake not counted. cpu: the processors' part of the latter."
    )
}
