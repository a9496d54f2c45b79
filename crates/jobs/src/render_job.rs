//! The job `render`: a motion as a picture, or one and more in a player.

use crate::input_report::InputReport;
use crate::input_request::{InputRequest, TerrainRequest};
use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::outputs::{IfExists, Outputs, WrittenFile};
use crate::render_page::{ArrangementRequest, MAX_ACTORS, floor_of, render_page};
use crate::request_limits::check_range;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use surefoot_contact::metrics::{OffTerrain, foot_points};
use surefoot_contact::{Contacts, DetectOptions, detect_contacts};
use surefoot_formats::Import;
use surefoot_ground::Terrain;
use surefoot_picture::{self as picture, FrameChoice, PictureError, RenderOptions, Subject, View};

/// Pictures a second that an animation may have: GIF counts hundredths, and browsers slow down fewer than two.
const MOVIE_RATES: RangeInclusive<f64> = 1.0..=50.0;

/// What to draw, and how.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RenderRequest {
    /// The motion.
    pub input: InputRequest,
    /// More motions beside or over it, in a player.
    #[serde(default)]
    pub more: Vec<InputRequest>,
    /// Where the picture goes.
    pub output: PathBuf,
    /// Its kind. Default: by the ending of the output.
    #[serde(default)]
    pub format: Option<PictureFormat>,
    /// Where the viewer is.
    #[serde(default)]
    pub view: ViewRequest,
    /// All poses in one picture along the path, instead of a sheet.
    #[serde(default)]
    pub strobe: bool,
    /// How many evenly spaced poses. Default: 12 on a sheet, 9 in a strobe.
    #[serde(default)]
    pub frames: Option<u16>,
    /// These frames instead.
    #[serde(default)]
    pub at: Option<Vec<usize>>,
    /// Only this part of the clip, half-open.
    #[serde(default)]
    pub slice: Option<(usize, usize)>,
    /// Panels in a row of a sheet.
    #[serde(default)]
    pub columns: Option<u32>,
    /// Width and height in pixels: of a sheet's panel or an animation; of a strobe just the width.
    #[serde(default)]
    pub size: Option<[u32; 2]>,
    /// Pictures a second of an animation, 1 to 50. Default: 25, or the clip's own rate if that is lower.
    #[serde(default)]
    pub frame_rate: Option<f64>,
    /// The ground. Default: level where the soles are, with a stone under each footprint that is above or below it.
    #[serde(default)]
    pub terrain: Option<TerrainRequest>,
    /// Footprints that the first motion should be planted on, in a player.
    #[serde(default)]
    pub plan: Option<PathBuf>,
    /// A scene whose obstacles and ground a player shows.
    #[serde(default)]
    pub scene: Option<PathBuf>,
    /// A character whose mesh a player draws: on every motion that has its joints.
    #[serde(default)]
    pub on: Option<InputRequest>,
    /// How a player arranges several motions. Default: two that begin at one place are overlaid, others are side by side.
    #[serde(default)]
    pub arrangement: Option<ArrangementRequest>,
    /// Where the report goes as JSON.
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    #[serde(default)]
    pub if_exists: IfExists,
}

/// A kind of picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PictureFormat {
    /// A sheet or strobe of pixels.
    Png,
    /// An animation.
    Gif,
    /// A sheet or strobe of lines.
    Svg,
    /// A player: one file that a browser opens from disk.
    Html,
}

/// Where the viewer is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ViewRequest {
    /// Between side and front, from above.
    #[default]
    ThreeQuarter,
    /// At the side.
    Side,
    /// In front.
    Front,
    /// Above.
    Top,
}

/// What `render` reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RenderReport {
    /// The motion.
    pub input: InputReport,
    /// The others of a player.
    #[serde(default)]
    pub more: Vec<InputReport>,
    /// The picture.
    pub output: String,
    /// Its size.
    pub bytes: u64,
    /// Where a given height field is left; absent if it is not.
    #[serde(default)]
    pub off_terrain: Option<String>,
    /// Why a player does not draw the character's own mesh; absent if it does, or there is none.
    #[serde(default)]
    pub without_mesh: Option<String>,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

impl JobReport for RenderReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }
}

impl Job for RenderRequest {
    const COMMAND: &'static str = "render";
    type Report = RenderReport;

