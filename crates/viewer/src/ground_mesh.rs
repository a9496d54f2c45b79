//! The ground and obstacles around a motion, as triangles.
//!
//! A level floor needs none: the page draws it without end. Stairs, slopes and discs are drawn with their exact edges, a height field
//! with its own samples. Discs below their floor are holes, which only a grid of small squares shows.

use crate::pack_mesh::Mesh;
use std::f64::consts::TAU;
use surefoot_geom::{Vec2, Vec3, ground_point, heading_direction};
use surefoot_ground::{HeightField, Obstacle, Patches, Stairs, Terrain, TerrainShape};

/// What a triangle of the ground is part of; the page colours by it.
const TOP: i32 = 0;
const FACE: i32 = 1;
/// Corners around a disc.
const N_AROUND: usize = 48;
/// Most squares of a grid along a side.
const MOST_SQUARES: f64 = 220.0;
/// Side of a square that shows holes, in metres.
const SQUARE: f64 = 0.04;
/// Walls of obstacles without a height are drawn this high, in metres.
const WALL: f64 = 2.2;
/// How far down faces of steps go below the ground, so that nothing shines through, in metres.
const SKIRT: f64 = 0.02;
/// Strips along the edges of steps, so that treads are told apart from where their risers are not seen: depth, and height above.
const NOSING: f64 = 0.02;
const NOSING_ABOVE: f64 = 0.0015;

/// The part of the ground that is drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stage {
    pub(crate) low: Vec2,
    pub(crate) high: Vec2,
}

/// The ground of a show.
#[derive(Debug, Default)]
pub(crate) struct GroundMesh {
    /// Height of the level floor without end that lies around the triangles; `None` where they are all there is.
    pub(crate) floor: Option<f64>,
    pub(crate) mesh: Mesh,
}

/// The ground of a terrain within a stage.
pub(crate) fn ground_mesh(terrain: &Terrain, stage: Stage) -> GroundMesh {
    let mut mesh = Mesh::default();
    let floor = match terrain.to_shape() {
        TerrainShape::Flat { height } => Some(height),
        TerrainShape::Plane(_) => {
            let corner = |x: f64, z: f64| terrain.project(Vec3::new(x, 0.0, z));
            let Stage { low, high } = stage;
            mesh.add_fan(
                &[corner(low.x, low.y), corner(low.x, high.y), corner(high.x, high.y), corner(high.x, low.y)],
                TOP,
            );
            None
        }
        TerrainShape::Stairs(stairs) => add_stairs(&stairs, stage, &mut mesh),
        TerrainShape::HeightField(field) => {
            add_height_field(&field, stage, &mut mesh);
            None
        }
        TerrainShape::Patches(patches) => add_patches(&patches, terrain, stage, &mut mesh),
    };
    GroundMesh { floor, mesh }
}

