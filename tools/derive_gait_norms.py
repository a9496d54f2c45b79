#!/usr/bin/env python3
"""Derives the residual curves of walking and running (crates/gait/src/norm_data.rs) from recordings of CMU.

    derive_gait_norms.py derive  SUREFOOT CMU_FOLDER crates/gait/src/norm_data.rs [--gait run]    writes the curves
    derive_gait_norms.py compare SUREFOOT CMU_FOLDER [--plain]                                    against people who are left out

SUREFOOT is the built command, CMU_FOLDER holds 007/07_01.bvh and so on (mocap.cs.cmu.edu, free for any use). Needs numpy.

Derive:
1. Steps of straight walks and runs are found from the contacts that `surefoot contacts` detects; steps in starts, stops and turns are dropped.
2. Each is measured as angles over its phase, mirrored so that the left foot stands; a phase of its own belongs to the moment at which the foot
   behind leaves (walk) or the standing foot takes off (run).
3. Over all steps, every angle at every phase is fitted as a line over the speed; each person counts the same. Runners are few, so that their
   slopes are shrunk (SHRINKAGE), and arms have none.
4. The same is measured of what the command makes at a few speeds with the curves as a preset (`gait --preset FILE`), and the difference is
   added, in ROUNDS rounds, without a build between. The height of the pelvis is that of the first round, from the paper's gaits; legs, which
   are solved below it, need the rounds after. Values are control points of B-splines; what these smooth away is not made up for.

Compare: a gait is made on a recording's own skeleton at its speed, and the mean step compared: root mean square of the difference, and
correlation, over a stride. Walks of the people in HELD_OUT, of whom no curve comes. Runs of every person, each with curves that were derived
again without that person: the curves that come with Surefoot are of all of them."""
import argparse, collections, json, pathlib, re, subprocess, sys, tempfile
import numpy as np

HELD_OUT = {"08", "69"}
# Straight steps of the people the curves come from, and of those that walks are compared with. Runs: all straight ones with two steady steps,
# and starts and stops that have as many; not quick stops, curves, side steps and jumps.
WALKS = "02_01 02_02 07_01 07_04 07_12 12_01 16_11 16_13 16_15 16_21 16_23 16_25 16_31 16_47 35_01 37_01 39_01 132_17 132_18"
RUNS = "02_03 09_01 09_05 16_35 16_45 35_17 35_21 104_06 127_07 127_08 143_01 143_02 143_03"
HELD_WALKS = "08_01 08_04 08_06 69_01"
SLOW_FILES = {"141": 60, "143": 60}           # frames a second, where the files say 120
N = 36                                        # intervals of a measured step
N_SAMPLES = 12                                # of a curve that is written
EVENT_PHASES = {"walk": 0.24, "run": 0.64}
SPEEDS = {"walk": (0.8, 1.2, 1.6, 2.0), "run": (2.2, 3.0, 3.8, 4.6)}
# Beyond the speeds of the recordings the people's curves stay as they are.
RECORDED = {"walk": (0.9, 1.95), "run": (2.4, 4.6)}
MEAN_SPEED = {"walk": 1.35, "run": 3.3}
# Variance of speeds, in (m/s)^2, that a slope must be seen over to count half.
SHRINKAGE = {"walk": 0.0, "run": 0.2}
ROUNDS = 5
LEG = 0.86                                    # of a person 1.8 m tall
ROLES = {"hip": ("UpLeg", "UpperLeg"), "knee": ("Leg", "LowerLeg"), "ankle": ("Foot",), "ball": ("ToeBase", "Toes"),
         "shoulder": ("Arm", "UpperArm"), "elbow": ("ForeArm", "LowerArm"), "hand": ("Hand",)}
MEASURES = ["yaw", "list", "lean", "side", "twist"] + [f"{role}_{what}" for role in ("stance", "swing")
            for what in ("arm", "elbow", "out", "hip", "knee", "pitch")] + ["line"]
# As norms.rs has them; a sign of -1 mirrors the channel in the next step.
CHANNELS = ["up", "yaw", "list", "lean", "side", "twist", "stance_arm", "stance_elbow", "stance_out", "swing_arm", "swing_elbow", "swing_out",
            "stance_hip", "stance_knee", "stance_pitch", "swing_hip", "swing_knee", "swing_pitch"]
