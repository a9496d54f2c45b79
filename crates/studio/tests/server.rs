//! A studio as its page and as strangers meet it.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use surefoot_studio::{Studio, StudioOptions};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};

/// A studio that runs until it is ended, in a folder that goes with it.
struct Running {
    folder: TempDir,
    url: String,
    end: oneshot::Sender<()>,
    served: JoinHandle<()>,
}

async fn start(folder: TempDir) -> Running {
    start_with(folder, Vec::new()).await
}

async fn start_with(folder: TempDir, files: Vec<PathBuf>) -> Running {
    let options = StudioOptions {
        files,
        folder: Some(folder.path().join("work")),
        state_folder: Some(folder.path().join("state")),
        ..StudioOptions::default()
    };
    std::fs::create_dir_all(folder.path().join("work")).expect("a folder");
    let studio = Studio::start(&options).await.expect("a free port");
    let url = studio.url().to_string();
    let (end, ended) = oneshot::channel::<()>();
    let served = tokio::spawn(async move {
        let until = async { drop(ended.await) };
        studio.serve(until).await.expect("it serves");
    });
    Running { folder, url, end, served }
}

impl Running {
    /// `127.0.0.1:PORT` and the path with the token.
    fn address(&self) -> (String, String) {
        let rest = self.url.strip_prefix("http://").expect("http");
        let (host, path) = rest.split_once('/').expect("a path");
        (host.to_string(), format!("/{path}"))
    }

    async fn window(&self) -> Window {
        let (host, path) = self.address();
        let stream = TcpStream::connect(&host).await.expect("it listens");
        let (socket, _) = client_async(format!("ws://{host}{path}socket"), stream).await.expect("a socket");
        Window { socket, n: 0 }
    }

    /// The first line and the body of an answer to a request as it is written here.
    async fn raw(&self, head: &str, body: &str) -> (String, String) {
        let (host, path) = self.address();
        let mut stream = TcpStream::connect(&host).await.expect("it listens");
        let text = head.replace("{host}", &host).replace("{path}", &path).replace('\n', "\r\n");
        stream.write_all(format!("{text}\r\n\r\n{body}").as_bytes()).await.expect("it reads");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.expect("it answers");
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        (head.lines().next().expect("a line").to_string(), body.to_string())
    }

    async fn end(self) -> TempDir {
        self.end.send(()).expect("it runs");
        self.served.await.expect("it ends");
        self.folder
    }
}

struct Window {
    socket: WebSocketStream<TcpStream>,
    n: u64,
}

impl Window {
    async fn ask(&mut self, mut request: Value) -> u64 {
        self.n += 1;
        request["n"] = self.n.into();
        self.socket.send(Message::text(request.to_string())).await.expect("it is sent");
        self.n
    }

    /// The next message that is asked for, whatever comes before it.
    async fn wait(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.socket.next().await.expect("the line stays").expect("a message");
            let Message::Binary(bytes) = message else { continue };
            let length = u32::from_le_bytes(bytes[..4].try_into().expect("four")) as usize;
            let head: Value = serde_json::from_slice(&bytes[4..4 + length]).expect("JSON");
            if is_it(&head) {
                return head;
            }
        }
    }

    /// The answer to a request.
    async fn answer(&mut self, request: Value) -> Value {
        let n = self.ask(request).await;
        self.wait(|head| head["n"] == n && head["kind"] != "progress").await
    }

    async fn kind(&mut self, kind: &str) -> Value {
        self.wait(|head| head["kind"] == kind).await
    }
}

