//! Rows between rows.

/// The row at a fractional index, along the cubic through the four rows around it; held beyond the ends. `lasts` is how long each
/// interval between two rows is, in any unit: slopes are those of parabolas through three rows *in time*, so that what moves evenly
/// goes on evenly where the rows of a double support give way to the closer ones of a swing. Where intervals are equal it is the
/// cubic of Catmull and Rom.
pub(super) fn resample_row(rows: &[f32], width: usize, index: f64, lasts: impl Fn(usize) -> f64, out: &mut [f32]) {
    let last = rows.len() / width - 1;
    let index = index.clamp(0.0, last as f64);
    let at = (index as usize).min(last.saturating_sub(1));
    let row = |k: usize| &rows[k.min(last) * width..][..width];
    let (before, here, next, after) = (row(at.saturating_sub(1)), row(at), row(at + 1), row(at + 2));
    let long = |k: usize| lasts(k.min(last.saturating_sub(1))).max(1e-6);
    // How long this interval is beside the one before and the one after.
    let [p, q] = [long(at) / long(at.saturating_sub(1)), long(at) / long(at + 1)];
    let t = index - at as f64;
    let (t2, t3) = (t * t, t * t * t);
    // Weights of the slopes at both ends, and of the rows that they are of.
    let [s0, s1] = [t3 - 2.0 * t2 + t, t3 - t2];
    let [a, b] = [p * p / (1.0 + p), 1.0 / (1.0 + p)];
    let [c, d] = [1.0 / (1.0 + q), q * q / (1.0 + q)];
    let weights = [
        -s0 * a,
        1.0 - 3.0 * t2 + 2.0 * t3 + s0 * (a - b) - s1 * c,
        3.0 * t2 - 2.0 * t3 + s0 * b + s1 * (c - d),
        s1 * d,
    ]
    .map(|weight| weight as f32);
    for k in 0..width {
        out[k] = weights[0] * before[k] + weights[1] * here[k] + weights[2] * next[k] + weights[3] * after[k];
    }
}

#[cfg(test)]
mod tests {
    use super::resample_row;

    /// Rows of a motion with an even acceleration, 0.02 s apart and then 0.01 s.
    #[test]
    fn what_accelerates_evenly_does_so_where_rows_come_closer() {
        let lasts = |k: usize| if k < 10 { 0.02 } else { 0.01 };
        let times: Vec<f64> = (0..20).map(|k| (0..k).map(lasts).sum()).collect();
        let motion = |time: f64| time + 2.0 * time * time;
        let rows: Vec<f32> = times.iter().map(|&time| motion(time) as f32).collect();
        for (index, time) in [(8.5, 0.17), (9.5, 0.19), (9.9, 0.198), (10.1, 0.201), (10.5, 0.205), (12.0, 0.22)] {
            let mut out = [0.0];
            resample_row(&rows, 1, index, lasts, &mut out);
            assert!((f64::from(out[0]) - motion(time)).abs() < 1e-6, "{index}: {} {}", out[0], motion(time));
        }
    }
}
