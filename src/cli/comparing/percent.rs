//! Shares on the command line.

/// A share in percent, with or without the sign: `3%` and `3` are 0.03.
pub fn parse_percent(text: &str) -> Result<f64, String> {
    let wrong = || "must be a number of percent from 0 to 1000, such as 3%".to_owned();
    let digits = text.strip_suffix('%').unwrap_or(text).trim_end();
    let percent: f64 = digits.parse().map_err(|_| wrong())?;
    if (0.0..=1000.0).contains(&percent) { Ok(percent / 100.0) } else { Err(wrong()) }
}

/// A level of significance, between 0 and 1.
pub fn parse_alpha(text: &str) -> Result<f64, String> {
    let wrong = || "must be a number between 0 and 1, such as 0.05".to_owned();
    let alpha: f64 = text.parse().map_err(|_| wrong())?;
    if alpha > 0.0 && alpha < 1.0 { Ok(alpha) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_has_a_sign_or_none() {
        for (text, expected) in [("3%", 0.03), ("3", 0.03), ("0.5 %", 0.005), ("0", 0.0), ("1000%", 10.0)] {
            assert_eq!(parse_percent(text), Ok(expected), "{text}");
        }
        for wrong in ["", "%", "three", "-1%", "1001", "nan", "inf", "3%%"] {
            assert!(parse_percent(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn alpha_lies_between_the_extremes() {
        assert_eq!(parse_alpha("0.05"), Ok(0.05));
        for wrong in ["0", "1", "-0.1", "5%", "nan", ""] {
            assert!(parse_alpha(wrong).is_err(), "{wrong}");
        }
    }
}