/// Treads and risers; the ground before the stairs is the floor where they have an end to the sides.
fn add_stairs(stairs: &Stairs, stage: Stage, mesh: &mut Mesh) -> Option<f64> {
    let along = ground_point(heading_direction(stairs.heading));
    let across = Vec2::new(along.y, -along.x);
    let corners = [stage.low, stage.high, Vec2::new(stage.low.x, stage.high.y), Vec2::new(stage.high.x, stage.low.y)];
    let reach = corners.map(|corner| (corner - stairs.start).length()).into_iter().fold(0.0, f64::max);
    let half = stairs.width.map_or(reach, |width| width / 2.0);
    let point = |forward: f64, side: f64, height: f64| {
        let at = stairs.start + along * forward + across * side;
        Vec3::new(at.x, height, at.y)
    };
    let mut level = |from: f64, to: f64, height: f64| {
        mesh.add_fan(
            &[point(from, half, height), point(from, -half, height), point(to, -half, height), point(to, half, height)],
            TOP,
        );
        if stairs.width.is_some() && (height - stairs.before).abs() > 1e-6 {
            for side in [-half, half] {
                let wall = [
                    point(from, side, stairs.before - SKIRT),
                    point(to, side, stairs.before - SKIRT),
                    point(to, side, height),
                    point(from, side, height),
                ];
                mesh.add_fan(&if side > 0.0 { [wall[0], wall[3], wall[2], wall[1]] } else { wall }, FACE);
            }
        }
    };
    let height_of = |step: usize| stairs.before + step as f64 * stairs.rise;
    let top = height_of(stairs.n_steps);
    let after = stairs.after.unwrap_or(top);
    if stairs.width.is_none() {
        level(-reach, 0.0, stairs.before);
    }
    for step in 1..=stairs.n_steps {
        let from = (step - 1) as f64 * stairs.tread;
        level(from, from + stairs.tread, height_of(step));
    }
    let end = stairs.n_steps as f64 * stairs.tread;
    level(end, end.max(reach), after);
    let mut nosings = Vec::new();
    let mut riser = |at: f64, below: f64, above: f64| {
        let face = [point(at, half, below), point(at, half, above), point(at, -half, above), point(at, -half, below)];
        mesh.add_fan(&if above > below { face } else { [face[3], face[2], face[1], face[0]] }, FACE);
    };
    for step in 1..=stairs.n_steps {
        let (edge, above) = ((step - 1) as f64 * stairs.tread, height_of(step - 1).max(height_of(step)) + NOSING_ABOVE);
        let [from, to] = if stairs.rise > 0.0 { [edge, edge + NOSING] } else { [edge - NOSING, edge] };
        nosings.push([
            point(from, half, above),
            point(from, -half, above),
            point(to, -half, above),
            point(to, half, above),
        ]);
    }
    for step in 1..=stairs.n_steps {
        riser((step - 1) as f64 * stairs.tread, height_of(step - 1), height_of(step));
    }
    riser(end, top, after);
    for strip in &nosings {
        mesh.add_fan(strip, FACE);
    }
    stairs.width.is_some().then_some(stairs.before)
}

fn add_height_field(field: &HeightField, stage: Stage, mesh: &mut Mesh) {
    let column =
        |at: f64, origin: f64, n: usize| (((at - origin) / field.spacing).floor().max(0.0) as usize).min(n - 1);
    let [first_x, last_x] = [stage.low.x, stage.high.x].map(|x| column(x, field.origin.x, field.n_x));
    let [first_z, last_z] = [stage.low.y, stage.high.y].map(|z| column(z, field.origin.y, field.n_z));
    let [last_x, last_z] = [(last_x + 1).min(field.n_x - 1), (last_z + 1).min(field.n_z - 1)];
    let stride = (((last_x - first_x).max(last_z - first_z)) as f64 / MOST_SQUARES).ceil().max(1.0) as usize;
    let samples = |first: usize, last: usize| {
        let mut list: Vec<usize> = (first..last).step_by(stride).collect();
        list.push(last);
        list
    };
    let place = |x: usize, z: usize| {
        let at = field.origin + Vec2::new(x as f64, z as f64) * field.spacing;
        Vec3::new(at.x, field.heights[z * field.n_x + x], at.y)
    };
    let rows = samples(first_z, last_z);
    let columns = samples(first_x, last_x);
    for &z in &rows {
        for &x in &columns {
            let slope = |low: Vec3, high: Vec3| (high.y - low.y) / (high - low).with_y(0.0).length().max(field.spacing);
            let by_x = slope(place(x.saturating_sub(1), z), place((x + 1).min(field.n_x - 1), z));
            let by_z = slope(place(x, z.saturating_sub(1)), place(x, (z + 1).min(field.n_z - 1)));
            mesh.positions.push(place(x, z));
            mesh.normals.push(Vec3::new(-by_x, 1.0, -by_z).normalize());
            mesh.colours.push(TOP);
        }
    }
    let width = columns.len() as i32;
    for row in 0..rows.len() as i32 - 1 {
        for column in 0..width - 1 {
            let a = row * width + column;
            mesh.corners.extend([a, a + width, a + width + 1, a, a + width + 1, a + 1]);
        }
    }
}

