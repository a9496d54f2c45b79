#!/usr/bin/env python3
"""Grades `surefoot clean --restore`: clean recordings are spoiled with seeds, restored, and compared with what they were.

    grade_restoration.py SUREFOOT CMU_FOLDER [--set tuned|held|all] [--truth planted|recorded] [--kinds noise,drift]
                         [--seed 1] [--keep FOLDER] [--each] [--options OPTIONS]

SUREFOOT is the built command, CMU_FOLDER holds 007/07_01.bvh and so on (mocap.cs.cmu.edu, free for any use). OPTIONS go to the command in place of
`--restore`. Needs numpy, and shares no code with what it grades: it has its own reader, forward kinematics and inverse kinematics.

Kinds of spoiling, each with its own seed per recording (angles per axis, standard deviations):
  drift      the root wanders by 3 cm along each axis, slower than 0.3 Hz
  noise      every joint turns by 1 degree, the root moves by 5 mm: white
  bursts     joints at random turn by 5 degrees for 0.1 to 0.3 s, each for 5 % of the time
  video      30 frames a second; 0.7 degrees and 4 mm, half of it white, half correlated over 0.1 s; the root wanders by 1 cm
  30 fps     30 frames a second and nothing else: shows harm, for nothing can be nearer to the truth than the input
  quantised  angles in steps of 2 degrees, the root in steps of 1 cm
  scale      the root's trajectory scaled by 0.9, its height too
  floating   4 cm higher
  slide      the root's trajectory runs ahead of and behind the joints by up to 80 ms
  clean      not spoiled: shows harm

The truth: each recording after plain `surefoot clean`, so that its planted feet stand still (`--truth planted`, the default); or as it was recorded
(`--truth recorded`), with feet that slide by some cm/s, which no method that plants feet can be near to.

Compared with the truth at the same frames:
  foot       velocities of ankles and balls: mean length of the difference, cm/s
  knee       angle between thigh and shin: root mean square of the difference, degrees
  leg        places of hips, knees, ankles and balls: mean distance, cm
  slide      speed of balls on the ground while they are planted in the truth, median over those frames, cm/s

Besides the input: `low-pass`, a Butterworth of fourth order at 6 Hz, forward and backward, of rotations and the root; `naive IK`, the same with
each foot that is slow and low held at the mean place of its ankle, by two bones. Means over recordings. A star: worse than the input."""
import argparse, pathlib, re, subprocess, sys, tempfile
import numpy as np

# By actor: what the options were chosen on, and what they were not.
TUNED = "02_01 02_03 08_01 16_15 16_35 16_55 69_01 69_20 83_42 104_06"
HELD = "07_01 09_01 12_01 35_01 35_17 37_01 39_01 91_41 113_01 127_04 127_07 132_17"
KINDS = ["drift", "noise", "bursts", "video", "30 fps", "quantised", "scale", "floating", "slide", "clean"]
UNIT = 0.0254 / 0.45
LEGS = {side: [side + name for name in ("UpLeg", "Leg", "Foot", "ToeBase")] for side in ("Left", "Right")}


# --- files ---

