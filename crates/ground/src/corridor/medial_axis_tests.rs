use super::super::outlines::Outlines;
use super::super::test_scenes::{N_KINDS, box_at, groups, in_square, random_scene, regular, scene, square};
use super::*;
use crate::Scene;
use crate::polygon::nearest_on_segment;
use surefoot_geom::Random;

const SPACING: f64 = 0.05;

fn axis_of(scene: &Scene) -> (Outlines, Walls, Axis) {
    let outlines = Outlines::new(scene);
    let walls = Walls::new(&outlines);
    let axis = join_cells(&walls, &trace_cells(&walls, SPACING, None));
    (outlines, walls, axis)
}

fn disks(axis: &Axis) -> impl Iterator<Item = &Disk> {
    axis.stretches.iter().flat_map(|stretch| &stretch.disks)
}

/// What a medial axis is, checked by brute force against the walls.
fn check(scene: &Scene, name: &str) {
    let (outlines, walls, axis) = axis_of(scene);
    let distance =
        |point: Vec2, wall: &super::super::walls::Wall| point.distance(nearest_on_segment(point, wall.a, wall.b));
    let clearance = |point: Vec2| walls.walls.iter().map(|wall| distance(point, wall)).fold(f64::INFINITY, f64::min);
    let mut n_ends = vec![0; axis.nodes.len()];
    axis.stretches.iter().for_each(|stretch| [stretch.from, stretch.to].iter().for_each(|&node| n_ends[node] += 1));
    let torn = axis.nodes.iter().zip(&n_ends).find(|&(node, &n_ends)| n_ends == 1 && node.radius > TIP);
    assert_eq!(torn, None, "{name}: a torn end");
    for disk in disks(&axis) {
        let free = clearance(disk.centre);
        assert!((free - disk.radius).abs() < 1e-7, "{name}: {disk:?} has {free}");
        assert!(disk.radius < TIP || outlines.is_free(disk.centre), "{name}: {disk:?} is not free");
    }
    // Nothing is missing: every free place lies in a disc of the axis.
    let mut random = Random::new(7);
    for _ in 0..200 {
        let point = in_square(&mut random, 5.0);
        if outlines.is_free(point) && clearance(point) > 0.01 {
            let outside = |disk: &Disk| point.distance(disk.centre) - disk.radius;
            let best = disks(&axis).map(outside).fold(f64::INFINITY, f64::min);
            assert!(best < 0.02, "{name}: {point} is {best} m outside all discs");
        }
    }
    let pieces = groups(axis.nodes.len(), axis.stretches.iter().map(|stretch| (stretch.from, stretch.to)));
    // A node that was tied to another has nothing left.
    let n_left = n_ends.iter().filter(|&&n_ends| n_ends == 0).count();
    let n_pieces = 1 + pieces.iter().max().expect("nodes") - n_left;
    let n_loops = axis.stretches.len() + n_pieces + n_left - axis.nodes.len();
    // Through gaps of micrometres no axis leads.
    let has_cracks = axis.nodes.iter().any(|node| node.radius > 1e-9 && node.radius < TIP);
    assert!(
        has_cracks || (n_pieces, n_loops) == pieces_and_loops(&walls),
        "{name}: {n_pieces} pieces, {n_loops} loops"
    );
}

/// How many pieces the free space has, and how many routes around obstacles. Rings of walls that turn left are the outer
/// borders of pieces; a connected group of walls with a ring that turns right is gone around.
fn pieces_and_loops(walls: &Walls) -> (usize, usize) {
    let n = walls.walls.len();
    let next = |wall: usize| walls.next[wall].expect("rings are closed") as usize;
    let rings = groups(n, (0..n).map(|wall| (wall, next(wall))));
    let mut areas = vec![0.0; n];
    let mut first = vec![Vec2::NAN; n];
    for (wall, &ring) in walls.walls.iter().zip(&rings) {
        if first[ring].is_nan() {
            first[ring] = wall.a;
        }
        areas[ring] += (wall.a - first[ring]).perp_dot(wall.b - first[ring]);
    }
    let mut corner = vec![None; walls.corners.len()];
    let mut touching = Vec::new();
    for (index, wall) in walls.walls.iter().enumerate() {
        for end in [wall.from, wall.to] {
            touching.push((*corner[end as usize].get_or_insert(index), index));
        }
    }
    let connected = groups(n, touching.into_iter());
    let mut around: Vec<usize> = (0..n).filter(|&wall| areas[rings[wall]] < 0.0).map(|wall| connected[wall]).collect();
    around.sort_unstable();
    around.dedup();
    (areas.iter().filter(|&&area| area > 0.0).count(), around.len())
}

#[test]
fn scenes_of_every_kind_have_an_axis() {
    for seed in 0..N_KINDS * 20 {
        check(&random_scene(seed), &format!("seed {seed}"));
    }
}

/// As many scenes as time allows: `cargo test --release -p surefoot-ground -- --ignored many_scenes`.
#[test]
#[ignore = "takes minutes"]
fn many_scenes_of_every_kind_have_an_axis() {
    for seed in 0..20_000 {
        check(&random_scene(seed), &format!("seed {seed}"));
    }
}

/// Two walls that are parallel but for rounding, whose ends lie opposite each other but for two micrometres.
#[test]
fn ends_that_rounding_tears_off_are_tied() {
    let scene = random_scene(18_103);
    assert_eq!(axis_of(&scene).2.n_tied, 1);
    check(&scene, "seed 18103");
}

