//! Effects and shares in percent.

use crate::results::Effect;

/// How much longer or shorter NEW takes, with the 95 % interval if there is one: `+4.9 % [+4.1, +5.7]`.
pub(in crate::render) fn effect(effect: Effect) -> String {
    let estimate = change(effect.ratio, 1);
    match (effect.low, effect.high) {
        (Some(low), Some(high)) => format!("{estimate} % [{}, {}]", change(low, 1), change(high, 1)),
        _ => format!("{estimate} %"),
    }
}

/// new/old as a change in percent with its sign, without the unit: 1.049 is `+4.9`. From 100 % on without decimals.
pub(in crate::render) fn change(ratio: f64, decimals: usize) -> String {
    let value = (ratio - 1.0) * 100.0;
    let decimals = if value.abs() >= 99.95 { 0 } else { decimals };
    let text = format!("{value:+.decimals$}");
    // Nothing after rounding: neither longer nor shorter.
    if text.chars().any(|letter| letter.is_ascii_digit() && letter != '0') {
        text
    } else {
        text[1..].to_owned()
    }
}

/// A share as percent without the unit: 0.03 is `3`, 0.005 is `0.5`.
pub(in crate::render) fn percent(share: f64) -> String {
    ((share * 1e4).round() / 1e2).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_have_a_sign_unless_they_vanish() {
        for (ratio, expected) in [
            (1.049, "+4.9"),
            (0.951, "-4.9"),
            (1.0004, "0.0"),
            (0.9996, "0.0"),
            (1.0, "0.0"),
            (3.504, "+250"),
        ] {
            assert_eq!(change(ratio, 1), expected, "{ratio}");
        }
        assert_eq!(change(1.000_6, 2), "+0.06");
    }

    #[test]
    fn an_interval_is_shown_where_there_is_one() {
        let with = Effect { ratio: 1.049, low: Some(1.041), high: Some(1.057) };
        assert_eq!(effect(with), "+4.9 % [+4.1, +5.7]");
        assert_eq!(effect(Effect { low: None, high: None, ..with }), "+4.9 %");
    }

    #[test]
    fn shares_lose_no_digits_that_matter() {
        assert_eq!(
            (percent(0.03).as_str(), percent(0.005).as_str(), percent(0.1).as_str()),
            ("3", "0.5", "10")
        );
    }
}
