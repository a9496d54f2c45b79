//! What every terrain promises, and what each shape does.

use super::*;
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use surefoot_geom::Random;

/// Numbers from 0 to 1 that look random, the same each time.
fn noise(index: usize) -> f64 {
    Random::new(index as u64).unit()
}

fn hills() -> Terrain {
    let heights = (0..7 * 5).map(|index| noise(index) - 0.5).collect();
    Terrain::height_field(Vec2::new(-1.0, 2.0), 0.25, 7, 5, heights).unwrap()
}

fn slope() -> Terrain {
    Terrain::plane(Vec3::new(1.0, 0.5, -2.0), Vec3::new(-0.2, 1.0, 0.1)).unwrap()
}

fn stones() -> Terrain {
    let patch = |index: usize| Patch {
        centre: Vec2::new(noise(3 * index) * 8.0 - 4.0, noise(3 * index + 1) * 8.0 - 4.0),
        radius: 0.05 + 0.6 * noise(3 * index + 2),
        height: index as f64 / 100.0,
    };
    Terrain::patches(-0.25, (0..300).map(patch).collect()).unwrap()
}

fn all() -> [Terrain; 6] {
    let turned = Stairs { heading: 2.0, rise: -0.15, width: Some(1.5), after: Some(0.3), ..Default::default() };
    [
        Terrain::flat(0.3),
        slope(),
        Terrain::stairs(Stairs::default()).unwrap(),
        Terrain::stairs(turned).unwrap(),
        hills(),
        stones(),
    ]
}

/// Points on and far beyond the shapes under test.
fn places() -> impl Iterator<Item = Vec2> {
    (0..4000).map(|index| Vec2::new(noise(2 * index) * 12.0 - 6.0, noise(2 * index + 1) * 12.0 - 6.0))
}

