//! The shortest path along the axis from one place to another, by A* (Hart, Nilsson and Raphael, as in GRAPH 2.1).
//!
//! A place is attached to every edge that has a disc around it: from there a straight line leads to the disc's centre.
//! Toward either end of the edge the last such disc is the best one to join it at, for to join earlier is never
//! shorter. The estimate is the straight distance to the goal, which no path is shorter than, so the first path that
//! reaches the goal is the shortest one.

use super::Disk;
use super::border::Border;
use super::graph::Graph;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use surefoot_geom::Vec2;

/// So many discs are enough to go on from a narrow place in every direction.
const N_NEAREST: usize = 4;

/// A path along an edge between two of its discs, in this order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Leg {
    pub(super) edge: usize,
    pub(super) first: usize,
    pub(super) last: usize,
}

/// A path along the axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Route {
    /// With the straight lines to and from the axis, in metres.
    pub(super) length: f64,
    pub(super) legs: Vec<Leg>,
}

impl Route {
    /// The discs of the path along the axis.
    pub(super) fn disks(&self, graph: &Graph) -> Vec<Disk> {
        let mut disks: Vec<Disk> = Vec::new();
        for leg in &self.legs {
            let of = &graph.edges[leg.edge].disks;
            if leg.first <= leg.last {
                disks.extend(&of[leg.first..=leg.last]);
            } else {
                disks.extend(of[leg.last..=leg.first].iter().rev());
            }
        }
        disks.dedup_by(|next, before| next.centre == before.centre);
        disks
    }
}

/// Where a place may join an edge: the numbers of the discs to which a straight line leads, in order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Joint {
    edge: usize,
    disks: Vec<usize>,
}

/// All edges that a place may join at discs that hold it with the clearance to spare.
pub(super) fn attach(graph: &Graph, place: Vec2, clearance: f64) -> Vec<Joint> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    graph.disks_around(place, clearance, |edge, disk| found.push((edge, disk)));
    group(found)
}

/// The nearest discs that hold a place at all, if straight lines to them keep the clearance: for a place on the axis
/// that lies between discs hardly larger than the clearance.
pub(super) fn attach_to_nearest(graph: &Graph, border: &Border, place: Vec2, clearance: f64) -> Vec<Joint> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    let centre = |(edge, disk): (usize, usize)| graph.edges[edge].disks[disk].centre;
    let wide = |(edge, disk): (usize, usize)| graph.edges[edge].disks[disk].radius >= clearance;
    graph.disks_around(place, 0.0, |edge, disk| found.push((edge, disk)));
    found.sort_by(|&p, &q| place.distance(centre(p)).total_cmp(&place.distance(centre(q))).then(p.cmp(&q)));
    let clear = found.into_iter().filter(|&it| wide(it) && border.is_clear(place, centre(it), clearance));
    group(clear.take(N_NEAREST).collect())
}

fn group(mut found: Vec<(usize, usize)>) -> Vec<Joint> {
    found.sort_unstable();
    let mut joints: Vec<Joint> = Vec::new();
    for (edge, disk) in found {
        match joints.last_mut() {
            Some(joint) if joint.edge == edge => joint.disks.push(disk),
            _ => joints.push(Joint { edge, disks: vec![disk] }),
        }
    }
    joints
}

/// A path between a place and a node: along an edge from a disc around the place.
#[derive(Clone, Copy, Debug)]
struct Access {
    node: usize,
    length: f64,
    edge: usize,
    disk: usize,
    /// The node's disc.
    end: usize,
}

fn accesses(graph: &Graph, place: Vec2, joints: &[Joint], clearance: f64) -> Vec<Access> {
    let mut all = Vec::new();
    for joint in joints {
        let edge = &graph.edges[joint.edge];
        let last = edge.disks.len() - 1;
        let ends = [(edge.from, 0, joint.disks[0]), (edge.to, last, joint.disks[joint.disks.len() - 1])];
        for (node, end, disk) in ends {
            if edge.is_open(disk, end, clearance) {
                let length = place.distance(edge.disks[disk].centre) + (edge.along[end] - edge.along[disk]).abs();
                all.push(Access { node, length, edge: joint.edge, disk, end });
            }
        }
    }
    all
}

