//! Numbers as people read them.

use std::time::Duration;

/// A non-negative number with at least `digits` significant digits; digits before the point are never rounded away,
/// and thousands are parted by commas.
pub fn significant(value: f64, digits: usize) -> String {
    let digits = digits as i32;
    let decimals_for = |value: f64| {
        let magnitude = if value > 0.0 { value.log10().floor() as i32 } else { 0 };
        (digits - 1 - magnitude).clamp(0, 9)
    };
    let decimals = decimals_for(value);
    let step = 10f64.powi(decimals);
    // Rounding may carry into one more digit before the point: 9.996 is 10.0, not 10.00.
    let decimals = decimals_for((value * step).round() / step);
    let plain = format!("{value:.0$}", decimals as usize);
    match plain.split_once('.') {
        Some((whole, fraction)) => format!("{}.{fraction}", with_commas(whole)),
        None => with_commas(&plain),
    }
}

/// A whole number with commas between thousands.
pub fn count(value: u64) -> String {
    with_commas(&value.to_string())
}

/// Nanoseconds in the unit that fits: ns, µs, ms or s.
pub fn duration(ns: f64) -> String {
    let (divisor, unit) = match ns {
        ns if ns < 1e3 => (1.0, "ns"),
        ns if ns < 1e6 => (1e3, "µs"),
        ns if ns < 1e9 => (1e6, "ms"),
        _ => (1e9, "s"),
    };
    format!("{} {unit}", significant(ns / divisor, 3))
}

/// Nanoseconds as microseconds, without the unit.
pub fn micros(ns: f64) -> String {
    significant(ns / 1e3, 3)
}

/// A duration as one tells it beforehand: `9 min`, `40 s`, `less than a second`.
pub fn rough_duration(duration: Duration) -> String {
    match duration.as_secs_f64() {
        seconds if seconds < 1.0 => "less than a second".to_owned(),
        seconds if seconds < 90.0 => format!("{seconds:.0} s"),
        seconds if seconds < 5400.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{:.1} h", seconds / 3600.0),
    }
}

/// How many times something is as large: `89×`, `3.4×`.
pub fn ratio(value: f64) -> String {
    format!("{}×", significant(value, 2))
}

/// A non-negative share in percent, to a tenth of a percent below 100 %: `8.1 %`.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent < 99.95 { format!("{percent:.1} %") } else { format!("{} %", significant(percent, 3)) }
}

/// A share of either sign in percent; what rounds to nothing has no sign.
pub fn signed_percent(share: f64) -> String {
    signed(share, percent)
}

/// Nanoseconds of either sign as microseconds, likewise.
pub fn signed_micros(ns: f64) -> String {
    signed(ns, micros)
}

fn signed(value: f64, words: fn(f64) -> String) -> String {
    let text = words(value.abs());
    let is_nothing = !text.contains(|digit: char| ('1'..='9').contains(&digit));
    if value < 0.0 && !is_nothing { format!("−{text}") } else { text }
}

/// A share in percent, with no more digits than it has up to a hundredth of a percent: `5 %`, `2.5 %`.
pub fn percent_short(share: f64) -> String {
    format!("{} %", (share * 1e4).round() / 1e2)
}

/// `1 connection`, `2 connections`.
pub fn counted(value: u64, one: &str) -> String {
    let plural = if value == 1 { "" } else { "s" };
    format!("{} {one}{plural}", count(value))
}

fn with_commas(digits: &str) -> String {
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn significant_digits_are_kept_and_none_invented() {
        for (value, digits, expected) in [
            (0.0, 3, "0.00"),
            (0.001234, 3, "0.00123"),
            (0.1634, 3, "0.163"),
            (1.0, 2, "1.0"),
            (9.996, 3, "10.0"),
            (17.44, 3, "17.4"),
            (99.96, 3, "100"),
            (163.4, 3, "163"),
            (999.6, 3, "1,000"),
            (1_234_567.8, 3, "1,234,568"),
        ] {
            assert_eq!(significant(value, digits), expected, "{value} with {digits}");
        }
    }

    #[test]
    fn durations_take_the_unit_that_fits() {
        assert_eq!(duration(22.0), "22.0 ns");
        assert_eq!(duration(163_200.0), "163 µs");
        assert_eq!(duration(1_240_000.0), "1.24 ms");
        assert_eq!(duration(17.4e9), "17.4 s");
    }

    #[test]
    fn counts_have_commas_and_a_plural() {
        assert_eq!(count(999), "999");
        assert_eq!(count(102_400), "102,400");
        assert_eq!(count(1_000_000), "1,000,000");
        assert_eq!(counted(1, "connection"), "1 connection");
        assert_eq!(counted(1000, "connection"), "1,000 connections");
        assert_eq!(ratio(89.3), "89×");
        assert_eq!(ratio(1.04), "1.0×");
    }

    #[test]
    fn percents_have_one_digit_after_the_point_below_a_hundred() {
        let shown = [0.0, 0.0004, 0.0812, 0.12345, 0.9996, 20.0].map(percent);
        assert_eq!(shown, ["0.0 %", "0.0 %", "8.1 %", "12.3 %", "100 %", "2,000 %"]);
        assert_eq!([0.05, 0.025, 0.1, 1.0].map(percent_short), ["5 %", "2.5 %", "10 %", "100 %"]);
    }

    proptest! {
        #[test]
        fn what_is_shown_is_near_what_was_measured(value in 1e-6f64..1e12, digits in 2usize..6) {
            let shown: f64 = significant(value, digits).replace(',', "").parse().expect("a number");
            let tolerance = value * 0.5001 * 10f64.powi(1 - digits as i32);
            prop_assert!((shown - value).abs() <= tolerance, "{shown} for {value}");
        }

        #[test]
        fn commas_are_all_that_is_added(value: u64) {
            prop_assert_eq!(count(value).replace(',', ""), value.to_string());
        }
    }
}