#[test]
fn what_touches_what_is_inside_what_and_what_crosses_the_bounds_does_no_harm() {
    let unit = Vec2::ONE;
    let at = |x: f64, z: f64| box_at(Vec2::new(x, z), unit);
    check(&scene(square(5.0), vec![]), "nothing");
    check(&scene(square(5.0), vec![at(0.0, 0.0), at(1.0, 0.0)]), "a shared edge");
    check(&scene(square(5.0), vec![at(0.0, 0.0), at(1.0, 1.0)]), "a shared corner");
    check(&scene(square(5.0), vec![at(0.0, 0.0), at(0.0, 0.0)]), "the same twice");
    check(&scene(square(5.0), vec![at(0.0, 0.0), box_at(-unit, 3.0 * unit)]), "one in another");
    check(&scene(square(5.0), vec![at(4.5, 0.0), at(-5.0, -5.0), at(3.0, 6.0)]), "on, along and out of the bounds");
    check(&scene(square(5.0), vec![box_at(Vec2::new(-6.0, -0.5), Vec2::new(12.0, 1.0))]), "two halves");
    let points = |corners: &[[f64; 2]]| corners.iter().map(|&corner| Vec2::from(corner)).collect::<Vec<_>>();
    let collinear = points(&[[0.0, 0.0], [0.5, 0.0], [1.0, 0.0], [1.0, 1.0], [0.3, 1.0], [0.0, 1.0]]);
    check(&scene(square(5.0), vec![collinear]), "points on straight edges");
    let needle = points(&[[0.0, 0.0], [3.0, 1e-6], [3.0, 2e-6]]);
    check(&scene(square(5.0), vec![needle]), "a needle");
    check(&scene(regular(Vec2::ZERO, 5.0, 90, 0.0), vec![regular(Vec2::ZERO, 2.0, 90, 0.0)]), "a ring");
}

#[test]
fn a_square_has_its_diagonals() {
    let (_, _, axis) = axis_of(&scene(square(5.0), vec![]));
    assert_eq!(axis.stretches.len(), 4);
    let centre = axis.nodes.iter().find(|node| node.radius > 1.0).expect("a middle");
    assert!(centre.centre.length() < 1e-9 && (centre.radius - 5.0).abs() < 1e-9);
    for disk in disks(&axis) {
        assert!((disk.centre.x.abs() - disk.centre.y.abs()).abs() < 1e-9, "{disk:?}");
    }
}

#[test]
fn a_rectangle_has_a_ridge_and_four_corners() {
    let (_, _, axis) = axis_of(&scene(box_at(Vec2::new(-5.0, -1.0), Vec2::new(10.0, 2.0)), vec![]));
    let ridge: Vec<&Disk> = disks(&axis).filter(|disk| disk.radius > 0.999).collect();
    assert!(ridge.len() > 10);
    for disk in ridge {
        assert!(disk.centre.y.abs() < 1e-2 && disk.centre.x.abs() < 4.0 + 1e-2, "{disk:?}");
    }
    for x in [-4.0, 4.0] {
        assert!(axis.nodes.iter().any(|node| node.centre.distance(Vec2::new(x, 0.0)) < 1e-9));
    }
}

#[test]
fn between_two_columns_the_axis_stands_in_the_middle() {
    let column = |x: f64| regular(Vec2::new(x, 0.0), 0.5, 64, 0.0);
    let (_, _, axis) = axis_of(&scene(square(5.0), vec![column(-1.5), column(1.5)]));
    let between = disks(&axis).filter(|disk| disk.centre.x.abs() < 0.1 && disk.centre.y.abs() < 0.9);
    let narrowest = between.min_by(|p, q| p.radius.total_cmp(&q.radius)).expect("an axis in between");
    assert!(narrowest.centre.length() < 1e-9, "{narrowest:?}");
    assert!((narrowest.radius - 1.0).abs() < 1e-9, "{narrowest:?}");
}

#[test]
fn a_corner_before_a_wall_has_a_parabola() {
    // As far from the corner (0, 1) as from the wall z = -5.
    let wedge = vec![Vec2::new(0.0, 1.0), Vec2::new(2.0, 4.0), Vec2::new(-2.0, 4.0)];
    let (_, _, axis) = axis_of(&scene(box_at(Vec2::new(-20.0, -5.0), Vec2::new(40.0, 10.0)), vec![wedge]));
    let below: Vec<&Disk> = disks(&axis).filter(|disk| disk.centre.x.abs() < 1.5 && disk.centre.y < 0.0).collect();
    assert!(below.len() > 3);
    for disk in below {
        let z = disk.centre.x.powi(2) / 12.0 - 2.0;
        assert!((disk.centre.y - z).abs() < 1e-9, "{disk:?}");
    }
}

/// The walls of a scene with one obstacle more and those without: cells that are kept are those that would be traced
/// again.
#[test]
fn cells_out_of_reach_of_a_change_are_kept() {
    for seed in 0..N_KINDS * 5 {
        let with = random_scene(seed);
        let mut without = with.clone();
        without.obstacles.pop();
        let (with, without) = (Walls::new(&Outlines::new(&with)), Walls::new(&Outlines::new(&without)));
        for (old, new) in [(&with, &without), (&without, &with)] {
            let kept = join_cells(new, &trace_cells(new, SPACING, Some((old, &trace_cells(old, SPACING, None)))));
            let fresh = join_cells(new, &trace_cells(new, SPACING, None));
            assert_eq!(kept.nodes.len(), fresh.nodes.len(), "seed {seed}");
            assert_eq!(kept.stretches.len(), fresh.stretches.len(), "seed {seed}");
            for (kept, fresh) in kept.nodes.iter().zip(&fresh.nodes) {
                assert!(kept.centre.distance(fresh.centre) < 1e-7, "seed {seed}: {kept:?} and {fresh:?}");
            }
        }
    }
}