/// The shortest path that stays on one edge: joined and left at discs around the start and around the goal.
fn along_one_edge(graph: &Graph, ends: [Vec2; 2], joints: [&[Joint]; 2], clearance: f64) -> Option<Route> {
    let mut best: Option<Route> = None;
    for start in joints[0] {
        let Some(goal) = joints[1].iter().find(|goal| goal.edge == start.edge) else { continue };
        let edge = &graph.edges[start.edge];
        for &first in &start.disks {
            for &last in &goal.disks {
                let length = ends[0].distance(edge.disks[first].centre)
                    + (edge.along[last] - edge.along[first]).abs()
                    + edge.disks[last].centre.distance(ends[1]);
                let shorter = best.as_ref().is_none_or(|best| length < best.length);
                if shorter && edge.is_open(first, last, clearance) {
                    best = Some(Route { length, legs: vec![Leg { edge: start.edge, first, last }] });
                }
            }
        }
    }
    best
}

/// A place in the queue, ordered by the estimate and then by the node, so that equal paths are always tried in the same
/// order.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Queued {
    estimate: f64,
    node: usize,
}

impl Eq for Queued {}

impl PartialOrd for Queued {
    fn partial_cmp(&self, other: &Queued) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Queued {
    fn cmp(&self, other: &Queued) -> std::cmp::Ordering {
        self.estimate.total_cmp(&other.estimate).then(self.node.cmp(&other.node))
    }
}

/// How a node was reached.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// From the start by an edge, from a disc of it to one of its ends.
    Start { edge: usize, disk: usize, end: usize },
    /// From another node by an edge.
    Node { node: usize, edge: usize },
}

/// Where a search from a start has come.
struct Search<'a> {
    graph: &'a Graph,
    goal: Vec2,
    /// From the start to each node, as short as known; how each was reached.
    length: Vec<f64>,
    step: Vec<Option<Step>>,
    queue: BinaryHeap<Reverse<Queued>>,
}

impl Search<'_> {
    /// No path to the goal by a node is shorter than this.
    fn estimate(&self, node: usize) -> f64 {
        self.length[node] + self.graph.nodes[node].centre.distance(self.goal)
    }

    fn reach(&mut self, node: usize, length: f64, step: Step) {
        if length < self.length[node] {
            self.length[node] = length;
            self.step[node] = Some(step);
            self.queue.push(Reverse(Queued { estimate: self.estimate(node), node }));
        }
    }

    /// The next node to go on from, unless the paths that are left are no shorter than `most`.
    fn next(&mut self, most: f64) -> Option<usize> {
        while let Some(Reverse(Queued { estimate, node })) = self.queue.pop() {
            if estimate >= most {
                return None;
            }
            // A node that was reached on a shorter path later is in the queue twice.
            if estimate <= self.estimate(node) {
                return Some(node);
            }
        }
        None
    }

    fn go_on(&mut self, node: usize, clearance: f64) {
        let graph = self.graph;
        for &edge in &graph.at[node] {
            let it = &graph.edges[edge as usize];
            if it.clearance >= clearance {
                let next = if it.from == node { it.to } else { it.from };
                self.reach(next, self.length[node] + it.length(), Step::Node { node, edge: edge as usize });
            }
        }
    }

    /// The path that ends with an access of the goal.
    fn trace_back(&self, exit: Access) -> Vec<Leg> {
        let mut legs = vec![Leg { edge: exit.edge, first: exit.end, last: exit.disk }];
        let mut node = exit.node;
        while let Some(step) = self.step[node] {
            match step {
                Step::Start { edge, disk, end } => {
                    legs.push(Leg { edge, first: disk, last: end });
                    break;
                }
                Step::Node { node: before, edge } => {
                    let last = self.graph.edges[edge].disks.len() - 1;
                    let (first, last) = if self.graph.edges[edge].from == before { (0, last) } else { (last, 0) };
                    legs.push(Leg { edge, first, last });
                    node = before;
                }
            }
        }
        legs.reverse();
        legs
    }
}

