//! The turn and shift on the ground that bring one cloud of points nearest to another.
//!
//! Reference: GRAPH 5.1.2; Kovar, Gleicher and Pighin, "Motion Graphs", 2002, section 3.1.
//!
//! Sought are the angle and the shift that make `sum w_i |a_i - T b_i|^2` least, where T turns about the vertical axis and shifts on
//! the ground. With weights of sum W and weighted sums over the points,
//!
//! ```text
//! C = sum w (x x' + z z') - (sx sx' + sz sz') / W        the part along
//! S = sum w (x z' - z x') - (sx sz' - sz sx') / W        the part across
//! angle with sine and cosine as (S, C)                   about +Y, see [`best_placement`]
//! least sum = (A - |s|^2 / W) + (B - |s'|^2 / W) - 2 sqrt(C^2 + S^2) + sum w (y - y')^2
//! ```
//!
//! where `A = sum w (x^2 + z^2)` and B the same of the other cloud. So the least sum needs no angle, and everything in it is
//! either of one cloud alone or a sum of products: what the distance matrix lives on.

use surefoot_geom::Vec3;
use surefoot_motion::Placement;

/// Weighted sums of one cloud.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CloudSums {
    /// Of x.
    pub x: f64,
    /// Of z.
    pub z: f64,
    /// Of x^2 + z^2.
    pub ground_square: f64,
    /// Of y^2.
    pub height_square: f64,
}

impl CloudSums {
    /// Of weighted points.
    pub fn of(points: impl IntoIterator<Item = (Vec3, f64)>) -> CloudSums {
        points.into_iter().fold(CloudSums::default(), |sums, (point, weight)| CloudSums {
            x: sums.x + weight * point.x,
            z: sums.z + weight * point.z,
            ground_square: sums.ground_square + weight * (point.x * point.x + point.z * point.z),
            height_square: sums.height_square + weight * point.y * point.y,
        })
    }
}

/// Weighted sums of products of two clouds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairSums {
    /// Of x x' + z z'.
    pub along: f64,
    /// Of x z' - z x'.
    pub across: f64,
    /// Of y y'.
    pub height: f64,
}

impl PairSums {
    /// Of points that correspond.
    pub fn of(pairs: impl IntoIterator<Item = (Vec3, Vec3, f64)>) -> PairSums {
        pairs.into_iter().fold(PairSums::default(), |sums, (a, b, weight)| PairSums {
            along: sums.along + weight * (a.x * b.x + a.z * b.z),
            across: sums.across + weight * (a.x * b.z - a.z * b.x),
            height: sums.height + weight * a.y * b.y,
        })
    }
}

/// The part along and the part across, about both centres.
fn centred(a: &CloudSums, b: &CloudSums, pair: &PairSums, weight: f64) -> (f64, f64) {
    let along = pair.along - (a.x * b.x + a.z * b.z) / weight;
    let across = pair.across - (a.x * b.z - a.z * b.x) / weight;
    (along, across)
}

/// The least weighted sum of squared distances over all turns and shifts on the ground. `weight` is the sum of the weights; 0
/// for clouds without weight.
pub fn aligned_distance(a: &CloudSums, b: &CloudSums, pair: &PairSums, weight: f64) -> f64 {
    if weight <= 0.0 {
        return 0.0;
    }
    let (along, across) = centred(a, b, pair, weight);
    let own = |sums: &CloudSums| sums.ground_square - (sums.x * sums.x + sums.z * sums.z) / weight;
    let heights = a.height_square + b.height_square - 2.0 * pair.height;
    (own(a) + own(b) - 2.0 * (along * along + across * across).sqrt() + heights).max(0.0)
}

