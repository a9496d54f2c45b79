#!/usr/bin/env python3
"""Writes examples/hall.scene.json: a station hall of 40 m x 26 m with 200 obstacles, the same every time.

Columns stand in rows; around them are kiosks, benches, planters, bins, suitcases and standing people, placed at random where
they leave at least GAP to everything that is there already. Numbers come from a small generator of our own, so that no library's
version changes the scene.

    python3 tools/make_hall.py > examples/hall.scene.json
"""

import json
import math

WIDTH, DEPTH, N, GAP = 40.0, 26.0, 200, 0.55
START, GOAL, KEEP = (-18.4, -11.4), (18.4, 11.4), 1.6


class Random:
    """splitmix64"""

    def __init__(self, seed):
        self.state = seed

    def unit(self):
        mask = (1 << 64) - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return ((z ^ (z >> 31)) >> 11) / float(1 << 53)

    def within(self, low, high):
        return low + (high - low) * self.unit()


def regular(centre, radius, n, turn):
    corner = lambda i: turn + 2 * math.pi * i / n
    return [(centre[0] + radius * math.cos(corner(i)), centre[1] + radius * math.sin(corner(i))) for i in range(n)]


def box(centre, width, depth, turn):
    cos, sin = math.cos(turn), math.sin(turn)
    half = [(-width / 2, -depth / 2), (width / 2, -depth / 2), (width / 2, depth / 2), (-width / 2, depth / 2)]
    return [(centre[0] + x * cos - z * sin, centre[1] + x * sin + z * cos) for x, z in half]


def distance(a, b):
    """Between two convex outlines that do not overlap; 0 if they do."""
    def inside(point, outline):
        signs = [
            (q[0] - p[0]) * (point[1] - p[1]) - (q[1] - p[1]) * (point[0] - p[0])
            for p, q in zip(outline, outline[1:] + outline[:1])
        ]
        return all(sign >= 0 for sign in signs) or all(sign <= 0 for sign in signs)

    def to_edge(point, p, q):
        dx, dz = q[0] - p[0], q[1] - p[1]
        t = ((point[0] - p[0]) * dx + (point[1] - p[1]) * dz) / (dx * dx + dz * dz)
        t = min(1.0, max(0.0, t))
        return math.hypot(point[0] - p[0] - t * dx, point[1] - p[1] - t * dz)

    def to_all(one, two):
        return min(to_edge(point, p, q) for point in one for p, q in zip(two, two[1:] + two[:1]))

    if any(inside(point, b) for point in a) or any(inside(point, a) for point in b):
        return 0.0
    return min(to_all(a, b), to_all(b, a))


def thing(random, centre):
    """An outline and a height; None is a wall."""
    kind, turn = random.unit(), random.within(0, 2 * math.pi)
    straight = (math.pi / 2) * int(random.within(0, 4)) + random.within(-0.05, 0.05)
    if kind < 0.12:  # kiosk
        return box(centre, random.within(1.2, 2.2), random.within(0.9, 1.4), straight), 2.3
    if kind < 0.34:  # bench
        return box(centre, random.within(1.2, 1.8), random.within(0.4, 0.5), straight), 0.45
    if kind < 0.50:  # planter
        return regular(centre, random.within(0.3, 0.5), 6, turn), 0.9
    if kind < 0.62:  # bin
        return regular(centre, random.within(0.16, 0.22), 8, turn), 0.8
    if kind < 0.78:  # suitcase
        return box(centre, random.within(0.4, 0.55), random.within(0.24, 0.32), turn), 0.7
    return regular(centre, random.within(0.22, 0.27), 8, turn), 1.75  # somebody who stands


def main():
    random = Random(20101)
    things = [
        (regular((x, z), 0.35, 8, 0.39), None) for z in (-6.5, 0.0, 6.5) for x in (-15.0, -9.0, -3.0, 3.0, 9.0, 15.0)
    ]
    while len(things) < N:
        centre = (random.within(-WIDTH / 2, WIDTH / 2), random.within(-DEPTH / 2, DEPTH / 2))
        outline, height = thing(random, centre)
        reach = max(max(abs(x) / (WIDTH / 2 - GAP), abs(z) / (DEPTH / 2 - GAP)) for x, z in outline)
        near = min(math.hypot(x - p, z - q) for x, z in outline for p, q in (START, GOAL))
        if reach > 1 or near < KEEP or any(distance(outline, other) < GAP for other, _ in things):
            continue
        things.append((outline, height))
    number = lambda value: int(value) if value == int(value) else round(value, 3)
    points = lambda outline: json.dumps([[number(round(x, 3)), number(round(z, 3))] for x, z in outline])
    lines = []
    for outline, height in things:
        tall = "" if height is None else f', "height": {height}'
        lines.append(f'{{ "outline": {points(outline)}{tall} }}')
    w, d = WIDTH / 2, DEPTH / 2
    print(f'{{ "scene": 1,\n  "bounds": {points([(-w, -d), (w, -d), (w, d), (-w, d)])},\n  "obstacles": [')
    print("    " + ",\n    ".join(lines) + " ],")
    print(f'  "start": {{ "position": {list(START)} }},\n  "goal": {{ "position": {list(GOAL)} }} }}')


main()