#[test]
fn any_question_has_a_finite_answer_and_a_unit_normal_that_points_up() {
    let hostile = [0.0, -0.0, 1e-320, 1e6, -1e6, 1e19, f64::MAX, f64::MIN, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    for terrain in all() {
        let far = hostile.into_iter().flat_map(|x| hostile.map(|z| Vec2::new(x, z)));
        for at in places().chain(far) {
            let normal = terrain.normal(at);
            assert!(terrain.height(at).is_finite(), "{terrain:?} at {at}");
            assert!(normal.is_finite() && normal.is_normalized() && normal.y > 0.0, "{terrain:?} at {at}: {normal}");
        }
    }
}

#[test]
fn normals_are_square_to_the_slope_of_heights() {
    const STEP: f64 = 1e-6;
    for terrain in all() {
        let mut n_compared = 0;
        for at in places() {
            let slope = |step: Vec2| (terrain.height(at + step) - terrain.height(at - step)) / (2.0 * STEP);
            let (along_x, along_z) = (slope(Vec2::X * STEP), slope(Vec2::Y * STEP));
            // Where the two sides differ there is an edge: of a step, a disc or a cell.
            let bend = |step: Vec2| terrain.height(at + step) + terrain.height(at - step) - 2.0 * terrain.height(at);
            if bend(Vec2::X * STEP).abs() > 1e-9 || bend(Vec2::Y * STEP).abs() > 1e-9 {
                continue;
            }
            let expected = Vec3::new(-along_x, 1.0, -along_z).normalize();
            assert!(terrain.normal(at).distance(expected) < 1e-6, "{} {expected} at {at}", terrain.normal(at));
            n_compared += 1;
        }
        assert!(n_compared > 3800, "{n_compared}");
    }
}

#[test]
fn a_terrain_is_made_again_from_its_shape() {
    for terrain in all() {
        assert_eq!(Terrain::new(terrain.to_shape()), Ok(terrain));
    }
}

#[test]
fn a_plane_goes_through_its_point_and_rises_as_given() {
    assert!((slope().height(Vec2::new(1.0, -2.0)) - 0.5).abs() < 1e-12);
    // A fifth up along x, a tenth down along z.
    assert!((slope().height(Vec2::new(2.0, -1.0)) - 0.6).abs() < 1e-12);
    for (heading, ahead) in [(0.0, Vec2::Y), (FRAC_PI_2, Vec2::X), (PI, -Vec2::Y)] {
        let plane = Plane::rising(Vec3::ZERO, 10f64.to_radians(), heading);
        let terrain = Terrain::new(TerrainShape::Plane(plane)).unwrap();
        assert!((terrain.height(ahead) - 10f64.to_radians().tan()).abs() < 1e-12);
        assert!(terrain.height(ahead.perp()).abs() < 1e-12);
    }
    // The length of the normal, however small, is of no account.
    let long = Terrain::plane(Vec3::ZERO, Vec3::new(-2e5, 1e6, 1e5)).unwrap();
    let short = Terrain::plane(Vec3::ZERO, Vec3::new(-2e-300, 1e-299, 1e-300)).unwrap();
    assert!((long.height(Vec2::ONE) - short.height(Vec2::ONE)).abs() < 1e-12);
}

#[test]
fn stairs_rise_at_their_edges_and_are_level_between() {
    let check = |stairs: &Stairs, cases: &[(f64, f64)]| {
        let terrain = Terrain::stairs(stairs.clone()).unwrap();
        let ahead = Vec2::new(stairs.heading.sin(), stairs.heading.cos());
        for &(distance, height) in cases {
            for side in [-0.4, 0.0, 0.4] {
                let at = stairs.start + ahead * distance + ahead.perp() * side;
                assert!((terrain.height(at) - height).abs() < 1e-12, "{stairs:?} at {distance}, {side} to the side");
            }
        }
    };
    let up = Stairs { tread: 0.25, rise: 0.5, n_steps: 3, before: 1.0, ..Default::default() };
    check(&up, &[(-9.0, 1.0), (-1e-9, 1.0), (0.0, 1.5), (0.25 - 1e-9, 1.5), (0.25, 2.0), (0.6, 2.5), (9.0, 2.5)]);
    for heading in [0.0, 1.0, -2.5, TAU] {
        let start = Vec2::new(3.0, -4.0);
        let down = Stairs { start, heading, rise: -0.5, after: Some(0.2), width: Some(1.0), ..up.clone() };
        check(&down, &[(-1e-9, 1.0), (1e-9, 0.5), (0.3, 0.0), (0.7, -0.5), (0.75 + 1e-9, 0.2), (9.0, 0.2)]);
        let ahead = Vec2::new(heading.sin(), heading.cos());
        let beside = start + ahead * 0.3 + ahead.perp() * 0.51;
        assert_eq!(Terrain::stairs(down).unwrap().height(beside), 1.0);
    }
}

#[test]
fn a_height_field_has_its_heights_at_its_points_and_their_mean_between() {
    let TerrainShape::HeightField(field) = hills().to_shape() else { panic!("no height field") };
    let terrain = hills();
    let at = |column: f64, row: f64| terrain.height(field.origin + field.spacing * Vec2::new(column, row));
    for row in 0..field.n_z {
        for column in 0..field.n_x {
            let height = field.heights[row * field.n_x + column];
            assert!((at(column as f64, row as f64) - height).abs() < 1e-12, "{column} {row}");
        }
    }
    let mean =
        [(2, 1), (3, 1), (2, 2), (3, 2)].map(|(column, row)| field.heights[row * 7 + column]).iter().sum::<f64>();
    assert!((at(2.5, 1.5) - mean / 4.0).abs() < 1e-12);
    // Beyond the border its height goes on.
    for (out, border) in [((-3.0, 1.3), (0.0, 1.3)), ((9.0, 2.6), (6.0, 2.6)), ((-1.0, 40.0), (0.0, 4.0))] {
        assert_eq!(at(out.0, out.1), at(border.0, border.1));
    }
}

#[test]
fn a_height_field_has_no_jumps() {
    let steepest = 1.0 / 0.25 * 2f64.sqrt();
    let terrain = hills();
    let mut before = None;
    for step in 0..200_000 {
        // A winding path over the grid and its border.
        let time = f64::from(step) * 1e-4;
        let at = Vec2::new(-0.25 + 1.2 * (1.7 * time).sin(), 2.5 + 0.9 * (2.3 * time).cos());
        let height = terrain.height(at);
        if let Some((last, last_height)) = before.replace((at, height)) {
            assert!((height - last_height).abs() <= steepest * at.distance(last) + 1e-12, "at {at}");
        }
    }
}

#[test]
fn patches_answer_as_a_look_at_every_disc_would() {
    let TerrainShape::Patches(Patches { base, patches }) = stones().to_shape() else { panic!("no patches") };
    let mut n_on_discs = 0;
    for at in places() {
        let inside = patches.iter().filter(|patch| patch.centre.distance(at) <= patch.radius);
        let nearest = inside.min_by(|a, b| a.centre.distance(at).total_cmp(&b.centre.distance(at)));
        assert_eq!(stones().height(at), nearest.map_or(base, |patch| patch.height), "at {at}");
        n_on_discs += usize::from(nearest.is_some());
    }
    assert!((1000..3500).contains(&n_on_discs), "{n_on_discs}");
}

#[test]
fn a_few_huge_discs_among_many_small_ones_cost_little_memory() {
    let patch = |index: usize| Patch {
        centre: Vec2::new((index % 100) as f64, (index / 100) as f64),
        radius: if index < 500 { 9000.0 } else { 0.3 },
        height: 0.1,
    };
    let patches = Patches { base: 0.0, patches: (0..10_000).map(patch).collect() };
    let grid = Grid::of(&patches).unwrap();
    assert!(grid.n_entries() <= 10 * patches.patches.len(), "{}", grid.n_entries());
    assert_eq!(grid.height(&patches, Vec2::new(50.1, 50.1)), 0.1);
    assert_eq!(Terrain::patches(0.5, Vec::new()).unwrap().height(Vec2::ONE), 0.5);
}

#[test]
fn hostile_numbers_are_refused_with_what_would_be_right() {
    let check = |result: Result<Terrain, TerrainError>, text: &str| {
        let error = result.unwrap_err().to_string();
        assert!(error.starts_with(text), "{error}");
    };
    let normal = |x, y, z| Terrain::plane(Vec3::ZERO, Vec3::new(x, y, z));
    check(normal(0.0, 0.0, 0.0), "normal: has no length");
    check(normal(1.0, 0.0, 0.0), "normal: leans 90.0 degrees from straight up; at most 80");
    check(normal(0.0, -1.0, 0.0), "normal: leans 180.0");
    check(normal(0.0, f64::NAN, 0.0), "normal: found NaN");
    check(Terrain::plane(Vec3::new(0.0, 2e4, 0.0), Vec3::Y), "point: found 20000; a number from -10000 to 10000 m");
    check(Terrain::new(TerrainShape::Flat { height: f64::INFINITY }), "height: found inf");

    let stairs = |change: fn(&mut Stairs)| {
        let mut stairs = Stairs::default();
        change(&mut stairs);
        Terrain::stairs(stairs)
    };
    check(stairs(|stairs| stairs.start.y = f64::NAN), "start: found NaN");
    check(stairs(|stairs| stairs.heading = f64::INFINITY), "heading: found inf");
    check(stairs(|stairs| stairs.tread = 0.0), "tread: found 0; a number from 0.001");
    check(stairs(|stairs| stairs.rise = 3000.0), "rise: found 3000; a number from -2000 to 2000 m");
    check(stairs(|stairs| stairs.n_steps = 0), "n_steps: found 0; 1 to 10000");
    check(stairs(|stairs| stairs.n_steps = usize::MAX), "n_steps: found");
    check(stairs(|stairs| stairs.after = Some(1e9)), "after: found 1000000000");
    check(stairs(|stairs| stairs.width = Some(-1.0)), "width: found -1");

    let field = |spacing, n_x, n_z, heights| Terrain::height_field(Vec2::ZERO, spacing, n_x, n_z, heights);
    check(field(0.0, 2, 2, vec![0.0; 4]), "spacing: found 0");
    check(field(1.0, 1, 4, vec![0.0; 4]), "n_x: found 1; 2 to");
    check(field(1.0, usize::MAX, 4, vec![0.0; 4]), "n_x: found");
    check(field(1.0, 2_000_000, 2_000_000, vec![]), "heights: found 4000001; 4 to 4000000");
    check(field(1.0, 2, 3, vec![0.0; 5]), "heights: found 5, needs 6");
    check(field(1.0, 2, 2, vec![0.0, 0.0, f64::NAN, 0.0]), "heights[2]: found NaN");

    let good = Patch { centre: Vec2::ZERO, radius: 0.2, height: 0.1 };
    let patches = |patch| Terrain::patches(0.0, vec![good, patch]);
    check(patches(Patch { radius: 0.0, ..good }), "patches[1].radius: found 0");
    check(patches(Patch { height: f64::NAN, ..good }), "patches[1].height: found NaN");
    check(patches(Patch { centre: Vec2::new(0.0, 2e6), ..good }), "patches[1].centre: found 2000000");
    check(Terrain::patches(f64::NAN, vec![]), "base: found NaN");
    check(Terrain::patches(0.0, vec![good; MAX_PATCHES + 1]), "patches: found 100001; 0 to 100000");
}

#[test]
fn a_flat_floor_is_made_of_any_number() {
    for (asked, height) in [(0.5, 0.5), (f64::NAN, 0.0), (f64::INFINITY, MAX_HEIGHT), (-1e300, -MAX_HEIGHT)] {
        assert_eq!(Terrain::flat(asked).height(Vec2::ONE), height);
    }
    assert_eq!(Terrain::default(), Terrain::flat(0.0));
    assert_eq!(slope().project(Vec3::new(1.0, 9.0, -2.0)), Vec3::new(1.0, slope().height(Vec2::new(1.0, -2.0)), -2.0));
}
