"""Stands in for the module of Unreal's editor, so that integrations/unreal runs without it; every call is printed.

    PYTHONPATH=tools/engines:integrations/unreal python -c 'import import_events; import_events.add_events("/Game/Walk", FILE)'
"""


class AnimSequence:
    def set_editor_property(self, name, value):
        print("property", name, value)


class AnimationLibrary:
    tracks = set()

    @classmethod
    def is_valid_anim_notify_track_name(cls, animation, track):
        return track in cls.tracks

    @classmethod
    def add_animation_notify_track(cls, animation, track):
        cls.tracks.add(track)
        print("track", track)

    @classmethod
    def remove_animation_notify_events_by_track(cls, animation, track):
        print("clear notifies", track)

    @classmethod
    def remove_animation_sync_markers_by_track(cls, animation, track):
        print("clear markers", track)

    @classmethod
    def add_animation_sync_marker(cls, animation, name, time, track):
        print("marker", name, time, track)

    @classmethod
    def add_animation_notify_event(cls, animation, track, time, notify_class):
        print("notify", notify_class, time, track)


class EditorAssetLibrary:
    @staticmethod
    def save_loaded_asset(asset):
        print("saved")


def load_asset(path):
    return AnimSequence() if path.startswith("/Game/") else None


def load_class(outer, name):
    return name if name.endswith("_C") else None
