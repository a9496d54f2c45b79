//! Frames for which something holds: as a mask, and as ranges.

use std::ops::Range;

/// The maximal runs of frames that a mask marks.
pub(crate) fn runs(mask: &[bool]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for frame in (0..mask.len()).filter(|&frame| mask[frame]) {
        match runs.last_mut() {
            Some(last) if last.end == frame => last.end += 1,
            _ => runs.push(frame..frame + 1),
        }
    }
    runs
}

/// The frames that ranges cover; what reaches past the end is left out.
pub(crate) fn mask_of<'a>(ranges: impl IntoIterator<Item = &'a Range<usize>>, n_frames: usize) -> Vec<bool> {
    let mut mask = vec![false; n_frames];
    for range in ranges {
        let end = range.end.min(n_frames);
        mask[range.start.min(end)..end].fill(true);
    }
    mask
}

/// For each move from a frame to the next whether both are marked: as many as there are moves.
pub(crate) fn both_ends(mask: &[bool]) -> Vec<bool> {
    mask.windows(2).map(|pair| pair[0] && pair[1]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_and_masks_undo_each_other() {
        for ranges in [vec![], vec![0..2, 3..4], vec![0..1, 2..3, 5..7]] {
            assert_eq!(runs(&mask_of(&ranges, 7)), ranges);
        }
        assert_eq!(mask_of(&[2..9, 20..30], 4), [false, false, true, true]);
        assert_eq!(both_ends(&[true, true, false, true]), [true, false, false]);
        assert_eq!(both_ends(&[]), []);
    }
}
