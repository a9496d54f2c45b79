//! `surefoot contacts`: when and where heels and balls stand.

use crate::import_args::ImportArgs;
use crate::output::{Force, check_distinct, check_svg, is_stdout};
use crate::report::{Failure, Format, print_result, print_text, say, tell_import};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use surefoot::contact::{ContactSummary, Contacts, DetectOptions, Plant, detect_contacts, measure_placement};
use surefoot::formats::{Import, own};
use surefoot::motion::{BodyMap, PerSide, Side, WorldPose};
use surefoot::plot_contacts;

/// Arguments of `contacts`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Motion file: bvh, amc, glb, gltf or fbx
    input: PathBuf,
    /// Contacts file, to be read, edited and given back as --contacts; `-` is standard output [default: a table of all plants]
    #[arg(long, short, value_name = "FILE.contacts.json")]
    output: Option<PathBuf>,
    /// Timeline of all plants with heights, speeds and their limits, as a picture
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    detect: DetectArgs,
    #[command(flatten)]
    import: ImportArgs,
}

/// What the user knows better about how feet stand.
#[derive(clap::Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Detection (metres, seconds, metres a second)")]
pub(crate) struct DetectArgs {
    /// A part begins to stand only this near above the lowest place it passes nearby in time [default: 0.02]
    #[arg(long, value_name = "M", value_parser = parse_size)]
    rest_height: Option<f64>,
    /// A part that stands stays planted up to this height [default: 0.05]
    #[arg(long, value_name = "M", value_parser = parse_size)]
    stay_height: Option<f64>,
    /// How far in time the lowest place is looked for [default: 0.2]
    #[arg(long, value_name = "S", value_parser = parse_size)]
    floor_reach: Option<f64>,
    /// A part that stands stays planted up to this share of its fastest speed nearby in time [default: 0.12]
    #[arg(long, value_name = "SHARE", value_parser = parse_size)]
    stay_share: Option<f64>,
    /// ...but at least up to this speed [default: 0.15]
    #[arg(long, value_name = "M/S", value_parser = parse_size)]
    least_stay_speed: Option<f64>,
    /// ...and at most up to this one [default: 0.8]
    #[arg(long, value_name = "M/S", value_parser = parse_size)]
    most_stay_speed: Option<f64>,
    /// A part begins to stand only below this share of the speed up to which it stays [default: 0.7]
    #[arg(long, value_name = "SHARE", value_parser = parse_size)]
    rest_share: Option<f64>,
    /// How far in time the fastest speed is looked for [default: 0.5]
    #[arg(long, value_name = "S", value_parser = parse_size)]
    swing_reach: Option<f64>,
    /// How fast a part may be at the edges of a plant, between its slide and its swing: lower ends plants where the part rests
    /// all the way, higher where it touches [default: 0.5]
    #[arg(long, value_name = "FACTOR", value_parser = parse_size)]
    edge_factor: Option<f64>,
    /// How far above where it stands a part may be at the edges of a plant [default: 0.01]
    #[arg(long, value_name = "M", value_parser = parse_size)]
    edge_height: Option<f64>,
    /// Two plants are one if the part stays this near in between [default: 0.02]
    #[arg(long, value_name = "M", value_parser = parse_size)]
    same_place: Option<f64>,
    /// ...and if the time between is no longer than this [default: 0.2]
    #[arg(long, value_name = "S", value_parser = parse_size)]
    longest_gap: Option<f64>,
    /// Two plants are one, too, if the part stays within 10 cm and the time between is shorter than this [default: 0.05]
    #[arg(long, value_name = "S", value_parser = parse_size)]
    shortest_swing: Option<f64>,
    /// Shortest plant [default: 0.06]
    #[arg(long, value_name = "S", value_parser = parse_size)]
    shortest_stay: Option<f64>,
    /// A foot this much above the other, which stands all the while, is held in the air [default: 0.08]
    #[arg(long, value_name = "M", value_parser = parse_size)]
    held_height: Option<f64>,
    /// A heel is up while its foot stands on the ball, pitched by more than this slope [default: 0.35]
    #[arg(long, value_name = "SLOPE", value_parser = parse_size)]
    max_pitch: Option<f64>,
}

impl DetectArgs {
    /// The options of the library: its defaults but for what was given.
    pub(crate) fn options(&self) -> DetectOptions {
        let usual = DetectOptions::default();
        DetectOptions {
            rest_height: self.rest_height.unwrap_or(usual.rest_height),
            stay_height: self.stay_height.unwrap_or(usual.stay_height),
            floor_reach: self.floor_reach.unwrap_or(usual.floor_reach),
            stay_share: self.stay_share.unwrap_or(usual.stay_share),
            least_stay_speed: self.least_stay_speed.unwrap_or(usual.least_stay_speed),
            most_stay_speed: self.most_stay_speed.unwrap_or(usual.most_stay_speed),
            rest_share: self.rest_share.unwrap_or(usual.rest_share),
            swing_reach: self.swing_reach.unwrap_or(usual.swing_reach),
            edge_factor: self.edge_factor.unwrap_or(usual.edge_factor),
            edge_height: self.edge_height.unwrap_or(usual.edge_height),
            same_place: self.same_place.unwrap_or(usual.same_place),
            longest_gap: self.longest_gap.unwrap_or(usual.longest_gap),
            shortest_swing: self.shortest_swing.unwrap_or(usual.shortest_swing),
            shortest_stay: self.shortest_stay.unwrap_or(usual.shortest_stay),
            held_height: self.held_height.unwrap_or(usual.held_height),
            max_pitch: self.max_pitch.unwrap_or(usual.max_pitch),
        }
    }
}

