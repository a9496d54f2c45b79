use super::*;
use crate::abstraction::{Abstraction, abstract_tracks};
use crate::distance_matrix::{DistanceMatrix, Threads};
use crate::{Metric, MotionSet, Threshold};
use surefoot_contact::{WalkerOptions, synthetic_walk};
use surefoot_motion::slice;

/// Straight ahead, left and right.
fn graph(share: f64, n_steps: usize) -> MotionGraph {
    let walk = |turn_per_step: f64| {
        let options = WalkerOptions { turn_per_step, n_steps, frame_rate: 30.0, ..WalkerOptions::default() };
        let walk = synthetic_walk(&options);
        let n = walk.take.clip.n_frames();
        (slice(&walk.take.clip, 20..n - 20).unwrap(), walk.take.body)
    };
    let (clips, mut bodies): (Vec<Clip>, Vec<_>) = [0.0, 0.25, -0.25].map(walk).into_iter().unzip();
    let set = MotionSet::new(clips, bodies.remove(0)).unwrap();
    let matrix = DistanceMatrix::new(&set, &Metric::angles(), 10, Threads::One);
    let limit = Threshold::Share(share).distance(&matrix);
    MotionGraph::build(set, &matrix, limit).unwrap().0
}

fn zigzag(points: &[[f64; 2]]) -> Path {
    Path { points: points.iter().map(|[x, z]| Vec2::new(*x, *z)).collect() }
}

/// The least deviation of all complete walks from a place, by trying every one of them, which are counted.
fn exhaustive(search: &Search<'_>, at: &At, tried: &mut usize) -> f64 {
    if search.is_complete(at) {
        return at.deviation;
    }
    let leaving = search.search_graph.graph.leaving(at.node).iter();
    leaving.fold(f64::INFINITY, |least, &edge| {
        *tried += 1;
        let after = search.advance(edge, at, f64::INFINITY).expect("no limit");
        least.min(exhaustive(search, &after, tried))
    })
}

/// That a search from every few nodes finds what trying everything finds, and that what it takes for the least that walks will stray
/// is never more than they do. Returns how many edges it tried, and how many there are to try.
fn check_search(graph: &MotionGraph, path: &[[f64; 2]], look_ahead: usize) -> [usize; 2] {
    let tracks = abstract_tracks(&graph.set, Abstraction::Pelvis);
    let search_graph = SearchGraph::of(graph, &tracks);
    let route = Route::of(&zigzag(path));
    let options = FollowOptions { look_ahead, ..FollowOptions::default() };
    let (mut tried, mut all, mut bounds) = (0, 0, 0.0);
    for start in (0..graph.nodes().len()).step_by(5) {
        let mut search = Search::new(&search_graph, &route, &options);
        let placed = first_placement(graph, &tracks, &route, start);
        // Also beside the path, and facing away from it.
        for (aside, yaw) in [(0.0, 0.0), (0.4, -0.5), (-1.5, 2.0)] {
            let turned = Ground::of(Placement { yaw, translation: Vec3::new(aside, 0.0, 0.0) });
            let at = At::begin(start, turned.then(&placed));
            (search.best, search.best_walk) = (f64::INFINITY, Vec::new());
            let wanted = exhaustive(&search, &at, &mut all);
            let bound = search.least_deviation(&at, f64::INFINITY);
            assert!(bound <= wanted, "from node {start}: {bound} of {wanted}");
            bounds += bound;
            search.begin_with(&at, &[]);
            search.try_from(&at);
            assert_eq!(search.best, wanted, "from node {start}");
        }
        tried += search.tried;
    }
    assert!(bounds > 0.0, "some bounds bind");
    [tried, all]
}

#[test]
fn the_search_finds_what_trying_everything_finds() {
    let graph = graph(0.03, 6);
    let [tried, all] = check_search(&graph, &[[0.0, 0.0], [0.5, 2.0], [2.0, 3.0]], 60);
    assert!(4 * tried < all, "{tried} of {all}");
    // Curved, crossing itself, and so short that walks arrive.
    check_search(&graph, &[[0.0, 0.0], [0.1, 0.2], [0.3, 0.4], [0.6, 0.4], [0.4, 0.1], [0.0, 0.5]], 50);
}

#[test]
fn the_search_finds_the_best_also_where_somebody_stands() {
    check_search(&standing_graph().0, &[[0.0, 0.0], [0.3, 1.0], [2.0, 3.0]], 40);
}

