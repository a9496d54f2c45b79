//! The middle of a list of numbers, robust against a few that are far off.

/// The median, which is one of the values: of an even number of them the lower of the two in the middle, so that it is a
/// value that really occurred. `None` of an empty list. NaNs are sorted to the ends, by their sign. Sorts the list.
pub fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len().saturating_sub(1) / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_value_or_the_lower_of_two() {
        assert_eq!(median(&mut []), None);
        assert_eq!(median(&mut [7.0]), Some(7.0));
        assert_eq!(median(&mut [9.0, -1.0]), Some(-1.0));
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&mut [4.0, 3.0, 1.0, 2.0]), Some(2.0));
    }

    #[test]
    fn a_few_values_far_off_do_not_move_it() {
        assert_eq!(median(&mut [1.0, f64::INFINITY, 1.0, f64::NAN, 1.0]), Some(1.0));
    }
}