MIRRORED = {"yaw", "list", "side", "twist"}


# --- reading ---

def read_bvh(path):
    text = pathlib.Path(path).read_text()
    head, motion = text.split("MOTION", 1)
    joints, stack, width = [], [], 0
    for token in re.finditer(r"(ROOT|JOINT)\s+(\S+)|(End Site)|(\{)|(\})|OFFSET\s+([^\n]+)|CHANNELS\s+\d+\s+([^\n]+)", head):
        if token[1] or token[3]:
            joints.append({"name": token[2] or "end", "parent": stack[-1] if stack else -1, "channels": []})
        elif token[4]:
            stack.append(len(joints) - 1)
        elif token[5]:
            stack.pop()
        elif token[6]:
            joints[stack[-1]]["offset"] = np.array([float(v) for v in token[6].split()])
        else:
            names = token[7].split()
            joints[stack[-1]]["channels"] = [("XYZ".index(name[0]), name[1:], width + i) for i, name in enumerate(names)]
            width += len(names)
    lines = motion.strip().split("\n")
    rate = 1 / float(lines[1].split(":")[1])
    return joints, np.array([[float(v) for v in line.split()] for line in lines[2:]]), rate


def rotation(axis, degrees):
    angle, i, j = np.radians(degrees), (axis + 1) % 3, (axis + 2) % 3
    out = np.zeros((len(angle), 3, 3))
    out[:, axis, axis] = 1
    out[:, i, i] = out[:, j, j] = np.cos(angle)
    out[:, j, i], out[:, i, j] = np.sin(angle), -np.sin(angle)
    return out


class Clip:
    """Places of joints in metres, by side and role, and when feet are planted."""

    def __init__(self, motion, contacts):
        joints, values, self.rate = read_bvh(motion)
        places, frames = [], []
        for joint in joints:
            offset, local = np.tile(joint["offset"], (len(values), 1)), np.tile(np.eye(3), (len(values), 1, 1))
            for axis, kind, column in joint["channels"]:
                if kind.lower() == "position":
                    offset[:, axis] = values[:, column]
                else:
                    local = local @ rotation(axis, values[:, column])
            parent = joint["parent"]
            frame = frames[parent] if parent >= 0 else np.eye(3)
            places.append((places[parent] if parent >= 0 else 0) + np.einsum("...ij,...j->...i", frame, offset))
            frames.append(frame @ local)
        index = {joint["name"]: i for i, joint in enumerate(joints)}
        self.of = {(side, role): next(places[index[name + stem]] for stem in stems if name + stem in index)
                   for side, name in (("left", "Left"), ("right", "Right")) for role, stems in ROLES.items()}
        of = self.of
        leg = np.median(norm(of["left", "knee"] - of["left", "hip"]) + norm(of["left", "ankle"] - of["left", "knee"]))
        unit = next(unit for unit in (1, 0.01, 0.0254 / 0.45, 0.0254) if 0.6 < leg * unit < 1.1)
        self.of = of = {key: place * unit for key, place in of.items()}
        self.thigh = np.median(norm(of["left", "knee"] - of["left", "hip"]))
        self.shin = np.median(norm(of["left", "ankle"] - of["left", "knee"]))
        self.leg = self.thigh + self.shin
        self.hips = (of["left", "hip"] + of["right", "hip"]) / 2
        self.neck = (of["left", "shoulder"] + of["right", "shoulder"]) / 2
        self.n_frames = len(values)
        self.plants = json.loads(pathlib.Path(contacts).read_text())


def norm(vectors):
    return np.linalg.norm(vectors, axis=-1)


