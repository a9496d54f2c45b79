#!/usr/bin/env python3
"""Compares recorded runs with the runs that their own footprints make, natural and fitted.

    compare_planned_runs.py SUREFOOT CMU_FOLDER JUDGE.py [16_35 09_01 ...]

For each recording: the gait is fitted (`gait fit`), the footprints are extracted (`plan extract`) and timed by the recording's landings and
lift-offs. A gait from a plan begins and ends standing, the recordings in full run: so seven steps lead up to the first footprint and seven
away from the last, in the same direction and at the same pace. The made motion is cut to the frames of the recording by its landings, and
compared joint by joint, in plain time, without any alignment (`judge.py compare`). Needs numpy."""
import json, pathlib, subprocess, sys
import numpy as np
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import derive_gait_norms as norms

RUNS = "16_35 09_01 09_05 35_17 35_21 02_03 143_01 16_45 127_07"
# Steps before the first footprint and after the last, from there outward, as shares of the recording's step.
RUN_UP = [1, 1, 1, 0.9, 0.75, 0.55, 0.35]
RUN_OUT = [1, 1, 0.9, 0.75, 0.55, 0.35, 0.1]
OTHER = {"left": "right", "right": "left"}


def timed_prints(clip, prints):
    """(footprint, landing and leaving in frames) of each footprint that the recording stands on."""
    found = []
    for print_ in prints:
        for stance in norms.stances(clip, False):
            start, end, side = stance
            ball = clip.of[side, "ball"][(start + end) // 2]
            near = np.hypot(ball[0] - print_["position"][0], ball[2] - print_["position"][2]) < 0.25
            if side == print_["foot"] and near and all(stance != other[1] for other in found):
                found.append((print_, stance))
                break
    return sorted(found, key=lambda pair: pair[1][0])


def extended_plan(clip, timed):
    """The plan with a run-up and a run-out, with absolute times."""
    places = [np.array(print_["position"]) for print_, _ in timed]
    sides = [print_["foot"] for print_, _ in timed]
    headings = [print_.get("heading", 0.0) for print_, _ in timed]
    land, leave = ([stance[at] / clip.rate for _, stance in timed] for at in (0, 1))
    step = np.mean(np.diff(land[1:] if timed[0][1][0] == 0 else land))
    if timed[0][1][0] == 0:
        land[0] = land[1] - step
    support = np.mean([b - a for a, b in zip(land[1:-1], leave[1:-1])])
    if timed[-1][1][1] >= clip.n_frames:
        leave[-1] = land[-1] + support
    along = (places[-1] - places[0]) / (len(places) - 1)
    aside = {side: np.mean([place - places[0] - along * i for i, place in enumerate(places) if sides[i] == side], axis=0) for side in set(sides)}

    # Headings of someone who runs toward -Z lie around 180 degrees, on both sides of the seam.
    turns = np.radians(headings)
    mean_heading = float(np.degrees(np.arctan2(np.sin(turns).mean(), np.cos(turns).mean())))

    def beyond(first, sign, shares):
        place, side, time = places[first] - aside[sides[first]], sides[first], land[first]
        for share in shares:
            place, side, time = place + sign * share * along, OTHER[side], time + sign * step
            yield place + aside[side], side, time, time + support, mean_heading

    own = zip(places, sides, land, leave, headings)
    rows = [*reversed(list(beyond(0, -1, RUN_UP))), *own, *beyond(-1, 1, RUN_OUT)]
    later = 0.8 - rows[1][2]
    out = []
    for index, (place, side, landing, leaving, heading) in enumerate(rows):
        row = {"foot": side, "position": [place[0], places[0][1], place[2]], "heading": heading}
        if index >= 2:
            row["land"] = round(landing + later, 4)
        if 2 <= index < len(rows) - 2:
            row["leave"] = round(leaving + later, 4)
        out.append(row)
    out[0]["leave"], out[1]["leave"] = max(0.2, out[2]["land"] - 0.35), out[2]["land"] - 0.03
    return {"footplan": 2, "footprints": out}


def main():
    command, folder, judge, *names = sys.argv[1:]
    work = norms.Work(command, folder)
    for name in names or RUNS.split():
        clip, source, plan = work.recording(name), work.work / f"{name}.bvh", work.work / "plan.json"
        work.run("plan", "extract", source, "--contacts", work.work / f"{name}.json", "-o", plan, "--force")
        timed = timed_prints(clip, json.loads(plan.read_text())["footprints"])
        if len(timed) < 3:
            print(f"{name}: {len(timed)} footprints")
            continue
        plan.write_text(json.dumps(extended_plan(clip, timed)))
        fitted, made, contacts, cut = (work.work / one for one in ("person.gait.toml", "made.bvh", "made.json", "cut.bvh"))
        work.run("gait", "fit", source, "-o", fitted, "--force")
        line = []
        for title, more in (("natural", []), ("fitted", ["--preset", fitted])):
            words = ["--plan", plan, "--on", source, "--frame-rate", clip.rate, "-o", made, "--write-contacts", contacts, "--force", *more]
            # 1: made, but a time or a footprint was not met.
            if subprocess.run([command, "gait", "run", *map(str, words)], capture_output=True).returncode > 1:
                line.append(f"{title} cannot be made")
                continue
            other, later = norms.Clip(made, contacts), []
            for print_, (start, end, side) in timed:
                for stance in norms.stances(other, True):
                    ball = other.of[side, "ball"][(stance[0] + stance[1]) // 2]
                    if stance[2] == side and np.hypot(ball[0] - print_["position"][0], ball[2] - print_["position"][2]) < 0.1:
                        later += [stance[0] - start] * int(start > 0) + [stance[1] - end] * int(end < clip.n_frames)
                        break
            first = int(round(np.median(later)))
            work.run("convert", made, cut, "--slice", f"{first}..{first + clip.n_frames}", "--force")
            found = json.loads(subprocess.run([sys.executable, judge, "compare", cut, source], check=True, capture_output=True).stdout)
            regions = ", ".join(f"{region} {value['global_cm']:.1f}" for region, value in found["regions"].items())
            line.append(f"{title} {found['mean']['global_cm']:.1f} cm ({regions})")
        print(f"{name}: {'; '.join(line)}")


if __name__ == "__main__":
    main()