class Bvh:
    """Joints in order, local rotations (frames x joints x 3 x 3), translations (frames x joints x 3), in the unit of the file."""

    def __init__(self, path):
        text = pathlib.Path(path).read_text()
        head, motion = text.split("MOTION", 1)
        self.head, self.joints, stack, width = head, [], [], 0
        for token in re.finditer(r"(ROOT|JOINT)\s+(\S+)|(End Site)|(\{)|(\})|OFFSET\s+([^\n]+)|CHANNELS\s+\d+\s+([^\n]+)", head):
            if token[1] or token[3]:
                self.joints.append({"name": token[2] or "end", "parent": stack[-1] if stack else -1, "channels": []})
            elif token[4]:
                stack.append(len(self.joints) - 1)
            elif token[5]:
                stack.pop()
            elif token[6]:
                self.joints[stack[-1]]["offset"] = np.array([float(v) for v in token[6].split()])
            else:
                kinds = token[7].split()
                self.joints[stack[-1]]["channels"] = [("XYZ".index(k[0].upper()), k[1:], width + i) for i, k in enumerate(kinds)]
                width += len(kinds)
        lines = motion.strip().split("\n")
        self.rate = 1 / float(lines[1].split(":")[1])
        self.rate = round(self.rate) if abs(self.rate - round(self.rate)) < 1e-3 * self.rate else self.rate
        values = np.array([[float(v) for v in line.split()] for line in lines[2:] if line.strip()])
        n = len(values)
        self.local = np.tile(np.eye(3), (n, len(self.joints), 1, 1))
        self.moves = np.stack([np.tile(joint["offset"], (n, 1)) for joint in self.joints], axis=1)
        for j, joint in enumerate(self.joints):
            for axis, kind, column in joint["channels"]:
                if kind == "position":
                    self.moves[:, j, axis] = values[:, column]
                else:
                    self.local[:, j] = self.local[:, j] @ axis_rotation(axis, values[:, column])
        self.width, self.unit = width, UNIT
        self.shin = np.linalg.norm(next(joint["offset"] for joint in self.joints if joint["name"] == "LeftFoot"))

    def frames(self, index):
        other = object.__new__(Bvh)
        other.__dict__ = {**self.__dict__, "local": self.local[index].copy(), "moves": self.moves[index].copy()}
        return other

    def write(self, path):
        values = np.empty((len(self.local), self.width))
        for j, joint in enumerate(self.joints):
            order = [axis for axis, kind, _ in joint["channels"] if kind == "rotation"]
            angles = euler(self.local[:, j], order) if order else None
            for axis, kind, column in joint["channels"]:
                values[:, column] = self.moves[:, j, axis] if kind == "position" else angles[:, order.index(axis)]
        rows = "\n".join(" ".join(f"{v:.6f}" for v in row) for row in values)
        pathlib.Path(path).write_text(f"{self.head}MOTION\nFrames: {len(values)}\nFrame Time: {1 / self.rate:.8f}\n{rows}\n")

    def world(self):
        places, turns = np.empty(self.moves.shape), np.empty(self.local.shape)
        for j, joint in enumerate(self.joints):
            up = joint["parent"]
            if up < 0:
                places[:, j], turns[:, j] = self.moves[:, j], self.local[:, j]
            else:
                places[:, j] = places[:, up] + (turns[:, up] @ self.moves[:, j, :, None])[..., 0]
                turns[:, j] = turns[:, up] @ self.local[:, j]
        return places * self.unit, turns

    def legs(self):
        """Places of hip, knee, ankle and ball of both legs: frames x 2 x 4 x 3."""
        names, places = [joint["name"] for joint in self.joints], self.world()[0]
        return np.stack([places[:, [names.index(name) for name in LEGS[side]]] for side in LEGS], axis=1)


def axis_rotation(axis, degrees):
    angle, i, j = np.radians(degrees), (axis + 1) % 3, (axis + 2) % 3
    out = np.zeros((len(angle), 3, 3))
    out[:, axis, axis] = 1
    out[:, i, i] = out[:, j, j] = np.cos(angle)
    out[:, j, i], out[:, i, j] = np.sin(angle), -np.sin(angle)
    return out


def euler(rotations, order):
    """Angles in degrees about the axes of `order`, unrolled over time."""
    a, b, c = order
    sign = 1 if (b - a) % 3 == 1 else -1
    middle = np.arcsin(np.clip(sign * rotations[:, a, c], -1, 1))
    first = np.arctan2(-sign * rotations[:, b, c], rotations[:, c, c])
    last = np.arctan2(-sign * rotations[:, a, b], rotations[:, a, a])
    return np.degrees(np.unwrap(np.stack([first, middle, last], axis=1), axis=0))


