//! The plan that all windows share.
//!
//! 1. An edit comes with the plan before and after it; it is merged into the present one, which gets a new version and goes to all windows.
//! 2. A thread of its own previews the newest version: the frames around the edit, in milliseconds.
//! 3. When no edit has come for a moment it solves the complete plan, and all windows get motion, report and verdict.
//!
//! Answers carry the version that they are of. What is of an older one when it is done is not sent.

use crate::message::{Packed, pack};
use crate::run_request::caught;
use crate::windows::Windows;
use crate::workplace::Workplace;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use surefoot::formats::own;
use surefoot::ground::Terrain;
use surefoot::jobs::{
    AnimateWith, EditorCast, EditorLibrary, EditorPrint, InputRequest, JobError, PlanEditor, TerrainRequest,
    demo_courses, demo_plans, editor_prints, merge_edit, plan_of_prints, snap_to_ground,
};
use surefoot::viewer::live_frames;

/// No edit for so long, and the complete plan is solved.
const REST: Duration = Duration::from_millis(120);

/// Who walks where.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct PlanSettings {
    /// The plan's file, where it has one.
    pub(crate) file: Option<String>,
    pub(crate) terrain: Option<String>,
    /// The character.
    pub(crate) on: Option<String>,
    pub(crate) with: AnimateWith,
}

/// What one window did.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Edit {
    pub(crate) before: Vec<EditorPrint>,
    pub(crate) after: Vec<EditorPrint>,
    /// Footprints are put on the terrain.
    #[serde(default)]
    pub(crate) snap: bool,
}

#[derive(Debug, Default)]
struct Plan {
    version: u64,
    prints: Vec<EditorPrint>,
    settings: PlanSettings,
    terrain: Option<Terrain>,
    /// Changes with terrain, character and synthesizer.
    cast_version: u64,
    next_id: u32,
    /// The last complete motion, for windows that open later.
    solved: Option<Packed>,
    refused: Option<Packed>,
    is_closing: bool,
}

/// The shared plan.
#[derive(Debug)]
pub(crate) struct PlanSession {
    plan: Mutex<Plan>,
    changed: Condvar,
    windows: Windows,
    place: Arc<Workplace>,
    library: Arc<EditorLibrary>,
}

impl PlanSession {
    /// With the plan of the built-in walk, until one is opened.
    pub(crate) fn new(windows: Windows, place: Arc<Workplace>) -> Arc<PlanSession> {
        let first = demo_plans().swap_remove(0);
        let prints = editor_prints(&first.plan, 1);
        let next_id = prints.len() as u32 + 1;
        let plan = Plan { version: 1, prints, next_id, cast_version: 1, ..Plan::default() };
        let library = Arc::new(EditorLibrary::default());
        let session =
            Arc::new(PlanSession { plan: Mutex::new(plan), changed: Condvar::new(), windows, place, library });
        let worker = session.clone();
        std::thread::spawn(move || worker.work());
        session
    }

    fn lock(&self) -> MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the thread.
    pub(crate) fn close(&self) {
        self.lock().is_closing = true;
        self.changed.notify_all();
    }

    /// What a window is told when it opens: the plan, and its motion if there is one.
    pub(crate) fn greeting(&self) -> Vec<Packed> {
        let plan = self.lock();
        std::iter::once(told(&plan, None)).chain(plan.solved.clone()).chain(plan.refused.clone()).collect()
    }

    /// Somebody looks: what was left undone is made now.
    pub(crate) fn look(&self) {
        self.changed.notify_all();
    }

    /// Merges an edit.
    pub(crate) fn edit(&self, by: (u64, u64), edit: &Edit) -> Result<(), JobError> {
        plan_of_prints(&edit.after)?;
        let mut plan = self.lock();
        let mut prints = merge_edit(&plan.prints, &edit.before, &edit.after);
        if let Some(terrain) = plan.terrain.as_ref().filter(|_| edit.snap) {
            // What the edit leaves alone keeps its height: a foot may be in the air on purpose.
            let old: HashMap<u32, &EditorPrint> = edit.before.iter().map(|print| (print.id, print)).collect();
            let is_edited = |print: &EditorPrint| old.get(&print.id).is_none_or(|old| *old != print);
            let edited: HashSet<u32> =
                edit.after.iter().filter(|print| is_edited(print)).map(|print| print.id).collect();
            for print in prints.iter_mut().filter(|print| edited.contains(&print.id)) {
                snap_to_ground(std::slice::from_mut(print), terrain);
            }
        }
        plan_of_prints(&prints)?;
        plan.prints = prints;
        self.publish(&mut plan, Some(by));
        Ok(())
    }

