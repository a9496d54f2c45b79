//! The option `--terrain`; shared by every command that needs the ground.

use crate::report::print_status;
use std::path::PathBuf;
use surefoot::ground::MAX_HEIGHT;
use surefoot::jobs::TerrainRequest;

/// The ground that the user names.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct TerrainArg {
    /// The ground: flat (at 0), flat:0.03 (at a height in metres), or a FILE.terrain.json with a plane, stairs, a height field
    /// or patches
    #[arg(long, value_name = "flat[:METRES]|FILE", value_parser = parse_terrain)]
    pub(crate) terrain: Option<TerrainChoice>,
}

/// The value of `--terrain`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TerrainChoice {
    /// A level floor at a height in metres.
    Flat(f64),
    /// A terrain file.
    File(PathBuf),
}

/// Warns of feet beyond the border of a height field.
pub(crate) fn print_off_terrain(off_terrain: Option<&str>) {
    if let Some(place) = off_terrain {
        print_status(&format!("  warning[off_terrain] {place}"));
    }
}

impl TerrainArg {
    /// As a job's request has it.
    pub(crate) fn request(&self) -> Option<TerrainRequest> {
        self.terrain.as_ref().map(|choice| match choice {
            TerrainChoice::Flat(height) => TerrainRequest::Flat(*height),
            TerrainChoice::File(path) => TerrainRequest::File(path.clone()),
        })
    }
}

/// `flat`, `flat:0.03`, or a file. A file that is called so is reached as `./flat`.
fn parse_terrain(text: &str) -> Result<TerrainChoice, String> {
    match text.strip_prefix("flat") {
        Some("") => Ok(TerrainChoice::Flat(0.0)),
        Some(rest) if rest.starts_with(':') => {
            let height = rest[1..].parse().ok().filter(|height: &f64| height.abs() <= MAX_HEIGHT);
            let wrong = || format!("a height from -{MAX_HEIGHT} to {MAX_HEIGHT} m, such as flat:0.03, would be right");
            height.map(TerrainChoice::Flat).ok_or_else(wrong)
        }
        _ if text.is_empty() => Err("flat, flat:0.03 or a FILE.terrain.json would be right".to_string()),
        _ => Ok(TerrainChoice::File(PathBuf::from(text))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use surefoot::geom::Vec2;
    use surefoot::ground::Terrain;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        terrain: TerrainArg,
    }

    fn load(arguments: &[&str]) -> Result<Option<Terrain>, String> {
        let arguments = ["surefoot"].iter().chain(arguments);
        let command = Command::try_parse_from(arguments).map_err(|error| error.to_string())?;
        let terrain = command.terrain.request().map(|request| request.load()).transpose();
        terrain.map_err(|error| error.to_string())
    }

    #[test]
    fn the_ground_is_flat_at_a_height_or_a_file() {
        assert_eq!(load(&[]), Ok(None));
        assert_eq!(load(&["--terrain", "flat"]), Ok(Some(Terrain::flat(0.0))));
        assert_eq!(load(&["--terrain", "flat:-0.03"]), Ok(Some(Terrain::flat(-0.03))));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("flat.terrain.json");
        std::fs::write(&path, "{ \"terrain\": 1, \"plane\": { \"slope\": 45 } }").unwrap();
        let slope = load(&["--terrain", path.to_str().unwrap()]).unwrap().unwrap();
        assert!((slope.height(Vec2::Y) - 1.0).abs() < 1e-12);
        std::fs::write(&path, "{ \"terrain\": 1,\n\"plane\": {} }").unwrap();
        let error = load(&["--terrain", path.to_str().unwrap()]).unwrap_err();
        assert!(error.contains("flat.terrain.json:2: plane: the field `slope` is missing"), "{error}");
    }

    #[test]
    fn a_wrong_ground_is_reported_with_what_would_be_right() {
        for wrong in ["flat:", "flat:high", "flat:NaN", "flat:1e9", ""] {
            let error = load(&["--terrain", wrong]).unwrap_err();
            assert!(error.contains("flat:0.03"), "{wrong}: {error}");
        }
        let error = load(&["--terrain", "no-such.terrain.json"]).unwrap_err();
        assert!(error.starts_with("no-such.terrain.json: "), "{error}");
    }
}
