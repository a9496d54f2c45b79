//! Databases of behaviours: `*.behaviours`, version 1, in the envelope of `sealed`.
//!
//! The shapes are those of the file and stay as they are; a change of them is a new version.

use super::sealed::Seal;
use crate::{ErrorKind, ReadError};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use surefoot_compose::{
    BehaviourClip, BehaviourDatabase, Feet, Flight, LabelReason, LabelledStance, Segmentation, StepLabel,
};
use surefoot_geom::Vec3;
use surefoot_motion::Side;

const SEAL: Seal = Seal {
    magic: *b"\x89BEHAV\r\n",
    version: 1,
    what: "database of behaviours",
    made_by: "`surefoot compose build` makes one from motion files",
    remedy: "build it again",
    nonsense: ErrorKind::Steps,
};

#[derive(Serialize, Deserialize)]
struct StoredClip {
    name: String,
    actor: String,
    frame_rate: f64,
    n_frames: u64,
    leg_length: f64,
    stances: Vec<StoredStance>,
    flights: Vec<StoredFlight>,
}

#[derive(Serialize, Deserialize)]
struct StoredStance {
    right: bool,
    frames: [u64; 2],
    ball: [f64; 3],
    ankle: [f64; 3],
    heading: Option<f64>,
    /// Index in [`StepLabel::ALL`].
    label: u8,
    reason: StoredReason,
    flight: Option<u32>,
    previous: Option<u32>,
    support: Option<u32>,
    speed: f64,
}

#[derive(Serialize, Deserialize)]
enum StoredReason {
    PlantedAtStart,
    BeginsInTheAir,
    Flight { seconds: f64, fall: f64, speed: f64, feet: [u8; 2] },
    Step { travel: f64, rise: f64, rise_from_support: f64, turn: f64 },
    Given,
}

#[derive(Serialize, Deserialize)]
struct StoredFlight {
    frames: [u64; 2],
    /// Take-off and landing, indices in [`Feet::ALL`].
    feet: [u8; 2],
    fall: f64,
    speed: f64,
}

/// Writes a database of behaviours.
pub fn write_behaviours(database: &BehaviourDatabase) -> Vec<u8> {
    SEAL.close(&database.clips().iter().map(StoredClip::of).collect::<Vec<StoredClip>>())
}

/// Reads a database of behaviours.
pub fn read_behaviours(bytes: &[u8]) -> Result<BehaviourDatabase, ReadError> {
    let (stored, _) = SEAL.open::<Vec<StoredClip>>(bytes)?;
    let wrong = |what: String| ReadError::new(ErrorKind::Steps, what);
    let clips = stored.into_iter().enumerate();
    let clips =
        clips.map(|(index, clip)| clip.into_clip().ok_or_else(|| wrong(format!("clip {index}: unknown label"))));
    BehaviourDatabase::new(clips.collect::<Result<_, _>>()?).map_err(|error| wrong(error.to_string()))
}

fn stored_feet(feet: Feet) -> u8 {
    Feet::ALL.iter().position(|of| *of == feet).map_or(0, |index| index as u8)
}

fn read_feet([from, to]: [u8; 2]) -> Option<[Feet; 2]> {
    Some([*Feet::ALL.get(usize::from(from))?, *Feet::ALL.get(usize::from(to))?])
}

fn stored_frames(frames: &Range<usize>) -> [u64; 2] {
    [frames.start as u64, frames.end as u64]
}

fn read_frames([start, end]: [u64; 2]) -> Range<usize> {
    let read = |frame: u64| usize::try_from(frame).unwrap_or(usize::MAX);
    read(start)..read(end)
}

impl StoredClip {
    fn of(clip: &BehaviourClip) -> StoredClip {
        let of = &clip.segmentation;
        let index = |of: Option<usize>| of.map(|index| index as u32);
        let stance = |(stance, speed): (&LabelledStance, &f64)| StoredStance {
            right: stance.side == Side::Right,
            frames: stored_frames(&stance.frames),
            ball: stance.ball.to_array(),
            ankle: stance.ankle.to_array(),
            heading: stance.heading,
            label: StepLabel::ALL.iter().position(|label| *label == stance.label).map_or(0, |label| label as u8),
            reason: StoredReason::of(&stance.reason),
            flight: index(stance.flight),
            previous: index(stance.previous),
            support: index(stance.support),
            speed: *speed,
        };
        let flight = |flight: &Flight| StoredFlight {
            frames: stored_frames(&flight.frames),
            feet: [stored_feet(flight.take_off), stored_feet(flight.landing)],
            fall: flight.fall,
            speed: flight.speed,
        };
        StoredClip {
            name: clip.name.clone(),
            actor: clip.actor.clone(),
            frame_rate: clip.frame_rate,
            n_frames: clip.n_frames as u64,
            leg_length: clip.leg_length,
            stances: of.stances.iter().zip(&of.speeds).map(stance).collect(),
            flights: of.flights.iter().map(flight).collect(),
        }
    }

