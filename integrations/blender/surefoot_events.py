"""Reads Surefoot's foot events into Blender: a marker on the timeline for each, and the rest as custom properties of the armature.

In Blender, with the imported armature active, in the text editor or the console:

    import surefoot_events
    surefoot_events.add_events("walk.events.json")

Set the scene's frame rate to that of the motion before importing it, so that frames are frames.
"""

import json

import bpy


def add_events(path, scene=None, armature=None, first_frame=None):
    """Adds markers such as `left_down` where feet come down and go up; returns how many. Markers of an earlier call go."""
    with open(path, encoding="utf-8") as file:
        events = json.load(file)
    if events.get("events") != 1:
        raise ValueError(f"{path}: no events file of version 1")
    scene = scene or bpy.context.scene
    armature = armature or bpy.context.view_layer.objects.active
    if armature is None or armature.type != "ARMATURE":
        armature = next((o for o in scene.objects if o.type == "ARMATURE"), None)
    rate = scene.render.fps / scene.render.fps_base
    if first_frame is None:
        action = armature.animation_data.action if armature and armature.animation_data else None
        first_frame = action.frame_range[0] if action else scene.frame_start
    names = {"left_down", "left_up", "right_down", "right_up"}
    for marker in [m for m in scene.timeline_markers if m.name in names]:
        scene.timeline_markers.remove(marker)
    for event in events["markers"]:
        scene.timeline_markers.new(event["name"], frame=round(first_frame + event["time"] * rate))
    if armature is not None:
        for key in ("clip", "frame_rate", "duration", "loop", "root_motion", "speed"):
            if key in events:
                armature[f"surefoot_{key}"] = events[key]
        armature["surefoot_stances"] = json.dumps(events["stances"])
    return len(events["markers"])
