// Adds the foot events of a Surefoot motion to an animation clip in Unity.
//
// Put this file into a folder called Editor. Select an imported clip, then Tools > Surefoot > Add foot events, and choose
// the file that `surefoot ... --write-events walk.events.json` wrote. Each event calls a method of that name
// (left_down, left_up, right_down, right_up) on the animated object, with the planted position as its string.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
#if UNITY_EDITOR
using UnityEditor;
using UnityEngine;
#endif

namespace Surefoot
{
    [Serializable]
    public class FootEvent
    {
        public string name;
        public string foot;
        public string kind;
        public float time;
        public int frame;
        public float[] position;

        /// <summary>The planted position as text: x y z in metres, right-handed with Y up, as in the file.</summary>
        public string Place()
        {
            return string.Join(" ", Array.ConvertAll(position, part => part.ToString(CultureInfo.InvariantCulture)));
        }
    }

    [Serializable]
    public class EventsFile
    {
        public int events;
        public string clip;
        public float frame_rate;
        public int frames;
        public float duration;
        public bool loop;
        public string root_motion;
        public float speed;
        public FootEvent[] markers;

        /// <summary>Refuses what is no events file of version 1, by name.</summary>
        public EventsFile Checked(string path)
        {
            if (events != 1 || markers == null)
                throw new InvalidDataException(path + ": no events file of version 1");
            var known = new HashSet<string> { "left_down", "left_up", "right_down", "right_up" };
            foreach (var marker in markers)
                if (!known.Contains(marker.name) || marker.time < 0 || marker.time > duration + 1e-4f)
                    throw new InvalidDataException(path + ": the marker " + marker.name + " is not known, or is outside the clip");
            return this;
        }
    }

#if UNITY_EDITOR
    public static class SurefootEvents
    {
        [MenuItem("Tools/Surefoot/Add foot events")]
        public static void AddToSelection()
        {
            var clip = Selection.activeObject as AnimationClip;
            if (clip == null)
            {
                EditorUtility.DisplayDialog("Surefoot", "Select an animation clip first.", "Close");
                return;
            }
            var path = EditorUtility.OpenFilePanel("Foot events", "", "json");
            if (path.Length > 0)
                Add(clip, path);
        }

        /// <summary>Replaces the events of a clip by those of a file. Clips inside a model (FBX) are imported again with them; the clip of a
        /// glTF belongs to its importer and has to be duplicated first.</summary>
        public static void Add(AnimationClip clip, string path)
        {
            var file = JsonUtility.FromJson<EventsFile>(File.ReadAllText(path)).Checked(path);
            var importer = AssetImporter.GetAtPath(AssetDatabase.GetAssetPath(clip)) as ModelImporter;
            if (importer != null)
            {
                AddToModel(importer, clip, file);
                return;
            }
            AnimationUtility.SetAnimationEvents(clip, Events(file, 1f));
            var settings = AnimationUtility.GetAnimationClipSettings(clip);
            settings.loopTime = file.loop;
            AnimationUtility.SetAnimationClipSettings(clip, settings);
            EditorUtility.SetDirty(clip);
        }

        static void AddToModel(ModelImporter importer, AnimationClip clip, EventsFile file)
        {
            var clips = importer.clipAnimations.Length > 0 ? importer.clipAnimations : importer.defaultClipAnimations;
            var found = false;
            foreach (var imported in clips)
            {
                if (imported.name != clip.name)
                    continue;
                // The importer counts time from 0 to 1.
                imported.events = Events(file, file.duration);
                imported.loopTime = file.loop;
                found = true;
            }
            if (!found)
                throw new InvalidDataException(importer.assetPath + " has no clip " + clip.name);
            importer.clipAnimations = clips;
            importer.SaveAndReimport();
        }

        static AnimationEvent[] Events(EventsFile file, float unit)
        {
            return Array.ConvertAll(file.markers, marker => new AnimationEvent
            {
                functionName = marker.name,
                time = unit > 0f ? marker.time / unit : 0f,
                stringParameter = marker.Place(),
                messageOptions = SendMessageOptions.DontRequireReceiver,
            });
        }
    }
#endif
}