def exp_map(vectors):
    """Rotation matrices of rotation vectors."""
    angle = np.sqrt((vectors ** 2).sum(-1))[..., None, None]
    axis = vectors / np.maximum(angle[..., 0], 1e-12)
    cross = np.zeros(vectors.shape + (3,))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        cross[..., i, j], cross[..., j, i] = -axis[..., k], axis[..., k]
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


# --- spoiling ---

def low_pass(values, rate, cut):
    """Butterworth of fourth order, forward and backward, along the first axis: its gain in the frequency domain, the ends reflected."""
    n = len(values)
    pad = min(n - 1, int(2 * rate / cut) + 1)
    long = np.concatenate([2 * values[0] - values[pad:0:-1], values, 2 * values[-1] - values[-2:-pad - 2:-1]])
    steps = np.fft.rfftfreq(len(long), 1 / rate).reshape((-1,) + (1,) * (values.ndim - 1))
    return np.fft.irfft(np.fft.rfft(long, axis=0) / (1 + (steps / cut) ** 8), len(long), axis=0)[pad:pad + n]


def wander(random, n, rate, shape, below, size):
    """Noise slower than a frequency, of this standard deviation."""
    wide = n + int(4 * rate / below)
    noise = low_pass(random.standard_normal((wide,) + shape), rate, below)
    noise /= noise.std(axis=0)
    return size * noise[(wide - n) // 2:][:n]


def spoil(clip, kind, random):
    """(spoiled, truth at the same frames)"""
    if kind in ("video", "30 fps"):
        step = round(clip.rate / 30)
        clip = clip.frames(slice(None, None, step))
        clip.rate = clip.rate / step
    bad, n = clip.frames(slice(None)), len(clip.local)
    joints = [j for j, joint in enumerate(clip.joints) if joint["channels"]]
    if kind == "drift":
        bad.moves[:, 0] += wander(random, n, clip.rate, (3,), 0.3, 0.03) / clip.unit
    elif kind == "noise":
        bad.moves[:, 0] += random.normal(0, 0.005 / clip.unit, (n, 3))
        bad.local[:, joints] = bad.local[:, joints] @ exp_map(np.radians(random.normal(0, 1.0, (n, len(joints), 3))))
    elif kind == "bursts":
        size = np.zeros((n, len(joints), 1))
        for j in range(len(joints)):
            while (size[:, j] > 0).mean() < 0.05:
                start, length = random.integers(0, n), int(random.uniform(0.1, 0.3) * clip.rate)
                size[start:start + max(length, 1), j] = 1
        bad.local[:, joints] = bad.local[:, joints] @ exp_map(np.radians(5 * size * random.normal(0, 1, (n, len(joints), 3))))
    elif kind == "video":
        slow = lambda shape: (random.normal(0, 1, shape) + wander(random, n, clip.rate, shape[1:], 1.6, 1)) * np.sqrt(0.5)
        bad.moves[:, 0] += (0.004 * slow((n, 3)) + wander(random, n, clip.rate, (3,), 0.3, 0.01)) / clip.unit
        bad.local[:, joints] = bad.local[:, joints] @ exp_map(np.radians(0.7 * slow((n, len(joints), 3))))
    elif kind == "quantised":
        bad.moves[:, 0] = np.round(bad.moves[:, 0] * clip.unit / 0.01) * 0.01 / clip.unit
        for j in joints:
            order = [axis for axis, what, _ in clip.joints[j]["channels"] if what == "rotation"]
            angles = np.round(euler(clip.local[:, j], order) / 2) * 2
            bad.local[:, j] = np.eye(3)
            for k, axis in enumerate(order):
                bad.local[:, j] = bad.local[:, j] @ axis_rotation(axis, angles[:, k])
    elif kind == "scale":
        bad.moves[:, 0] *= 0.9
    elif kind == "floating":
        bad.moves[:, 0, 1] += 0.04 / clip.unit
    elif kind == "slide":
        late = np.arange(n) + np.clip(wander(random, n, clip.rate, (), 0.7, 0.04), -0.08, 0.08) * clip.rate
        for axis in range(3):
            bad.moves[:, 0, axis] = np.interp(late, np.arange(n), clip.moves[:, 0, axis])
    return bad, clip


# --- simpler methods ---

def filtered(clip):
    good = clip.frames(slice(None))
    good.moves[:, 0] = low_pass(clip.moves[:, 0], clip.rate, 6)
    left, _, right = np.linalg.svd(low_pass(clip.local, clip.rate, 6))
    good.local = left @ right
    return good


def naive_ik(legs, rate):
    """Legs whose slow and low feet are held at the mean place of the ankle."""
    legs = legs.copy()
    for side in range(2):
        hip, knee, ankle, ball = (legs[:, side, k] for k in range(4))
        speed = np.sqrt((np.gradient(ball, axis=0) ** 2).sum(-1)) * rate
        held = (speed < 0.4) & (ball[:, 1] < np.quantile(ball[:, 1], 0.1) + 0.05)
        for start, end in runs(held):
            to = ankle[start:end].mean(axis=0)
            for t in range(start, end):
                thigh, shin = np.linalg.norm(knee[t] - hip[t]), np.linalg.norm(ankle[t] - knee[t])
                line = to - hip[t]
                length = np.clip(np.linalg.norm(line), abs(thigh - shin) + 1e-6, thigh + shin - 1e-6)
                line /= np.linalg.norm(line)
                out = knee[t] - hip[t]
                out -= out.dot(line) * line
                out /= max(np.linalg.norm(out), 1e-9)
                along = (thigh ** 2 + length ** 2 - shin ** 2) / (2 * length)
                new = hip[t] + along * line + np.sqrt(max(thigh ** 2 - along ** 2, 0)) * out
                moved = hip[t] + length * line - ankle[t]
                legs[t, side, 1], legs[t, side, 2], legs[t, side, 3] = new, ankle[t] + moved, ball[t] + moved
    return legs


def runs(mask):
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(int)))
    return list(zip(edges[::2], edges[1::2]))


