//! From values to places across a chart.

/// Where values stand between the left edge (0) and the right one (1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    is_log: bool,
}

impl Scale {
    /// From 0 to the largest value.
    pub(super) fn from_zero(high: f64) -> Self {
        Self { low: 0.0, high, is_log: false }
    }

    /// Of equal differences.
    pub(super) fn linear(low: f64, high: f64) -> Self {
        Self { low, high, is_log: false }
    }

    /// Of equal ratios; both ends are more than 0.
    pub(super) fn log(low: f64, high: f64) -> Self {
        Self { low, high, is_log: true }
    }

    /// Where a value stands; what lies beyond an end stands at it.
    pub(super) fn place(self, value: f64) -> f64 {
        let along = |value: f64| if self.is_log { value.ln() } else { value };
        let width = along(self.high) - along(self.low);
        if width <= 0.0 {
            return 0.0;
        }
        // Below the lower end there may be no logarithm.
        let place = (along(value.max(self.low)) - along(self.low)) / width;
        place.clamp(0.0, 1.0)
    }

    pub(super) fn is_log(self) -> bool {
        self.is_log
    }
}

/// A place as SVG wants it.
pub(super) fn percent(place: f64) -> String {
    let text = format!("{:.2}", place * 100.0);
    format!("{}%", text.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_where_their_scale_says() {
        assert_eq!(Scale::from_zero(4.0).place(1.0), 0.25);
        assert_eq!(Scale::linear(1.0, 3.0).place(2.0), 0.5);
        assert!((Scale::log(1.0, 100.0).place(10.0) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn what_is_beyond_stands_at_the_edge() {
        assert_eq!([-1.0, 9.0].map(|value| Scale::linear(0.0, 1.0).place(value)), [0.0, 1.0]);
        assert_eq!([0.0, -1.0, 99.0].map(|value| Scale::log(1.0, 2.0).place(value)), [0.0, 0.0, 1.0]);
        assert_eq!(Scale::linear(5.0, 5.0).place(5.0), 0.0, "no width at all");
    }

    #[test]
    fn percents_have_no_digits_to_spare() {
        assert_eq!([0.0, 0.5, 0.33333, 1.0].map(percent), ["0%", "50%", "33.33%", "100%"]);
    }
}
