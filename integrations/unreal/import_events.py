"""Adds the foot events of a Surefoot motion to an animation in Unreal, as sync markers and, if asked, notifies.

In the editor (Python Editor Script Plugin), with the FBX or glTF imported as /Game/Walk:

    import import_events
    import_events.add_events("/Game/Walk.Walk", "C:/motions/walk.events.json")

`notify` names the class of a notify of your own, for example a Blueprint that plays a footstep; one is put where a foot
comes down:

    import_events.add_events("/Game/Walk.Walk", "C:/motions/walk.events.json", notify="/Game/Footstep.Footstep_C")

The events file comes from `surefoot ... --write-events walk.events.json`. Without the editor, the file can be checked:

    python import_events.py walk.events.json
"""

import json
import sys

TRACK = "Surefoot"
NAMES = ("left_down", "left_up", "right_down", "right_up")


def read_events(path):
    """The events file, checked: a dictionary with `markers`, `stances`, `duration`, `loop` and, if known, `speed`."""
    with open(path, encoding="utf-8") as file:
        events = json.load(file)
    if not isinstance(events, dict) or events.get("events") != 1:
        raise ValueError(f"{path}: no events file of version 1")
    for marker in events["markers"]:
        if marker["name"] not in NAMES or not 0.0 <= marker["time"] <= events["duration"]:
            raise ValueError(f"{path}: the marker {marker} is none that is known, or is outside the clip")
    return events


def add_events(asset_path, events_path, notify=None):
    """Replaces the track `Surefoot` of an animation by the events of a file; returns how many there are."""
    import unreal

    events = read_events(events_path)
    animation = unreal.load_asset(asset_path)
    if not isinstance(animation, unreal.AnimSequence):
        raise ValueError(f"{asset_path} is no animation sequence")
    notify_class = None if notify is None else unreal.load_class(None, notify)
    if notify is not None and notify_class is None:
        raise ValueError(f"{notify} is no class of notifies")
    library = unreal.AnimationLibrary
    if library.is_valid_anim_notify_track_name(animation, TRACK):
        library.remove_animation_notify_events_by_track(animation, TRACK)
        library.remove_animation_sync_markers_by_track(animation, TRACK)
    else:
        library.add_animation_notify_track(animation, TRACK)
    for marker in events["markers"]:
        library.add_animation_sync_marker(animation, marker["name"], marker["time"], TRACK)
        if notify_class is not None and marker["kind"] == "down":
            library.add_animation_notify_event(animation, TRACK, marker["time"], notify_class)
    animation.set_editor_property("enable_root_motion", events.get("root_motion") == "ground")
    unreal.EditorAssetLibrary.save_loaded_asset(animation)
    return len(events["markers"])


if __name__ == "__main__":
    for path in sys.argv[1:]:
        found = read_events(path)
        print(f"{path}: {len(found['markers'])} markers in {found['duration']:.3f} s, loop {found['loop']}")