fn add_patches(patches: &Patches, terrain: &Terrain, stage: Stage, mesh: &mut Mesh) -> Option<f64> {
    let within = |centre: Vec2, radius: f64| {
        (centre + radius).cmpge(stage.low).all() && (centre - radius).cmple(stage.high).all()
    };
    let near: Vec<_> = patches.patches.iter().filter(|patch| within(patch.centre, patch.radius)).collect();
    if near.iter().any(|patch| patch.height < patches.base - 1e-3) {
        add_squares(terrain, stage, mesh);
        return None;
    }
    for patch in near {
        let rim = |height: f64| -> Vec<Vec3> {
            let around = |i: usize| heading_direction(TAU * i as f64 / N_AROUND as f64) * patch.radius;
            (0..N_AROUND).map(|i| Vec3::new(patch.centre.x, height, patch.centre.y) + around(i)).collect()
        };
        let [top, bottom] = [rim(patch.height), rim(patches.base - SKIRT)];
        mesh.add_fan(&top, TOP);
        for i in 0..N_AROUND {
            let next = (i + 1) % N_AROUND;
            mesh.add_fan(&[bottom[i], bottom[next], top[next], top[i]], FACE);
        }
    }
    Some(patches.base)
}

/// The ground as level squares with walls between those of different heights.
fn add_squares(terrain: &Terrain, stage: Stage, mesh: &mut Mesh) {
    let size = stage.high - stage.low;
    let side = SQUARE.max(size.max_element() / MOST_SQUARES);
    let [n_x, n_z] = [size.x, size.y].map(|length| (length / side).ceil() as usize);
    let height = |x: usize, z: usize| terrain.height(stage.low + (Vec2::new(x as f64, z as f64) + 0.5) * side);
    for z in 0..n_z {
        // Squares of one height in a row are one.
        let mut from = 0;
        for x in 0..n_x {
            let here = height(x, z);
            let corner = |x: usize, z: usize, height: f64| {
                Vec3::new(stage.low.x + x as f64 * side, height, stage.low.y + z as f64 * side)
            };
            if x + 1 == n_x || (height(x + 1, z) - here).abs() > 1e-9 {
                let (a, b) = (from, x + 1);
                mesh.add_fan(
                    &[corner(a, z, here), corner(a, z + 1, here), corner(b, z + 1, here), corner(b, z, here)],
                    TOP,
                );
                from = x + 1;
            }
            let mut wall = |a: Vec3, b: Vec3, other: f64| {
                if (other - here).abs() > 1e-9 {
                    mesh.add_fan(&[a.with_y(here), b.with_y(here), b.with_y(other), a.with_y(other)], FACE);
                }
            };
            if x + 1 < n_x {
                wall(corner(x + 1, z, 0.0), corner(x + 1, z + 1, 0.0), height(x + 1, z));
            }
            if z + 1 < n_z {
                wall(corner(x + 1, z + 1, 0.0), corner(x, z + 1, 0.0), height(x, z + 1));
            }
        }
    }
}

/// Obstacles as prisms that stand on height 0, as scenes have them.
pub(crate) fn obstacle_mesh(obstacles: &[Obstacle]) -> Mesh {
    let mut mesh = Mesh::default();
    for obstacle in obstacles {
        let outline = counter_clockwise_from_above(&obstacle.outline);
        let top = obstacle.height.unwrap_or(WALL);
        let at = |point: Vec2, height: f64| Vec3::new(point.x, height, point.y);
        for triangle in cut_ears(&outline) {
            mesh.add_fan(&triangle.map(|point| at(point, top)), TOP);
        }
        for (i, &from) in outline.iter().enumerate() {
            let to = outline[(i + 1) % outline.len()];
            mesh.add_fan(&[at(from, 0.0), at(to, 0.0), at(to, top), at(from, top)], FACE);
        }
    }
    mesh
}

/// Twice the area of a triangle, positive where its corners go round counter-clockwise as seen from above (+Y, with +Z to
/// the viewer and +X to the right).
fn doubled_area(a: Vec2, b: Vec2, c: Vec2) -> f64 {
    -(b - a).perp_dot(c - a)
}

fn counter_clockwise_from_above(outline: &[Vec2]) -> Vec<Vec2> {
    let Some(&first) = outline.first() else { return Vec::new() };
    let area: f64 = outline.windows(2).map(|pair| doubled_area(first, pair[0], pair[1])).sum();
    let mut points = outline.to_vec();
    if area < 0.0 {
        points.reverse();
    }
    points
}