def stances(clip, is_made):
    """(landing, leaving, side) of each stance. Plants of recordings are detected by speed, so they begin late and end early."""
    found = []
    for side in ("left", "right"):
        mask = np.zeros(clip.n_frames + 1, bool)
        for part in ("heel", "ball"):
            for start, end in clip.plants[side][part]:
                mask[start:end] = True
        edges = np.flatnonzero(np.diff(np.concatenate([[False], mask])))
        runs = []
        for start, end in edges.reshape(-1, 2):
            if runs and start - runs[-1][1] < 0.06 * clip.rate:
                runs[-1][1] = end
            else:
                runs.append([start, end])
        for start, end in runs:
            if end - start < 0.06 * clip.rate:
                continue
            if not is_made:
                ankle, ball = clip.of[side, "ankle"], clip.of[side, "ball"]
                planted = np.median(ankle[start:end][:max(3, (end - start) // 2), 1])
                first = start
                while 0 < start and first - start < 0.03 * clip.rate and ankle[start - 1, 1] < planted + 0.02:
                    start -= 1
                last = end
                at = ball[max(first, end - int(0.06 * clip.rate)):end].mean(0)
                while end < clip.n_frames and end - last < 0.12 * clip.rate and ball[end, 1] < at[1] + 0.025 \
                        and np.hypot(*(ball[end] - at)[[0, 2]]) < 0.03:
                    end += 1
            found.append((start, end, side))
    return sorted(found)


def measure_steps(clip, is_made=False):
    """Each step from a landing to the landing of the other foot, as curves over its phase with the left foot standing."""
    found, order = [], stances(clip, is_made)
    for i, ((start, leaves, stance), (end, _, swing)) in enumerate(zip(order, order[1:])):
        before = [one for one in order[:i] if one[2] == swing]
        if stance == swing or start <= 0 or leaves >= clip.n_frames or not 0.12 < (end - start) / clip.rate < 1.2:
            continue
        gait = "run" if leaves < end else "walk"
        if gait == "walk" and (not before or before[-1][1] <= start):
            continue
        event = ((leaves if gait == "run" else before[-1][1]) - start) / (end - start)
        # Where it leads: over a stride around the step, so that the sway to both sides is even.
        reach = (end - start) // 2
        low, high = max(0, start - reach), min(clip.n_frames - 1, end + reach)
        way = clip.hips[high] - clip.hips[low]
        heading = np.arctan2(way[0], way[2])
        frames = np.interp(np.linspace(0, 1, N + 1), [0, EVENT_PHASES[gait], 1], [start, start + event * (end - start), end])
        offset = clip.hips[end] - clip.hips[start]
        found.append({"gait": gait, "stance": stance, "speed": np.hypot(offset[0], offset[2]) / (end - start) * clip.rate, "event": event,
                      "heading": np.degrees(heading), "start": start, "end": end, "clip": clip,
                      "curves": measure(clip, stance, swing, heading, frames)})
    return found


def measure(clip, stance, swing, heading, frames):
    forward, left = np.array([np.sin(heading), 0, np.cos(heading)]), np.array([np.cos(heading), 0, -np.sin(heading)])
    sign = 1 if stance == "left" else -1
    at = np.clip(frames.astype(int), 0, clip.n_frames - 2)
    part = (frames - at)[:, None]

    def place(points):
        return points[at] * (1 - part) + points[at + 1] * part

    def of(side, role):
        return place(clip.of[side, role])

    def across(role):
        line = of("left", role) - of("right", role)
        turn = np.degrees(np.arctan2(-line[:, 2], line[:, 0]) - heading)
        return sign * ((turn + 180) % 360 - 180), sign * np.degrees(np.arctan2(line[:, 1], np.hypot(line[:, 0], line[:, 2])))

    def between(a, b):
        return np.degrees(np.arctan2(norm(np.cross(a, b)), (a * b).sum(-1)))

    out = {}
    out["yaw"], out["list"] = across("hip")
    out["twist"], _ = across("shoulder")
    trunk = place(clip.neck) - place(clip.hips)
    out["lean"] = np.degrees(np.arctan2(trunk @ forward, trunk[:, 1]))
    out["side"] = sign * np.degrees(np.arctan2(trunk @ left, trunk[:, 1]))
    for role, side in (("stance", stance), ("swing", swing)):
        thigh, shin, foot = (of(side, b) - of(side, a) for a, b in (("hip", "knee"), ("knee", "ankle"), ("ankle", "ball")))
        arm, forearm = of(side, "elbow") - of(side, "shoulder"), of(side, "hand") - of(side, "elbow")
        outward = left if side == "left" else -left
        out[f"{role}_hip"] = np.degrees(np.arctan2(thigh @ forward, -thigh[:, 1]))
        out[f"{role}_knee"] = between(thigh, shin)
        # Beyond the vertical it goes on.
        pitch = np.degrees(np.arctan2(foot[:, 1], foot @ forward))
        out[f"{role}_pitch"] = np.where(pitch > 120, pitch - 360, pitch)
        out[f"{role}_arm"] = np.degrees(np.arctan2(arm @ forward, -arm[:, 1]))
        out[f"{role}_out"] = np.degrees(np.arctan2(arm @ outward, -arm[:, 1]))
        out[f"{role}_elbow"] = between(arm, forearm)
    line = of(stance, "hip") - of(stance, "ankle")
    out["line"] = line[:, 1] / norm(line)
    return np.stack([out[name] for name in MEASURES], axis=1)


def steady(steps, gait):
    """Steps of a gait at the speed of most, that lead where their neighbours lead."""
    steps = [step for step in steps if step["gait"] == gait]
    if not steps:
        return []
    usual = np.median([step["speed"] for step in steps])
    out = []
    for step in steps:
        turned = [abs((other["heading"] - step["heading"] + 180) % 360 - 180) for other in steps
                  if abs(other["start"] - step["end"]) < 3 or abs(other["end"] - step["start"]) < 3]
        event = 0.35 < step["event"] < 0.95 if gait == "run" else 0.05 < step["event"] < 0.5
        if abs(step["speed"] - usual) < 0.12 * usual and max(turned, default=0) < 12 and event:
            out.append(step)
    return out


class Work:
    def __init__(self, command, folder):
        self.command, self.folder, self.work = command, pathlib.Path(folder), pathlib.Path(tempfile.mkdtemp(prefix="norms-"))

    def run(self, *words):
        subprocess.run([self.command, *map(str, words)], check=True, capture_output=True)

    def recording(self, name):
        subject = name.split("_")[0]
        motion, contacts = self.work / f"{name}.bvh", self.work / f"{name}.json"
        if not motion.exists():
            rate = ["--source-rate", SLOW_FILES[subject]] if subject in SLOW_FILES else []
            self.run("convert", self.folder / f"{int(subject):03}" / f"{name}.bvh", motion, *rate)
            self.run("contacts", motion, "-o", contacts)
        return Clip(motion, contacts)

    def made(self, gait, speed, *more):
        motion, contacts = self.work / "made.bvh", self.work / "made.json"
        self.run("gait", gait, "--speed", f"{speed}m/s", "--steps", 24, "--frame-rate", 120, "-o", motion, "--write-contacts", contacts,
                 "--force", *more)
        return Clip(motion, contacts)


def mean_made(work, gait, speed, *more):
    """The mean step of a made gait at its full speed, and the clip."""
    clip = work.made(gait, speed, *more)
    steps = [step for step in measure_steps(clip, is_made=True) if step["gait"] == gait]
    fastest = max(step["speed"] for step in steps)
    steps = [step for step in steps if step["speed"] > 0.97 * fastest]
    return np.mean([step["curves"] for step in steps[1:] or steps], axis=0), clip, steps


# --- deriving ---

def recorded_steps(work, names, gait):
    """Steady steps of recordings, each with its person, recording and speed of a person 1.8 m tall."""
    steps = []
    for name in names.split():
        for step in steady(measure_steps(work.recording(name)), gait):
            steps.append({**step, "name": name, "who": name.split("_")[0], "alike": step["speed"] / np.sqrt(step["clip"].leg / LEG)})
    return steps


def people(steps, gait):
    """For a speed of a person 1.8 m tall, the mean step of the people; each counts the same."""
    count = collections.Counter(step["who"] for step in steps)
    weight = np.array([1 / count[step["who"]] for step in steps])
    weight /= weight.sum()
    speeds, values = np.array([step["alike"] for step in steps]), np.array([step["curves"].ravel() for step in steps])
    middle, mean = weight @ speeds, weight @ values
    off = weight * (speeds - middle)
    slope = off @ (values - mean) / (off @ (speeds - middle) + SHRINKAGE[gait])
    if gait == "run":
        # The runners are too few to show how arms change with the speed.
        is_arm = np.array([name.split("_")[-1] in ("arm", "elbow", "out") for name in MEASURES])
        slope = np.where(np.tile(is_arm, N + 1), 0, slope)
    low, high = RECORDED[gait]
    return lambda speed: (mean + (np.clip(speed, low, high) - middle) * slope).reshape(N + 1, -1)


def stride(curves, name):
    """A channel over a stride: this step and the next, which is its mirror image."""
    if name.startswith(("stance_", "swing_")):
        other = name.replace("stance", "swing") if name.startswith("stance") else name.replace("swing", "stance")
        return np.concatenate([curves[:-1, MEASURES.index(name)], curves[:-1, MEASURES.index(other)]])
    one = curves[:-1, MEASURES.index(name)]
    return np.concatenate([one, -one if name in MIRRORED else one])


def smooth(cycle, harmonics):
    spectrum = np.fft.rfft(cycle)
    spectrum[harmonics + 1:] = 0
    return np.fft.irfft(spectrum, len(cycle))


def sampled(cycle):
    return np.interp(np.arange(N_SAMPLES) / N_SAMPLES * N, np.arange(2 * N + 1), np.append(cycle, cycle[0]))


FLAT = {"walk": (0.35, 0.55), "run": (0.1, 0.3)}   # phases at which the foot that stands is flat


def difference(gait, target, made, clip, harmonics=7):
    """What is to be added to each channel."""
    out = {}
    flat = slice(*(int(phase * N) for phase in FLAT[gait]))
    for name in CHANNELS:
        if name == "up":
            continue
        wanted, found = stride(target, name), stride(made, name)
        if name.endswith("pitch"):
            wanted = wanted - target[flat, MEASURES.index("stance_pitch")].mean()
            found = found - made[flat, MEASURES.index("stance_pitch")].mean()
        more = wanted - found
        if name == "lean":
            more = more - more.mean()              # skeletons differ in where the neck is
        if name in MIRRORED:
            more = (more - np.roll(more, N)) / 2
        out[name] = sampled(smooth(more, harmonics))
    # The pelvis is so high that the standing knee is flexed as people's. As the other foot lands, the knee in front decides.
    out["up"] = np.zeros(N_SAMPLES)
    if gait == "walk":
        knee = MEASURES.index("stance_knee")
        def reach(flexion):
            return np.sqrt(clip.thigh ** 2 + clip.shin ** 2 + 2 * clip.thigh * clip.shin * np.cos(np.radians(flexion)))
        up = (reach(target[:, knee]) - reach(made[:, knee])) / np.maximum(made[:, MEASURES.index("line")], 0.5) / clip.leg
        phase = np.linspace(0, 1, N + 1)
        late = np.clip((phase - 0.7) / 0.2, 0, 1)
        up = up * (1 - late) + up[0] * late
        # Higher than the legs reach it would not be: the steps are planned without it.
        one = np.minimum(smooth(np.minimum(up[:-1], 0), 3), 0)
        out["up"] = np.interp(np.arange(N_SAMPLES) / N_SAMPLES * N, np.arange(N + 1), np.append(one, one[0]))
    return out


def read_curves(path):
    text = pathlib.Path(path).read_text()
    out = {}
    for gait in ("walk", "run"):
        body = re.search(rf"{gait.upper()}_CURVES: \[Curves; \d+\] = (.*?);\n", text, re.S)[1]
        numbers = [int(number) for number in re.findall(r"-?\d+", body)]
        shape = (len(SPEEDS[gait]), len(CHANNELS), N_SAMPLES)
        out[gait] = np.array(numbers, float).reshape(shape) if len(numbers) == np.prod(shape) else np.zeros(shape)
    return out


def write_curves(path, curves):
    text = ["//! Residual curves of walking and running: what recorded people do less what the paper's equations make, at some speeds.", "//!",
            "//! Written by `tools/derive_gait_norms.py`; do not edit. Channels and units are those of `norms.rs`.", "",
            "use super::norms::Curves;", ""]
    for gait, what in (("walk", "walks, in metres a second of a person 1.8 m tall"), ("run", "runs")):
        speeds = SPEEDS[gait]
        text += [f"/// Speeds of {what}.", f"pub(super) const {gait.upper()}_SPEEDS: [f64; {len(speeds)}] = [{', '.join(map(str, speeds))}];"]
    for gait in ("walk", "run"):
        text += ["#[rustfmt::skip]", f"pub(super) static {gait.upper()}_CURVES: [Curves; {len(SPEEDS[gait])}] = ["]
        for table in np.rint(curves[gait]).astype(int):
            text.append("    [")
            text += [f"        [{', '.join(map(str, row))}]," for row in table]
            text.append("    ],")
        text.append("];")
    pathlib.Path(path).write_text("\n".join(text) + "\n")


def write_preset(path, gait, speed, curves):
    """Curves as a preset of a person 1.8 m tall."""
    lines = ["styles = 2", f"[{gait}.mean]", f"speed = {3.6 * speed}", f"[{gait}.mean.curves]"]
    for name, curve in zip(CHANNELS, curves):
        lines.append(f"{name.replace('_', '-')} = [{', '.join(f'{np.clip(value / 100, -180, 180):.4f}' for value in curve)}]")
    pathlib.Path(path).write_text("\n".join(lines) + "\n")


def shown_of(gait, name):
    """How much of a leg's curve shows at each phase: none while its foot is planted (norms.rs)."""
    role, _, joint = name.partition("_")
    if joint not in ("hip", "knee", "pitch"):
        return np.ones(N_SAMPLES)
    event, phase = EVENT_PHASES[gait], np.arange(N_SAMPLES) / N_SAMPLES
    if gait == "walk":
        share = (phase - event) / (1 - event) if role == "swing" else 0 * phase
    else:
        share = (phase - event if role == "stance" else 1 - event + phase) / (2 - event)
    ease = lambda part: (lambda t: t * t * (3 - 2 * t))(np.clip(part / 0.3, 0, 1))
    return ease(share) * ease(1 - share)


def flattened(curves):
    """How much of each curve its B-spline leaves out (norms.rs): values are where it is pulled to, not what it passes."""
    out = {}
    for name, curve in zip(CHANNELS, curves):
        partner = name.replace("stance", "swing") if name.startswith("stance") else name.replace("swing", "stance")
        other = (-1 if name in MIRRORED else 1) * curves[CHANNELS.index(partner)]
        around = np.concatenate([other[-1:], curve, other[:1]])
        out[name] = (2 * around[1:-1] - around[:-2] - around[2:]) / 6
    return out


def solve_curves(work, gait, speed, target):
    """The curves with which the command makes the target at a speed, as well as it can. What their B-splines leave out is not made up for:
    it would take values that swing to and fro, and calm joints are what B-splines are for."""
    preset = work.work / "mean.gait.toml"
    curves, best = np.zeros((len(CHANNELS), N_SAMPLES)), None
    for turn in range(ROUNDS + 1):
        write_preset(preset, gait, speed, curves)
        made, clip, _ = mean_made(work, gait, speed, "--preset", preset, *(["--level", "0.8"] if gait == "run" else []))
        legs = [MEASURES.index(name) for name in ("stance_hip", "swing_hip", "stance_knee", "swing_knee")]
        error = np.sqrt(np.mean((made[:, legs] - target[:, legs]) ** 2))
        if best is None or turn == 1 or error < best[0]:
            best = error, curves.copy()
        more, left_out = difference(gait, target, made, clip), flattened(curves)
        for channel, name in enumerate(CHANNELS):
            if name != "up" or turn == 0:
                curves[channel] += more[name] * shown_of(gait, name) * (100 if name == "up" else 1) * 100
                if name != "up":
                    curves[channel] -= left_out[name] * shown_of(gait, name)
    return best[1]


def derive(args):
    work, curves = Work(args.command, args.folder), read_curves(args.data)
    for gait, names in (("walk", WALKS), ("run", RUNS)):
        if args.gait not in (None, gait):
            continue
        steps = recorded_steps(work, names, gait)
        print(f"{gait}: {len(steps)} steps of {len({step['who'] for step in steps})} people, {min(step['alike'] for step in steps):.2f} to "
              f"{max(step['alike'] for step in steps):.2f} m/s")
        target = people(steps, gait)
        for index, speed in enumerate(SPEEDS[gait]):
            curves[gait][index] = solve_curves(work, gait, speed, target(speed))
    for table in curves.values():
        np.clip(table, -18000, 18000, out=table)
    write_curves(args.data, curves)


# --- comparing ---

def figures(wanted, found):
    wanted, found = wanted - 0, found - 0
    rms = np.sqrt(np.mean((wanted - found) ** 2))
    correlation = np.corrcoef(wanted, found)[0, 1]
    return rms, correlation


SHOWN = ["swing_hip", "swing_knee", "list", "yaw", "swing_arm", "swing_elbow", "twist"]
TITLES = {"swing_hip": "thigh", "swing_knee": "knee", "swing_arm": "upper arm", "swing_elbow": "elbow", "list": "pelvic list", "yaw": "pelvic yaw", "twist": "shoulders"}


def compare_clip(work, gait, name, skeleton, steps, more):
    """Figures of a gait made on a recording's skeleton at its speed against its steps, by channel. All recordings of a person have the skeleton
    of the first: not in every one are all limbs recognised."""
    speed, target = np.mean([step["speed"] for step in steps]), np.mean([step["curves"] for step in steps], axis=0)
    made, _, made_steps = mean_made(work, gait, speed, "--on", work.work / f"{skeleton}.bvh", *more)
    out = {}
    for channel in SHOWN:
        wanted, found = stride(target, channel), stride(made, channel)
        if channel in MIRRORED:
            wanted, found = ((cycle - np.roll(cycle, N)) / 2 for cycle in (wanted, found))
        out[channel] = figures(wanted, found)
    shown = "; ".join(f"{TITLES[channel]} {rms:.1f} {correlation:.2f}" for channel, (rms, correlation) in out.items())
    print(f"{gait} {name} {speed:.2f} m/s, made {np.mean([step['speed'] for step in made_steps]):.2f}: {shown}")
    return out


def compare(args):
    work = Work(args.command, args.folder)
    for gait, names in (("walk", HELD_WALKS), ("run", RUNS)):
        all_steps, by_person = recorded_steps(work, names, gait), collections.defaultdict(list)
        for name in names.split():
            own = [step for step in all_steps if step["name"] == name]
            if len(own) < 2:
                continue
            more = ["--plain"] if args.plain else []
            if gait == "run" and not args.plain:
                others = people([step for step in all_steps if step["who"] != own[0]["who"]], gait)
                alike, preset = np.mean([step["alike"] for step in own]), work.work / "others.gait.toml"
                write_preset(preset, gait, alike, solve_curves(work, gait, alike, others(alike)))
                more = ["--preset", preset]
            skeleton = next(step["name"] for step in all_steps if step["who"] == own[0]["who"])
            by_person[own[0]["who"]].append(compare_clip(work, gait, name, skeleton, own, more))
        for channel in SHOWN:
            means = {who: np.mean([clip[channel] for clip in clips], axis=0) for who, clips in by_person.items()}
            rms, correlation = np.array(list(means.values())).T
            print(f"{gait:5} {TITLES[channel]:12} rms {rms.mean():5.1f} (median {np.median(rms):.1f}, worst {rms.max():.1f})   "
                  f"correlation {correlation.mean():.2f} (median {np.median(correlation):.2f}, worst {correlation.min():.2f})   "
                  + " ".join(f"{who}: {value[0]:.1f} {value[1]:.2f}" for who, value in means.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for name, job in (("derive", derive), ("compare", compare)):
        command = commands.add_parser(name)
        command.set_defaults(job=job)
        command.add_argument("command", metavar="SUREFOOT")
        command.add_argument("folder", metavar="CMU_FOLDER")
        if name == "derive":
            command.add_argument("data", metavar="NORM_DATA.rs")
            command.add_argument("--gait", choices=("walk", "run"), help="only that gait; the other's curves stay")
        else:
            command.add_argument("--plain", action="store_true", help="the paper's gaits")
    args = parser.parse_args()
    args.job(args)


if __name__ == "__main__":
    main()
