//! One animation of a file: its channels checked, decoded and sorted by node.

use super::accessors::{Buffers, Component, Shape, layout, type_error};
use super::curve::{Curve, Interpolation};
use super::schema::{Animation, Root, Sampler};
use super::tree::to_unit;
use crate::{ErrorKind, ReadError};
use std::collections::HashMap;
use std::rc::Rc;
use surefoot_geom::{Quat, Vec3};

/// What a channel drives, of the paths that move joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Path {
    Translation,
    Rotation,
    Scale,
}

impl Path {
    /// `None` for morph weights, and for paths of extensions.
    fn from_name(name: &str) -> Option<Path> {
        Some(match name {
            "translation" => Path::Translation,
            "rotation" => Path::Rotation,
            "scale" => Path::Scale,
            _ => return None,
        })
    }
}

/// The curves that drive one node.
#[derive(Clone, Default)]
pub(super) struct NodeCurves {
    pub(super) translation: Option<Curve<Vec3>>,
    pub(super) rotation: Option<Curve<Quat>>,
    pub(super) scale: Option<Curve<Vec3>>,
}

/// The decoded channels of one animation that drive the nodes asked for.
#[derive(Default)]
pub(super) struct Motion {
    /// By node.
    pub(super) curves: HashMap<usize, NodeCurves>,
    /// Keys of the channel with the most.
    pub(super) busiest: Rc<[f64]>,
    /// First and last key of all; `None` if no channel drives any of the nodes.
    pub(super) span: Option<(f64, f64)>,
    pub(super) has_splines: bool,
    /// How many accessors held quaternions that had to be normalised.
    pub(super) n_normalized: usize,
    /// How many channels drove something that an earlier one drives.
    pub(super) n_repeated: usize,
}

/// Checks what the JSON alone can tell of all animations: interpolations, and types of keys and values.
pub(super) fn check_animations(root: &Root<'_>) -> Result<(), ReadError> {
    for animation in &root.animations {
        for sampler in &animation.samplers {
            interpolation(sampler)?;
            let input = sampler.input.0;
            if layout(root, input)? != (Component::F32, Shape::SCALAR) {
                return Err(type_error(format!("accessor {input} holds key times, which must be float scalars")));
            }
        }
        for channel in &animation.channels {
            if let Some(path) = Path::from_name(&channel.target.path) {
                check_output(root, animation.samplers[channel.sampler.0].output.0, path)?;
            }
        }
    }
    Ok(())
}

fn check_output(root: &Root<'_>, output: usize, path: Path) -> Result<(), ReadError> {
    let (component, shape) = layout(root, output)?;
    let is_float = component == Component::F32;
    let is_fraction = root.accessors[output].normalized && component != Component::U32;
    let (good, wanted) = match path {
        Path::Rotation => (shape == Shape::VEC4 && (is_float || is_fraction), "rotations: VEC4 of float or normalised"),
        Path::Translation | Path::Scale => (shape == Shape::VEC3 && is_float, "translations or scales: VEC3 of float"),
    };
    if good { Ok(()) } else { Err(type_error(format!("accessor {output} is no list of {wanted}"))) }
}

fn interpolation(sampler: &Sampler) -> Result<Interpolation, ReadError> {
    Interpolation::from_name(sampler.interpolation.as_deref()).ok_or_else(|| {
        let name = sampler.interpolation.as_deref().unwrap_or_default();
        let message = format!("there is no interpolation `{name}`; STEP, LINEAR and CUBICSPLINE exist");
        ReadError::new(ErrorKind::Interpolation, message)
    })
}

/// Decodes each accessor once, however many samplers share it.
struct Decoder<'a, 'b> {
    root: &'a Root<'a>,
    buffers: &'b mut Buffers<'a>,
    times: HashMap<usize, Rc<[f64]>>,
    vectors: HashMap<usize, Rc<[Vec3]>>,
    /// By accessor and values per key: tangents are not normalised.
    rotations: HashMap<(usize, usize), Rc<[Quat]>>,
    n_normalized: usize,
}