# --- grading ---

MEASURES = ["foot", "knee", "leg", "slide"]


def knee_angles(legs):
    a, b = legs[:, :, 0] - legs[:, :, 1], legs[:, :, 2] - legs[:, :, 1]
    cos = (a * b).sum(-1) / np.sqrt((a ** 2).sum(-1) * (b ** 2).sum(-1))
    return np.degrees(np.arccos(np.clip(cos, -1, 1)))


def planted(legs, rate):
    """Frames x 2: balls that are slow and low in the truth."""
    ball = legs[:, :, 3]
    speed = np.sqrt((np.gradient(ball, axis=0) ** 2).sum(-1)) * rate
    reach = max(1, round(0.25 * rate))
    low = np.stack([np.lib.stride_tricks.sliding_window_view(np.pad(ball[:, s, 1], reach, mode="edge"), 2 * reach + 1).min(axis=1)
                    for s in range(2)], axis=1)
    return (speed < 0.2) & (ball[:, :, 1] < low + 0.02)


def grade(legs, truth, rate):
    speeds = lambda of: np.diff(of[:, :, 2:], axis=0) * rate * 100
    size = lambda of: np.sqrt((of ** 2).sum(-1))
    down = planted(truth, rate)
    ground = np.hypot(*(np.diff(legs[:, :, 3, axis], axis=0) for axis in (0, 2))) * rate * 100
    both = down[1:] & down[:-1]
    return [size(speeds(legs) - speeds(truth)).mean(), np.sqrt(((knee_angles(legs) - knee_angles(truth)) ** 2).mean()),
            size(legs - truth).mean() * 100, np.median(ground[both]) if both.any() else np.nan]


