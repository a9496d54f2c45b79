//! From frames and values to pixels, and the round numbers that mark them.

/// Where frames are drawn. A frame is as wide as the distance to the next and has its number in the middle, so that a bar over a
/// plant's frames covers the points that belong to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeAxis {
    /// Pixels of the first frame's left edge and of the last one's right edge.
    pub(super) left: f64,
    pub(super) right: f64,
    /// At least 1.
    pub(super) n_frames: usize,
    /// Frames a second, if they are known.
    pub(super) frame_rate: Option<f64>,
}

/// Frame rates that can be meant; with any other, frames are all that is known.
const RATES: std::ops::RangeInclusive<f64> = 1e-6..=1e9;

/// Ticks of the time axis are no nearer to each other than this, in pixels.
const CLOSEST_TIMES: f64 = 56.0;

impl TimeAxis {
    pub(super) fn new(left: f64, right: f64, n_frames: usize, frame_rate: f64) -> TimeAxis {
        let frame_rate = Some(frame_rate).filter(|rate| RATES.contains(rate));
        TimeAxis { left, right, n_frames: n_frames.max(1), frame_rate }
    }

    /// Pixels between frames.
    pub(super) fn frame_width(&self) -> f64 {
        (self.right - self.left) / self.n_frames as f64
    }

    /// The middle of a frame.
    pub(super) fn x(&self, frame: f64) -> f64 {
        self.left + (frame + 0.5) * self.frame_width()
    }

    /// Frame numbers to mark, with their places.
    pub(super) fn frame_ticks(&self) -> Vec<(String, f64)> {
        let step = round_step(CLOSEST_TIMES / self.frame_width()).max(1.0);
        let last = (self.n_frames - 1) as f64;
        multiples(step, 0.0, last).map(|frame| (format!("{frame:.0}"), self.x(frame))).collect()
    }

    /// Seconds to mark, with their places; none if the frame rate is unknown.
    pub(super) fn second_ticks(&self) -> Vec<(String, f64)> {
        let Some(rate) = self.frame_rate else { return Vec::new() };
        let step = round_step(CLOSEST_TIMES / (self.frame_width() * rate));
        let last = (self.n_frames - 1) as f64 / rate;
        let decimals = decimals_of(step);
        multiples(step, 0.0, last).map(|time| (format!("{time:.decimals$}"), self.x(time * rate))).collect()
    }
}

/// How values spread over a panel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Spread {
    /// Evenly.
    Linear,
    /// Evenly up to about this value, and ever closer beyond: `asinh(value / knee)`.
    Soft(f64),
}

impl Spread {
    fn apply(self, value: f64) -> f64 {
        match self {
            Spread::Linear => value,
            Spread::Soft(knee) => (value / knee).asinh(),
        }
    }
}

/// Where values are drawn in a panel.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValueAxis {
    spread: Spread,
    /// Spread values at the panel's bottom and top.
    low: f64,
    high: f64,
    /// Pixels of the same.
    bottom: f64,
    top: f64,
}

/// Share of a panel that stays free above and below the traces.
const MARGIN: f64 = 0.07;

/// Values past this are drawn at it. No foot is so fast or so high, and sums of such numbers stay finite.
const LARGEST: f64 = 1e12;

/// Ticks of a value axis are no nearer to each other than this, in pixels.
const CLOSEST_VALUES: f64 = 12.0;

/// Most ticks of a value axis; a panel has room for fewer.
const MOST_TICKS: usize = 64;

impl ValueAxis {
    /// The axis that holds all finite values and spans `least` at any rate, between two heights of the page.
    pub(super) fn new(
        values: impl Iterator<Item = f64>,
        least: [f64; 2],
        spread: Spread,
        [top, bottom]: [f64; 2],
    ) -> ValueAxis {
        let finite = values.filter(|value| value.is_finite()).map(|value| value.clamp(-LARGEST, LARGEST));
        let [low, high] = finite.fold(least, |[low, high], value| [low.min(value), high.max(value)]);
        let (low, high) = (spread.apply(low), spread.apply(high));
        let margin = (high - low) * MARGIN;
        ValueAxis { spread, low: low - margin, high: high + margin, bottom, top }
    }

    pub(super) fn y(&self, value: f64) -> f64 {
        let value = self.spread.apply(value.clamp(-LARGEST, LARGEST));
        self.bottom + (value - self.low) / (self.high - self.low) * (self.top - self.bottom)
    }

    /// Round values to mark, with their places.
    pub(super) fn ticks(&self) -> Vec<(String, f64)> {
        match self.spread {
            Spread::Linear => self.even_ticks(),
            Spread::Soft(knee) => self.soft_ticks(knee),
        }
    }

    fn even_ticks(&self) -> Vec<(String, f64)> {
        let step = round_step(CLOSEST_VALUES * (self.high - self.low) / (self.bottom - self.top));
        let decimals = decimals_of(step);
        let values = multiples(step, self.low, self.high).take(MOST_TICKS);
        values.map(|value| (unsigned_zero(format!("{value:.decimals$}")), self.y(value))).collect()
    }