    fn outputs(&self) -> Vec<&Path> {
        std::iter::once(&self.output).chain(&self.report).map(PathBuf::as_path).collect()
    }

    fn inputs(&self) -> Vec<&Path> {
        let more = [&self.plan, &self.scene].into_iter().flatten().map(PathBuf::as_path);
        let motions = std::iter::once(&self.input).chain(&self.more).chain(&self.on).flat_map(InputRequest::files);
        motions.chain(self.terrain.as_ref().and_then(TerrainRequest::file)).chain(more).collect()
    }

    fn run(&self, context: &JobContext) -> Result<RenderReport, JobError> {
        let format = self.format.map_or_else(|| format_of(&self.output), Ok)?;
        self.check_options(format)?;
        let mut outputs = Outputs::check_apart(self.outputs(), self.inputs(), self.if_exists)?;
        if format == PictureFormat::Html {
            let page = render_page(self)?;
            context.check()?;
            let bytes = page.page.len() as u64;
            outputs.add("page", &self.output, page.page.into_bytes());
            let output = self.output.display().to_string();
            let (input, more) = (page.input, page.more);
            let (off_terrain, without_mesh) = (page.off_terrain, page.without_mesh);
            let report = RenderReport { input, more, output, bytes, off_terrain, without_mesh, files: outputs.files() };
            return finish(outputs, RenderRequest::COMMAND, report, self.report.as_deref());
        }
        let (import, contacts) = self.input.load_with_contacts()?;
        context.check()?;
        let contacts = contacts.as_ref().map(|(contacts, _)| contacts);
        let options = self.options(format, &import);
        let terrain = self.ground(&import, contacts, options.ground_height)?;
        let off_terrain = import.body.as_ref().ok().zip(terrain.as_ref()).and_then(|(body, terrain)| {
            let feet = foot_points(&import.clip.world(), &import.clip.skeleton, body);
            OffTerrain::of_feet(&feet, terrain).map(|place| place.to_string())
        });
        let subject =
            Subject { clip: &import.clip, body: import.body.as_ref().ok(), contacts, terrain: terrain.as_ref() };
        let bytes = self
            .draw(&subject, &options, format, context)
            .map_err(|error| JobError::of_file("picture", &self.input.file, error.to_string()))?;
        context.check()?;
        let size = bytes.len() as u64;
        outputs.add("picture", &self.output, bytes);
        let report = RenderReport {
            input: InputReport::new(&self.input.file, &import),
            more: Vec::new(),
            output: self.output.display().to_string(),
            bytes: size,
            off_terrain,
            without_mesh: None,
            files: outputs.files(),
        };
        finish(outputs, RenderRequest::COMMAND, report, self.report.as_deref())
    }
}

impl RenderRequest {
    /// Refuses options that the picture has no use for, rather than leaving them out in silence.
    fn check_options(&self, format: PictureFormat) -> Result<(), JobError> {
        check_range("frame_rate", self.frame_rate, MOVIE_RATES)?;
        check_range("frames", self.frames.map(f64::from), 1.0..=512.0)?;
        check_range("columns", self.columns.map(f64::from), 1.0..=64.0)?;
        self.check_page_options(format)?;
        let is_sheet = matches!(format, PictureFormat::Png | PictureFormat::Svg) && !self.strobe;
        let chooses = self.frames.is_some() || self.at.is_some() || self.strobe;
        if format == PictureFormat::Gif && chooses {
            let message = "an animation shows every frame; --slice chooses a part, --frames, --at and --strobe are for \
                           .png and .svg";
            return Err(JobError::of_file("usage", &self.output, message));
        }
        if format == PictureFormat::Html && (chooses || self.size.is_some() || self.view != ViewRequest::default()) {
            let message = "a player shows every frame, in any size and from all sides; --view, --size, --frames, --at and \
                           --strobe are for pictures";
            return Err(JobError::of_file("usage", &self.output, message));
        }
        if !is_sheet && self.columns.is_some() {
            return Err(JobError::of_file("usage", &self.output, "--columns is for sheets"));
        }
        if format != PictureFormat::Gif && self.frame_rate.is_some() {
            return Err(JobError::of_file("usage", &self.output, "--frame-rate is for animations: .gif"));
        }
        Ok(())
    }

