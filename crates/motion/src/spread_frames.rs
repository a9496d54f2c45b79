//! A few frames that stand for many.

/// At most `most` of `n_frames` frame numbers, evenly spread and ascending, the first frame included; all of them where
/// there are no more. The last frame is not included as such: each number begins one of as many stretches of equal length,
/// up to a frame.
pub fn spread_frames(n_frames: usize, most: usize) -> impl ExactSizeIterator<Item = usize> {
    let n = n_frames.min(most);
    // `i * n_frames / n` without its product, which could overflow.
    (0..n).map(move |i| i * (n_frames / n) + i * (n_frames % n) / n)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(n_frames: usize, most: usize) -> Vec<usize> {
        spread_frames(n_frames, most).collect()
    }

    #[test]
    fn frames_begin_with_the_first_and_lie_evenly() {
        assert_eq!(spread(100, 4), [0, 25, 50, 75]);
        assert_eq!(spread(10, 4), [0, 2, 5, 7]);
        assert_eq!(spread(65, 64).len(), 64);
        for most in 1..40 {
            let frames = spread(517, most);
            assert!(frames.len() == most && frames[0] == 0 && frames.iter().all(|&frame| frame < 517));
            let gaps: Vec<usize> = frames.windows(2).map(|pair| pair[1] - pair[0]).collect();
            assert!(gaps.iter().all(|&gap| gap == 517 / most || gap == 517 / most + 1), "{gaps:?}");
        }
    }

    #[test]
    fn few_frames_are_all_taken_and_none_is_none() {
        assert_eq!(spread(3, 48), [0, 1, 2]);
        assert_eq!(spread(0, 48), []);
        assert_eq!(spread(9, 0), []);
        assert_eq!(spread(usize::MAX, 2), [0, usize::MAX / 2]);
    }
}
