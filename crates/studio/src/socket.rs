//! One window: requests with numbers in, answers out.
//!
//! ```text
//! {"n": 7, "do": "edit", "edit": {"before": [..], "after": [..], "snap": true}}
//! {"n": 8, "do": "open", "file": "walk.plan.json"} or {"do": "open", "demo": "stones"}
//! {"n": 9, "do": "set", "settings": {"terrain": "stairs.terrain.json"}}  those that change, of terrain, on, with and file
//! {"n": 10, "do": "job", "job": "clean", "request": {..}, "show": {..}, "live": "cleanup"}
//! {"n": 11, "do": "cancel", "of": 10}
//! {"n": 12, "do": "save_text", "file": "walk.plan.json", "text": "..", "replace": true}
//! {"n": 13, "do": "files"}
//! {"n": 14, "do": "autosave", "state": {..}}
//! {"n": 15, "do": "begin"}   the first window that asks gets the files of the command line
//! {"n": 16, "do": "forget", "file": "scratch:export-1-0.take"}
//! {"n": 17, "do": "stream", "show": {..}, "people": 200, "rate": 30, "from": 0.0}   frames until it is cancelled, or another is begun
//! ```
//!
//! Answers are `plan`, `preview`, `solved`, `refused`, `working` to all windows, and `result`, `progress`, `done`, `error`, `stale` to the
//! one that asked; of a stream a `result` that shows everybody, then `frames`. Of jobs with one `live` name the newest counts: those before it are cancelled, and answered with `stale`.

use crate::message::pack;
use crate::plan_session::Edit;
use crate::run_request::run_request;
use crate::server::Shared;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use surefoot::jobs::{CancelFlag, IfExists, JobContext, JobError, Outputs};

