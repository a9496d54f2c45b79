//! What defines a basic walking stride: velocity, step length and step frequency (GAIT section 4.1).

/// The three parameters of a walk, of which any two give the third: speed = step length x cadence (GAIT eq. 4.1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkParameters {
    /// Velocity, in m/s.
    pub speed: f64,
    /// From heel strike to the other foot's heel strike, in metres.
    pub step_length: f64,
    /// Step frequency, in steps/s.
    pub cadence: f64,
}

impl Default for WalkParameters {
    /// 5 km/h of a person 1.8 m tall.
    fn default() -> WalkParameters {
        // GAIT eqs. 4.1 and 4.2: a step of sqrt(83.33 m/min x 0.004 x 1.8 m).
        let (speed, step_length) = (5.0 / 3.6, 0.6_f64.sqrt());
        WalkParameters { speed, step_length, cadence: speed / step_length }
    }
}
