//! A walk through a motion graph that follows a path, by incremental branch and bound.
//!
//! Reference: GRAPH 3 (search), 6 (what is compared with the path); Kovar et al. 2002, section 5.
//!
//! While the walk has not come to the path's end:
//! 1. from the current node all walks of at least `look_ahead` frames are searched, depth first, for the one that strays least
//!    from the path: the sum over these frames of the squared distance between where the walk is and where the path is after as many
//!    metres;
//! 2. of the best walk, the edges that make up the first `commit` frames are taken;
//! 3. how far along the path the walk has come by then is measured again ([`Progress`]).
//!
//! # Frames, not metres
//!
//! GRAPH measures a finished walk by an integral over metres (4.2). A search that made that least would prefer slow walks, which have
//! fewer metres in as many frames, and best of all would stand. So frames are summed, as Kovar et al. do, and time counts as progress
//! along the path: since a search began, the walk should have come as far as it has travelled, but at least as far as a quarter of
//! the clips' mean speed would take it. Who stands falls behind.
//!
//! # Where a walk has come to
//!
//! The paper counts what was travelled, from the start on. Walks are a little longer than paths, by their sway and where blends
//! bend them: after 400 m straight ahead of our recordings a walk is 0.7 m behind, can never catch up, and strays from where it
//! should be however it goes on, so that searches find no reason to prefer one edge to another and take ever longer. Who takes a
//! turn too late is lost in the same way. So by default the next search begins from the place of the path that the walk is
//! beside, and [`Progress::Travelled`] is for comparing with the paper.
//!
//! # The bound
//!
//! What a walk has strayed so far never becomes less, and wherever it goes on, it will stray by so much more at the least (`reach.rs`). If
//! both are as much as the best complete walk strays, it is given up, in the middle of an edge if need be, and so are all that begin with
//! it. That helps only once a good complete walk is known: each search begins with what was left of the walk that the search before
//! it found, carried on by the nearest edges, and tries edges in the order of how far they stray at the least. The answer is that of an
//! exhaustive search; a test compares the two.
//!
//! A complete walk ends with the first edge that reaches `look_ahead` frames or the end of the path.

mod reach;
mod route;

use crate::motion_graph::{EdgeMotion, MotionGraph, blend_share};
use reach::Reach;
use route::{Ground, Route};
use surefoot_geom::{Vec2, Vec3};
use surefoot_ground::Path;
use surefoot_motion::{Clip, Placement, Poses};

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
    /// How far along the path a walk is after each search. Default: by the nearest place.
    pub progress: Progress,
}

/// How far along its path a walk has come when a search begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Progress {
    /// To the nearest place of the path around where it should be.
    #[default]
    Nearest,
    /// As far as it has travelled since its start: the paper's.
    Travelled,
}

impl Default for FollowOptions {
    fn default() -> FollowOptions {
        let progress = Progress::default();
        FollowOptions { look_ahead: 80, commit: 25, start: 0, max_tried: 10_000_000, progress }
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

impl EdgeTrack {
    /// The distance travelled along all of it.
    fn length(&self) -> f64 {
        self.points.last().map_or(0.0, |(_, travelled)| *travelled)
    }
}

/// A graph as the search sees it.
struct SearchGraph<'a> {
    graph: &'a MotionGraph,
    edges: Vec<EdgeTrack>,
    reach: Reach,
    /// What a frame counts as at least, in metres along the path.
    least: f64,
}

impl SearchGraph<'_> {
    fn of<'a>(graph: &'a MotionGraph, tracks: &Tracks) -> SearchGraph<'a> {
        let edges: Vec<EdgeTrack> = (0..graph.edges().len()).map(|edge| edge_track(graph, tracks, edge)).collect();
        let directions: Vec<Vec2> =
            graph.nodes().iter().map(|node| direction(&tracks.0[node.clip], node.frame)).collect();
        let reach = Reach::of(graph, &edges, &directions);
        SearchGraph { graph, edges, reach, least: least_step(tracks) }
    }
}