/// The turn and shift of the second cloud that make the sum least. Clouds that are the same from all sides are not turned.
pub fn best_placement(a: &CloudSums, b: &CloudSums, pair: &PairSums, weight: f64) -> Placement {
    if weight <= 0.0 {
        return Placement::IDENTITY;
    }
    let (along, across) = centred(a, b, pair, weight);
    // A turn by yaw takes (x, z) to (x cos + z sin, z cos - x sin); the sum of w a . (turned b) is then
    // along cos + across sin.
    let yaw = across.atan2(along);
    let (sine, cosine) = yaw.sin_cos();
    let centre = |sums: &CloudSums| (sums.x / weight, sums.z / weight);
    let ((ax, az), (bx, bz)) = (centre(a), centre(b));
    let translation = Vec3::new(ax - (bx * cosine + bz * sine), 0.0, az - (bz * cosine - bx * sine));
    Placement { yaw, translation }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sum_of_squares(a: &[Vec3], b: &[Vec3], weights: &[f64], placement: Placement) -> f64 {
        let moved = placement.to_transform();
        a.iter().zip(b).zip(weights).map(|((a, b), w)| w * a.distance_squared(moved.transform_point(*b))).sum()
    }

    fn sums(a: &[Vec3], b: &[Vec3], weights: &[f64]) -> (CloudSums, CloudSums, PairSums, f64) {
        let of = |points: &[Vec3]| CloudSums::of(points.iter().copied().zip(weights.iter().copied()));
        let pair = PairSums::of(a.iter().zip(b).zip(weights).map(|((a, b), w)| (*a, *b, *w)));
        (of(a), of(b), pair, weights.iter().sum())
    }

    /// The least sum over all angles by golden section from many starts, the shift at each angle being that of the centres.
    fn least_by_search(a: &[Vec3], b: &[Vec3], weights: &[f64]) -> f64 {
        let total: f64 = weights.iter().sum();
        let centre = |points: &[Vec3]| points.iter().zip(weights).map(|(p, w)| *p * *w).sum::<Vec3>() / total;
        let (ca, cb) = (centre(a), centre(b));
        let at = |yaw: f64| {
            let turned = surefoot_geom::Quat::from_rotation_y(yaw) * cb;
            let shift = ca - turned;
            sum_of_squares(a, b, weights, Placement { yaw, translation: Vec3::new(shift.x, 0.0, shift.z) })
        };
        let golden = (5.0f64.sqrt() - 1.0) / 2.0;
        (0..32)
            .map(|start| {
                let (mut low, mut high) = (f64::from(start) * 0.2, f64::from(start + 2) * 0.2);
                for _ in 0..80 {
                    let (m, n) = (high - golden * (high - low), low + golden * (high - low));
                    if at(m) < at(n) { high = n } else { low = m }
                }
                at((low + high) / 2.0)
            })
            .fold(f64::INFINITY, f64::min)
    }

    fn points() -> impl Strategy<Value = Vec<Vec3>> {
        prop::collection::vec((-2.0..2.0f64, 0.0..2.0f64, -2.0..2.0f64), 7)
            .prop_map(|points| points.into_iter().map(|(x, y, z)| Vec3::new(x, y, z)).collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn the_closed_form_is_the_least_of_all(a in points(), b in points(), weights in prop::collection::vec(0.1..1.0f64, 7)) {
            let (sa, sb, pair, total) = sums(&a, &b, &weights);
            let least = aligned_distance(&sa, &sb, &pair, total);
            let placed = sum_of_squares(&a, &b, &weights, best_placement(&sa, &sb, &pair, total));
            prop_assert!((least - placed).abs() < 1e-9, "{least} {placed}");
            let searched = least_by_search(&a, &b, &weights);
            prop_assert!((least - searched).abs() < 1e-9, "{least} {searched}");
        }
    }

    #[test]
    fn a_cloud_moved_on_the_ground_comes_back() {
        let a: Vec<Vec3> =
            (0..9).map(|i| Vec3::new(f64::from(i).sin(), f64::from(i) * 0.1, f64::from(i * i).cos())).collect();
        let moved = Placement { yaw: 2.2, translation: Vec3::new(4.0, 0.0, -7.0) }.to_transform();
        let b: Vec<Vec3> = a.iter().map(|point| moved.transform_point(*point)).collect();
        let weights = [1.0; 9];
        let (sa, sb, pair, total) = sums(&a, &b, &weights);
        assert!(aligned_distance(&sa, &sb, &pair, total) < 1e-12);
        let back = best_placement(&sa, &sb, &pair, total).to_transform();
        for (a, b) in a.iter().zip(&b) {
            assert!(back.transform_point(*b).distance(*a) < 1e-12);
        }
        assert_eq!(best_placement(&sa, &sb, &pair, 0.0), Placement::IDENTITY);
    }
}
