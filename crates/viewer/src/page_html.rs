//! One self-contained file: the page, its modules and its data.
//!
//! ```text
//! page.html   {{style}} {{modules}} {{document}} {{data}} are filled in
//! modules     an import map: surefoot/NAME -> data: URL of web/NAME, so that a page opened from disk needs no server
//! document    JSON, with everything escaped that could end its element or turn text around
//! data        base64 of DEFLATE of the bytes that the JSON points into
//! ```
//!
//! Names of files and joints come from strangers. They reach the page only as strings of the JSON, and the page sets them as text.

use crate::pack_show::{Blob, PackedShow, Skin, Skins, pack_show};
use crate::show::Page;
use crate::web::{MAIN, MODULES, PAGE, STYLE, TRANSPORT};
use crate::{MAX_PAGE_BYTES, ViewerError};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::Write as _;

/// The JSON of a page.
#[derive(Serialize)]
struct Document {
    version: u32,
    title: String,
    /// Length of the data when it is inflated.
    bytes: usize,
    shows: Vec<PackedShow>,
    skins: Vec<Skin>,
}

/// Version of the JSON and the bytes; the page refuses others.
const VERSION: u32 = 2;

/// What a page shows, for a viewer that a server gives its modules.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PackedPage {
    /// Names, numbers, and where the rest is in the bytes.
    pub json: String,
    /// Motions and meshes.
    pub bytes: Vec<u8>,
}

/// What a page shows, without the page.
pub fn pack_page(page: &Page<'_>) -> Result<PackedPage, ViewerError> {
    let mut blob = Blob::default();
    let mut skins = Skins::default();
    let shows = page.shows.iter().map(|show| pack_show(show, &mut skins, &mut blob)).collect::<Result<Vec<_>, _>>()?;
    if shows.is_empty() {
        return Err(ViewerError::Empty);
    }
    let bytes = blob.bytes.len();
    let document = Document { version: VERSION, title: page.title.clone(), bytes, shows, skins: skins.list() };
    let json = serde_json::to_string(&document).map_err(|error| ViewerError::Document(error.to_string()))?;
    Ok(PackedPage { json, bytes: blob.bytes })
}

/// The page as one HTML file.
pub fn page_html(page: &Page<'_>) -> Result<String, ViewerError> {
    let PackedPage { json, bytes } = pack_page(page)?;
    let html = fill(PAGE, &|name| match name {
        "title" => escape_text(&page.title),
        "style" => STYLE.to_string(),
        "modules" => import_map(),
        "transport" => TRANSPORT.to_string(),
        "main" => MAIN.to_string(),
        "document" => escape_json(&json),
        "data" => STANDARD.encode(deflate(&bytes)),
        _ => String::new(),
    });
    if html.len() > MAX_PAGE_BYTES {
        return Err(ViewerError::TooLarge { bytes: html.len() });
    }
    Ok(html)
}

/// Fills in `{{name}}`, once: what is filled in is not looked at again.
fn fill(template: &str, text: &dyn Fn(&str) -> String) -> String {
    let mut filled = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        filled += before;
        filled += &text(name);
        rest = after;
    }
    filled + rest
}

/// Every module under the name that others import it by.
fn import_map() -> String {
    let mut map = String::from("{\"imports\":{");
    for (index, (name, source)) in MODULES.iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        let _ = write!(map, "{comma}\"surefoot/{name}\":\"data:text/javascript;base64,{}\"", STANDARD.encode(source));
    }
    map + "}}"
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory takes all")
}

/// Characters that turn the direction of text around, end lines in JavaScript, or are controls.
fn is_treacherous(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2028}' | '\u{2029}' | '\u{2066}'..='\u{2069}' | '\u{61c}')
        || c.is_control()
}

/// A name of a stranger's as it is shown beside others: characters that would turn these around, and controls, are replaced.
pub fn plain_name(name: &str) -> String {
    name.chars().map(|c| if is_treacherous(c) { '\u{fffd}' } else { c }).collect()
}