/// Runs `contacts`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    for output in [&args.output, &args.plot].into_iter().flatten() {
        args.force.check(output, format)?;
    }
    if [&args.output, &args.plot].iter().all(|output| output.as_deref().is_some_and(is_stdout)) {
        return Err(Failure::new("usage", "standard output cannot take both contacts and plot; name a file for one"));
    }
    args.plot.as_deref().map_or(Ok(()), check_svg)?;
    check_distinct([&args.output, &args.plot].into_iter().flatten().map(PathBuf::as_path))?;
    let import = args.import.load(&args.input)?;
    if format == Format::Human {
        tell_import(&import);
    }
    let body = feet(&import, &args.input)?;
    let poses = import.clip.world();
    let options = args.detect.options();
    let detection = detect_contacts(&poses, body, import.clip.frame_rate, &options);
    if let Some(output) = &args.output {
        args.force.write(output, own::write_contacts(&detection.contacts).as_bytes())?;
    }
    if let Some(plot) = &args.plot {
        let svg = plot_contacts(&import.clip.name, import.clip.frame_rate, &detection, &options);
        args.force.write(plot, svg.as_bytes())?;
    }
    let found = Found { contacts: &detection.contacts, body, poses: &poses, frame_rate: import.clip.frame_rate };
    if format == Format::Json {
        let path = |path: &Option<PathBuf>| json!(path.as_ref().map(|path| path.display().to_string()));
        let mut result = found.to_json();
        result["input"] = crate::info::to_json(&args.input, &import);
        result["output"] = path(&args.output);
        result["plot"] = path(&args.plot);
        return print_result("contacts", &result);
    }
    let written: Vec<&PathBuf> = [&args.output, &args.plot].into_iter().flatten().collect();
    if written.is_empty() {
        return print_text(&format!("{}{}\n", found.table(), found.sentence()));
    }
    say(&found.sentence());
    for path in written.into_iter().filter(|path| !is_stdout(path)) {
        say(&format!("wrote {}", path.display()));
    }
    Ok(())
}

/// The body map, without which there are no feet.
pub(crate) fn feet<'a>(import: &'a Import, input: &Path) -> Result<&'a BodyMap, Failure> {
    import.body.as_ref().map_err(|error| {
        Failure::of_file("body", input, format!("contacts need feet: {error}; --body names the joints"))
    })
}

/// Contacts, and what tells more about them.
struct Found<'a> {
    contacts: &'a Contacts,
    body: &'a BodyMap,
    poses: &'a [WorldPose],
    frame_rate: f64,
}

impl Found<'_> {
    /// Each plant with its foot and its drift in metres: the farthest from its own mean position.
    fn plants(&self) -> impl Iterator<Item = (Side, &Plant, f64)> {
        let drifts = measure_placement(self.poses, self.body, self.contacts);
        let plants = Side::BOTH.into_iter().flat_map(|side| self.contacts.plants[side].iter().map(move |p| (side, p)));
        plants.zip(drifts).map(|((side, plant), drift)| (side, plant, drift.distance))
    }

    fn to_json(&self) -> Value {
        let plants = self.plants().map(|(side, plant, drift)| {
            json!({
                "foot": side.name(),
                "part": plant.part.name(),
                "frames": [plant.frames.start, plant.frames.end],
                "seconds": [self.seconds(plant.frames.start), self.seconds(plant.frames.end)],
                "position": plant.position.to_array(),
                "drift_mm": 1000.0 * drift,
            })
        });
        let ContactSummary { n_steps, contact_share, double_support_share, flight_share } = self.contacts.summary();
        json!({
            "frames": self.contacts.n_frames,
            "frame_rate": self.frame_rate,
            "steps": { "left": n_steps.left, "right": n_steps.right },
            "contact_share": { "left": contact_share.left, "right": contact_share.right },
            "double_support_share": double_support_share,
            "flight_share": flight_share,
            "plants": plants.collect::<Vec<Value>>(),
        })
    }

    fn table(&self) -> String {
        let mut out = String::from("foot   part   frames          seconds           x        y        z   drift mm\n");
        for (side, plant, drift) in self.plants() {
            let frames = format!("{}..{}", plant.frames.start, plant.frames.end);
            let seconds = format!("{:.2}..{:.2}", self.seconds(plant.frames.start), self.seconds(plant.frames.end));
            let [x, y, z] = plant.position.to_array();
            // Writing to a string cannot fail.
            let _ = writeln!(
                out,
                "{:<6} {:<6} {frames:<15} {seconds:<13} {x:8.3} {y:8.3} {z:8.3} {:10.1}",
                side.name(),
                plant.part.name(),
                1000.0 * drift
            );
        }
        out
    }

    /// What the contacts amount to.
    fn sentence(&self) -> String {
        let ContactSummary { n_steps: PerSide { left, right }, contact_share, double_support_share, flight_share } =
            self.contacts.summary();
        let percent = |share: f64| format!("{:.0} %", 100.0 * share);
        format!(
            "{} steps (left {left}, right {right}); left foot down {}, right {}, both {}, none {}",
            left + right,
            percent(contact_share.left),
            percent(contact_share.right),
            percent(double_support_share),
            percent(flight_share)
        )
    }

    fn seconds(&self, frame: usize) -> f64 {
        frame as f64 / self.frame_rate
    }
}

/// A size of any kind: not negative, and finite.
fn parse_size(text: &str) -> Result<f64, String> {
    let wrong = || "a number from 0 to 1000, such as 0.05, would be right".to_string();
    text.parse().ok().filter(|size: &f64| (0.0..=1000.0).contains(size)).ok_or_else(wrong)
}
