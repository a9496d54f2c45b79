//! A walk through a motion graph that follows a path, by incremental branch and bound.
//!
//! Reference: GRAPH 3 (search), 6 (what is compared with the path); Kovar et al. 2002, section 5.
//!
//! While the walk is shorter than the path:
//! 1. from the current node all walks of at least `look_ahead` frames are searched, depth first, for the one that strays least
//!    from the path: the sum over these frames of the squared distance between where the walk is and where the path is after as many
//!    metres;
//! 2. of the best walk, the edges that make up the first `commit` frames are taken.
//!
//! # Frames, not metres
//!
//! GRAPH measures a finished walk by an integral over metres (4.2). A search that made that least would prefer slow walks, which have
//! fewer metres in as many frames, and best of all would stand. So frames are summed, as Kovar et al. do, and time counts as progress
//! along the path: since a search began, the walk should have come as far as it has travelled, but at least as far as a quarter of
//! the clips' mean speed would take it. Who stands falls behind.
//!
//! # The bound
//!
//! What a walk has strayed so far never becomes less. A walk that has already strayed as far as the best whole one is given up,
//! in the middle of an edge if need be, and so are all that begin with it. That helps only once a good whole walk is known:
//! each search begins with what was left of the walk that the search before it found, carried on by the nearest edges, and tries
//! edges in the order of how far they stray. The answer is that of an exhaustive search; a test compares the two.
//!
//! A whole walk ends with the first edge that reaches `look_ahead` frames or the end of the path.

use crate::motion_graph::{EdgeMotion, MotionGraph, blend_share};
use surefoot_geom::{Vec2, Vec3};
use surefoot_ground::Path;
use surefoot_motion::{Clip, Placement, Pose};

/// How a path is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FollowOptions {
    /// Frames that a search looks ahead, at least 1. Default 80, the paper's n.
    pub look_ahead: usize,
    /// Frames of the best walk that are kept before the next search, at least 1. Default 25, the paper's m.
    pub commit: usize,
    /// The node to begin at; counted around.
    pub start: usize,
    /// Most edges that one search may try, after which the best walk so far is taken. Default: ten million.
    pub max_tried: usize,
}

impl Default for FollowOptions {
    fn default() -> FollowOptions {
        FollowOptions { look_ahead: 80, commit: 25, start: 0, max_tried: 10_000_000 }
    }
}

/// A walk through a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Walk {
    /// Edges in order, each beginning where the last one ends.
    pub edges: Vec<usize>,
    /// Where the first edge's clip is put.
    pub placement: Placement,
    /// How far it strays: the sum over all frames of the squared distance from the path, in square metres.
    pub deviation: f64,
    /// The distance it travels, in metres, along what follows the path.
    pub length: f64,
    /// Edges that were tried in all searches: the effort.
    pub tried: usize,
    /// Searches that were cut short by [`FollowOptions::max_tried`].
    pub cut_short: usize,
}

/// What follows the path: for each clip, for each of its frames, a point on the ground in the clip's own coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct Tracks(pub Vec<Vec<Vec2>>);

/// Distance between the points at which a path is looked up, in metres.
const STEP: f64 = 0.01;

/// A turn and a shift on the ground, ready to use.
#[derive(Clone, Copy, Debug)]
struct Ground {
    sine: f64,
    cosine: f64,
    shift: Vec2,
}

impl Ground {
    fn of(placement: Placement) -> Ground {
        let (sine, cosine) = placement.yaw.sin_cos();
        Ground { sine, cosine, shift: Vec2::new(placement.translation.x, placement.translation.z) }
    }

    fn turn(&self, p: Vec2) -> Vec2 {
        // +Z toward +X, as everywhere.
        Vec2::new(p.x * self.cosine + p.y * self.sine, p.y * self.cosine - p.x * self.sine)
    }

    fn apply(&self, p: Vec2) -> Vec2 {
        self.turn(p) + self.shift
    }

