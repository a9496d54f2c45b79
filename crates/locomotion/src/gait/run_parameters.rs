//! What defines a basic running stride: velocity, step length, step frequency, flight height and level of expertise
//! (GAIT sections 4.2.1 and 4.2.3).

/// The parameters of a run. Any two of the first three give the third (GAIT eq. 4.1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunParameters {
    /// Velocity, in m/s.
    pub speed: f64,
    /// From one foot's strike to the other's, in metres.
    pub step_length: f64,
    /// Step frequency, in steps/s.
    pub cadence: f64,
    /// How high the pelvis rises in flight above where it leaves the ground, in metres. `None`: as follows from the duration of
    /// flight (GAIT's case I).
    pub flight_height: Option<f64>,
    /// Level of expertise, from -1 (poor) to 1 (skilled).
    pub level: f64,
}

impl Default for RunParameters {
    /// 12 km/h of a person 1.8 m tall.
    fn default() -> RunParameters {
        // GAIT eq. 4.5 at 200 m/min.
        let (speed, step_length) = (12.0 / 3.6, 0.13944 + 0.00465 * 200.0);
        RunParameters { speed, step_length, cadence: speed / step_length, flight_height: None, level: 0.0 }
    }
}
