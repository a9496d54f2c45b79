//! What a contact detector may be told.

/// How contacts are detected; lengths in metres, speeds in metres a second, times in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DetectOptions {
    /// Height above the local floor below which a part may come to rest.
    pub rest_height: f64,
    /// Height above the local floor up to which a part that rests stays planted.
    pub stay_height: f64,
    /// Share of the fastest speed nearby below which a part stays planted; half of it to come to rest.
    pub slow_share: f64,
    /// Least and greatest speed that the share may give.
    pub slow_range: (f64, f64),
    /// How far around a frame the lowest place is looked for.
    pub floor_reach: f64,
    /// How far around a frame the fastest speed is looked for.
    pub swing_reach: f64,
    /// Longest gap in a plant that is closed.
    pub longest_gap: f64,
    /// Shortest plant.
    pub shortest_stay: f64,
}

impl Default for DetectOptions {
    fn default() -> DetectOptions {
        DetectOptions {
            rest_height: 0.03,
            stay_height: 0.05,
            slow_share: 0.12,
            slow_range: (0.15, 0.8),
            floor_reach: 0.2,
            swing_reach: 0.5,
            longest_gap: 0.05,
            shortest_stay: 0.06,
        }
    }
}
