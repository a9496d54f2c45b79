"""Imports motion files into Blender and prints where their joints are, in metres with Y up, as JSON.

    python tools/blender_joints.py RATE FRAME,FRAME,... FILE...

A FILE.events.json beside a FILE is added by integrations/blender; "markers" has its markers as [name, frame].
Needs the module bpy (pip install bpy). Output: {FILE: {"meshes": [names of meshes that an armature deforms],
"frames": {FRAME: {JOINT: [x, y, z]}}}}; frames count from 0. Used by the tests of written files.
"""

import json
import os
import sys

import bpy

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../integrations/blender"))
import surefoot_events  # noqa: E402


def import_file(path):
    ending = path.rsplit(".", 1)[-1].lower()
    if ending in ("glb", "gltf"):
        bpy.ops.import_scene.gltf(filepath=path, disable_bone_shape=True)
    elif ending == "fbx":
        bpy.ops.wm.fbx_import(filepath=path)
    else:
        bpy.ops.import_anim.bvh(filepath=path, global_scale=1.0, frame_start=1, use_fps_scale=False)


def joints_at(armature, frame):
    bpy.context.scene.frame_set(frame)
    graph = bpy.context.evaluated_depsgraph_get()
    evaluated = armature.evaluated_get(graph)
    places = {}
    for bone in evaluated.pose.bones:
        x, y, z = evaluated.matrix_world @ bone.head
        places[bone.name] = [x, z, -y]
    return places


def main():
    rate, frames, files = float(sys.argv[1]), [int(f) for f in sys.argv[2].split(",")], sys.argv[3:]
    report = {}
    for path in files:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        render = bpy.context.scene.render
        render.fps, render.fps_base = round(rate), round(rate) / rate
        import_file(path)
        armature = next(o for o in bpy.context.scene.objects if o.type == "ARMATURE")
        first = round(armature.animation_data.action.frame_range[0])
        meshes = [
            o.name
            for o in bpy.context.scene.objects
            if o.type == "MESH" and any(m.type == "ARMATURE" for m in o.modifiers) and len(o.vertex_groups) > 0
        ]
        events = path.rsplit(".", 1)[0] + ".events.json"
        markers = []
        if os.path.exists(events):
            surefoot_events.add_events(events, armature=armature)
            markers = [[m.name, m.frame - first] for m in bpy.context.scene.timeline_markers]
        properties = {key: armature[key] for key in armature.keys() if key.startswith("surefoot_")}
        report[path] = {"markers": markers, "properties": properties, "meshes": meshes, "frames": {f: joints_at(armature, first + f) for f in frames}}
    print("\n" + json.dumps(report))


main()