    /// Opens a plan: of a file, or a built-in one by its name.
    pub(crate) fn open(&self, by: (u64, u64), file: Option<&str>, demo: Option<&str>) -> Result<(), JobError> {
        let opened = match (file, demo) {
            (Some(file), _) => {
                let path = self.place.path(file)?;
                let bytes = surefoot::formats::read_bytes(&path)?;
                own::read_plan_to_repair(&bytes).map_err(|error| error.in_file(file))?
            }
            (None, Some(name)) => {
                let found = demo_plans().into_iter().chain(demo_courses()).find(|demo| demo.name == name);
                found.ok_or_else(|| JobError::new("usage", format!("there is no built-in plan \"{name}\"")))?.plan
            }
            (None, None) => return Err(JobError::new("request", "neither a file nor a built-in plan is named")),
        };
        let mut plan = self.lock();
        plan.prints = editor_prints(&opened, plan.next_id);
        plan.next_id += plan.prints.len() as u32;
        plan.settings.file = file.filter(|file| !file.starts_with("scratch:")).map(str::to_string);
        self.publish(&mut plan, Some(by));
        Ok(())
    }

    /// Changes who walks where: the settings that are named, and no others.
    pub(crate) fn set(&self, by: (u64, u64), change: &Map<String, Value>) -> Result<(), JobError> {
        let settings = changed_settings(&self.lock().settings, change)?;
        for file in [&settings.terrain, &settings.on, &settings.file].into_iter().flatten() {
            self.place.path(file)?;
        }
        let is_ground = change.contains_key("terrain");
        let terrain = match settings.terrain.as_ref().filter(|_| is_ground) {
            Some(file) => Some(TerrainRequest::File(self.place.path(file)?).load()?),
            None => None,
        };
        let mut plan = self.lock();
        // Another window may have changed others while the terrain was read.
        let settings = changed_settings(&plan.settings, change)?;
        let old = std::mem::replace(&mut plan.settings, settings);
        let is_new_ground = is_ground && plan.terrain != terrain;
        if is_ground {
            plan.terrain = terrain;
        }
        if let Some(terrain) = plan.terrain.clone().filter(|_| plan.settings.terrain != old.terrain) {
            snap_to_ground(&mut plan.prints, &terrain);
        }
        // A plan that was saved is walked as before.
        if is_new_ground || (&old.on, old.with) != (&plan.settings.on, plan.settings.with) {
            plan.cast_version += 1;
        }
        self.publish(&mut plan, Some(by));
        Ok(())
    }

    /// A new version: to all windows, and to the thread.
    fn publish(&self, plan: &mut Plan, by: Option<(u64, u64)>) {
        plan.version += 1;
        plan.refused = None;
        self.windows.send_all(&told(plan, by));
        self.changed.notify_all();
    }

    /// The plan as a file's text.
    pub(crate) fn text(&self) -> Result<String, JobError> {
        Ok(own::write_plan(&plan_of_prints(&self.lock().prints)?))
    }

    /// Previews and solves, until the studio ends.
    fn work(&self) {
        let mut editor: Option<(u64, PlanEditor)> = None;
        let mut done = 0;
        loop {
            let (version, cast_version, prints, settings) = {
                let mut plan = self.lock();
                // Nothing is made while nobody looks: the server starts at once.
                while !plan.is_closing && (plan.version == done || self.windows.len() == 0) {
                    plan = self.changed.wait(plan).unwrap_or_else(PoisonError::into_inner);
                }
                if plan.is_closing {
                    return;
                }
                (plan.version, plan.cast_version, plan.prints.clone(), plan.settings.clone())
            };
            done = version;
            let worked = caught(|| self.work_on(&mut editor, version, cast_version, &prints, &settings));
            if let Err(error) = worked {
                // An editor that failed in the middle of an edit is not trusted with the next.
                if error.kind == "internal" {
                    editor = None;
                }
                let message = pack(&json!({ "kind": "refused", "version": version, "error": error }), &[]);
                self.tell(version, &message, Kept::Refused);
            }
        }
    }

