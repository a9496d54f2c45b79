//! Who may ask: programs of this computer that know the token, and no page of another origin.
//!
//! 1. The server listens on the loopback interface alone.
//! 2. `Host` must be the address that it listens on: a name that a stranger's DNS turned to 127.0.0.1 is refused.
//! 3. `Origin`, where a browser sends one, must be that address too: sockets have no rule of their own.
//! 4. The path begins with the token: 128 random bits, compared without a hint of where they differ.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// What a request must show.
#[derive(Debug)]
pub(crate) struct Guard {
    token: String,
    hosts: [String; 2],
}

impl Guard {
    pub(crate) fn new(token: String, port: u16) -> Guard {
        Guard { token, hosts: ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}")) }
    }

    /// Why a request is refused.
    fn refusal(&self, headers: &HeaderMap, path: &str) -> Option<&'static str> {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        if !text(header::HOST).is_some_and(|host| self.hosts.iter().any(|known| known == host)) {
            return Some("this studio answers to 127.0.0.1 alone");
        }
        let is_ours = |origin: &str| self.hosts.iter().any(|host| origin.strip_prefix("http://") == Some(host));
        if headers.contains_key(header::ORIGIN) && !text(header::ORIGIN).is_some_and(is_ours) {
            return Some("pages of other origins are not answered");
        }
        let fetch_site = headers.get("sec-fetch-site").and_then(|value| value.to_str().ok());
        if fetch_site == Some("cross-site") && !path.ends_with('/') {
            return Some("pages of other origins are not answered");
        }
        let token = path.strip_prefix('/').and_then(|path| path.split('/').next()).unwrap_or_default();
        (!is_same(token.as_bytes(), self.token.as_bytes()))
            .then_some("the address needs the token that the command printed")
    }
}

/// Compares in a time that depends on nothing but the lengths.
fn is_same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

/// Refuses strangers; answers carry what keeps a page from doing what it should not.
pub(crate) async fn guard(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let refusal = guard.refusal(request.headers(), request.uri().path());
    let mut response = match refusal {
        Some(reason) => (StatusCode::FORBIDDEN, format!("{reason}\n")).into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static("default-src 'none'"));
    response
}

/// 128 random bits, in hexadecimal.
pub(crate) fn random_token() -> Result<String, getrandom::Error> {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// What the page may load: itself, and what it made.
pub(crate) fn page_policy(nonce: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self' 'nonce-{nonce}'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
         base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
}