    /// First `inner`, then this.
    fn then(&self, inner: &Ground) -> Ground {
        Ground {
            sine: self.sine * inner.cosine + self.cosine * inner.sine,
            cosine: self.cosine * inner.cosine - self.sine * inner.sine,
            shift: self.apply(inner.shift),
        }
    }

    fn to_placement(self) -> Placement {
        Placement { yaw: self.sine.atan2(self.cosine), translation: Vec3::new(self.shift.x, 0.0, self.shift.y) }
    }
}

/// A path by distance from its start.
struct Route {
    /// Distances are counted from here on, in metres: where a search begins.
    from: f64,
    points: Vec<Vec2>,
    /// Number of the last point but one.
    last: f64,
    length: f64,
}

impl Route {
    fn of(path: &Path) -> Route {
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

    fn is_over(&self, along: f64) -> bool {
        self.from + along >= self.length
    }

    fn at(&self, along: f64) -> Vec2 {
        // A cast cuts off what `floor` would, without a call: this is where searches spend their time.
        let place = ((self.from + along) * (1.0 / STEP)).clamp(0.0, self.last);
        let index = place as u32;
        let pair = &self.points[index as usize..index as usize + 2];
        pair[0] + (pair[1] - pair[0]) * (place - f64::from(index))
    }
}

/// An edge as the search sees it.
struct EdgeTrack {
    to: usize,
    n_frames: usize,
    /// Points after the first, up to that of the node it ends at, in the coordinates of the clip it begins in; with the distance
    /// travelled from the first.
    points: Vec<(Vec2, f64)>,
    /// To the coordinates of the clip it ends in.
    next: Ground,
}

/// Finds a walk along a path. `tracks` say what of the body follows it; `path` has at least two points, and a length.
pub fn follow_path(graph: &MotionGraph, tracks: &Tracks, path: &Path, options: &FollowOptions) -> Walk {
    let edges: Vec<EdgeTrack> = (0..graph.edges().len()).map(|edge| edge_track(graph, tracks, edge)).collect();
    let least = least_step(tracks);
    let mut route = Route::of(path);
    let start = options.start % graph.nodes().len();
    let mut at = At::begin(start, first_placement(graph, tracks, &route, start));
    let mut walk = Walk {
        edges: Vec::new(),
        placement: at.ground.to_placement(),
        deviation: 0.0,
        length: 0.0,
        tried: 0,
        cut_short: 0,
    };
    // What is left of the walk that was found last.
    let mut rest: Vec<usize> = Vec::new();
    while !route.is_over(0.0) {
        let mut search = Search::new(graph, &edges, &route, least, options);
        search.begin_with(&at, &rest);
        search.try_from(&at);
        walk.tried += search.tried;
        walk.cut_short += usize::from(search.left == 0);
        let mut taken = 0;
        while taken < search.best_walk.len() && at.frames < options.commit.max(1) && !search.has_arrived(&at) {
            // Frames that are kept all count, however far the search looked.
            at = advance(&edges[search.best_walk[taken]], &at, &route, least);
            taken += 1;
        }
        rest = search.best_walk.split_off(taken);
        walk.edges.append(&mut search.best_walk);
        walk.deviation += at.deviation;
        walk.length += at.travelled;
        if taken == 0 {
            break;
        }
        route.from += at.progress(least);
        at = At::begin(at.node, at.ground);
    }
    walk
}

/// How far a walk has come since the search began.
#[derive(Clone, Copy)]
struct At {
    node: usize,
    ground: Ground,
    travelled: f64,
    deviation: f64,
    frames: usize,
}

impl At {
    fn begin(node: usize, ground: Ground) -> At {
        At { node, ground, travelled: 0.0, deviation: 0.0, frames: 0 }
    }

