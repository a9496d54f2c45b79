//! The weights of a tetrahedron's corners at a point, such that the weighted corners add up to it (STRIDE 5.2).
//!
//! Two methods: [`tetrahedron_weights`] solves the three equations, and [`helper_point_weights`] is the paper's
//! construction by two helper points (5.2, figure 5.3, and `determine_weights` in appendix A.1). They agree; the first
//! loses less in flat tetrahedra and is what the rest uses.
//!
//! Departures: the paper's formula gives each end of a segment the share of its own distance to the point; it must be
//! the distance to the other end, as its appendix has it. Our shares are signed, so that they also hold outside.

use crate::Vec3;

/// The weights of four corners at a point: their sum is 1, and the corners so weighted add up to the point.
///
/// By elimination with complete pivoting from the corner nearest to the point, so that the weighted corners meet the
/// point to rounding however flat the tetrahedron is. `None` if it is exactly flat in `f64`.
pub fn tetrahedron_weights(corners: [Vec3; 4], point: Vec3) -> Option<[f64; 4]> {
    let mut base = 0;
    for i in 1..4 {
        if corners[i].distance_squared(point) < corners[base].distance_squared(point) {
            base = i;
        }
    }
    let others = [(base + 1) % 4, (base + 2) % 4, (base + 3) % 4];
    let edges = others.map(|i| (corners[i] - corners[base]).to_array());
    let right = (point - corners[base]).to_array();
    let solution = solve_columns(edges, right)?;
    let mut weights = [0.0; 4];
    for (i, weight) in others.into_iter().zip(solution) {
        weights[i] = weight;
    }
    weights[base] = 1.0 - solution.iter().sum::<f64>();
    Some(weights)
}

/// Solves three equations whose matrix has the given columns. `None` if it has no inverse.
fn solve_columns(columns: [[f64; 3]; 3], mut right: [f64; 3]) -> Option<[f64; 3]> {
    let mut rows: [[f64; 3]; 3] = std::array::from_fn(|row| std::array::from_fn(|column| columns[column][row]));
    // Where each unknown stands after exchanges of columns.
    let mut unknown = [0, 1, 2];
    for step in 0..3 {
        let (mut pivot_row, mut pivot_column) = (step, step);
        for row in step..3 {
            for column in step..3 {
                if rows[row][column].abs() > rows[pivot_row][pivot_column].abs() {
                    (pivot_row, pivot_column) = (row, column);
                }
            }
        }
        rows.swap(step, pivot_row);
        right.swap(step, pivot_row);
        rows.iter_mut().for_each(|row| row.swap(step, pivot_column));
        unknown.swap(step, pivot_column);
        let pivot = rows[step];
        if pivot[step] == 0.0 || !pivot[step].is_finite() {
            return None;
        }
        for row in step + 1..3 {
            let factor = rows[row][step] / pivot[step];
            for column in step..3 {
                rows[row][column] -= factor * pivot[column];
            }
            right[row] -= factor * right[step];
        }
    }
    let mut solution = [0.0; 3];
    for row in (0..3).rev() {
        let known: f64 = (row + 1..3).map(|column| rows[row][column] * solution[unknown[column]]).sum();
        solution[unknown[row]] = (right[row] - known) / rows[row][row];
    }
    Some(solution)
}

/// The weights of four corners at a point by the paper's helper points (STRIDE 5.2 and appendix A.1).
///
/// The first helper point, `e`, is where the line from `d` through the point meets the plane `a, b, c`; the second,
/// `f`, where the line from `c` through `e` meets the line `a, b`. `None` if one of them lies at infinity, which no
/// point of the tetrahedron causes unless it is flat.
pub fn helper_point_weights([a, b, c, d]: [Vec3; 4], q: Vec3) -> Option<[f64; 4]> {
    if q == d {
        return Some([0.0, 0.0, 0.0, 1.0]);
    }
    let normal = (b - a).cross(c - a);
    let along = normal.dot(q - d);
    let height = normal.dot(a - d);
    if height == 0.0 || along == 0.0 {
        return None;
    }
    // q = w_e e + w_d d.
    let e = d + (q - d) * (height / along);
    let (w_d, w_e) = segment_weights(d, e, q);
    // Across the line a, b within the plane.
    let across = normal.cross(b - a);
    let reach = across.dot(a - c);
    let toward = across.dot(e - c);
    if toward == 0.0 {
        // On the line c, d the second helper point is not defined, nor needed (5.2). Else it lies at infinity.
        return (e == c).then_some([0.0, 0.0, w_e, w_d]);
    }
    // e = w_f f + w_c c.
    let f = c + (e - c) * (reach / toward);
    let (w_c, w_f) = segment_weights(c, f, e);
    let (w_a, w_b) = segment_weights(a, b, f);
    Some([w_e * w_f * w_a, w_e * w_f * w_b, w_e * w_c, w_d])
}

/// `(w_from, w_to)` with `w_from * from + w_to * to = at`, for a point on the line through both.
fn segment_weights(from: Vec3, to: Vec3, at: Vec3) -> (f64, f64) {
    let along = to - from;
    let w_to = (at - from).dot(along) / along.length_squared();
    (1.0 - w_to, w_to)
}