    /// 0, and outward from it each number 1, 2, 5, 10, ... that has room.
    fn soft_ticks(&self, knee: f64) -> Vec<(String, f64)> {
        let mut ticks = vec![("0".to_string(), self.y(0.0))];
        for sign in [1.0, -1.0] {
            let mut last = self.y(0.0);
            let mut step = round_step(knee / 20.0);
            for _ in 0..MOST_TICKS {
                let y = self.y(sign * step);
                if !(self.top + 1.0..=self.bottom - 1.0).contains(&y) {
                    break;
                }
                if (y - last).abs() >= CLOSEST_VALUES {
                    ticks.push((format!("{:.*}", decimals_of(step), sign * step), y));
                    last = y;
                }
                step = round_step(step * 1.01);
            }
        }
        ticks
    }
}

/// The smallest of 1, 2 and 5 times a power of ten that is no less than a value; 1 for what is not above 0.
pub(super) fn round_step(least: f64) -> f64 {
    if !(least.is_finite() && least > 0.0) {
        return 1.0;
    }
    let power = 10f64.powi(least.log10().floor() as i32);
    // A hair less, so that a step that is round already stays as it is.
    let share = least / power * (1.0 - 1e-9);
    let factor = [1.0, 2.0, 5.0].into_iter().find(|&factor| factor >= share).unwrap_or(10.0);
    factor * power
}

pub(super) fn decimals_of(step: f64) -> usize {
    (-(step * (1.0 + 1e-9)).log10().floor()).clamp(0.0, 9.0) as usize
}

/// Multiples of a step from `low` to `high`.
pub(super) fn multiples(step: f64, low: f64, high: f64) -> impl Iterator<Item = f64> {
    let first = (low / step).ceil();
    let count = ((high / step).floor() - first + 1.0).clamp(0.0, MAX_MULTIPLES) as usize;
    (0..count).map(move |index| (first + index as f64) * step)
}

/// More ticks than any page has room for.
const MAX_MULTIPLES: f64 = 1000.0;

/// `-0.0` is written as `0.0`.
pub(super) fn unsigned_zero(text: String) -> String {
    let is_zero = text.starts_with('-') && text.chars().all(|c| matches!(c, '-' | '0' | '.'));
    if is_zero { text[1..].to_string() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round_and_no_smaller_than_asked() {
        for (least, step) in [(0.7, 1.0), (1.0, 1.0), (1.1, 2.0), (4.0, 5.0), (6.0, 10.0), (0.03, 0.05), (1e-5, 1e-5)] {
            assert!((round_step(least) / step - 1.0).abs() < 1e-12, "{least}");
        }
        assert_eq!([0.05, 0.1, 1.0, 20.0].map(decimals_of), [2, 1, 0, 0]);
        assert_eq!([f64::NAN, 0.0, -1.0].map(round_step), [1.0; 3]);
    }

    #[test]
    fn clips_of_every_length_have_a_few_marks() {
        for (n_frames, rate) in [(1, 30.0), (15, 30.0), (60, 120.0), (7200, 120.0), (1_000_000, 240.0), (100, 1e-3)] {
            let axis = TimeAxis::new(100.0, 1180.0, n_frames, rate);
            for ticks in [axis.frame_ticks(), axis.second_ticks()] {
                assert!((1..=20).contains(&ticks.len()), "{n_frames} {rate}: {}", ticks.len());
                assert!(ticks.windows(2).all(|pair| pair[1].1 - pair[0].1 >= CLOSEST_TIMES - 1e-6));
                assert!(ticks.iter().all(|&(_, x)| (100.0..=1180.0).contains(&x)));
            }
        }
        assert!(TimeAxis::new(0.0, 1.0, 0, f64::NAN).second_ticks().is_empty());
    }

    #[test]
    fn values_rise_up_the_panel_and_are_marked_with_room_between() {
        for spread in [Spread::Linear, Spread::Soft(20.0)] {
            for values in [vec![], vec![-30.0, 400.0], vec![f64::NAN, 7.0], vec![-1e300, 1e300], vec![3.0; 9]] {
                let axis = ValueAxis::new(values.iter().copied(), [0.0, 10.0], spread, [100.0, 180.0]);
                for &value in values.iter().filter(|value| value.is_finite()) {
                    assert!((100.0..=180.0).contains(&axis.y(value)), "{value} at {}", axis.y(value));
                }
                assert!(axis.y(1.0) <= axis.y(0.0));
                let mut places: Vec<f64> = axis.ticks().iter().map(|tick| tick.1).collect();
                places.sort_by(f64::total_cmp);
                assert!((1..=6).contains(&places.len()), "{spread:?} {values:?}: {places:?}");
                assert!(places.windows(2).all(|pair| pair[1] - pair[0] >= CLOSEST_VALUES - 1e-6), "{places:?}");
            }
        }
    }
}