#[derive(Debug, Deserialize)]
struct Request {
    n: u64,
    #[serde(flatten)]
    action: Action,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
enum Action {
    Edit {
        edit: Edit,
    },
    Open {
        file: Option<String>,
        demo: Option<String>,
    },
    Set {
        settings: Map<String, Value>,
    },
    Job {
        job: Option<String>,
        request: Option<Value>,
        show: Option<Value>,
        live: Option<String>,
    },
    Cancel {
        of: u64,
    },
    SaveText {
        file: String,
        text: Option<String>,
        #[serde(default)]
        replace: bool,
    },
    Files,
    Autosave {
        state: Value,
    },
    Begin,
    Forget {
        file: String,
    },
    Stream {
        show: Value,
        people: Option<usize>,
        rate: Option<f64>,
        #[serde(default)]
        from: f64,
    },
}

/// Jobs by the numbers of their requests: how to cancel each, and its live name.
type Jobs = HashMap<u64, (CancelFlag, Option<String>)>;

/// Jobs of a window that were not answered yet.
#[derive(Clone, Debug, Default)]
struct Running {
    jobs: Arc<Mutex<Jobs>>,
}

impl Running {
    fn with<T>(&self, act: impl FnOnce(&mut Jobs) -> T) -> T {
        act(&mut self.jobs.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A job that begins; those before it of its live name are cancelled.
    fn begin(&self, n: u64, live: Option<String>) -> CancelFlag {
        self.with(|jobs| {
            for (flag, name) in jobs.values() {
                if live.is_some() && *name == live {
                    flag.cancel();
                }
            }
            let flag = CancelFlag::default();
            jobs.insert(n, (flag.clone(), live));
            flag
        })
    }
}

/// Serves a window until it is closed or the studio ends.
pub(crate) async fn serve_window(mut socket: WebSocket, shared: Arc<Shared>) {
    let Some((window, mut outgoing)) = shared.windows.add() else {
        let reason = "too many windows are open".into();
        let _ = socket.send(Message::Close(Some(CloseFrame { code: close_code::AGAIN, reason }))).await;
        return;
    };
    shared.windows.send(window, pack(&shared.hello(window), &[]));
    for message in shared.session.greeting() {
        shared.windows.send(window, message);
    }
    shared.session.look();
    let running = Running::default();
    let mut closing = shared.closing.subscribe();
    loop {
        tokio::select! {
            message = outgoing.recv() => match message {
                Some(message) => if socket.send(Message::Binary(message)).await.is_err() { break },
                None => break,
            },
            _ = closing.changed() => {
                let reason = "the studio was ended".into();
                let _ = socket.send(Message::Close(Some(CloseFrame { code: close_code::AWAY, reason }))).await;
                break;
            }
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => receive(&shared, window, &running, text.as_str()),
                Some(Ok(Message::Close(_)) | Err(_)) | None => break,
                Some(Ok(_)) => {}
            },
        }
    }
    running.with(|jobs| jobs.values().for_each(|(flag, _)| flag.cancel()));
    shared.windows.remove(window);
}

fn receive(shared: &Arc<Shared>, window: u64, running: &Running, text: &str) {
    let Request { n, action } = match serde_json::from_str(text) {
        Ok(request) => request,
        Err(error) => {
            let n = serde_json::from_str::<Value>(text).ok().and_then(|request| request.get("n").cloned());
            let error = JobError::new("request", error.to_string());
            return shared.windows.send(window, pack(&json!({ "kind": "error", "n": n, "error": error }), &[]));
        }
    };
    let by = (window, n);
    let done = match action {
        Action::Edit { edit } => shared.session.edit(by, &edit),
        Action::Cancel { of } => {
            running.with(|jobs| jobs.get(&of).into_iter().for_each(|(flag, _)| flag.cancel()));
            Ok(())
        }
        Action::Autosave { state } => {
            shared.autosave(state);
            Ok(())
        }
        Action::Begin => {
            let message = pack(&json!({ "kind": "result", "n": n, "files": shared.begin() }), &[]);
            return shared.windows.send(window, message);
        }
        // What reads and writes files, or takes its time, has a thread of its own. Jobs alone wait until others are done.
        action => {
            let flag = running.begin(
                n,
                match &action {
                    Action::Job { live, .. } => live.clone(),
                    Action::Stream { .. } => Some(STREAM.to_string()),
                    _ => None,
                },
            );
            let (shared, running) = (shared.clone(), running.clone());
            tokio::spawn(async move {
                let permit = match &action {
                    Action::Job { .. } => shared.workers.clone().acquire_owned().await.ok(),
                    _ => None,
                };
                let (work, cancel) = (shared.clone(), flag.clone());
                let done = tokio::task::spawn_blocking(move || {
                    let _permit = permit;
                    slow_action(&work, by, action, &cancel)
                });
                running.with(|jobs| jobs.remove(&n));
                if let Err(error) = done.await {
                    let error = JobError::new("internal", error.to_string());
                    shared.windows.send(window, pack(&json!({ "kind": "error", "n": n, "error": error }), &[]));
                }
            });
            return;
        }
    };
    shared.windows.send(window, answered(n, done));
}

fn answered(n: u64, done: Result<(), JobError>) -> crate::message::Packed {
    match done {
        Ok(()) => pack(&json!({ "kind": "done", "n": n }), &[]),
        Err(error) => pack(&json!({ "kind": "error", "n": n, "error": error }), &[]),
    }
}

fn slow_action(shared: &Shared, by: (u64, u64), action: Action, cancel: &CancelFlag) {
    let (window, n) = by;
    let message = match action {
        Action::Open { file, demo } => {
            answered(n, crate::run_request::caught(|| shared.session.open(by, file.as_deref(), demo.as_deref())))
        }
        Action::Set { settings } => answered(n, crate::run_request::caught(|| shared.session.set(by, &settings))),
        Action::SaveText { file, text, replace } => answered(n, save_text(shared, &file, text, replace)),
        Action::Forget { file } => answered(n, shared.place.forget(&file)),
        Action::Files => pack(&json!({ "kind": "result", "n": n, "files": shared.place.files() }), &[]),
        Action::Job { job, request, show, .. } => {
            if cancel.is_cancelled() {
                return shared.windows.send(window, pack(&json!({ "kind": "stale", "n": n }), &[]));
            }
            let windows = shared.windows.clone();
            let context = JobContext::silent().with_cancel(cancel.clone()).with_progress(move |progress| {
                let (done, total, item) = (progress.done, progress.total, &progress.item);
                let head = json!({ "kind": "progress", "n": n, "done": done, "total": total, "item": item });
                windows.send(window, pack(&head, &[]));
            });
            run_and_pack(shared, n, job.as_deref(), request.unwrap_or_default(), show, &context)
        }
        Action::Stream { show, people, rate, from } => {
            let Err(error) = stream(shared, by, show, people, (rate.unwrap_or(STREAM_RATE), from), cancel) else {
                return;
            };
            answered(n, Err(error))
        }
        Action::Edit { .. } | Action::Cancel { .. } | Action::Autosave { .. } | Action::Begin => return,
    };
    shared.windows.send(window, message);
}

/// The live name of streams: a window has one.
const STREAM: &str = "stream";
/// Frames a second of a stream, without another rate.
const STREAM_RATE: f64 = 30.0;
/// Most of them.
const MOST_STREAM_RATE: f64 = 120.0;

/// Sends frames of motions as they play, until the stream is cancelled or the window gone.
fn stream(
    shared: &Shared,
    (window, n): (u64, u64),
    mut show: Value,
    people: Option<usize>,
    (rate, from): (f64, f64),
    cancel: &CancelFlag,
) -> Result<(), JobError> {
    if !(1.0..=MOST_STREAM_RATE).contains(&rate) || !from.is_finite() {
        let message = format!("a stream has 1 to {MOST_STREAM_RATE} frames a second, from a finite time on");
        return Err(JobError::new("usage", message).at_field("rate"));
    }
    shared.place.confine(&mut show)?;
    let stream = crate::run_request::caught(|| crate::run_request::open_stream(show, people))?;
    let document = serde_json::value::RawValue::from_string(stream.page.json.clone()).ok();
    let head = json!({ "kind": "result", "n": n, "document": document });
    shared.windows.send(window, pack(&head, &stream.page.bytes));
    let begun = Instant::now();
    for index in 0u64.. {
        if cancel.is_cancelled() || *shared.closing.borrow() {
            break;
        }
        let due = index as f64 / rate;
        let mut bytes = Vec::new();
        stream.frame(from + due, &mut bytes);
        let head = json!({ "kind": "frames", "of": n, "seconds": from + due });
        if !shared.windows.send_if_free(window, pack(&head, &bytes)) {
            break;
        }
        let next = Duration::from_secs_f64((index + 1) as f64 / rate);
        std::thread::sleep(next.saturating_sub(begun.elapsed()));
    }
    Ok(())
}

/// Runs a job with the plan of the windows where it is named, and packs its answer.
pub(crate) fn run_and_pack(
    shared: &Shared,
    n: u64,
    job: Option<&str>,
    mut request: Value,
    mut show: Option<Value>,
    context: &JobContext,
) -> crate::message::Packed {
    let current = CurrentPlan::new(shared);
    let named = current.name(&mut request).and_then(|()| show.as_mut().map_or(Ok(()), |show| current.name(show)));
    let answer = named.and_then(|()| run_request(&shared.place, job.map(|name| (name, request)), show, context));
    match answer {
        Ok(answer) => {
            let page = answer.page.unwrap_or_default();
            let document = serde_json::value::RawValue::from_string(page.json).ok();
            let head = json!({
                "kind": "result", "n": n, "envelope": answer.envelope, "not_met": answer.not_met, "document": document,
            });
            pack(&head, &page.bytes)
        }
        Err(error) if error.kind == "cancelled" => pack(&json!({ "kind": "stale", "n": n }), &[]),
        Err(error) => {
            // Errors name files as the page does.
            let text = serde_json::to_string(&error).unwrap_or_default();
            let error: Value = serde_json::from_str(&current.unname(&shared.place.unname(&text))).unwrap_or_default();
            pack(&json!({ "kind": "error", "n": n, "error": error }), &[])
        }
    }
}

/// The name by which requests call the plan that the windows share.
const CURRENT: &str = "plan:current";

/// The plan as it is now in a file of one request: others write their own meanwhile. It goes with the request.
struct CurrentPlan<'a> {
    shared: &'a Shared,
    name: String,
}

impl CurrentPlan<'_> {
    fn new(shared: &Shared) -> CurrentPlan<'_> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        CurrentPlan { shared, name: format!("current-{}.plan.json", NEXT.fetch_add(1, Ordering::Relaxed)) }
    }

    /// Puts the plan where a request names it.
    fn name(&self, request: &mut Value) -> Result<(), JobError> {
        if replace(request, &format!("scratch:{}", self.name)) {
            let text = self.shared.session.text()?;
            std::fs::write(self.shared.place.scratch_file(&self.name), text)
                .map_err(|error| JobError::of_file("io", CURRENT, error.to_string()))?;
        }
        Ok(())
    }

    /// A text of an answer with the name that requests have.
    fn unname(&self, text: &str) -> String {
        text.replace(&format!("scratch:{}", self.name), CURRENT)
    }
}

