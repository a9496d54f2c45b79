//! Gait settings over time: parameters, attributes and presets that change while someone goes.
//!
//! 1. At a time, what is scheduled is read ([`Schedule`]); presets before and after it are both resolved, and blended.
//! 2. A preset, targets, a lock and attributes resolve into settings as if they were constant ([`resolve_settings`]), so ranges are
//!    those of constant ones.
//! 3. Speeds that cross what people prefer to walk at make them run, and walk again below it ([`GaitSchedule::is_mixed`]): later upward
//!    than downward, so that nobody changes to and fro. Where they stay on one side of it, the gait asked for stays.
//!
//! A step takes its settings when it begins, as in the paper, so whatever is scheduled changes without a jump. `lay_steps` reads
//! them as it lays steps, and anyone who drives a [`LiveGait`](super::LiveGait) may.

use super::equations::DEFAULT_HEIGHT;
use super::schedule::Schedule;
use super::{
    AttributeError, AttributeValue, Gait, GaitSettings, Kinematics, Parameter, RunParameters, RunTargets,
    StrideTargets, Style, StyleError, WalkParameters, natural_level,
};

/// Speed above which people 1.8 m tall would rather run than walk, in m/s.
const TRANSITION_SPEED: f64 = 2.0;
/// Of that, from where on those who walk run, and below which those who run walk.
const HYSTERESIS: (f64, f64) = (1.04, 0.93);
/// Times between two points of a schedule at which it is checked.
const CHECKS: usize = 8;

/// Speed above which people of a height would rather run than walk, in m/s (equal Froude numbers).
pub fn transition_speed(height: f64) -> f64 {
    TRANSITION_SPEED * (height / DEFAULT_HEIGHT).sqrt()
}

