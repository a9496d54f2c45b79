//! The server: addresses, limits, and its end.

use crate::autosave::{Saved, autosave_file, read_autosave, write_autosave};
use crate::guard::{Guard, guard, page_policy, random_token};
use crate::plan_session::PlanSession;
use crate::socket::{run_and_pack, serve_window};
use crate::windows::Windows;
use crate::workplace::Workplace;
use crate::{MAX_MESSAGE_BYTES, MAX_UPLOAD_BYTES, assets};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Path as UrlPath, Request, State, WebSocketUpgrade};
use axum::http::{StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::{Value, json};
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use surefoot::jobs::{CancelFlag, JobContext, JobError, demo_courses, demo_plans};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

/// Jobs that run at once.
const WORKERS: usize = 2;

/// How a studio starts.
#[derive(Clone, Debug, Default)]
pub struct StudioOptions {
    /// Opened in the page: motions, plans, terrains, scenes.
    pub files: Vec<PathBuf>,
    /// 0: one that is free.
    pub port: u16,
    /// Where files are read and written. Default: the current folder.
    pub folder: Option<PathBuf>,
    /// Where the state of the page is kept for recovery. Default: where the system keeps state.
    pub state_folder: Option<PathBuf>,
}

/// Why there is no studio.
#[derive(Debug, thiserror::Error)]
pub enum StudioError {
    /// A file of the command line.
    #[error("{}: {problem}", file.display())]
    File {
        /// Which.
        file: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// Another program has the port.
    #[error("port {port} of 127.0.0.1: {problem}; another --port, or none, would do")]
    Port {
        /// Which.
        port: u16,
        /// What the system says.
        problem: String,
    },
    /// The system refuses something else.
    #[error("{0}")]
    System(#[from] std::io::Error),
    /// No random bits for the token.
    #[error("the system gives no random numbers, and without them the studio would be open to every program: {0}")]
    Random(getrandom::Error),
}

/// What all requests share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) windows: Windows,
    pub(crate) session: Arc<PlanSession>,
    pub(crate) place: Arc<Workplace>,
    pub(crate) workers: Arc<Semaphore>,
    pub(crate) closing: watch::Sender<bool>,
    /// Not the same in any two runs, so that a page knows that its server was started again.
    run: String,
    /// Files of the command line, until a window has begun: none opens them a second time over what was edited since.
    files: Mutex<Option<Vec<String>>>,
    autosave_file: Option<PathBuf>,
    saved: Mutex<Saved>,
}

impl Shared {
    /// What a window is told first.
    pub(crate) fn hello(&self, window: u64) -> Value {
        let demos: Vec<Value> = demo_plans()
            .into_iter()
            .chain(demo_courses())
            .map(|demo| json!({ "name": demo.name, "what": demo.what }))
            .collect();
        let saved = self.saved.lock().unwrap_or_else(PoisonError::into_inner).state.clone();
        json!({
            "kind": "hello", "run": self.run, "window": window, "folder": self.place.folder().display().to_string(), "demos": demos,
            "has_begun": self.has_begun(), "autosave": saved, "upload_bytes": MAX_UPLOAD_BYTES, "message_bytes": MAX_MESSAGE_BYTES,
            "version": env!("CARGO_PKG_VERSION"),
        })
    }

    /// Whether a window has settled what of an earlier studio is taken up.
    fn has_begun(&self) -> bool {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).is_none()
    }

    /// A window has settled it. The first one gets the files of the command line; what was kept before has had its turn.
    pub(crate) fn begin(&self) -> Vec<String> {
        let Some(files) = self.files.lock().unwrap_or_else(PoisonError::into_inner).take() else { return Vec::new() };
        self.saved.lock().unwrap_or_else(PoisonError::into_inner).state = None;
        files
    }

    /// Keeps the state of a page, over what other windows sent of the same parts.
    pub(crate) fn autosave(&self, state: Value) {
        let mut saved = self.saved.lock().unwrap_or_else(PoisonError::into_inner);
        saved.state = (!state.is_null()).then(|| merge_state(saved.state.as_ref(), state));
        if let Some(file) = &self.autosave_file {
            // A full disk must not cost an edit; the page has it still.
            let _ = write_autosave(file, &saved);
        }
    }
}

/// A studio that listens and is not served yet.
#[derive(Debug)]
pub struct Studio {
    listener: TcpListener,
    shared: Arc<Shared>,
    guard: Arc<Guard>,
    url: String,
}

impl Studio {
    /// Opens the port. Needs a runtime of tokio.
    pub async fn start(options: &StudioOptions) -> Result<Studio, StudioError> {
        let folder = match &options.folder {
            Some(folder) => folder.clone(),
            None => std::env::current_dir()?,
        };
        let (files, outside) = named_files(&folder, &options.files)?;
        let place = Arc::new(Workplace::new(&folder, outside)?);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port))
            .await
            .map_err(|error| StudioError::Port { port: options.port, problem: error.to_string() })?;
        let port = listener.local_addr()?.port();
        let autosave_file = autosave_file(options.state_folder.as_deref(), place.folder());
        let saved = read_autosave(autosave_file.as_deref());
        // On a port that was asked for, a page that is open still finds the studio that was started again.
        let is_again = options.port != 0 && saved.port == port;
        let is_token = |token: &String| token.len() == 32 && token.bytes().all(|byte| byte.is_ascii_hexdigit());
        let token = match saved.token.clone().filter(|token| is_again && is_token(token)) {
            Some(token) => token,
            None => random_token().map_err(StudioError::Random)?,
        };
        let kept = (options.port != 0).then(|| token.clone());
        let saved = Saved { state: saved.state, port: if kept.is_some() { port } else { 0 }, token: kept };
        if let Some(file) = autosave_file.as_ref().filter(|_| options.port != 0) {
            let _ = write_autosave(file, &saved);
        }
        let windows = Windows::default();
        let session = PlanSession::new(windows.clone(), place.clone());
        let shared = Shared {
            windows,
            session,
            place,
            workers: Arc::new(Semaphore::new(WORKERS)),
            closing: watch::Sender::new(false),
            run: random_token().map_err(StudioError::Random)?,
            files: Mutex::new(Some(files)),
            autosave_file,
            saved: Mutex::new(saved),
        };
        let url = format!("http://127.0.0.1:{port}/{token}/");
        Ok(Studio { listener, shared: Arc::new(shared), guard: Arc::new(Guard::new(token, port)), url })
    }

    /// The address of the page, with the token.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Opens the page in the user's browser.
    pub fn open_browser(&self) {
        crate::open_browser::open_browser(&self.url);
    }

    /// Serves until `until` is ready; then windows are told, and the scratch folder goes.
    pub async fn serve(self, until: impl Future<Output = ()> + Send + 'static) -> Result<(), StudioError> {
        let router = Router::new()
            .route("/{token}/", get(page))
            .route("/{token}/web/{*name}", get(asset))
            .route("/{token}/socket", get(socket))
            .route("/{token}/job", post(job))
            .route("/{token}/upload/{name}", post(upload))
            .route("/{token}/download/{*name}", get(download))
            .layer(from_fn_with_state(self.guard, guard))
            .with_state(self.shared.clone());
        let shared = self.shared.clone();
        let ended = async move {
            until.await;
            let _ = shared.closing.send(true);
        };
        let served = axum::serve(self.listener, router).with_graceful_shutdown(ended).await;
        self.shared.session.close();
        // Its thread may be in the middle of a motion, and nobody waits for that.
        self.shared.place.remove_scratch();
        Ok(served?)
    }
}