    /// Refuses for pictures what only a player shows, and players of too many.
    fn check_page_options(&self, format: PictureFormat) -> Result<(), JobError> {
        if 1 + self.more.len() > MAX_ACTORS {
            let message = format!("{} motions; a player shows at most {MAX_ACTORS}", 1 + self.more.len());
            return Err(JobError::of_file("usage", &self.output, message));
        }
        let needs_player = [
            (!self.more.is_empty(), "a second motion"),
            (self.plan.is_some(), "--plan"),
            (self.scene.is_some(), "--scene"),
            (self.on.is_some(), "--on"),
            (self.arrangement.is_some(), "--overlay or --side-by-side"),
        ];
        match needs_player.into_iter().find(|(is_given, _)| *is_given && format != PictureFormat::Html) {
            Some((_, what)) => {
                let message = format!("a picture has no use for {what}; a player has: name the output .html");
                Err(JobError::of_file("usage", &self.output, message))
            }
            None => Ok(()),
        }
    }

    /// The ground that is known, or what feet that are planted at several heights show of it.
    fn ground(
        &self,
        import: &Import,
        contacts: Option<&Contacts>,
        ground_height: f64,
    ) -> Result<Option<Terrain>, JobError> {
        if let Some(terrain) = &self.terrain {
            return terrain.load().map(Some);
        }
        // Contacts that are known are drawn with their stones; those that are only detected are no claim to draw, but nobody
        // stands in empty air.
        let (None, Ok(body)) = (contacts, &import.body) else { return Ok(None) };
        let clip = &import.clip;
        let found = detect_contacts(&clip.world(), body, clip.frame_rate, &DetectOptions::default());
        Ok(picture::stones_under(&found.contacts, body, &clip.skeleton, ground_height))
    }

    fn draw(
        &self,
        subject: &Subject<'_>,
        options: &RenderOptions,
        format: PictureFormat,
        context: &JobContext,
    ) -> Result<Vec<u8>, PictureError> {
        match (format, self.strobe) {
            (PictureFormat::Png, false) => picture::encode_png(&picture::contact_sheet(subject, options)?),
            (PictureFormat::Png, true) => picture::encode_png(&picture::strobe(subject, options)?),
            (PictureFormat::Svg, false) => Ok(picture::sheet_svg(subject, options)?.into_bytes()),
            (PictureFormat::Svg, true) => Ok(picture::strobe_svg(subject, options)?.into_bytes()),
            (PictureFormat::Gif | PictureFormat::Html, _) => {
                picture::animated_gif_with(subject, options, |done, total| {
                    context.report(done as u64, total as u64, "");
                })
            }
        }
    }

    fn options(&self, format: PictureFormat, import: &Import) -> RenderOptions {
        let mut options = RenderOptions {
            view: match self.view {
                ViewRequest::ThreeQuarter => View::ThreeQuarter,
                ViewRequest::Side => View::Side,
                ViewRequest::Front => View::Front,
                ViewRequest::Top => View::Top,
            },
            ..RenderOptions::default()
        };
        options.frames = match (&self.at, self.frames, self.strobe) {
            (Some(frames), _, _) => FrameChoice::Chosen(frames.clone()),
            (None, frames, true) => FrameChoice::EvenlyAlongPath(frames.unwrap_or(9).into()),
            (None, frames, false) => FrameChoice::Evenly(frames.unwrap_or(12).into()),
        };
        options.columns = self.columns.unwrap_or(options.columns);
        options.range = self.slice.map(|(from, to)| from..to);
        if let Some([width, height]) = self.size {
            match (format, self.strobe) {
                (PictureFormat::Gif, _) => options.movie = [width, height],
                (_, true) => options.strobe_width = width,
                (_, false) => options.panel = [width, height],
            }
        }
        options.movie_rate = self.frame_rate.unwrap_or(options.movie_rate);
        options.ground_height = match self.terrain {
            Some(TerrainRequest::Flat(height)) => height,
            _ => floor_of(&self.input, import),
        };
        options
    }
}

fn format_of(path: &Path) -> Result<PictureFormat, JobError> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
    match ending.as_str() {
        "png" => Ok(PictureFormat::Png),
        "gif" => Ok(PictureFormat::Gif),
        "svg" => Ok(PictureFormat::Svg),
        "html" | "htm" => Ok(PictureFormat::Html),
        _ => {
            let message = "the ending names no picture; .png, .gif, .svg or .html would, or --to";
            Err(JobError::of_file("usage", path, message))
        }
    }
}
