#!/usr/bin/env python3
"""Draws recorded people and made gaits at six speeds beside each other (docs/pictures/gait-six-speeds.png).

    six_speeds.py SUREFOOT CMU_FOLDER OUTPUT.png

Each row is a stride of a person, from a landing of the left foot to the next, and a stride that `surefoot gait` makes with default attributes
on that person's skeleton at that speed. Both are drawn by `surefoot render`. SUREFOOT and CMU_FOLDER are as for derive_gait_norms.py, which
finds the steps. Needs numpy and pillow."""
import pathlib, sys
from PIL import Image, ImageDraw, ImageFont
import numpy as np
import derive_gait_norms as norms

ROWS = [("walk", "69_01"), ("walk", "07_01"), ("walk", "08_01"), ("run", "143_03"), ("run", "35_17"), ("run", "127_07")]
PANELS, SIZE = 6, "136x196"
GUTTER, TITLE = 24, 22


def a_stride(steps):
    """The frames of a stride that begins with the left foot: two steps in a row, as near to the mean speed as there are."""
    speed = np.mean([step["speed"] for step in steps])
    strides = [(a, b) for a, b in zip(steps, steps[1:]) if a["stance"] == "left" and abs(a["end"] - b["start"]) < 3]
    if not strides:                             # a single step, and what comes before it as long again
        step = steps[0]
        return step["start"], min(2 * step["end"] - step["start"], step["clip"].n_frames)
    first, second = min(strides, key=lambda pair: abs((pair[0]["speed"] + pair[1]["speed"]) / 2 - speed))
    return first["start"], second["end"]


def strip(work, motion, frames, name):
    picture = work.work / f"{name}.png"
    at = ",".join(str(int(frame)) for frame in np.linspace(*frames, PANELS, endpoint=False))
    work.run("render", motion, "-o", picture, "--force", "--view", "side", "--at", at, "--columns", PANELS, "--size", SIZE)
    return Image.open(picture).convert("RGB")


def main():
    command, folder, output = sys.argv[1:]
    work, rows = norms.Work(command, folder), []
    for gait, name in ROWS:
        steps = norms.steady(norms.measure_steps(work.recording(name)), gait)
        speed = np.mean([step["speed"] for step in steps])
        recorded = strip(work, work.work / f"{name}.bvh", a_stride(steps), f"{name}-recorded")
        _, _, made_steps = norms.mean_made(work, gait, speed, "--on", work.work / f"{name}.bvh")
        made = strip(work, work.work / "made.bvh", a_stride(made_steps[1:]), f"{name}-made")
        rows.append((f"{gait}, {3.6 * speed:.1f} km/h", recorded, made))
        print(f"{name}: {gait}, {3.6 * speed:.1f} km/h")
    width = max(recorded.width + GUTTER + made.width for _, recorded, made in rows)
    sheet = Image.new("RGB", (width, sum(TITLE + max(a.height, b.height) for _, a, b in rows)), (251, 252, 253))
    draw, font, y = ImageDraw.Draw(sheet), ImageFont.load_default(15), 0
    for title, recorded, made in rows:
        draw.text((12, y + 3), f"recorded: {title}", fill=(40, 50, 60), font=font)
        draw.text((recorded.width + GUTTER + 12, y + 3), "made", fill=(40, 50, 60), font=font)
        sheet.paste(recorded, (0, y + TITLE))
        sheet.paste(made, (recorded.width + GUTTER, y + TITLE))
        y += TITLE + max(recorded.height, made.height)
    sheet.quantize(128, dither=Image.Dither.NONE).save(pathlib.Path(output), optimize=True)


if __name__ == "__main__":
    main()