/// A state with a newer one over it. Panels of which the newer one has nothing stay as they were.
fn merge_state(old: Option<&Value>, mut new: Value) -> Value {
    for part in ["panels", "unsaved"] {
        let kept = old.and_then(|old| old.get(part)?.as_object());
        if let (Some(kept), Some(Value::Object(fields))) = (kept, new.get_mut(part)) {
            for (name, value) in kept {
                fields.entry(name.clone()).or_insert_with(|| value.clone());
            }
        }
    }
    new
}

/// Names for the page of files of the command line, and those that lie outside of the folder.
fn named_files(folder: &Path, files: &[PathBuf]) -> Result<(Vec<String>, Vec<PathBuf>), StudioError> {
    let whole = folder.canonicalize()?;
    let (mut names, mut outside) = (Vec::new(), Vec::new());
    for file in files {
        let failed = |problem: String| StudioError::File { file: file.clone(), problem };
        let found = file.canonicalize().map_err(|error| failed(error.to_string()))?;
        if !found.is_file() {
            return Err(failed("is no file".to_string()));
        }
        match found.strip_prefix(&whole) {
            Ok(inside) => names.push(inside.to_string_lossy().replace('\\', "/")),
            Err(_) => {
                let name = found.file_name().unwrap_or_default().to_string_lossy();
                names.push(format!("opened:{}/{name}", outside.len()));
                outside.push(found);
            }
        }
    }
    Ok((names, outside))
}