/// Why settings cannot be.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SettingsError {
    /// Parameters, or the style's attributes, cannot be.
    #[error(transparent)]
    Style(#[from] StyleError),
    /// An attribute cannot be set.
    #[error(transparent)]
    Set(#[from] AttributeError),
    /// The same at a time of a schedule.
    #[error("at {time} s: {error}")]
    At {
        /// Seconds.
        time: f64,
        /// What is wrong.
        error: Box<SettingsError>,
    },
}

/// Style, targets and attributes together. The other gait, which starts and ends of runs need, is natural.
pub fn resolve_settings(
    style: &Style,
    targets: RunTargets,
    lock: Option<Parameter>,
    set: &[(String, AttributeValue)],
    kinematics: Kinematics,
    height: f64,
) -> Result<GaitSettings, SettingsError> {
    let style = paced(style, &targets, lock, kinematics, height);
    let mut settings = GaitSettings { kinematics, ..GaitSettings::natural(style.gait, height) };
    match style.gait {
        Gait::Walk => {
            let (parameters, mut attributes) = match lock {
                None => style.apply_walk(targets.stride, height)?,
                Some(_) => {
                    let (base, attributes) = style.apply_walk(StrideTargets::default(), height)?;
                    let solved = WalkParameters::solve(targets.stride, lock, Some(base), height);
                    (solved.map_err(StyleError::from)?, attributes)
                }
            };
            for (name, value) in set {
                attributes.set_at(name, *value, height)?;
            }
            (settings.walk.parameters, settings.walk.attributes) = (parameters, attributes);
        }
        Gait::Run => {
            let (parameters, mut overrides) = match lock {
                None => style.apply_run(targets, height)?,
                Some(_) => {
                    let (base, overrides) = style.apply_run(RunTargets::default(), height)?;
                    let solved = RunParameters::solve(targets, lock, Some(base), height);
                    (solved.map_err(StyleError::from)?, overrides)
                }
            };
            for (name, value) in set {
                overrides.set_at(name, *value, height)?;
            }
            (settings.run.parameters, settings.run.attributes) = (parameters, overrides.resolve(&parameters, height));
        }
    }
    settings.person[style.gait as usize] = style.curves;
    Ok(settings)
}

/// The style, with the gait's natural speed where neither it nor the targets give a pace. As all speeds of styles it is that of its
/// own height, and others move alike.
fn paced(style: &Style, targets: &RunTargets, lock: Option<Parameter>, kinematics: Kinematics, height: f64) -> Style {
    let mut style = style.clone();
    let is_asked = targets.stride.count() > 0 && lock.is_none();
    if style.targets.stride.count() == 0 && !is_asked {
        let speed = match style.gait {
            Gait::Walk => WalkParameters::DEFAULT_SPEED,
            Gait::Run => RunParameters::DEFAULT_SPEED,
        };
        style.targets.stride.speed = Some(speed * (style.height / DEFAULT_HEIGHT).sqrt());
    }
    if style.gait == Gait::Run && kinematics == Kinematics::Normative {
        let asked = targets.stride.speed.map(|speed| (speed, height));
        let own = style.targets.stride.speed.map(|speed| (speed, style.height));
        let (speed, height) = asked.or(own).unwrap_or((0.0, height));
        style.targets.level.get_or_insert(natural_level(speed, height));
    }
    style
}

/// What is asked for over time. SI units; attributes in their own.
#[derive(Clone, Debug, PartialEq)]
pub struct GaitSchedule {
    /// Presets, or the natural gait.
    pub styles: Schedule<Style>,
    /// In metres a second.
    pub speed: Option<Schedule<f64>>,
    /// In metres.
    pub step_length: Option<Schedule<f64>>,
    /// In steps a second.
    pub cadence: Option<Schedule<f64>>,
    /// Of runs.
    pub level: Option<Schedule<f64>>,
    /// Of runs: how high they fly, in metres.
    pub flight_height: Option<f64>,
    /// Which of speed, step length and cadence keeps the style's value when another is given.
    pub lock: Option<Parameter>,
    /// Attributes by their names.
    pub set: Vec<(String, Schedule<AttributeValue>)>,
    /// As people move, or by the paper alone.
    pub kinematics: Kinematics,
}

impl GaitSchedule {
    /// A style and nothing else.
    pub fn of_style(style: Style) -> GaitSchedule {
        GaitSchedule {
            styles: Schedule::constant(style),
            speed: None,
            step_length: None,
            cadence: None,
            level: None,
            flight_height: None,
            lock: None,
            set: Vec::new(),
            kinematics: Kinematics::default(),
        }
    }

    fn numbers(&self) -> impl Iterator<Item = &Schedule<f64>> {
        [&self.speed, &self.step_length, &self.cadence, &self.level].into_iter().flatten()
    }

    /// Whether nothing changes.
    pub fn is_constant(&self) -> bool {
        self.styles.is_constant()
            && self.numbers().all(Schedule::is_constant)
            && self.set.iter().all(|(_, values)| values.is_constant())
    }

    /// When something changes last, in seconds.
    pub fn last_time(&self) -> f64 {
        let numbers = self.numbers().map(Schedule::last_time);
        let set = self.set.iter().map(|(_, values)| values.last_time());
        numbers.chain(set).fold(self.styles.last_time(), f64::max)
    }

    /// Whether walking and running take turns: presets of both, or speeds on both sides of what people prefer to walk at.
    pub fn is_mixed(&self, height: f64) -> bool {
        let styles = self.styles.points();
        if styles.iter().any(|(_, style)| style.gait != styles[0].1.gait) {
            return true;
        }
        let (up, down) = self.transitions(height);
        self.speed.as_ref().is_some_and(|speed| {
            let values = || speed.points().iter().map(|point| point.1);
            values().any(|speed| speed > up) && values().any(|speed| speed < down)
        })
    }

    fn transitions(&self, height: f64) -> (f64, f64) {
        let at = transition_speed(height);
        (HYSTERESIS.0 * at, HYSTERESIS.1 * at)
    }

    /// Checks that the schedule can be followed by someone of a height, at all of its points and between.
    pub fn check(&self, height: f64) -> Result<(), SettingsError> {
        if self.is_constant() {
            return self.at(0.0, None, height).map(|_| ());
        }
        let mut times: Vec<f64> = self.styles.points().iter().map(|point| point.0).collect();
        times.extend(self.numbers().flat_map(|numbers| numbers.points().iter().map(|point| point.0)));
        times.extend(self.set.iter().flat_map(|(_, values)| values.points().iter().map(|point| point.0)));
        times.push(0.0);
        times.sort_by(f64::total_cmp);
        times.dedup();
        let between = |pair: &[f64]| {
            let (from, gap) = (pair[0], pair[1] - pair[0]);
            (1..CHECKS).map(move |n| from + gap * n as f64 / CHECKS as f64).collect::<Vec<_>>()
        };
        let more: Vec<f64> = times.windows(2).flat_map(between).collect();
        let mut gait = None;
        let points = times.clone();
        times.extend(more);
        times.sort_by(f64::total_cmp);
        for time in times {
            let settings = self.at(time, gait, height).map_err(|error| {
                // What was written says more than a value on the way to it.
                let written = points.iter().copied().find(|&point| point >= time);
                let refused = written.and_then(|point| Some((point, self.at(point, gait, height).err()?)));
                let (time, error) = refused.unwrap_or((time, error));
                SettingsError::At { time: (1000.0 * time).round() / 1000.0, error: Box::new(error) }
            })?;
            gait = Some(settings.gait);
        }
        Ok(())
    }

    /// The settings at a time, of someone who has gone so until then.
    pub fn at(&self, time: f64, before: Option<Gait>, height: f64) -> Result<GaitSettings, SettingsError> {
        let number = |numbers: &Option<Schedule<f64>>| numbers.as_ref().map(|numbers| numbers.at(time));
        let stride = StrideTargets {
            speed: number(&self.speed),
            step_length: number(&self.step_length),
            cadence: number(&self.cadence),
        };
        let targets = RunTargets { stride, flight_height: self.flight_height, level: number(&self.level) };
        let set: Vec<(String, AttributeValue)> =
            self.set.iter().map(|(name, values)| (name.clone(), attribute_at(values, time))).collect();
        let (first, second, share) = self.styles.around(time);
        if !self.is_mixed(height) {
            return self.blended([first, second], share, targets, &set, height);
        }
        let speed = match targets.stride.speed {
            Some(speed) => speed,
            None => {
                let own =
                    |style: &Style| self.resolved(style, targets, &[], height).map(|settings| speed_of(&settings));
                own(first)? + share * (own(second)? - own(first)?)
            }
        };
        let (up, down) = self.transitions(height);
        let gait = match before {
            Some(Gait::Run) => {
                if speed < down {
                    Gait::Walk
                } else {
                    Gait::Run
                }
            }
            Some(Gait::Walk) => {
                if speed > up {
                    Gait::Run
                } else {
                    Gait::Walk
                }
            }
            None => {
                if speed > transition_speed(height) {
                    Gait::Run
                } else {
                    Gait::Walk
                }
            }
        };
        // A preset of the other gait has nothing to say about this one but its speed.
        let natural = Style::natural(gait);
        let own = |style: &'_ Style| style.gait == gait;
        let [from, to] = [first, second].map(|style| if own(style) { style } else { &natural });
        let stride = StrideTargets { speed: Some(speed), ..targets.stride };
        // A level and a flight are for the runs alone.
        let targets = match gait {
            Gait::Run => RunTargets { stride, ..targets },
            Gait::Walk => RunTargets { stride, ..RunTargets::default() },
        };
        let other = if gait == Gait::Walk { Gait::Run } else { Gait::Walk };
        let knows = |gait: Gait, name: &str| gait.catalogue().iter().any(|info| info.name == name);
        let set: Vec<_> = set.into_iter().filter(|(name, _)| knows(gait, name) || !knows(other, name)).collect();
        self.blended([from, to], share, targets, &set, height)
    }

    fn resolved(
        &self,
        style: &Style,
        targets: RunTargets,
        set: &[(String, AttributeValue)],
        height: f64,
    ) -> Result<GaitSettings, SettingsError> {
        let targets =
            if style.gait == Gait::Run { targets } else { RunTargets { stride: targets.stride, ..Default::default() } };
        resolve_settings(style, targets, self.lock, set, self.kinematics, height)
    }

    fn blended(
        &self,
        [first, second]: [&Style; 2],
        share: f64,
        targets: RunTargets,
        set: &[(String, AttributeValue)],
        height: f64,
    ) -> Result<GaitSettings, SettingsError> {
        let from = self.resolved(first, targets, set, height)?;
        if share == 0.0 || first == second {
            return Ok(from);
        }
        Ok(from.blend(&self.resolved(second, targets, set, height)?, share))
    }
}

fn speed_of(settings: &GaitSettings) -> f64 {
    match settings.gait {
        Gait::Walk => settings.walk.parameters.speed,
        Gait::Run => settings.run.parameters.speed,
    }
}

/// Numbers change evenly, words when they are due.
fn attribute_at(values: &Schedule<AttributeValue>, time: f64) -> AttributeValue {
    match values.around(time) {
        (AttributeValue::Number(a), AttributeValue::Number(b), share) => AttributeValue::Number(a + share * (b - a)),
        (first, _, _) => *first,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn speeds(text: &str) -> Schedule<f64> {
        Schedule::parse(text, |text| Ok(text.parse::<f64>().expect("a number") / 3.6)).unwrap()
    }

    fn walk(text: &str) -> GaitSchedule {
        GaitSchedule { speed: Some(speeds(text)), ..GaitSchedule::of_style(Style::natural(Gait::Walk)) }
    }

    #[test]
    fn speeds_across_the_preference_change_the_gait_later_upward_than_downward() {
        let schedule = walk("0:4/5:12/10:4");
        schedule.check(1.8).unwrap();
        let mut gait = None;
        let mut changes = Vec::new();
        for n in 0..=200 {
            let time = 0.05 * f64::from(n);
            let settings = schedule.at(time, gait, 1.8).unwrap();
            if gait.is_some_and(|gait| gait != settings.gait) {
                changes.push((settings.gait, speed_of(&settings) * 3.6));
            }
            gait = Some(settings.gait);
        }
        let [(Gait::Run, up), (Gait::Walk, down)] = changes[..] else { panic!("{changes:?}") };
        assert!((7.3..7.7).contains(&up) && (6.5..6.8).contains(&down), "{changes:?}");
    }

    #[test]
    fn a_gait_that_was_asked_for_stays_where_speeds_do_not_cross() {
        let run = GaitSchedule { styles: Schedule::constant(Style::natural(Gait::Run)), ..walk("0:5/5:6") };
        assert!(!run.is_mixed(1.8));
        assert_eq!(run.at(3.0, None, 1.8).unwrap().gait, Gait::Run);
        assert_eq!(walk("0:8/5:9").at(3.0, None, 1.8).unwrap().gait, Gait::Walk);
    }

    #[test]
    fn presets_and_attributes_are_blended() {
        let style = |name: &str, arm_out: f64| Style {
            name: name.to_string(),
            attributes: vec![("arm-out".to_string(), arm_out.into())],
            ..Style::natural(Gait::Walk)
        };
        let schedule = GaitSchedule {
            styles: Schedule::new(vec![(0.0, style("a", 10.0)), (4.0, style("b", 30.0))]).unwrap(),
            set: vec![("arm-swing".to_string(), Schedule::new(vec![(0.0, 0.0.into()), (4.0, 2.0.into())]).unwrap())],
            ..walk("0:4/4:6")
        };
        let settings = schedule.at(1.0, Some(Gait::Walk), 1.8).unwrap();
        assert!((settings.walk.attributes.arm_out.to_degrees() - 15.0).abs() < 1e-9);
        assert!((settings.walk.attributes.arm_swing - 0.5).abs() < 1e-9);
        assert!((settings.walk.parameters.speed * 3.6 - 4.5).abs() < 1e-9);
    }

    #[test]
    fn what_is_out_of_range_at_some_time_is_refused_with_time_and_range() {
        let error = |schedule: GaitSchedule| schedule.check(1.8).unwrap_err().to_string();
        let text = error(walk("0:4/5:60"));
        assert!(text.starts_with("at 5 s") && text.contains("60 km/h") && text.contains("2 to 36 km/h"), "{text}");
        assert!(error(walk("0:0.1/5:6")).contains("0.5 to 12 km/h"));
        let far = vec![("arm-out".to_string(), Schedule::new(vec![(0.0, 10.0.into()), (3.0, 90.0.into())]).unwrap())];
        let text = error(GaitSchedule { set: far, ..walk("5") });
        assert!(text.contains("cannot be 90") && text.contains("0 to 60 deg"), "{text}");
        let unknown = vec![("tail".to_string(), Schedule::constant(1.0.into()))];
        assert!(error(GaitSchedule { set: unknown, ..walk("0:4/5:12") }).contains("tail"));
    }
}