    /// Along the path, if a frame counts as `least` metres.
    fn progress(&self, least: f64) -> f64 {
        self.travelled.max(self.frames as f64 * least)
    }
}

fn advance(edge: &EdgeTrack, at: &At, route: &Route, least: f64) -> At {
    // Never given up: no walk strays infinitely far.
    advance_below(edge, at, route, least, usize::MAX, f64::INFINITY).unwrap_or(*at)
}

/// Counts frames up to a number of them. `None` as soon as the walk has strayed as far as `limit`.
fn advance_below(edge: &EdgeTrack, at: &At, route: &Route, least: f64, look_ahead: usize, limit: f64) -> Option<At> {
    let mut deviation = at.deviation;
    let mut should = at.frames as f64 * least;
    for &(point, travelled) in edge.points.iter().take(look_ahead.saturating_sub(at.frames)) {
        should += least;
        let along = (at.travelled + travelled).max(should);
        deviation += at.ground.apply(point).distance_squared(route.at(along));
        if deviation >= limit {
            return None;
        }
    }
    Some(At {
        node: edge.to,
        ground: at.ground.then(&edge.next),
        travelled: at.travelled + edge.points.last().map_or(0.0, |(_, travelled)| *travelled),
        deviation,
        frames: at.frames + edge.n_frames,
    })
}

struct Search<'a> {
    graph: &'a MotionGraph,
    edges: &'a [EdgeTrack],
    route: &'a Route,
    /// What a frame counts as at least, in metres.
    least: f64,
    look_ahead: usize,
    /// Edges that may still be tried.
    left: usize,
    best: f64,
    best_walk: Vec<usize>,
    walk: Vec<usize>,
    /// Edges that are yet to be followed, and where they lead.
    open: Vec<(usize, At)>,
    tried: usize,
}

impl<'a> Search<'a> {
    fn new(
        graph: &'a MotionGraph,
        edges: &'a [EdgeTrack],
        route: &'a Route,
        least: f64,
        options: &FollowOptions,
    ) -> Search<'a> {
        Search {
            graph,
            edges,
            route,
            least,
            look_ahead: options.look_ahead.max(1),
            left: options.max_tried.max(1),
            best: f64::INFINITY,
            best_walk: Vec::new(),
            walk: Vec::new(),
            open: Vec::new(),
            tried: 0,
        }
    }

    fn is_whole(&self, at: &At) -> bool {
        at.frames >= self.look_ahead || self.has_arrived(at)
    }

    fn has_arrived(&self, at: &At) -> bool {
        self.route.is_over(at.progress(self.least))
    }

    /// Along an edge, counting frames that the search looks ahead to; `None` if it strays as far as the limit.
    fn advance(&self, edge: usize, at: &At, limit: f64) -> Option<At> {
        advance_below(&self.edges[edge], at, self.route, self.least, self.look_ahead, limit)
    }

    /// Takes a walk that begins with some edges, and goes on with the nearest, as the best so far.
    fn begin_with(&mut self, at: &At, edges: &[usize]) {
        let mut at = *at;
        let mut walk = Vec::new();
        for &edge in edges {
            at = self.advance(edge, &at, f64::INFINITY).unwrap_or(at);
            walk.push(edge);
        }
        while !self.is_whole(&at) {
            let leaving = self.graph.leaving(at.node);
            let next = leaving.iter().filter_map(|&edge| Some((edge, self.advance(edge, &at, f64::INFINITY)?)));
            let Some((edge, after)) = next.min_by(|a, b| a.1.deviation.total_cmp(&b.1.deviation)) else { return };
            self.tried += leaving.len();
            walk.push(edge);
            at = after;
        }
        (self.best, self.best_walk) = (at.deviation, walk);
    }

    fn try_from(&mut self, at: &At) {
        // What leaves the node is kept at the end of one list, so that no list is made for each node.
        let first = self.open.len();
        for &edge in self.graph.leaving(at.node) {
            self.tried += 1;
            self.left = self.left.saturating_sub(1);
            self.open.extend(self.advance(edge, at, self.best).map(|after| (edge, after)));
        }
        // The nearest last.
        self.open[first..].sort_by(|a, b| b.1.deviation.total_cmp(&a.1.deviation).then(b.0.cmp(&a.0)));
        while self.open.len() > first {
            let Some((edge, after)) = self.open.pop() else { break };
            if after.deviation >= self.best || self.left == 0 {
                break;
            }
            self.walk.push(edge);
            if self.is_whole(&after) {
                self.best = after.deviation;
                self.best_walk.clone_from(&self.walk);
            } else {
                self.try_from(&after);
            }
            self.walk.pop();
        }
        self.open.truncate(first);
    }
}

