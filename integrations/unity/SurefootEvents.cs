// Adds the foot events of a Surefoot motion to an animation clip in Unity.
//
// Put this file into a folder called Editor. Select an imported clip, then Tools > Surefoot > Add foot events, and choose
// the file that `surefoot ... --write-events walk.events.json` wrote. Each event calls a method of that name
// (left_down, left_up, right_down, right_up) on the animated object, with the planted position as its string.
using System;
using System.Collections.Generic;
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

        public static void Add(AnimationClip clip, string path)
        {
            var file = JsonUtility.FromJson<EventsFile>(File.ReadAllText(path)).Checked(path);
            var events = new List<AnimationEvent>();
            foreach (var marker in file.markers)
            {
                events.Add(new AnimationEvent
                {
                    functionName = marker.name,
                    time = marker.time,
                    stringParameter = string.Join(" ", marker.position),
                    messageOptions = SendMessageOptions.DontRequireReceiver,
                });
            }
            AnimationUtility.SetAnimationEvents(clip, events.ToArray());
            var settings = AnimationUtility.GetAnimationClipSettings(clip);
            settings.loopTime = file.loop;
            AnimationUtility.SetAnimationClipSettings(clip, settings);
            EditorUtility.SetDirty(clip);
        }
    }
#endif
}
