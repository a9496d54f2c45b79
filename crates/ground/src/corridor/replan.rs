//! A path mended after the scene has changed.
//!
//! An obstacle that comes blocks a stretch of a path, if any; one that goes may open a shorter path. So:
//!
//! 1. The stretch of the path that no longer keeps the clearance, and somewhat more on both sides, to turn off in time.
//! 2. Nothing is blocked: the path stays, unless a new one is clearly shorter.
//! 3. Else a detour around the stretch, joined to the rest of the path, which stays as it is; unless a new path is clearly
//!    shorter than the mended one.
//!
//! Points that stay are the same numbers: who walks along the path notices nothing until they come to the change.

use super::map::CorridorMap;
use super::relax::relax_points;
use super::{Corridor, PathOptions, QueryError, TOLERANCE};
use crate::Path;
use std::ops::Range;
use surefoot_geom::Vec2;

/// A detour leaves the path this long before what blocks it and comes back this long after it, in metres: about
/// two steps.
const TURN_OFF: f64 = 1.5;
/// The bends where a detour leaves and comes back are smoothed this much farther, in metres.
const JOIN: f64 = 1.0;
/// A path that is not blocked gives way to one that is shorter than this share of it.
const SHORTER: f64 = 0.97;
/// A path with a detour gives way to a new one that is shorter than this share of it: more, for less of the path
/// stays.
const SHORTER_THAN_MENDED: f64 = 0.9;

/// A path after a change of the scene.
#[derive(Clone, Debug)]
pub struct Replan {
    /// The path.
    pub path: Path,
    /// Which of its points are new; those before and after are points of the old path. Empty if the old path stays.
    pub changed: Range<usize>,
    /// The corridor of the new stretch, or of the complete path if all of it is new; `None` if the old path stays.
    pub corridor: Option<Corridor>,
}

impl CorridorMap {
    /// A path from the same start to the same goal as `path`, which was one in an earlier scene: the map is that of the
    /// scene now.
    ///
    /// Fails as [`CorridorMap::query`] does between the ends of the path. Panics if `path` is none ([`Path::check`]).
    pub fn replan(&self, path: &Path, clearance: f64, options: &PathOptions) -> Result<Replan, QueryError> {
        path.check().expect("a path");
        let points = &path.points;
        let (start, goal) = (points[0], points[points.len() - 1]);
        let anew = || -> Result<Replan, QueryError> {
            let corridor = self.query(start, goal, clearance)?;
            let path = corridor.path(options);
            Ok(Replan { changed: 0..path.points.len(), path, corridor: Some(corridor) })
        };
        let fresh = anew()?;
        let Some(blocked) = self.blocked(points, clearance) else {
            let stays = fresh.path.length() >= SHORTER * path.length();
            return Ok(if stays { Replan { path: path.clone(), changed: 0..0, corridor: None } } else { fresh });
        };
        match self.go_around(points, blocked, clearance, &options.in_range()) {
            Some(mended) if fresh.path.length() >= SHORTER_THAN_MENDED * mended.path.length() => Ok(mended),
            _ => Ok(fresh),
        }
    }

    /// From the first point before a place that does not keep the clearance to the last one after such a place.
    fn blocked(&self, points: &[Vec2], clearance: f64) -> Option<Range<usize>> {
        let least = clearance - 2.0 * TOLERANCE;
        let is_blocked = |pair: &[Vec2]| {
            !self.is_free(pair[0]) || !self.is_free(pair[1]) || !self.border.is_clear(pair[0], pair[1], least)
        };
        let first = points.windows(2).position(is_blocked)?;
        let last = points.windows(2).rposition(is_blocked)?;
        Some(first..last + 1)
    }

    fn go_around(
        &self,
        points: &[Vec2],
        blocked: Range<usize>,
        clearance: f64,
        options: &PathOptions,
    ) -> Option<Replan> {
        let leave = back_along(points, blocked.start, TURN_OFF);
        let join = on_along(points, blocked.end, TURN_OFF);
        let corridor = self.query(points[leave], points[join], clearance).ok()?;
        let around = corridor.path(options).points;
        let (from, to) = (back_along(points, leave, JOIN), on_along(points, join, JOIN));
        let stretch: Vec<Vec2> =
            points[from..leave].iter().chain(&around).chain(&points[join + 1..=to]).copied().collect();
        let kept = clearance - TOLERANCE;
        let smooth = relax_points(&self.border, &stretch, kept, options);
        let mut mended = points[..from].to_vec();
        mended.extend(&smooth);
        mended.extend(&points[to + 1..]);
        let path = Path { points: mended };
        let changed = from + 1..from + smooth.len() - 1;
        (self.check_path(&path, clearance).is_ok()).then_some(Replan { path, changed, corridor: Some(corridor) })
    }
}

/// The last point that is at least a length before another; the first of all if there is none.
fn back_along(points: &[Vec2], from: usize, length: f64) -> usize {
    let mut left = length;
    (0..from)
        .rev()
        .find(|&i| {
            left -= points[i].distance(points[i + 1]);
            left <= 0.0
        })
        .unwrap_or(0)
}

/// The first point that is at least a length after another; the last of all if there is none.
fn on_along(points: &[Vec2], from: usize, length: f64) -> usize {
    let mut left = length;
    (from + 1..points.len())
        .find(|&i| {
            left -= points[i].distance(points[i - 1]);
            left <= 0.0
        })
        .unwrap_or(points.len() - 1)
}

#[cfg(test)]
#[path = "replan_tests.rs"]
mod tests;