    fn work_on(
        &self,
        editor: &mut Option<(u64, PlanEditor)>,
        version: u64,
        cast_version: u64,
        prints: &[EditorPrint],
        settings: &PlanSettings,
    ) -> Result<(), JobError> {
        let begun = Instant::now();
        let plan = plan_of_prints(prints)?;
        if editor.as_ref().is_none_or(|(known, _)| *known != cast_version) {
            self.windows.send_all(&pack(&json!({ "kind": "working", "version": version, "on": "steps" }), &[]));
            let on = settings.on.as_deref().map(|file| self.place.path(file)).transpose()?.map(InputRequest::new);
            let cast = EditorCast::load(self.library.clone(), None, on.as_ref())?;
            let terrain = self.lock().terrain.clone();
            *editor = Some((cast_version, PlanEditor::new(Arc::new(cast), terrain, settings.with)));
        }
        let Some((_, editor)) = editor else { return Ok(()) };
        if let Some(preview) = editor.preview(&plan)? {
            let mut bytes = Vec::new();
            live_frames(&preview.poses, &mut bytes);
            let head = json!({
                "kind": "preview", "version": version, "first_frame": preview.first_frame, "frames": preview.poses.len(),
                "server_ms": milliseconds(begun),
            });
            self.tell(version, &pack(&head, &bytes), Kept::Not);
        }
        if self.is_stale_after(version, REST) {
            return Ok(());
        }
        self.windows.send_all(&pack(&json!({ "kind": "working", "version": version, "on": "motion" }), &[]));
        let begun = Instant::now();
        let solved = editor.solve(&plan)?;
        let head = json!({
            "kind": "solved", "version": version, "report": solved.report, "server_ms": milliseconds(begun),
            "document": RawValue::from_string(solved.page.json).map_err(|error| JobError::new("report", error.to_string()))?,
        });
        self.tell(version, &pack(&head, &solved.page.bytes), Kept::Solved);
        Ok(())
    }

    /// Waits, and returns whether another edit came.
    fn is_stale_after(&self, version: u64, rest: Duration) -> bool {
        let plan = self.lock();
        let is_current = |plan: &mut Plan| plan.version == version && !plan.is_closing;
        let waited = self.changed.wait_timeout_while(plan, rest, is_current);
        let (plan, _) = waited.unwrap_or_else(PoisonError::into_inner);
        plan.version != version
    }

    /// To all windows, unless a newer version has come.
    fn tell(&self, version: u64, message: &Packed, kept: Kept) {
        let mut plan = self.lock();
        if plan.version != version {
            return;
        }
        match kept {
            Kept::Not => {}
            Kept::Solved => (plan.solved, plan.refused) = (Some(message.clone()), None),
            Kept::Refused => plan.refused = Some(message.clone()),
        }
        self.windows.send_all(message);
    }
}

/// Settings with those that a request names.
fn changed_settings(settings: &PlanSettings, change: &Map<String, Value>) -> Result<PlanSettings, JobError> {
    let failed = |error: serde_json::Error| JobError::new("request", error.to_string());
    let mut all = serde_json::to_value(settings).map_err(failed)?;
    for (name, value) in change {
        all[name] = value.clone();
    }
    serde_json::from_value(all).map_err(failed)
}

/// As what a message is kept for windows that open later.
#[derive(Clone, Copy)]
enum Kept {
    Not,
    Solved,
    Refused,
}

fn milliseconds(since: Instant) -> f64 {
    (since.elapsed().as_secs_f64() * 1e5).round() / 100.0
}

/// The plan as windows are told of it, and who changed it with which request.
fn told(plan: &Plan, by: Option<(u64, u64)>) -> Packed {
    let by = by.map_or(Value::Null, |(window, n)| json!({ "window": window, "n": n }));
    let head = json!({
        "kind": "plan", "version": plan.version, "by": by, "footprints": plan.prints, "settings": plan.settings,
    });
    pack(&head, &[])
}
