//! Quantiles of lists of numbers.

/// The quantile `q` in [0, 1] with linear interpolation between neighbours, as numpy and most statistics programs compute it;
/// 0.5 is the median. Numbers that are not finite do not count; `None` where none is left.
pub fn quantile(values: &[f64], q: f64) -> Option<f64> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    let at = q.clamp(0.0, 1.0) * last as f64;
    let low = at.floor() as usize;
    let (below, above) = (sorted[low], sorted[(low + 1).min(last)]);
    Some(below + (above - below) * (at - low as f64))
}

/// The mean; `None` of an empty list.
pub(crate) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_neighbours() {
        let values = [4.0, f64::NAN, 1.0, 3.0, 2.0];
        for (q, expected) in [(0.0, 1.0), (0.5, 2.5), (0.25, 1.75), (1.0, 4.0), (7.0, 4.0)] {
            assert_eq!(quantile(&values, q), Some(expected));
        }
        assert_eq!(quantile(&[7.0], 0.99), Some(7.0));
        assert_eq!(quantile(&[f64::INFINITY], 0.5), None);
        assert_eq!(mean(&[]), None);
    }
}