    /// `None` if a label or a foot is none that there is; everything else is for the database to check.
    fn into_clip(self) -> Option<BehaviourClip> {
        let speeds = self.stances.iter().map(|stance| stance.speed).collect();
        let index = |of: Option<u32>| of.map(|index| index as usize);
        let stances = self.stances.into_iter().map(|stored| {
            Some(LabelledStance {
                side: if stored.right { Side::Right } else { Side::Left },
                frames: read_frames(stored.frames),
                ball: Vec3::from(stored.ball),
                ankle: Vec3::from(stored.ankle),
                heading: stored.heading,
                label: *StepLabel::ALL.get(usize::from(stored.label))?,
                reason: stored.reason.into_reason()?,
                flight: index(stored.flight),
                previous: index(stored.previous),
                support: index(stored.support),
            })
        });
        let flights = self.flights.into_iter().map(|stored| {
            let [take_off, landing] = read_feet(stored.feet)?;
            let frames = read_frames(stored.frames);
            Some(Flight { frames, take_off, landing, fall: stored.fall, speed: stored.speed })
        });
        let (stances, flights) = (stances.collect::<Option<_>>()?, flights.collect::<Option<_>>()?);
        Some(BehaviourClip {
            name: self.name,
            actor: self.actor,
            frame_rate: self.frame_rate,
            n_frames: usize::try_from(self.n_frames).ok()?,
            leg_length: self.leg_length,
            segmentation: Segmentation { stances, flights, speeds },
        })
    }
}

impl StoredReason {
    fn of(reason: &LabelReason) -> StoredReason {
        match *reason {
            LabelReason::PlantedAtStart => StoredReason::PlantedAtStart,
            LabelReason::BeginsInTheAir => StoredReason::BeginsInTheAir,
            LabelReason::Flight { seconds, fall, speed, feet } => {
                StoredReason::Flight { seconds, fall, speed, feet: feet.map(stored_feet) }
            }
            LabelReason::Step { travel, rise, rise_from_support, turn } => {
                StoredReason::Step { travel, rise, rise_from_support, turn }
            }
            LabelReason::Given => StoredReason::Given,
        }
    }

    fn into_reason(self) -> Option<LabelReason> {
        Some(match self {
            StoredReason::PlantedAtStart => LabelReason::PlantedAtStart,
            StoredReason::BeginsInTheAir => LabelReason::BeginsInTheAir,
            StoredReason::Flight { seconds, fall, speed, feet } => {
                LabelReason::Flight { seconds, fall, speed, feet: read_feet(feet)? }
            }
            StoredReason::Step { travel, rise, rise_from_support, turn } => {
                LabelReason::Step { travel, rise, rise_from_support, turn }
            }
            StoredReason::Given => LabelReason::Given,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_compose::segment_behaviours;
    use surefoot_contact::{WalkerOptions, synthetic_walk};

    fn database() -> BehaviourDatabase {
        let walk = synthetic_walk(&WalkerOptions::default());
        let segmentation = segment_behaviours(&walk.take);
        assert!(segmentation.stances.len() > 4);
        let clip = BehaviourClip {
            name: "01_01".to_string(),
            actor: "01".to_string(),
            frame_rate: walk.take.clip.frame_rate,
            n_frames: walk.take.clip.n_frames(),
            leg_length: walk.take.body.leg_length(&walk.take.clip.skeleton),
            segmentation,
        };
        BehaviourDatabase::new(vec![clip]).expect("a database")
    }

    #[test]
    fn what_is_written_is_read_and_damage_is_refused() {
        let database = database();
        let bytes = write_behaviours(&database);
        assert_eq!(read_behaviours(&bytes), Ok(database));
        for cut in [0, 5, 20, bytes.len() / 2, bytes.len() - 1] {
            assert!(read_behaviours(&bytes[..cut]).is_err(), "{cut}");
        }
        for at in (0..bytes.len()).step_by(97) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert!(read_behaviours(&damaged).is_err(), "{at}");
        }
        let mut newer = bytes;
        newer[8] = 2;
        let error = read_behaviours(&newer).unwrap_err().to_string();
        assert!(error.contains("version 2") && error.contains("build it again"), "{error}");
    }

    #[test]
    fn contents_that_make_no_sense_are_refused_by_their_place() {
        let spoil = |spoil: &dyn Fn(&mut StoredClip)| {
            let mut clips: Vec<StoredClip> = database().clips().iter().map(StoredClip::of).collect();
            spoil(&mut clips[0]);
            read_behaviours(&SEAL.close(&clips)).unwrap_err().to_string()
        };
        assert!(spoil(&|clip| clip.leg_length = f64::NAN).contains("clip 0"));
        assert!(spoil(&|clip| clip.stances[2].label = 99).contains("unknown label"));
        assert!(spoil(&|clip| clip.stances[2].frames = [9, 9]).contains("stance 2"));
        assert!(spoil(&|clip| clip.stances[2].ball[1] = f64::INFINITY).contains("stance 2"));
        assert!(spoil(&|clip| clip.stances[1].previous = Some(3)).contains("stance 1"));
        assert!(spoil(&|clip| clip.stances.swap(0, 3)).contains("clip 0"));
    }
}