/// Finds a walk along a path. `tracks` say what of the body follows it; `path` has at least two points, and a length.
pub fn follow_path(graph: &MotionGraph, tracks: &Tracks, path: &Path, options: &FollowOptions) -> Walk {
    let search_graph = SearchGraph::of(graph, tracks);
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
        let mut search = Search::new(&search_graph, &route, options);
        search.begin_with(&at, &rest);
        search.try_from(&at);
        walk.tried += search.tried;
        walk.cut_short += usize::from(search.left == 0);
        let mut taken = 0;
        while taken < search.best_walk.len() && at.frames < options.commit.max(1) && !search.has_arrived(&at) {
            // Frames that are kept all count, however far the search looked.
            at = advance(&search_graph.edges[search.best_walk[taken]], &at, &route, search_graph.least);
            taken += 1;
        }
        rest = search.best_walk.split_off(taken);
        walk.edges.append(&mut search.best_walk);
        walk.deviation += at.deviation;
        walk.length += at.travelled;
        if taken == 0 {
            break;
        }
        let travelled = route.from + at.progress(search_graph.least);
        route.from = match options.progress {
            Progress::Travelled => travelled,
            Progress::Nearest => {
                let here = at.ground.apply(node_point(graph, tracks, at.node));
                // Whoever goes in circles comes to an end too.
                route.nearest(here, travelled).max(route.from + at.frames as f64 * search_graph.least)
            }
        };
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
        travelled: at.travelled + edge.length(),
        deviation,
        frames: at.frames + edge.n_frames,
    })
}

/// An edge that is yet to be followed.
struct Open {
    edge: usize,
    /// Where it leads.
    after: At,
    /// What every complete walk that begins like this strays at the least.
    bound: f64,
}

struct Search<'a> {
    search_graph: &'a SearchGraph<'a>,
    route: &'a Route,
    look_ahead: usize,
    /// Edges that may still be tried.
    left: usize,
    best: f64,
    best_walk: Vec<usize>,
    walk: Vec<usize>,
    /// Edges that are yet to be followed.
    open: Vec<Open>,
    tried: usize,
}