/// With a walk that stands for a second and a half in its middle, from a frame on.
fn standing_graph() -> (MotionGraph, usize) {
    let walk = graph(0.04, 10).set;
    let mut clips = walk.clips().to_vec();
    let middle = clips[0].n_frames() / 2;
    let still = Poses::repeat(clips[0].pose(middle), 45);
    clips[0].poses_mut().insert(middle, &still);
    let set = MotionSet::new(clips, walk.body().clone()).unwrap();
    let matrix = DistanceMatrix::new(&set, &Metric::angles(), 10, Threads::One);
    let limit = Threshold::Share(0.04).distance(&matrix);
    (MotionGraph::build(set, &matrix, limit).unwrap().0, middle)
}

#[test]
fn nobody_stops_on_the_path() {
    // Standing strays nowhere, and goes nowhere.
    let (graph, middle) = standing_graph();
    let tracks = abstract_tracks(&graph.set, Abstraction::Gaussian);
    let path = zigzag(&[[0.0, 0.0], [1.0, 5.0], [-1.0, 9.0]]);
    let standing =
        |node: &usize| graph.nodes()[*node].clip == 0 && (middle..middle + 30).contains(&graph.nodes()[*node].frame);
    let start = (0..graph.nodes().len()).find(standing).expect("a node where the walk stands");
    let walk = follow_path(&graph, &tracks, &path, &FollowOptions { start, ..FollowOptions::default() });
    let frames: usize = walk.edges.iter().map(|edge| graph.edge_frames(*edge)).sum();
    let seconds = frames as f64 / graph.set.frame_rate();
    assert!(walk.length > 0.9 * path.length() && seconds < 20.0, "{} m in {seconds} s", walk.length);
}

#[test]
fn a_walk_follows_a_path_without_a_jump() {
    let graph = graph(0.04, 10);
    let tracks = abstract_tracks(&graph.set, Abstraction::Pelvis);
    let path = zigzag(&[[0.0, 0.0], [1.0, 5.0], [-1.0, 9.0], [0.0, 12.0]]);
    for start in [0, 7, 23] {
        let walk = follow_path(&graph, &tracks, &path, &FollowOptions { start, ..FollowOptions::default() });
        assert!(walk.length >= path.length(), "{} of {}", walk.length, path.length());
        let frames: usize = walk.edges.iter().map(|edge| graph.edge_frames(*edge)).sum();
        let mean_square = walk.deviation / frames as f64;
        assert!(mean_square < 0.5f64.powi(2), "{} m", mean_square.sqrt());
        for pair in walk.edges.windows(2) {
            assert_eq!(graph.edges()[pair[0]].to, graph.edges()[pair[1]].from);
        }
        let clip = walk.to_clip(&graph, "walk");
        let poses = clip.world();
        let pelvis = graph.set.body().pelvis;
        let farthest = poses.windows(2).map(|p| p[0].position(pelvis).distance(p[1].position(pelvis)));
        assert!(farthest.fold(0.0, f64::max) < 0.12, "no jump of the pelvis");
        let again = follow_path(&graph, &tracks, &path, &FollowOptions { start, ..FollowOptions::default() });
        assert_eq!(walk, again);
    }
}

#[test]
fn a_long_walk_is_still_where_its_path_is() {
    let graph = graph(0.04, 10);
    let tracks = abstract_tracks(&graph.set, Abstraction::Pelvis);
    let path = zigzag(&[[0.0, 0.0], [0.0, 300.0]]);
    let ends = |progress: Progress| {
        let walk = follow_path(&graph, &tracks, &path, &FollowOptions { progress, ..FollowOptions::default() });
        let track = walk.track(&graph, &tracks);
        (track[track.len() - 1].y, walk.deviation / track.len() as f64, walk.tried)
    };
    let (end, mean_square, tried) = ends(Progress::Nearest);
    assert!(end >= 299.9 && mean_square < 0.08f64.powi(2), "at {end}, {} m", mean_square.sqrt());
    let (behind, other, effort) = ends(Progress::Travelled);
    assert!(
        behind < end - 0.3 && other > 4.0 * mean_square && effort > tried,
        "{behind}, {other}, {effort} of {tried}"
    );
}

#[test]
fn the_nearest_place_is_sought_around_where_the_walk_should_be() {
    // There and back, half a metre aside.
    let route = Route::of(&zigzag(&[[0.0, 0.0], [0.0, 4.0], [0.5, 4.0], [0.5, 0.0]]));
    for (to, from, wanted) in [
        ([0.1, 1.0], 1.3, 1.0),
        ([0.4, 1.0], 1.3, 1.0),
        ([0.4, 1.0], 7.0, 7.5),
        ([0.2, 5.0], 3.0, 4.2),
        ([0.0, -3.0], 1.0, 0.0),
        ([0.5, -3.0], 99.0, 8.5),
    ] {
        assert!((route.nearest(to.into(), from) - wanted).abs() < 1e-9, "{to:?}: {}", route.nearest(to.into(), from));
    }
}