/// The shortest path among those on which every disc has the clearance; `None` if there is none.
pub(super) fn shortest_route(graph: &Graph, ends: [Vec2; 2], joints: [&[Joint]; 2], clearance: f64) -> Option<Route> {
    let n = graph.nodes.len();
    let mut exits: Vec<Option<Access>> = vec![None; n];
    for access in accesses(graph, ends[1], joints[1], clearance) {
        let exit = &mut exits[access.node];
        if exit.is_none_or(|exit| access.length < exit.length) {
            *exit = Some(access);
        }
    }
    let (length, step) = (vec![f64::INFINITY; n], vec![None; n]);
    let mut search = Search { graph, goal: ends[1], length, step, queue: BinaryHeap::new() };
    for Access { node, length, edge, disk, end } in accesses(graph, ends[0], joints[0], clearance) {
        search.reach(node, length, Step::Start { edge, disk, end });
    }
    let direct = along_one_edge(graph, ends, joints, clearance);
    let mut least = direct.as_ref().map_or(f64::INFINITY, |route| route.length);
    let mut last = None;
    while let Some(node) = search.next(least) {
        if let Some(exit) = exits[node]
            && search.length[node] + exit.length < least
        {
            least = search.length[node] + exit.length;
            last = Some(exit);
        }
        search.go_on(node, clearance);
    }
    match last {
        Some(exit) => Some(Route { length: least, legs: search.trace_back(exit) }),
        None => direct,
    }
}