impl Motion {
    /// Decodes the channels of `animation` that drive one of `nodes`.
    pub(super) fn decode<'a>(
        root: &'a Root<'a>,
        animation: &Animation<'_>,
        buffers: &mut Buffers<'a>,
        nodes: &[usize],
    ) -> Result<Motion, ReadError> {
        let mut wanted = vec![false; root.nodes.len()];
        nodes.iter().for_each(|&node| wanted[node] = true);
        let mut decoder = Decoder {
            root,
            buffers,
            times: HashMap::new(),
            vectors: HashMap::new(),
            rotations: HashMap::new(),
            n_normalized: 0,
        };
        let mut motion = Motion::default();
        for channel in &animation.channels {
            let node = channel.target.node.filter(|node| wanted[node.0]);
            if let (Some(node), Some(path)) = (node, Path::from_name(&channel.target.path)) {
                motion.add(node.0, path, &animation.samplers[channel.sampler.0], &mut decoder)?;
            }
        }
        motion.n_normalized = decoder.n_normalized;
        Ok(motion)
    }

    fn add(
        &mut self,
        node: usize,
        path: Path,
        sampler: &Sampler,
        decoder: &mut Decoder<'_, '_>,
    ) -> Result<(), ReadError> {
        let interpolation = interpolation(sampler)?;
        decoder.check_counts(sampler, interpolation)?;
        let times = decoder.times(sampler.input.0)?;
        let curves = self.curves.entry(node).or_default();
        let is_repeated = match path {
            Path::Rotation => {
                let values = decoder.rotations(sampler.output.0, interpolation)?;
                fill(&mut curves.rotation, Curve { times: times.clone(), values, interpolation })
            }
            Path::Translation | Path::Scale => {
                let values = decoder.vectors(sampler.output.0)?;
                let place = if path == Path::Scale { &mut curves.scale } else { &mut curves.translation };
                fill(place, Curve { times: times.clone(), values, interpolation })
            }
        };
        self.n_repeated += usize::from(is_repeated);
        self.has_splines |= interpolation == Interpolation::CubicSpline;
        let (first, last) = (times[0], times[times.len() - 1]);
        self.span = Some(self.span.map_or((first, last), |(start, end)| (start.min(first), end.max(last))));
        if times.len() > self.busiest.len() {
            self.busiest = times;
        }
        Ok(())
    }
}

/// Fills an empty place; the first of several curves stays. Returns whether there was one.
fn fill<T>(place: &mut Option<Curve<T>>, curve: Curve<T>) -> bool {
    let is_taken = place.is_some();
    place.get_or_insert(curve);
    is_taken
}

impl Decoder<'_, '_> {
    fn check_counts(&self, sampler: &Sampler, interpolation: Interpolation) -> Result<(), ReadError> {
        let n_keys = self.root.accessors[sampler.input.0].count.0;
        let n_values = self.root.accessors[sampler.output.0].count.0;
        if n_keys.checked_mul(interpolation.n_values()) == Some(n_values) {
            return Ok(());
        }
        let message = format!("a sampler has {n_keys} keys, {} each, but {n_values} values", interpolation.n_values());
        Err(ReadError::new(ErrorKind::SamplerCount, message))
    }

    fn times(&mut self, accessor: usize) -> Result<Rc<[f64]>, ReadError> {
        if let Some(times) = self.times.get(&accessor) {
            return Ok(times.clone());
        }
        let times: Rc<[f64]> = self.buffers.decode(accessor)?.into();
        let time_error =
            |what: String| Err(ReadError::new(ErrorKind::Times, format!("key times in accessor {accessor} {what}")));
        if times.is_empty() {
            return time_error("are none at all".into());
        }
        if let Some(bad) = times.iter().find(|time| !(time.is_finite() && **time >= 0.0)) {
            return time_error(format!("hold {bad}; they must be finite and not negative"));
        }
        if let Some(key) = (1..times.len()).find(|&key| times[key] <= times[key - 1]) {
            return time_error(format!("do not rise from {} to {} at key {key}", times[key - 1], times[key]));
        }
        self.times.insert(accessor, times.clone());
        Ok(times)
    }

    fn vectors(&mut self, accessor: usize) -> Result<Rc<[Vec3]>, ReadError> {
        if let Some(vectors) = self.vectors.get(&accessor) {
            return Ok(vectors.clone());
        }
        let numbers = self.buffers.decode(accessor)?;
        if numbers.iter().any(|number| !number.is_finite()) {
            let message = format!("accessor {accessor} holds a translation or scale that is not finite");
            return Err(ReadError::new(ErrorKind::Nonfinite, message));
        }
        let vectors: Rc<[Vec3]> = numbers.chunks_exact(3).map(Vec3::from_slice).collect();
        self.vectors.insert(accessor, vectors.clone());
        Ok(vectors)
    }

    fn rotations(&mut self, accessor: usize, interpolation: Interpolation) -> Result<Rc<[Quat]>, ReadError> {
        let n_values = interpolation.n_values();
        if let Some(rotations) = self.rotations.get(&(accessor, n_values)) {
            return Ok(rotations.clone());
        }
        let numbers = self.buffers.decode(accessor)?;
        let quaternion_error = |key: usize, q: Quat| {
            let message = format!("key {key} in accessor {accessor} is {q}, which is no quaternion");
            ReadError::new(ErrorKind::Quaternion, message)
        };
        let mut rotations: Vec<Quat> = numbers.chunks_exact(4).map(Quat::from_slice).collect();
        let mut was_normalized = false;
        for (i, q) in rotations.iter_mut().enumerate() {
            // The middle one of three is the value, the others its tangents.
            if i % n_values == n_values / 2 {
                let unit = to_unit(*q).ok_or_else(|| quaternion_error(i / n_values, *q))?;
                was_normalized |= unit.was_normalized;
                *q = unit.rotation;
            } else if !q.is_finite() {
                return Err(quaternion_error(i / n_values, *q));
            }
        }
        self.n_normalized += usize::from(was_normalized);
        let rotations: Rc<[Quat]> = rotations.into();
        self.rotations.insert((accessor, n_values), rotations.clone());
        Ok(rotations)
    }
}
