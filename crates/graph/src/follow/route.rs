//! Places and paths as the search sees them: turns and shifts on the ground, and a path by distance from its start.

use surefoot_geom::{Vec2, Vec3};
use surefoot_ground::Path;
use surefoot_motion::Placement;

/// Distance between the points at which a path is looked up, in metres.
const STEP: f64 = 0.01;

/// A turn and a shift on the ground, ready to use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground {
    sine: f64,
    cosine: f64,
    shift: Vec2,
}

impl Ground {
    pub(super) fn of(placement: Placement) -> Ground {
        let (sine, cosine) = placement.yaw.sin_cos();
        Ground { sine, cosine, shift: Vec2::new(placement.translation.x, placement.translation.z) }
    }

    pub(super) fn shifted(self, by: Vec2) -> Ground {
        Ground { shift: self.shift + by, ..self }
    }

    pub(super) fn turn(&self, p: Vec2) -> Vec2 {
        // +Z toward +X, as everywhere.
        Vec2::new(p.x * self.cosine + p.y * self.sine, p.y * self.cosine - p.x * self.sine)
    }

    pub(super) fn apply(&self, p: Vec2) -> Vec2 {
        self.turn(p) + self.shift
    }

    /// First `inner`, then this.
    pub(super) fn then(&self, inner: &Ground) -> Ground {
        Ground {
            sine: self.sine * inner.cosine + self.cosine * inner.sine,
            cosine: self.cosine * inner.cosine - self.sine * inner.sine,
            shift: self.apply(inner.shift),
        }
    }

    pub(super) fn to_placement(self) -> Placement {
        Placement { yaw: self.sine.atan2(self.cosine), translation: Vec3::new(self.shift.x, 0.0, self.shift.y) }
    }
}

/// A path by distance from its start.
pub(super) struct Route {
    /// Distances are counted from here on, in metres: where a search begins.
    pub from: f64,
    points: Vec<Vec2>,
    /// Number of the last point but one.
    last: f64,
    length: f64,
}

impl Route {
    pub(super) fn of(path: &Path) -> Route {
        let length = path.length();
        let n = (length / STEP).ceil() as usize + 1;
        let mut points = Vec::with_capacity(n + 1);
        let (mut segment, mut passed) = (0, 0.0);
        for k in 0..=n {
            let along = (k as f64 * STEP).min(length);
            loop {
                let (a, b) = (path.points[segment], path.points[segment + 1]);
                let own = a.distance(b);
                if along <= passed + own || segment + 2 >= path.points.len() {
                    let t = if own > 0.0 { ((along - passed) / own).clamp(0.0, 1.0) } else { 0.0 };
                    points.push(a.lerp(b, t));
                    break;
                }
                passed += own;
                segment += 1;
            }
        }
        Route { from: 0.0, last: (points.len() - 2) as f64, points, length }
    }

    /// The distance from the path's start, not from where a search begins, of its nearest point: going downhill from a distance, so
    /// that a path that comes by again is not mistaken for it.
    pub(super) fn nearest(&self, to: Vec2, from: f64) -> f64 {
        let away = |index: usize| self.points[index].distance_squared(to);
        let last = self.points.len() - 1;
        let mut index = ((from / STEP).round() as usize).min(last);
        while index < last && away(index + 1) < away(index) {
            index += 1;
        }
        while index > 0 && away(index - 1) < away(index) {
            index -= 1;
        }
        (index as f64 * STEP).min(self.length)
    }

    pub(super) fn is_over(&self, along: f64) -> bool {
        self.from + along >= self.length
    }

    #[inline]
    pub(super) fn at(&self, along: f64) -> Vec2 {
        // A cast cuts off what `floor` would, without a call: this is where searches spend their time.
        let place = ((self.from + along) * (1.0 / STEP)).clamp(0.0, self.last);
        let index = place as u32;
        let pair = &self.points[index as usize..index as usize + 2];
        pair[0] + (pair[1] - pair[0]) * (place - f64::from(index))
    }
}
