//! The least or most of a list within a window around each place, in linear time.

/// For each place, the least value at most `reach` places away. NaNs count as greater than everything.
pub(crate) fn running_min(values: &[f64], reach: usize) -> Vec<f64> {
    running_extreme(values, reach, |new, old| new <= old || old.is_nan())
}

/// For each place, the greatest value at most `reach` places away. NaNs count as less than everything.
pub(crate) fn running_max(values: &[f64], reach: usize) -> Vec<f64> {
    running_extreme(values, reach, |new, old| new >= old || old.is_nan())
}

/// Keeps those places of the window that may still become its extreme, the best in front: each enters and leaves once.
fn running_extreme(values: &[f64], reach: usize, beats: impl Fn(f64, f64) -> bool) -> Vec<f64> {
    let n = values.len();
    let mut hopefuls: Vec<usize> = Vec::with_capacity(n);
    let mut front = 0;
    let mut out = Vec::with_capacity(n);
    let mut entered = 0;
    for place in 0..n {
        while entered < n && entered <= place.saturating_add(reach) {
            while hopefuls.len() > front && hopefuls.last().is_some_and(|&old| beats(values[entered], values[old])) {
                hopefuls.pop();
            }
            hopefuls.push(entered);
            entered += 1;
        }
        while hopefuls[front].saturating_add(reach) < place {
            front += 1;
        }
        out.push(values[hopefuls[front]]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn running_extremes_are_those_of_each_window() {
        let wave = |k: usize| ((k * k * 7919) % 101) as f64;
        for n in [0, 1, 2, 3, 17, 60] {
            let values: Vec<f64> = (0..n).map(wave).collect();
            for reach in [0, 1, 2, 5, 100, usize::MAX] {
                let window =
                    |k: usize| &values[k.saturating_sub(reach)..n.min(k.saturating_add(reach).saturating_add(1))];
                let least: Vec<f64> = (0..n).map(|k| window(k).iter().copied().fold(f64::INFINITY, f64::min)).collect();
                let most: Vec<f64> =
                    (0..n).map(|k| window(k).iter().copied().fold(f64::NEG_INFINITY, f64::max)).collect();
                assert_eq!(running_min(&values, reach), least, "{n} values, reach {reach}");
                assert_eq!(running_max(&values, reach), most, "{n} values, reach {reach}");
            }
        }
    }

    #[test]
    fn what_is_no_number_is_passed_over() {
        let values = [3.0, f64::NAN, 1.0, f64::NAN, f64::NAN, 2.0];
        assert_eq!(running_min(&values, 1)[..4], [3.0, 1.0, 1.0, 1.0]);
        assert_eq!(running_max(&values, 1)[..4], [3.0, 3.0, 1.0, 1.0]);
    }
}