/// JSON that cannot end its element, and reads in its source as it is.
fn escape_json(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for c in json.chars() {
        if matches!(c, '<' | '>' | '&') || is_treacherous(c) {
            let _ = write!(escaped, "\\u{:04x}", u32::from(c));
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// Text of an element.
fn escape_text(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            c if is_treacherous(c) => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::{Actor, Arrangement, ContactsFrom, Show};
    use surefoot_contact::{SyntheticWalk, WalkerOptions, synthetic_walk};

    fn page_of(walk: &SyntheticWalk, name: &str) -> String {
        let take = &walk.take;
        let actor = Actor {
            name,
            clip: &take.clip,
            body: Some(&take.body),
            mesh: None,
            contacts: Some(&take.contacts),
            contacts_from: ContactsFrom::Given,
        };
        let show = Show {
            name: name.to_string(),
            about: name.to_string(),
            actors: vec![actor, actor],
            arrangement: Arrangement::Overlay,
            terrain: None,
            floor: 0.0,
            obstacles: &[],
            plan: Some(&walk.plan),
            verdict: None,
            facts: vec![],
            links: vec![name.to_string()],
        };
        page_html(&Page { title: name.to_string(), shows: vec![show] }).expect("a page")
    }

    /// The text of the element with an id.
    fn element<'a>(page: &'a str, id: &str) -> &'a str {
        let from = page.find(&format!("id=\"{id}\"")).expect("the element");
        let text = &page[from..];
        &text[text.find('>').expect("its start") + 1..text.find("</script>").expect("its end")]
    }

    #[test]
    fn hostile_names_stay_strings() {
        let hostile = "</script><img src=x onerror=alert(1)>\"'`${1}{{data}}<!--\u{202e}gpj.\u{2028}&amp;\0";
        let page = page_of(&synthetic_walk(&WalkerOptions { n_steps: 2, ..WalkerOptions::default() }), hostile);
        let plain = page_of(&synthetic_walk(&WalkerOptions { n_steps: 2, ..WalkerOptions::default() }), "plain");
        for text in ["</script", "<script", "<img", "<!--"] {
            assert_eq!(page.matches(text).count(), plain.matches(text).count(), "{text}");
        }
        assert!(!page.contains(is_bidi), "no text is turned around");
        let document: serde_json::Value = serde_json::from_str(element(&page, "document")).expect("JSON");
        assert_eq!(document["shows"][0]["name"], hostile);
        assert_eq!(document["shows"][0]["actors"][0]["name"], hostile);
    }

    fn is_bidi(c: char) -> bool {
        is_treacherous(c) && !c.is_control()
    }

    #[test]
    fn the_page_is_small_and_needs_nothing_else() {
        let page = page_of(&synthetic_walk(&WalkerOptions::default()), "walk");
        let data = element(&page, "data").len();
        assert!(page.len() - data < 400_000, "{} bytes without motion", page.len() - data);
        let document: serde_json::Value = serde_json::from_str(element(&page, "document")).expect("JSON");
        let actor = &document["shows"][0]["actors"][0];
        let [frames, joints] = [actor["frames"].as_u64(), actor["joints"].as_array().map(|list| list.len() as u64)];
        let motion = actor["motion"]["length"].as_u64().expect("a length");
        assert!(actor["error_mm"].as_f64().expect("a number") < 0.1, "{actor}");
        assert!(motion < 7 * frames.expect("a number") * joints.expect("a list") + 10_000, "{motion} bytes");
        assert_eq!(document["skins"].as_array().map(Vec::len), Some(1), "one body for both");
        for word in ["src=", "href=\"http", "@import", "fetch(", "XMLHttpRequest"] {
            assert!(!page.contains(word), "{word} would load something");
        }
    }

    #[test]
    fn a_clip_without_frames_is_refused_by_its_name() {
        let mut walk = synthetic_walk(&WalkerOptions { n_steps: 2, ..WalkerOptions::default() });
        walk.take.clip.poses_mut().truncate(0);
        let actor = Actor {
            name: "empty",
            clip: &walk.take.clip,
            body: None,
            mesh: None,
            contacts: None,
            contacts_from: ContactsFrom::Given,
        };
        let show = Show {
            name: String::new(),
            about: String::new(),
            actors: vec![actor],
            arrangement: Arrangement::Overlay,
            terrain: None,
            floor: 0.0,
            obstacles: &[],
            plan: None,
            verdict: None,
            facts: vec![],
            links: vec![],
        };
        let error = page_html(&Page { title: String::new(), shows: vec![show] }).expect_err("nothing to show");
        assert_eq!(error, ViewerError::NoMotion("empty".to_string()));
    }
}
