//! Signals sample by sample, all channels of one sample next to each other.

/// All channels of a signal at every sample.
#[derive(Clone, Debug)]
pub(super) struct Samples {
    pub(super) n_frames: usize,
    /// Of each channel; they add up to 1, or are all 0. Channels without weight are left out.
    pub(super) weights: Vec<f64>,
    /// Sample after sample.
    pub(super) values: Vec<f64>,
    pub(super) frame_rate: f64,
}

impl Samples {
    /// From channels. A number that is not finite counts as 0.
    pub(super) fn gather(channels: &[&[f64]], weights: &[f64], frame_rate: f64) -> Samples {
        let n_frames = channels.first().map_or(0, |channel| channel.len());
        assert!(channels.iter().all(|channel| channel.len() == n_frames), "channels of one length");
        let total: f64 = weights.iter().sum();
        let used: Vec<(&[f64], f64)> = channels
            .iter()
            .zip(weights)
            .filter(|(_, weight)| **weight > 0.0)
            .map(|(channel, weight)| (*channel, *weight))
            .collect();
        let mut values = Vec::with_capacity(used.len() * n_frames);
        for frame in 0..n_frames {
            values
                .extend(used.iter().map(|(channel, _)| if channel[frame].is_finite() { channel[frame] } else { 0.0 }));
        }
        let weights = used.iter().map(|(_, weight)| weight / total).collect();
        let frame_rate = if frame_rate.is_finite() && frame_rate > 0.0 { frame_rate } else { 1.0 };
        Samples { n_frames, weights, values, frame_rate }
    }

    pub(super) fn n_channels(&self) -> usize {
        self.weights.len()
    }

    /// All channels at one sample.
    pub(super) fn at(&self, frame: usize) -> &[f64] {
        &self.values[frame * self.n_channels()..(frame + 1) * self.n_channels()]
    }

    /// Every other sample, beginning with the first, after a low-pass of (1 2 1)/4.
    pub(super) fn halved(&self) -> Samples {
        let n_frames = self.n_frames.div_ceil(2);
        let mut values = Vec::with_capacity(n_frames * self.n_channels());
        for frame in (0..self.n_frames).step_by(2) {
            let neighbours = [frame.saturating_sub(1), frame, (frame + 1).min(self.n_frames - 1)];
            let [before, at, after] = neighbours.map(|frame| self.at(frame));
            values.extend(
                before.iter().zip(at).zip(after).map(|((before, at), after)| (before + 2.0 * at + after) / 4.0),
            );
        }
        Samples { n_frames, weights: self.weights.clone(), values, frame_rate: self.frame_rate / 2.0 }
    }
}
