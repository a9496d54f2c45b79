//! The viewer's own sources, embedded.

/// The page, with `{{name}}` where something is filled in.
pub const PAGE: &str = include_str!("../web/page.html");

/// Its buttons for playing.
pub const TRANSPORT: &str = include_str!("../web/transport.html");

/// Its style sheet.
pub const STYLE: &str = include_str!("../web/style.css");

/// What starts it, which imports the modules.
pub const MAIN: &str = "import { start } from \"surefoot/main.js\";\nstart();";

macro_rules! modules {
    ($($name:literal)+) => { &[$(($name, include_str!(concat!("../web/", $name)))),+] };
}

/// Names and sources of the modules; each imports others as `surefoot/NAME`.
pub const MODULES: &[(&str, &str)] = modules! {
    "camera.js" "controls.js" "document.js" "gl.js" "ground.js" "integers.js" "lines.js" "looks.js" "main.js" "math.js"
    "mesh.js" "motion.js" "person.js" "playback.js" "plots.js" "prints.js" "stage.js" "theme.js" "timeline.js" "transport.js"
};