impl<'a> Search<'a> {
    fn new(search_graph: &'a SearchGraph<'a>, route: &'a Route, options: &FollowOptions) -> Search<'a> {
        Search {
            search_graph,
            route,
            look_ahead: options.look_ahead.max(1),
            left: options.max_tried.max(1),
            best: f64::INFINITY,
            best_walk: Vec::new(),
            walk: Vec::new(),
            open: Vec::new(),
            tried: 0,
        }
    }

    fn is_complete(&self, at: &At) -> bool {
        at.frames >= self.look_ahead || self.has_arrived(at)
    }

    fn has_arrived(&self, at: &At) -> bool {
        self.route.is_over(at.progress(self.search_graph.least))
    }

    /// Along an edge, counting frames that the search looks ahead to; `None` if it strays as far as the limit.
    fn advance(&self, edge: usize, at: &At, limit: f64) -> Option<At> {
        advance_below(&self.search_graph.edges[edge], at, self.route, self.search_graph.least, self.look_ahead, limit)
    }

    /// What every walk on from a place strays at the least, up to `enough`.
    fn least_deviation(&self, at: &At, enough: f64) -> f64 {
        if self.is_complete(at) {
            return 0.0;
        }
        self.search_graph.reach.least_deviation(at, self.route, self.search_graph.least, self.look_ahead, enough)
    }

    /// Takes a walk that begins with some edges, and goes on with the nearest, as the best so far.
    fn begin_with(&mut self, at: &At, edges: &[usize]) {
        let mut at = *at;
        let mut walk = Vec::new();
        for &edge in edges {
            at = self.advance(edge, &at, f64::INFINITY).unwrap_or(at);
            walk.push(edge);
        }
        while !self.is_complete(&at) {
            let leaving = self.search_graph.graph.leaving(at.node);
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
        for &edge in self.search_graph.graph.leaving(at.node) {
            self.tried += 1;
            self.left = self.left.saturating_sub(1);
            let Some(after) = self.advance(edge, at, self.best) else { continue };
            let bound = after.deviation + self.least_deviation(&after, self.best - after.deviation);
            if bound < self.best {
                self.open.push(Open { edge, after, bound });
            }
        }
        // The most promising last.
        self.open[first..].sort_by(|a, b| b.bound.total_cmp(&a.bound).then(b.edge.cmp(&a.edge)));
        while self.open.len() > first {
            let Some(Open { edge, after, bound }) = self.open.pop() else { break };
            if bound >= self.best || self.left == 0 {
                break;
            }
            self.walk.push(edge);
            if self.is_complete(&after) {
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

/// What a frame counts as at least: a share of the mean distance between two frames of all clips.
fn least_step(Tracks(tracks): &Tracks) -> f64 {
    let steps = tracks.iter().flat_map(|track| track.windows(2)).map(|pair| pair[0].distance(pair[1]));
    let (n, sum) = steps.fold((0usize, 0.0), |(n, sum), step| (n + 1, sum + step));
    (LEAST_PROGRESS * sum / n.max(1) as f64).max(LEAST_STEP)
}

/// What a frame counts as at least, of the clips' mean distance between frames.
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

/// Where a track goes from a frame on: as far ahead as a step, or back where it ends before.
fn direction(track: &[Vec2], frame: usize) -> Vec2 {
    let frame = frame.min(track.len() - 1);
    let here = track[frame];
    let is_far = |point: &&Vec2| point.distance(here) >= DIRECTION_REACH;
    let ahead = track[frame..].iter().find(is_far).map(|point| *point - here);
    let back = || track[..frame].iter().rev().find(is_far).map(|point| here - *point);
    ahead.or_else(back).unwrap_or(Vec2::Y).normalize_or(Vec2::Y)
}

/// Puts the first node on the start of the path, facing along it (GRAPH 5.2.2).
fn first_placement(graph: &MotionGraph, tracks: &Tracks, route: &Route, node: usize) -> Ground {
    let at = graph.nodes()[node];
    let wanted = route.at(DIRECTION_REACH) - route.at(0.0);
    let heading = |v: Vec2| v.x.atan2(v.y);
    let yaw = heading(wanted) - heading(direction(&tracks.0[at.clip], at.frame));
    let turned = Ground::of(Placement { yaw, translation: Vec3::ZERO });
    turned.shifted(route.at(0.0) - turned.turn(node_point(graph, tracks, node)))
}

/// Where a node is, in the coordinates of its clip.
fn node_point(graph: &MotionGraph, tracks: &Tracks, node: usize) -> Vec2 {
    let at = graph.nodes()[node];
    let track = &tracks.0[at.clip];
    track[at.frame.min(track.len() - 1)]
}

/// A direction is taken over this far, in metres: about a step.
const DIRECTION_REACH: f64 = 0.6;

impl Walk {
    /// The motion of a walk.
    pub fn to_clip(&self, graph: &MotionGraph, name: &str) -> Clip {
        let mut ground = Ground::of(self.placement);
        let mut poses = Poses::default();
        let skeleton = graph.set.skeleton();
        for &edge in &self.edges {
            let moved = ground.to_placement().to_transform();
            for frame in 0..graph.edge_frames(edge) {
                let mut pose = graph.edge_pose(edge, frame);
                for root in skeleton.roots() {
                    pose[root] = moved * pose[root];
                }
                poses.push(&pose);
            }
            ground = ground.then(&Ground::of(graph.edge_placement(edge)));
        }
        Clip::new(name.to_string(), skeleton.clone(), graph.set.frame_rate(), poses)
    }
}

#[cfg(test)]
mod tests;
