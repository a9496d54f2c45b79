//! The options of the contact detector.

/// How contacts are detected. Lengths in metres, speeds in metres a second, times in seconds: nothing depends on the frame rate.
///
/// The defaults were chosen on 141 recordings at 24 to 120 frames a second (walking, running, jumps, stairs, steps to all
/// sides; five data sets) and are meant to be left alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DetectOptions {
    /// A part becomes planted only where it is less than this above the lowest place it passes nearby in time. 0.01 to 0.1;
    /// default 0.02. Lower values lose noisy plants, higher ones find plants in the air.
    pub rest_height: f64,
    /// A planted part remains planted up to this height. At least `rest_height`; default 0.05.
    pub planted_height: f64,
    /// How far in time the lowest place is looked for, before and after. 0.1 to 0.5; default 0.2, which reaches the ground
    /// from every swing that is slow enough to be mistaken for a plant.
    pub floor_reach: f64,
    /// A planted part remains planted up to this share of its fastest speed nearby in time. 0.05 to 0.3; default 0.12. A
    /// runner's foot swings at 9 m/s and may slide at 0.8 when it lands, one of a small step at 1 and 0.15.
    pub planted_share: f64,
    /// The share gives no less than this speed, nor less than three times that of the slowest tenth of the clip (a noisy
    /// recording). 0.05 to 0.3; default 0.15, above the noise of standing feet.
    pub least_planted_speed: f64,
    /// The share gives no more than this speed. 0.3 to 2; default 0.8.
    pub most_planted_speed: f64,
    /// A part becomes planted only below this share of the speed up to which it remains planted. 0.1 to 1; default 0.7.
    pub rest_share: f64,
    /// How far in time the fastest speed is looked for, before and after. 0.2 to 2; default 0.5, one swing.
    pub swing_reach: f64,
    /// The edges of a plant are where the part is no faster than this factor times the geometric mean of its slide within
    /// the plant and its swing around it. 0.2 to 2; default 0.5. Lower values end plants where the part has come to rest
    /// completely, higher ones where it first touches.
    pub edge_factor: f64,
    /// At the edges of a plant the part is no higher than this above its place. 0.005 to 0.05; default 0.01.
    pub edge_height: f64,
    /// Two plants of a part are one if in between it remains this near to its place. 0 to 0.05; default 0.02.
    pub same_place: f64,
    /// ...and if the time between is no longer than this. 0 to 0.5; default 0.2.
    pub longest_gap: f64,
    /// Two plants of a part are one, too, if it remains within 10 cm and the time between is shorter than this. 0 to 0.08;
    /// default 0.05: no foot swings in less, but recordings have glitches.
    pub shortest_swing: f64,
    /// Shortest plant. 0.02 to 0.2; default 0.06, half the contact of a sprinter.
    pub shortest_plant: f64,
    /// A foot this much higher than the other, which is planted all the while, is held in the air. 0.04 to 0.15; default 0.08: the
    /// floor of recordings wanders by less, and stairs rise by more.
    pub held_height: f64,
    /// A heel is not planted while its foot is planted on the ball and pitched by more than this slope. 0.1 to 1; default 0.35 (20
    /// degrees): tiptoes are steeper, and some recordings pitch standing feet by as much.
    pub max_pitch: f64,
}

impl Default for DetectOptions {
    fn default() -> DetectOptions {
        DetectOptions {
            rest_height: 0.02,
            planted_height: 0.05,
            floor_reach: 0.2,
            planted_share: 0.12,
            least_planted_speed: 0.15,
            most_planted_speed: 0.8,
            rest_share: 0.7,
            swing_reach: 0.5,
            edge_factor: 0.5,
            edge_height: 0.01,
            same_place: 0.02,
            longest_gap: 0.2,
            shortest_swing: 0.05,
            shortest_plant: 0.06,
            held_height: 0.08,
            max_pitch: 0.35,
        }
    }
}