/// What a frame counts as at least: a share of the mean way between two frames of all clips.
fn least_step(Tracks(tracks): &Tracks) -> f64 {
    let steps = tracks.iter().flat_map(|track| track.windows(2)).map(|pair| pair[0].distance(pair[1]));
    let (n, sum) = steps.fold((0usize, 0.0), |(n, sum), step| (n + 1, sum + step));
    (LEAST_PROGRESS * sum / n.max(1) as f64).max(LEAST_STEP)
}

/// What a frame counts as at least, of the clips' mean way between frames.
const LEAST_PROGRESS: f64 = 0.25;
/// The same where nobody goes anywhere, in metres: so that every search ends.
const LEAST_STEP: f64 = 1e-3;

fn edge_track(graph: &MotionGraph, tracks: &Tracks, edge: usize) -> EdgeTrack {
    let Tracks(tracks) = tracks;
    let own = &graph.edges()[edge];
    let (from, to) = (graph.nodes()[own.from], graph.nodes()[own.to]);
    let next = Ground::of(graph.edge_placement(edge));
    let last = |track: &[Vec2], frame: usize| track[frame.min(track.len() - 1)];
    let points: Vec<Vec2> = match &own.motion {
        EdgeMotion::Clip(frames) => (frames.start..=frames.end).map(|frame| last(&tracks[from.clip], frame)).collect(),
        EdgeMotion::Blend { start, entry, .. } => {
            let blended = |frame: usize| {
                let entered = next.apply(last(&tracks[to.clip], entry + frame));
                let share = if frame == graph.window { 1.0 } else { blend_share(frame, graph.window) };
                last(&tracks[from.clip], start + frame).lerp(entered, share)
            };
            (0..=graph.window).map(blended).collect()
        }
    };
    let mut travelled = 0.0;
    let along = |pair: &[Vec2]| {
        travelled += pair[0].distance(pair[1]);
        (pair[1], travelled)
    };
    let points = points.windows(2).map(along).collect();
    EdgeTrack { to: own.to, n_frames: graph.edge_frames(edge), points, next }
}

/// Puts the first node on the start of the path, facing along it (GRAPH 5.2.2).
fn first_placement(graph: &MotionGraph, tracks: &Tracks, route: &Route, node: usize) -> Ground {
    let at = graph.nodes()[node];
    let track = &tracks.0[at.clip];
    let here = track[at.frame.min(track.len() - 1)];
    // As far ahead as a step, or back where the clip ends before.
    let far = |reach: f64| track[at.frame..].iter().find(|point| point.distance(here) >= reach).map(|p| *p - here);
    let back =
        |reach: f64| track[..at.frame].iter().rev().find(|point| point.distance(here) >= reach).map(|p| here - *p);
    let own = far(DIRECTION_REACH).or_else(|| back(DIRECTION_REACH)).unwrap_or(Vec2::Y);
    let wanted = route.at(DIRECTION_REACH) - route.at(0.0);
    let heading = |v: Vec2| v.x.atan2(v.y);
    let turned = Ground::of(Placement { yaw: heading(wanted) - heading(own), translation: Vec3::ZERO });
    Ground { shift: route.at(0.0) - turned.turn(here), ..turned }
}

/// A direction is taken over this far, in metres: about a step.
const DIRECTION_REACH: f64 = 0.6;

