# Adds the foot events of a Surefoot motion to an animation in Godot 4, as a method track.
#
#   var events = preload("res://surefoot_events.gd").new()
#   events.add_events($AnimationPlayer.get_animation("walk"), "res://walk.events.json", NodePath("."))
#
# Each event calls foot_event(name, position) on the node that the path names. The file comes from
# `surefoot ... --write-events walk.events.json`.

const NAMES = ["left_down", "left_up", "right_down", "right_up"]


# The events file as a dictionary; empty, with an error printed, if it is none.
func read_events(path):
	var events = _parse(path)
	if typeof(events) != TYPE_DICTIONARY or int(events.get("events", 0)) != 1:
		printerr(path, ": no events file of version 1")
		return {}
	for marker in events["markers"]:
		if not marker["name"] in NAMES or marker["time"] < 0.0 or marker["time"] > events["duration"]:
			printerr(path, ": the marker ", marker, " is not known, or is outside the clip")
			return {}
	return events


# Adds a track to an animation, and returns how many events it has; 0 if the file is none.
func add_events(animation, path, target):
	var events = read_events(path)
	if events.size() == 0:
		return 0
	var track = animation.add_track(Animation.TYPE_METHOD)
	animation.track_set_path(track, target)
	for marker in events["markers"]:
		var place = marker["position"]
		var key = {"method": "foot_event", "args": [marker["name"], Vector3(place[0], place[1], place[2])]}
		animation.track_insert_key(track, marker["time"], key)
	return events["markers"].size()


func _parse(path):
	return JSON.parse_string(FileAccess.get_file_as_string(path))