async fn page() -> Response {
    let Ok(nonce) = random_token() else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8".to_string()),
        (header::CONTENT_SECURITY_POLICY, page_policy(&nonce)),
    ];
    (headers, assets::page(&nonce)).into_response()
}

async fn asset(UrlPath((_, name)): UrlPath<(String, String)>) -> Response {
    match assets::asset(&name) {
        Some((source, kind)) => ([(header::CONTENT_TYPE, kind)], source).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn socket(State(shared): State<Arc<Shared>>, upgrade: WebSocketUpgrade) -> Response {
    upgrade
        .max_message_size(MAX_MESSAGE_BYTES)
        .max_frame_size(MAX_MESSAGE_BYTES)
        .on_upgrade(|socket| serve_window(socket, shared))
}

/// A job over HTTP: `{"job": "clean", "request": {..}, "show": {..}}`.
async fn job(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let Ok(body) = to_bytes(request.into_body(), MAX_MESSAGE_BYTES).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let mut asked: Value = match serde_json::from_slice(&body) {
        Ok(asked @ Value::Object(_)) => asked,
        _ => {
            return (StatusCode::BAD_REQUEST, "a JSON object with \"job\" and \"request\" would be right\n")
                .into_response();
        }
    };
    let Ok(permit) = shared.workers.clone().acquire_owned().await else {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    // Nobody who ends the studio waits for a job.
    let cancel = CancelFlag::default();
    let (mut closing, ended) = (shared.closing.subscribe(), cancel.clone());
    let watch = tokio::spawn(async move {
        let _ = closing.wait_for(|is_closing| *is_closing).await;
        ended.cancel();
    });
    let ran = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        let name = asked["job"].as_str().map(str::to_string);
        let show = asked.get_mut("show").map(Value::take).filter(|show| !show.is_null());
        let request = asked.get_mut("request").map(Value::take).unwrap_or_default();
        run_and_pack(&shared, 0, name.as_deref(), request, show, &JobContext::silent().with_cancel(cancel))
    });
    let ran = ran.await;
    watch.abort();
    match ran {
        Ok(answer) => ([(header::CONTENT_TYPE, "application/octet-stream")], Body::from(answer)).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")).into_response(),
    }
}

/// A dropped file, into the scratch folder.
async fn upload(
    State(shared): State<Arc<Shared>>,
    UrlPath((_, name)): UrlPath<(String, String)>,
    request: Request,
) -> Response {
    let Some(name) = Workplace::dropped_name(&name) else {
        return (StatusCode::BAD_REQUEST, "the file has no name\n").into_response();
    };
    let too_large = || {
        let text = format!("{name} is larger than {} MB, the most that the page takes\n", MAX_UPLOAD_BYTES / 1_000_000);
        (StatusCode::PAYLOAD_TOO_LARGE, text).into_response()
    };
    let length = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: u64| length > MAX_UPLOAD_BYTES as u64) {
        return too_large();
    }
    let Ok(body) = to_bytes(request.into_body(), MAX_UPLOAD_BYTES).await else { return too_large() };
    if !shared.place.has_room(body.len() as u64) {
        let text = "the files that were dropped fill the scratch folder; start the studio again\n";
        return (StatusCode::INSUFFICIENT_STORAGE, text).into_response();
    }
    let place = shared.place.clone();
    let written = tokio::task::spawn_blocking(move || place.keep_dropped(&name, &body)).await;
    match written {
        Ok(Ok(name)) => json!({ "file": format!("scratch:{name}") }).to_string().into_response(),
        Ok(Err(error)) => (StatusCode::INSUFFICIENT_STORAGE, format!("{error}\n")).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")).into_response(),
    }
}

/// A file of the folder or the scratch folder, to be kept by the browser.
async fn download(State(shared): State<Arc<Shared>>, UrlPath((_, name)): UrlPath<(String, String)>) -> Response {
    let path = match shared.place.path(&name) {
        Ok(path) => path,
        Err(JobError { message, .. }) => return (StatusCode::FORBIDDEN, message.to_string()).into_response(),
    };
    let Ok(Ok(bytes)) = tokio::task::spawn_blocking(move || std::fs::read(path)).await else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let headers = [(header::CONTENT_TYPE, "application/octet-stream"), (header::CONTENT_DISPOSITION, "attachment")];
    (headers, bytes).into_response()
}