/// The narrowest disc of the widest path between two places, whatever its width: where the path would have to be wider.
/// `None` if no path at all leads from one to the other.
pub(super) fn bottleneck(graph: &Graph, ends: [Vec2; 2], joints: [&[Joint]; 2]) -> Option<Disk> {
    let wider = |disk: Disk, than: Option<Disk>| than.is_none_or(|than| disk.radius > than.radius);
    let narrower = |one: Disk, two: Disk| if two.radius < one.radius { two } else { one };
    let along = |edge: usize, one: usize, two: usize| graph.edges[edge].narrowest(one, two);
    let mut exits: Vec<Option<Disk>> = vec![None; graph.nodes.len()];
    for access in accesses(graph, ends[1], joints[1], 0.0) {
        let disk = along(access.edge, access.disk, access.end);
        if wider(disk, exits[access.node]) {
            exits[access.node] = Some(disk);
        }
    }
    let mut best: Option<Disk> = None;
    for start in joints[0] {
        for goal in joints[1].iter().filter(|goal| goal.edge == start.edge) {
            let disk = along(start.edge, start.disks[0], goal.disks[0]);
            if wider(disk, best) {
                best = Some(disk);
            }
        }
    }
    let mut width: Vec<Option<Disk>> = vec![None; graph.nodes.len()];
    let mut queue = BinaryHeap::new();
    for access in accesses(graph, ends[0], joints[0], 0.0) {
        let disk = along(access.edge, access.disk, access.end);
        if wider(disk, width[access.node]) {
            width[access.node] = Some(disk);
            queue.push(Queued { estimate: disk.radius, node: access.node });
        }
    }
    while let Some(Queued { estimate, node }) = queue.pop() {
        let Some(here) = width[node].filter(|disk| disk.radius <= estimate) else { continue };
        if let Some(exit) = exits[node] {
            let disk = narrower(here, exit);
            if wider(disk, best) {
                best = Some(disk);
            }
        }
        for &edge in &graph.at[node] {
            let it = &graph.edges[edge as usize];
            let next = if it.from == node { it.to } else { it.from };
            let disk = narrower(here, it.narrowest(0, it.disks.len() - 1));
            if wider(disk, width[next]) {
                width[next] = Some(disk);
                queue.push(Queued { estimate: disk.radius, node: next });
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::super::test_scenes::{N_KINDS, in_square, random_scene};
    use super::super::{CorridorMap, CorridorOptions};
    use super::*;
    use surefoot_geom::Random;

    /// The shortest path from disc to disc, by trying everything: Dijkstra without a queue, over all discs of the map.
    fn brute(graph: &Graph, ends: [Vec2; 2], clearance: f64) -> Option<f64> {
        let mut places: Vec<Vec2> = ends.to_vec();
        let mut first = Vec::new();
        for edge in &graph.edges {
            first.push(places.len());
            places.extend(edge.disks.iter().map(|disk| disk.centre));
        }
        let mut links: Vec<Vec<usize>> = vec![Vec::new(); places.len()];
        let mut at_node: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
        for (edge, &first) in graph.edges.iter().zip(&first) {
            let open = |i: usize| edge.disks[i].radius >= clearance;
            for i in 1..edge.disks.len() {
                if open(i - 1) && open(i) {
                    links[first + i - 1].push(first + i);
                    links[first + i].push(first + i - 1);
                }
            }
            for (i, disk) in edge.disks.iter().enumerate() {
                for end in 0..2 {
                    if open(i) && disk.centre.distance(ends[end]) <= disk.radius - clearance {
                        links[end].push(first + i);
                        links[first + i].push(end);
                    }
                }
            }
            at_node[edge.from].push(first);
            at_node[edge.to].push(first + edge.disks.len() - 1);
        }
        for ends in &at_node {
            for (&one, &two) in ends.iter().flat_map(|one| ends.iter().map(move |two| (one, two))) {
                links[one].push(two);
            }
        }
        let mut length = vec![f64::INFINITY; places.len()];
        let mut done = vec![false; places.len()];
        length[0] = 0.0;
        loop {
            let next = (0..places.len()).filter(|&i| !done[i]).min_by(|&i, &j| length[i].total_cmp(&length[j]))?;
            if length[next].is_infinite() {
                return None;
            }
            if next == 1 {
                return Some(length[1]);
            }
            done[next] = true;
            for &to in &links[next] {
                length[to] = length[to].min(length[next] + places[next].distance(places[to]));
            }
        }
    }

    #[test]
    fn the_route_is_as_short_as_that_of_a_search_over_all_discs() {
        let mut n_routes = 0;
        for seed in 0..N_KINDS * 5 {
            let map = CorridorMap::new(&random_scene(seed), &CorridorOptions { spacing: 0.2 }).expect("a map");
            let mut random = Random::new(seed);
            for clearance in [0.1, 0.3] {
                let places: Vec<Vec2> = (0..400).map(|_| in_square(&mut random, 5.0)).collect();
                let free = |place: &&Vec2| map.is_free(**place) && map.nearest(**place).distance > clearance;
                let places: Vec<Vec2> = places.iter().filter(free).take(4).copied().collect();
                for pair in places.chunks_exact(2) {
                    let ends = [pair[0], pair[1]];
                    let joints = ends.map(|place| attach(&map.graph, place, clearance));
                    let route = shortest_route(&map.graph, ends, [&joints[0], &joints[1]], clearance);
                    let brute = brute(&map.graph, ends, clearance);
                    assert_eq!(route.is_some(), brute.is_some(), "seed {seed}");
                    let (Some(route), Some(brute)) = (route, brute) else { continue };
                    assert!((route.length - brute).abs() < 1e-5, "seed {seed}: {} and {brute}", route.length);
                    let disks = route.disks(&map.graph);
                    let gaps = disks.windows(2).map(|pair| pair[0].centre.distance(pair[1].centre));
                    let whole = gaps.sum::<f64>()
                        + ends[0].distance(disks[0].centre)
                        + ends[1].distance(disks[disks.len() - 1].centre);
                    assert!((whole - route.length).abs() < 1e-5, "seed {seed}: the legs make {whole}");
                    n_routes += 1;
                }
            }
        }
        assert!(n_routes > 50, "only {n_routes} routes");
    }
}
