# Prints where the bones of an imported scene are, and adds foot events to its animation, for the tests of written files.
#
#   godot3-server --path PROJECT -s godot_joints.gd
#
# The project holds walk.glb, imported, walk.events.json and surefoot_events_godot3.gd. Output: lines `bone FRAME NAME x y z` at
# the frames 0, 10 and 20 of 60 fps, `mesh NAME` for each mesh with a skin, and `events N`.
extends SceneTree


func _init():
	var scene = load("res://walk.glb").instance()
	get_root().add_child(scene)
	var player = find(scene, "AnimationPlayer")
	var skeleton = find(scene, "Skeleton")
	var name = player.get_animation_list()[0]
	var animation = player.get_animation(name)
	for frame in [0, 10, 20]:
		for bone in skeleton.get_bone_count():
			skeleton.set_bone_pose(bone, Transform())
		apply(animation, skeleton, frame / 60.0)
		for bone in skeleton.get_bone_count():
			var at = skeleton.global_transform * skeleton.get_bone_global_pose(bone).origin
			print("bone %d %s %f %f %f" % [frame, skeleton.get_bone_name(bone), at.x, at.y, at.z])
	for child in skeleton.get_children():
		if child is MeshInstance and child.skin != null:
			print("mesh ", child.name)
	var events = load("res://surefoot_events_godot3.gd").new()
	print("events ", events.add_events(animation, "res://walk.events.json", NodePath(".")))
	quit()


# Poses the skeleton by the animation's own tracks: a player needs a running tree.
func apply(animation, skeleton, time):
	for track in animation.get_track_count():
		if animation.track_get_type(track) != Animation.TYPE_TRANSFORM:
			continue
		var bone = skeleton.find_bone(animation.track_get_path(track).get_concatenated_subnames())
		if bone < 0:
			continue
		var value = animation.transform_track_interpolate(track, time)
		skeleton.set_bone_pose(bone, Transform(Basis(value[1]).scaled(value[2]), value[0]))


func find(node, kind):
	if node.get_class() == kind:
		return node
	for child in node.get_children():
		var found = find(child, kind)
		if found != null:
			return found
	return null
