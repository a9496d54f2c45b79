//! Rows between rows.

/// The row at a fractional index, along the cubic through the four rows around it (Catmull-Rom); held beyond the ends.
pub(super) fn resample_row(rows: &[f32], width: usize, index: f64, out: &mut [f32]) {
    let last = rows.len() / width - 1;
    let index = index.clamp(0.0, last as f64);
    let at = (index as usize).min(last.saturating_sub(1));
    let t = (index - at as f64) as f32;
    let row = |k: usize| &rows[k.min(last) * width..][..width];
    let (before, here, next, after) = (row(at.saturating_sub(1)), row(at), row(at + 1), row(at + 2));
    let (t2, t3) = (t * t, t * t * t);
    let weights = [
        0.5 * (2.0 * t2 - t - t3),
        0.5 * (2.0 - 5.0 * t2 + 3.0 * t3),
        0.5 * (t + 4.0 * t2 - 3.0 * t3),
        0.5 * (t3 - t2),
    ];
    for k in 0..width {
        out[k] = weights[0] * before[k] + weights[1] * here[k] + weights[2] * next[k] + weights[3] * after[k];
    }
}