fn moved(prints: &Value, index: usize, by: f64) -> Value {
    let mut prints = prints.clone();
    prints[index]["position"][0] = (prints[index]["position"][0].as_f64().expect("a number") + by).into();
    prints
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

#[tokio::test]
async fn edits_of_two_windows_both_stay_and_the_person_steps_there() {
    let studio = start(folder()).await;
    let (mut one, mut two) = (studio.window().await, studio.window().await);
    let plan = one.kind("plan").await;
    let start = &plan["footprints"];
    two.kind("plan").await;
    let edit = |index, by| json!({ "do": "edit", "edit": { "before": start, "after": moved(start, index, by) } });
    one.ask(edit(6, 0.05)).await;
    two.ask(edit(9, 0.04)).await;
    for window in [&mut one, &mut two] {
        let last = window.wait(|head| head["kind"] == "plan" && head["version"] == 3).await;
        assert_eq!(last["footprints"], moved(&moved(start, 6, 0.05), 9, 0.04));
        let solved = window.wait(|head| head["kind"] == "solved" && head["version"] == 3).await;
        let planted = &solved["report"]["each"][6]["placement"]["middle_60_mm"];
        assert!(planted.as_f64().expect("a number") < 0.1, "{planted}");
    }
    // A drag shows frames before the complete walk is there, and nonsense names its footprint.
    let now = moved(&moved(start, 6, 0.05), 9, 0.04);
    one.ask(json!({ "do": "edit", "edit": { "before": now, "after": moved(&now, 8, 0.02) } })).await;
    let preview = two.wait(|head| head["kind"] == "preview" || head["kind"] == "solved").await;
    assert_eq!(preview["kind"], "preview");
    assert!(preview["first_frame"].as_u64() > Some(60) && preview["frames"].as_u64() > Some(30), "{preview}");
    let now = moved(&now, 8, 0.02);
    two.ask(json!({ "do": "edit", "edit": { "before": now, "after": moved(&now, 8, 40.0) } })).await;
    assert_eq!(one.kind("refused").await["error"]["footprint"], 8);
    studio.end().await;
}

#[tokio::test]
async fn strangers_are_refused() {
    let studio = start(folder()).await;
    let status = async |head: &str| studio.raw(head, "").await.0;
    let close = "Connection: close";
    assert!(status(&format!("GET {{path}} HTTP/1.1\nHost: {{host}}\n{close}")).await.contains(" 200 "));
    for hostile in [
        "GET {path} HTTP/1.1\nHost: evil.example",
        "GET {path} HTTP/1.1\nHost: {host}.evil.example",
        "GET {path} HTTP/1.1\nHost: {host}\nOrigin: http://evil.example",
        "GET {path} HTTP/1.1\nHost: {host}\nOrigin: null",
        "GET {path}web/studio/app.js HTTP/1.1\nHost: {host}\nSec-Fetch-Site: cross-site",
        "GET / HTTP/1.1\nHost: {host}",
        "GET /00000000000000000000000000000000/ HTTP/1.1\nHost: {host}",
        "GET {path}socket HTTP/1.1\nHost: {host}\nOrigin: http://evil.example\nUpgrade: websocket",
        "GET {path}download/%2e%2e%2fsecret HTTP/1.1\nHost: {host}",
        "GET {path}download/%2fetc%2fpasswd HTTP/1.1\nHost: {host}",
    ] {
        let line = status(&format!("{hostile}\n{close}")).await;
        assert!(line.contains(" 403 "), "{hostile}: {line}");
    }
    let huge = format!("POST {{path}}upload/big.bvh HTTP/1.1\nHost: {{host}}\nContent-Length: 2000000000\n{close}");
    assert!(status(&huge).await.contains(" 413 "));
    studio.end().await;
}

#[tokio::test]
async fn nothing_is_read_or_written_outside_of_the_folder() {
    let studio = start(folder()).await;
    std::fs::write(studio.folder.path().join("secret.json"), "{}").expect("a file");
    let mut window = studio.window().await;
    for request in [
        json!({ "do": "open", "file": "../secret.json" }),
        json!({ "do": "save_text", "file": "../mine.json", "text": "x", "replace": true }),
        json!({ "do": "set", "settings": { "terrain": "/etc/passwd" } }),
        json!({ "do": "job", "job": "info", "request": { "inputs": [{ "file": "../secret.json" }] } }),
        json!({ "do": "job", "job": "animate", "request": { "plan": "plan:current", "output": { "file": "/elsewhere/x.bvh" } } }),
    ] {
        let n = window.ask(request.clone()).await;
        let answer = window.wait(|head| head["n"] == n && head["kind"] != "progress").await;
        assert_eq!(answer["error"]["kind"], "outside", "{request}: {answer}");
    }
    assert!(!studio.folder.path().join("mine.json").exists());
    // What is inside is written, and is not replaced unless that is said.
    let save = |replace: bool| json!({ "do": "save_text", "file": "mine.plan.json", "replace": replace });
    let kind = async |window: &mut Window, request: Value| {
        let n = window.ask(request).await;
        window.wait(|head| head["n"] == n).await
    };
    assert_eq!(kind(&mut window, save(false)).await["kind"], "done");
    assert_eq!(kind(&mut window, save(false)).await["error"]["kind"], "exists");
    assert_eq!(kind(&mut window, save(true)).await["kind"], "done");
    let saved = std::fs::read_to_string(studio.folder.path().join("work/mine.plan.json")).expect("it was written");
    assert!(saved.contains("footplan"), "{saved}");
    studio.end().await;
}

#[tokio::test]
async fn what_was_not_saved_is_offered_to_the_next_studio_of_the_folder() {
    let studio = start(folder()).await;
    let mut window = studio.window().await;
    let hello = window.kind("hello").await;
    assert_eq!(hello["autosave"], Value::Null);
    let n = window.ask(json!({ "do": "autosave", "state": { "plan": "mine" } })).await;
    window.wait(|head| head["n"] == n).await;
    let folder = studio.end().await;
    assert!(!has_file_with(&folder.path().join("work"), "mine"), "nothing is written into the folder without Save");
    let again = start(folder).await;
    let later = again.window().await.kind("hello").await;
    assert_eq!(later["autosave"]["plan"], "mine");
    assert_ne!(later["run"], hello["run"], "a page knows that this is another run");
    again.end().await;
}

fn has_file_with(folder: &Path, text: &str) -> bool {
    let files = std::fs::read_dir(folder).expect("a folder").flatten();
    files.into_iter().any(|file| std::fs::read_to_string(file.path()).is_ok_and(|found| found.contains(text)))
}

#[tokio::test]
async fn of_live_jobs_the_newest_counts() {
    let studio = start(folder()).await;
    let mut window = studio.window().await;
    let job = |name: &str| json!({ "do": "job", "job": "gait list", "request": {}, "live": name });
    // As many as run at once, and long: the others wait, and all but the newest are stale before they begin.
    for name in ["scratch:a.take", "scratch:b.take"] {
        let request = json!({ "plan": "plan:current", "output": { "file": name } });
        window.ask(json!({ "do": "job", "job": "animate", "request": request })).await;
    }
    let earlier = window.ask(job("one")).await;
    let last = window.ask(job("one")).await;
    // Everything but jobs is done at once.
    let files = window.ask(json!({ "do": "files" })).await;
    let mut answers = Vec::new();
    for _ in 0..5 {
        answers.push(window.wait(|head| head["n"].is_u64() && head["kind"] != "progress").await);
    }
    let kind = |n: u64| answers.iter().find(|answer| answer["n"] == n).expect("all are answered")["kind"].clone();
    assert_eq!((kind(1), kind(2)), ("result".into(), "result".into()), "{answers:?}");
    assert_eq!((kind(earlier), kind(last)), ("stale".into(), "result".into()));
    assert_eq!(answers[0]["n"], files, "files do not wait for jobs");
    let other = window.ask(job("two")).await;
    assert_eq!(window.wait(|head| head["n"] == other).await["kind"], "result");
    let unknown = window.ask(json!({ "do": "job", "job": "fly", "request": {} })).await;
    let refused = window.wait(|head| head["n"] == unknown).await;
    assert!(refused["error"]["message"].as_str().is_some_and(|text| text.contains("gait walk")), "{refused}");
    studio.end().await;
}

#[tokio::test]
async fn files_of_the_command_line_are_opened_once() {
    let folder = folder();
    let file = folder.path().join("walk.plan.json");
    std::fs::write(&file, "{}").expect("a file");
    let studio = start_with(folder, vec![file]).await;
    let (mut one, mut two) = (studio.window().await, studio.window().await);
    assert_eq!(one.kind("hello").await["has_begun"], false);
    assert_eq!(one.answer(json!({ "do": "begin" })).await["files"], json!(["opened:0/walk.plan.json"]));
    assert_eq!(two.answer(json!({ "do": "begin" })).await["files"], json!([]), "a second window has them already");
    let mut again = studio.window().await;
    assert_eq!(again.kind("hello").await["has_begun"], true, "so has a page that was loaded again");
    studio.end().await;
}

#[tokio::test]
async fn what_one_window_keeps_is_not_lost_to_another_one_that_has_none() {
    let studio = start(folder()).await;
    let (mut one, mut two) = (studio.window().await, studio.window().await);
    let panels = json!({ "cleanup": { "file": "walk.bvh" }, "gait": { "gait": "walk" } });
    let unsaved = json!({ "plan": false, "cleanup": true });
    one.answer(json!({ "do": "autosave", "state": { "panels": panels, "unsaved": unsaved } })).await;
    let state = json!({ "at": 2, "panels": { "gait": { "gait": "run" } }, "unsaved": { "plan": true } });
    two.answer(json!({ "do": "autosave", "state": state })).await;
    let kept = studio.window().await.kind("hello").await["autosave"].take();
    assert_eq!(kept["panels"], json!({ "cleanup": { "file": "walk.bvh" }, "gait": { "gait": "run" } }));
    assert_eq!(kept["unsaved"], json!({ "plan": true, "cleanup": true }));
    studio.end().await;
}

#[tokio::test]
async fn an_edit_and_a_setting_change_nothing_else() {
    let studio = start(folder()).await;
    let ground = r#"{ "terrain": 1, "flat": { "height": 0.3 } }"#;
    std::fs::write(studio.folder.path().join("work/flat.terrain.json"), ground).expect("a file");
    let mut window = studio.window().await;
    window.kind("plan").await;
    let set = |settings: Value| json!({ "do": "set", "settings": settings });
    window.ask(set(json!({ "with": "steps" }))).await;
    window.ask(set(json!({ "file": "walk.plan.json" }))).await;
    let answer = window.answer(set(json!({ "terrain": "flat.terrain.json" }))).await;
    assert_eq!(answer["kind"], "done", "{answer}");
    let mut again = studio.window().await;
    let told = again.kind("plan").await;
    let settings = json!({ "file": "walk.plan.json", "terrain": "flat.terrain.json", "on": null, "with": "steps" });
    assert_eq!(told["settings"], settings);
    let start = told["footprints"].clone();
    assert_eq!(start[5]["position"][1], 0.3, "it was put on the new ground");
    // One foot is raised on purpose, and stays there while others are put on the ground.
    let mut raised = start.clone();
    raised[5]["position"][1] = 0.4.into();
    let edit = |before: &Value, after: &Value, snap: bool| json!({ "do": "edit", "edit": { "before": before, "after": after, "snap": snap } });
    window.answer(edit(&start, &raised, false)).await;
    let mut other = moved(&raised, 8, 0.03);
    other[8]["position"][1] = 0.5.into();
    window.answer(edit(&raised, &other, true)).await;
    let last = again.wait(|head| head["kind"] == "plan" && head["version"] == 6).await;
    let height = |index: usize| last["footprints"][index]["position"][1].as_f64();
    assert_eq!((height(5), height(8)), (Some(0.4), Some(0.3)));
    // A new name for the file is no new motion to learn.
    let is_done = |head: &Value| head["kind"] == "solved" || head["kind"] == "refused";
    again.wait(|head| is_done(head) && head["version"] == 6).await;
    window.answer(set(json!({ "file": "other.plan.json" }))).await;
    let next = again.wait(|head| (is_done(head) || head["kind"] == "working") && head["version"] == 7).await;
    assert_ne!(next["on"], "steps", "{next}");
    studio.end().await;
}
