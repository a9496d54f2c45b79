//! Values over time: `0:4/5:12` is 4 at first, 12 from 5 s on, and evenly between.
//!
//! Points are `time:value`, times in seconds from the first frame, rising, with `/` between. A value alone holds throughout.
//! Units may contain a `/` (`0:4km/h/5:12km/h`): a `/` divides points only where a time and a `:` follow it.

/// Most points of a schedule, and its latest time in seconds.
pub const MAX_SCHEDULE_POINTS: usize = 1000;
/// Latest time of a schedule, in seconds.
pub const MAX_SCHEDULE_SECONDS: f64 = 3600.0;

/// Values at rising times.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule<T> {
    /// Never empty; times are finite, not negative, and rise.
    points: Vec<(f64, T)>,
}

/// Why there is no schedule.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ScheduleError {
    /// No points.
    #[error("a schedule has no points; TIME:VALUE/TIME:VALUE such as 0:4/5:12 would be right")]
    Empty,
    /// More points than a schedule should have.
    #[error("a schedule has {found} points; at most {MAX_SCHEDULE_POINTS} would be right")]
    TooMany {
        /// How many.
        found: usize,
    },
    /// A time that cannot be.
    #[error("the time {time} of a schedule is not from 0 to {MAX_SCHEDULE_SECONDS} s")]
    Time {
        /// As given, in seconds.
        time: f64,
    },
    /// Times that do not rise.
    #[error("the times of a schedule must rise, but {after} s follows {before} s")]
    Unsorted {
        /// Seconds.
        before: f64,
        /// Seconds.
        after: f64,
    },
    /// A text that is no point.
    #[error("`{text}` is no TIME:VALUE with a time in seconds, such as 0:4 in 0:4/5:12")]
    NoPoint {
        /// Shortened.
        text: String,
    },
    /// A value that cannot be read.
    #[error("{0}")]
    Value(String),
}

impl<T> Schedule<T> {
    /// A value that holds throughout.
    pub fn constant(value: T) -> Schedule<T> {
        Schedule { points: vec![(0.0, value)] }
    }

    /// Values at times in seconds.
    pub fn new(points: Vec<(f64, T)>) -> Result<Schedule<T>, ScheduleError> {
        if points.is_empty() {
            return Err(ScheduleError::Empty);
        }
        if points.len() > MAX_SCHEDULE_POINTS {
            return Err(ScheduleError::TooMany { found: points.len() });
        }
        if let Some((time, _)) = points.iter().find(|(time, _)| !(0.0..=MAX_SCHEDULE_SECONDS).contains(time)) {
            return Err(ScheduleError::Time { time: *time });
        }
        match points.windows(2).find(|pair| pair[1].0 <= pair[0].0) {
            Some(pair) => Err(ScheduleError::Unsorted { before: pair[0].0, after: pair[1].0 }),
            None => Ok(Schedule { points }),
        }
    }

    /// Reads a schedule, or a value alone.
    pub fn parse(text: &str, value: impl Fn(&str) -> Result<T, String>) -> Result<Schedule<T>, ScheduleError> {
        let read = |text: &str| value(text.trim()).map_err(ScheduleError::Value);
        if !text.contains(':') {
            return if text.trim().is_empty() {
                Err(ScheduleError::Empty)
            } else {
                Ok(Schedule::constant(read(text)?))
            };
        }
        let mut points = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let no_point = || ScheduleError::NoPoint { text: rest.chars().take(40).collect() };
            let (time, after) = rest.split_once(':').ok_or_else(no_point)?;
            let time: f64 = time.trim().trim_end_matches('s').trim_end().parse().map_err(|_| no_point())?;
            // The value ends at the last `/` before the next `:`.
            let end = after.find(':').and_then(|next| after[..next].rfind('/'));
            if after.contains(':') && end.is_none() {
                return Err(no_point());
            }
            let (own, next) = end.map_or((after, ""), |end| (&after[..end], &after[end + 1..]));
            points.push((time, read(own)?));
            rest = next;
        }
        Schedule::new(points)
    }

    /// The points.
    pub fn points(&self) -> &[(f64, T)] {
        &self.points
    }

    /// Whether it is one value.
    pub fn is_constant(&self) -> bool {
        self.points.len() == 1
    }

    /// When it changes last, in seconds.
    pub fn last_time(&self) -> f64 {
        self.points[self.points.len() - 1].0
    }

    /// The values before and after a time, and the share of the latter.
    pub fn around(&self, time: f64) -> (&T, &T, f64) {
        let after = self.points.iter().position(|point| point.0 > time);
        match after {
            Some(0) => (&self.points[0].1, &self.points[0].1, 0.0),
            None => {
                let last = &self.points[self.points.len() - 1].1;
                (last, last, 0.0)
            }
            Some(after) => {
                let (a, b) = (&self.points[after - 1], &self.points[after]);
                (&a.1, &b.1, (time - a.0) / (b.0 - a.0))
            }
        }
    }
}

impl Schedule<f64> {
    /// The value at a time.
    pub fn at(&self, time: f64) -> f64 {
        let (before, after, share) = self.around(time);
        before + share * (after - before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Result<f64, String> {
        text.trim_end_matches("km/h").trim().parse().map_err(|_| format!("`{text}` is no number"))
    }

    fn parse(text: &str) -> Result<Schedule<f64>, ScheduleError> {
        Schedule::parse(text, number)
    }

    #[test]
    fn values_change_evenly_between_points_and_hold_beyond() {
        for text in ["0:4/5:12", "0:4km/h/5:12km/h", " 0 : 4 / 5s : 12 "] {
            let schedule = parse(text).unwrap();
            let at = [-1.0, 0.0, 2.5, 5.0, 9.0].map(|time| schedule.at(time));
            assert_eq!(at, [4.0, 4.0, 8.0, 12.0, 12.0], "{text}");
        }
        assert!(parse("5km/h").unwrap().is_constant());
        assert_eq!(parse("2:3").unwrap().at(0.0), 3.0);
    }

    #[test]
    fn what_is_no_schedule_is_refused_with_what_would_be() {
        let error = |text: &str| parse(text).expect_err(text).to_string();
        for empty in ["", "  "] {
            assert!(error(empty).contains("0:4/5:12"), "{empty}");
        }
        assert!(error("5:4/2:8").contains("2 s follows 5 s"));
        assert!(error("0:4/0:8").contains("must rise"));
        assert!(error("-1:4/2:8").contains("-1"));
        for text in ["nan:4", "inf:4/2:3", "1e9:4"] {
            assert!(error(text).contains("from 0 to 3600"), "{text}");
        }
        for text in ["0:4/", "0:/5:12", "a:4", "0:4:5", "0:4/x:5", "0:much"] {
            assert!(!error(text).is_empty(), "{text}");
        }
        let many = (0..2000).map(|n| format!("{n}:4")).collect::<Vec<_>>().join("/");
        assert!(error(&many).contains("at most 1000"));
    }
}