impl Walk {
    /// The motion of a walk.
    pub fn to_clip(&self, graph: &MotionGraph, name: &str) -> Clip {
        let mut ground = Ground::of(self.placement);
        let mut poses: Vec<Pose> = Vec::new();
        let skeleton = graph.set.skeleton();
        for &edge in &self.edges {
            let moved = ground.to_placement().to_transform();
            for frame in 0..graph.edge_frames(edge) {
                let mut pose = graph.edge_pose(edge, frame);
                for root in skeleton.roots() {
                    pose[root] = moved * pose[root];
                }
                poses.push(pose);
            }
            ground = ground.then(&Ground::of(graph.edge_placement(edge)));
        }
        Clip { name: name.to_string(), skeleton: skeleton.clone(), frame_rate: graph.set.frame_rate(), poses }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abstraction::{Abstraction, abstract_tracks};
    use crate::distance_matrix::{DistanceMatrix, Threads};
    use crate::{Metric, MotionSet, Threshold};
    use surefoot_locomotion::{WalkerOptions, synthetic_walk};
    use surefoot_motion::slice;

    /// Straight ahead, left and right.
    fn graph(share: f64, n_steps: usize) -> MotionGraph {
        let walk = |turn_per_step: f64| {
            let options = WalkerOptions { turn_per_step, n_steps, frame_rate: 30.0, ..WalkerOptions::default() };
            let walk = synthetic_walk(&options);
            let n = walk.take.clip.n_frames();
            (slice(&walk.take.clip, 20..n - 20).unwrap(), walk.body)
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

    /// The least deviation of all whole walks from a place, by trying every one of them.
    fn exhaustive(search: &Search<'_>, at: &At) -> f64 {
        if search.is_whole(at) {
            return at.deviation;
        }
        let after = |edge: &usize| search.advance(*edge, at, f64::INFINITY).expect("no limit");
        search.graph.leaving(at.node).iter().map(|edge| exhaustive(search, &after(edge))).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn the_search_finds_what_trying_everything_finds() {
        let graph = graph(0.03, 6);
        let tracks = abstract_tracks(&graph.set, Abstraction::Pelvis);
        let edges: Vec<EdgeTrack> = (0..graph.edges().len()).map(|edge| edge_track(&graph, &tracks, edge)).collect();
        let route = Route::of(&zigzag(&[[0.0, 0.0], [0.5, 2.0], [2.0, 3.0]]));
        let options = FollowOptions { look_ahead: 60, ..FollowOptions::default() };
        for start in (0..graph.nodes().len()).step_by(5) {
            let at = At::begin(start, first_placement(&graph, &tracks, &route, start));
            let mut search = Search::new(&graph, &edges, &route, least_step(&tracks), &options);
            let wanted = exhaustive(&search, &at);
            search.begin_with(&at, &[]);
            search.try_from(&at);
            assert_eq!(search.best, wanted, "from node {start}");
        }
    }

    #[test]
    fn nobody_stands_on_the_way() {
        // A walk that stands for a second and a half in its middle: standing strays nowhere, and goes nowhere.
        let walk = graph(0.04, 10).set;
        let mut clips = walk.clips().to_vec();
        let middle = clips[0].n_frames() / 2;
        let still = clips[0].poses[middle].clone();
        clips[0].poses.splice(middle..middle, std::iter::repeat_n(still, 45));
        let set = MotionSet::new(clips, walk.body().clone()).unwrap();
        let matrix = DistanceMatrix::new(&set, &Metric::angles(), 10, Threads::One);
        let limit = Threshold::Share(0.04).distance(&matrix);
        let graph = MotionGraph::build(set, &matrix, limit).unwrap().0;
        let tracks = abstract_tracks(&graph.set, Abstraction::Gaussian);
        let path = zigzag(&[[0.0, 0.0], [1.0, 5.0], [-1.0, 9.0]]);
        let standing = |node: &usize| {
            graph.nodes()[*node].clip == 0 && (middle..middle + 30).contains(&graph.nodes()[*node].frame)
        };
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
            let poses = clip.world_poses();
            let pelvis = graph.set.body().pelvis;
            let farthest = poses.windows(2).map(|p| p[0].position(pelvis).distance(p[1].position(pelvis)));
            assert!(farthest.fold(0.0, f64::max) < 0.12, "no jump of the pelvis");
            let again = follow_path(&graph, &tracks, &path, &FollowOptions { start, ..FollowOptions::default() });
            assert_eq!(walk, again);
        }
    }
}