/// A simple polygon as triangles: a corner that bulges and has no other corner in its triangle is cut off, until three are left.
fn cut_ears(outline: &[Vec2]) -> Vec<[Vec2; 3]> {
    let mut points = outline.to_vec();
    let mut triangles = Vec::new();
    while points.len() > 3 {
        let n = points.len();
        let corner = |i: usize| [points[(i + n - 1) % n], points[i], points[(i + 1) % n]];
        let is_ear = |&i: &usize| {
            let [a, b, c] = corner(i);
            let is_inside = |p: &Vec2| {
                *p != a
                    && *p != b
                    && *p != c
                    && doubled_area(a, b, *p) >= 0.0
                    && doubled_area(b, c, *p) >= 0.0
                    && doubled_area(c, a, *p) >= 0.0
            };
            doubled_area(a, b, c) > 0.0 && !points.iter().any(is_inside)
        };
        // A polygon that is not simple has no ear at some point: what is left is cut anyway.
        let ear = (0..n).find(is_ear).unwrap_or(0);
        triangles.push(corner(ear));
        points.remove(ear);
    }
    if let [a, b, c] = points[..] {
        triangles.push([a, b, c]);
    }
    triangles
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_ground::{Patch, Plane};

    const STAGE: Stage = Stage { low: Vec2::new(-2.0, -2.0), high: Vec2::new(2.0, 2.0) };

    /// Every top of the ground is at the terrain's height, faces up, and covers what it should.
    fn check(terrain: &Terrain, floor: Option<f64>, area: f64) {
        let ground = ground_mesh(terrain, STAGE);
        assert_eq!(ground.floor, floor);
        let mesh = &ground.mesh;
        let mut covered = 0.0;
        for corners in mesh.corners.chunks(3) {
            let [a, b, c] = [corners[0], corners[1], corners[2]].map(|i| mesh.positions[i as usize]);
            if mesh.colours[corners[0] as usize] == TOP {
                let up = (b - a).cross(c - a);
                assert!(up.y > 0.0, "{a} {b} {c} is seen from below");
                covered += up.y / 2.0;
                let middle = (a + b + c) / 3.0;
                let off = (terrain.height(ground_point(middle)) - middle.y).abs();
                assert!(off < 0.02, "{middle} is {off} m off");
            }
        }
        assert!((covered - area).abs() < 0.02 * area.max(1e-9), "{covered} of {area} m2");
    }

    #[test]
    fn tops_lie_on_the_terrain_and_face_up() {
        check(&Terrain::flat(0.3), Some(0.3), 0.0);
        check(&Terrain::new(TerrainShape::Plane(Plane::rising(Vec3::ZERO, 0.2, 0.7))).expect("a slope"), None, 16.0);
        let stairs = Stairs { width: Some(1.0), n_steps: 3, ..Stairs::default() };
        check(&Terrain::stairs(stairs).expect("stairs"), Some(0.0), 8.0f64.sqrt());
        let field =
            Terrain::height_field(Vec2::splat(-2.0), 0.5, 9, 9, (0..81).map(|i| f64::from(i % 5) / 100.0).collect());
        check(&field.expect("a field"), None, 16.0);
        let disc = |height: f64| vec![Patch { centre: Vec2::new(0.3, 0.1), radius: 0.25, height }];
        let round = std::f64::consts::PI * 0.0625;
        check(&Terrain::patches(0.0, disc(0.2)).expect("a stone"), Some(0.0), round);
        check(&Terrain::patches(0.0, disc(-0.2)).expect("a hole"), None, 16.0);
    }

    #[test]
    fn an_obstacle_with_a_bay_is_covered_once_and_faces_outward() {
        let outline = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (1.0, 0.5), (0.0, 2.0)].map(Vec2::from).to_vec();
        for outline in [outline.clone(), outline.into_iter().rev().collect()] {
            let mesh = obstacle_mesh(&[Obstacle { outline, height: Some(1.0) }]);
            let volume: f64 = mesh
                .corners
                .chunks(3)
                .map(|corners| {
                    let [a, b, c] = [corners[0], corners[1], corners[2]].map(|i| mesh.positions[i as usize]);
                    a.dot(b.cross(c)) / 6.0
                })
                .sum();
            // Its bottom lies at height 0 and has no part in the sum.
            assert!((volume - 2.5).abs() < 1e-9, "{volume}");
        }
    }
}