def true_clip(args, name, work):
    """A recording without its T-pose, its feet planted by the command where that is the truth."""
    recorded = args.folder / f"{int(name.split('_')[0]):03}" / f"{name}.bvh"
    if args.truth == "recorded":
        return Bvh(recorded).frames(slice(1, None))
    planted = work / f"true-{name}.bvh"
    subprocess.run([args.surefoot, "clean", str(recorded), "-o", str(planted), "--force", "--quiet"], check=True)
    clip = Bvh(planted)
    clip.unit = Bvh(recorded).shin * UNIT / clip.shin
    return clip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("surefoot")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--set", choices=["tuned", "held", "all"], default="held")
    parser.add_argument("--truth", choices=["planted", "recorded"], default="planted")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, help="where spoiled and restored motions stay")
    parser.add_argument("--each", action="store_true", help="a line for each recording too")
    parser.add_argument("--options", default="--restore", help="options of `clean`")
    args = parser.parse_args()
    names = {"tuned": TUNED, "held": HELD, "all": f"{TUNED} {HELD}"}[args.set].split()
    kinds = args.kinds.split(",")
    with tempfile.TemporaryDirectory() as scratch:
        work = args.keep or pathlib.Path(scratch)
        (work / "spoiled").mkdir(parents=True, exist_ok=True)
        truths, spoiled = {}, {}
        for name in names:
            actor = int(name.split("_")[0])
            clip = true_clip(args, name, work)
            for kind in kinds:
                random = np.random.default_rng([args.seed, KINDS.index(kind), actor, int(name.split("_")[1])])
                bad, truth = spoil(clip, kind, random)
                key = f"{kind.replace(' ', '')}-{name}"
                bad.write(work / "spoiled" / f"{key}.bvh")
                truths[key], spoiled[key] = truth, bad
        options = args.options.split()
        for rate in sorted({round(clip.rate) for clip in truths.values()}):
            folder = work / f"at{rate}"
            folder.mkdir(exist_ok=True)
            for key, clip in truths.items():
                if round(clip.rate) == rate:
                    (work / "spoiled" / f"{key}.bvh").replace(folder / f"{key}.bvh")
            command = [args.surefoot, "clean", str(folder), "-o", str(work / "restored"), "--force", "--quiet", *options]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode not in (0, 1):
                sys.exit(f"{' '.join(command)}\n{done.stderr}")
            for made in (work / "restored").glob("*.bvh"):
                made.rename(work / made.name)
        print(f"{len(names)} recordings ({args.set}), truth {args.truth}; {' '.join(options)}; seed {args.seed}")
        print(f"{'':11}" + "".join(f"| {measure:^31} " for measure in MEASURES))
        print(f"{'':11}" + f"| {'input':>7} {'low':>7} {'naive':>7} {'ours':>7} " * len(MEASURES))
        for kind in kinds:
            rows = []
            for name in names:
                key = f"{kind.replace(' ', '')}-{name}"
                truth, rate = truths[key].legs(), truths[key].rate
                low = filtered(spoiled[key]).legs()
                made = work / f"{key}.bvh"
                if made.exists():
                    clip = Bvh(made)
                    clip.unit = truths[key].unit * truths[key].shin / clip.shin
                    ours = clip.legs()
                else:
                    ours = np.full(truth.shape, np.nan)
                if len(ours) != len(truth):
                    sys.exit(f"{made} has {len(ours)} frames, the truth {len(truth)}")
                rows.append([grade(legs, truth, rate) for legs in (spoiled[key].legs(), low, naive_ik(low, rate), ours)])
                if args.each:
                    print_row(f"  {name}", np.array(rows[-1]))
            print_row(kind, np.nanmean(np.array(rows), axis=0))


def print_row(name, values):
    star = lambda m: "*" if values[3, m] > values[0, m] * 1.001 + 1e-6 else " "
    print(f"{name:11}" + "".join(f"| {values[0, m]:7.2f} {values[1, m]:7.2f} {values[2, m]:7.2f} {values[3, m]:7.2f}{star(m)}" for m in range(4)))


if __name__ == "__main__":
    main()