impl Drop for CurrentPlan<'_> {
    fn drop(&mut self) {
        // Of a request that names no plan there is none.
        let _ = std::fs::remove_file(self.shared.place.scratch_file(&self.name));
    }
}

/// Replaces the name of the plan in a request, and returns whether it was there.
fn replace(value: &mut Value, by: &str) -> bool {
    match value {
        Value::String(text) if text == CURRENT => {
            *text = by.to_string();
            true
        }
        Value::Array(items) => items.iter_mut().fold(false, |found, item| replace(item, by) | found),
        Value::Object(fields) => fields.values_mut().fold(false, |found, value| replace(value, by) | found),
        _ => false,
    }
}

/// Largest text that is saved at once.
const MOST_TEXT: usize = 4_000_000;

/// Writes a text of the page, or the plan where it sends none, into the folder.
fn save_text(shared: &Shared, file: &str, text: Option<String>, replace: bool) -> Result<(), JobError> {
    let path = shared.place.path(file)?;
    let text = text.map_or_else(|| shared.session.text(), Ok)?;
    if text.len() > MOST_TEXT {
        return Err(JobError::of_file("too_long", file, format!("{} bytes, more than {MOST_TEXT}", text.len())));
    }
    let if_exists = if replace || file.starts_with("scratch:") { IfExists::Replace } else { IfExists::Refuse };
    let mut outputs = Outputs::check([path.as_path()], if_exists)?;
    outputs.add("text", &path, text.into_bytes());
    outputs.write()
}
