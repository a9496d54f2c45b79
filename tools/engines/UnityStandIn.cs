// Stands in for the parts of Unity's editor that integrations/unity uses, so that the script runs without it, and prints what it
// did. Used by the tests of written files: mcs -d:UNITY_EDITOR -r:System.Web.Extensions.dll UnityStandIn.cs SurefootEvents.cs; mono UnityStandIn.exe FILE.
using System;

namespace UnityEngine
{
    public class Object { public string name = ""; }
    public enum SendMessageOptions { RequireReceiver, DontRequireReceiver }
    public class AnimationEvent
    {
        public string functionName, stringParameter;
        public float time;
        public SendMessageOptions messageOptions;
    }
    public class AnimationClip : Object { public AnimationEvent[] events; public UnityEditor.AnimationClipSettings settings = new UnityEditor.AnimationClipSettings(); }
    public static class JsonUtility
    {
        public static T FromJson<T>(string text)
        {
            return new System.Web.Script.Serialization.JavaScriptSerializer().Deserialize<T>(text);
        }
    }
}

namespace UnityEditor
{
    using UnityEngine;

    [AttributeUsage(AttributeTargets.Method)]
    public class MenuItem : Attribute { public MenuItem(string path) { } }
    public static class Selection { public static UnityEngine.Object activeObject; }
    public static class EditorUtility
    {
        public static bool DisplayDialog(string title, string text, string button) { return true; }
        public static string OpenFilePanel(string title, string folder, string ending) { return ""; }
        public static void SetDirty(UnityEngine.Object changed) { Console.WriteLine("dirty " + changed.name); }
    }
    public class AnimationClipSettings { public bool loopTime; }
    public static class AnimationUtility
    {
        public static void SetAnimationEvents(AnimationClip clip, AnimationEvent[] events) { clip.events = events; }
        public static AnimationClipSettings GetAnimationClipSettings(AnimationClip clip) { return clip.settings; }
        public static void SetAnimationClipSettings(AnimationClip clip, AnimationClipSettings settings) { clip.settings = settings; }
    }
    public static class AssetDatabase { public static string GetAssetPath(UnityEngine.Object asset) { return "Assets/" + asset.name; } }
    public class AssetImporter : UnityEngine.Object
    {
        public static AssetImporter ofClip;
        public string assetPath = "";
        public static AssetImporter GetAtPath(string path) { return ofClip; }
        public void SaveAndReimport() { Console.WriteLine("imported again"); }
    }
    public class ModelImporterClipAnimation { public string name; public AnimationEvent[] events; public bool loopTime; }
    public class ModelImporter : AssetImporter
    {
        public ModelImporterClipAnimation[] clipAnimations = new ModelImporterClipAnimation[0];
        public ModelImporterClipAnimation[] defaultClipAnimations = { new ModelImporterClipAnimation { name = "walk" } };
    }
}

public static class StandIn
{
    static void Print(string of, UnityEngine.AnimationEvent[] events, bool loop)
    {
        Console.WriteLine(of + " loop " + loop);
        foreach (var one in events)
            Console.WriteLine(FormattableString.Invariant($"{of} {one.functionName} {one.time:R} {one.stringParameter}"));
    }

    public static void Main(string[] files)
    {
        var clip = new UnityEngine.AnimationClip { name = "walk" };
        Surefoot.SurefootEvents.Add(clip, files[0]);
        Print("clip", clip.events, clip.settings.loopTime);
        var importer = new UnityEditor.ModelImporter();
        UnityEditor.AssetImporter.ofClip = importer;
        Surefoot.SurefootEvents.Add(clip, files[0]);
        Print("model", importer.clipAnimations[0].events, importer.clipAnimations[0].loopTime);
    }
}
