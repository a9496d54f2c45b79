//! What `plan path`, `plan steps` and `go` share: scenes with a start and a goal, and pictures from above.

use std::path::PathBuf;
use surefoot::geom::Vec2;
use surefoot::ground::MAX_REACH;
use surefoot::jobs::PlacesRequest;

/// Where to start and to go.
#[derive(clap::Args)]
#[command(next_help_heading = "Path")]
pub(crate) struct PlaceArgs {
    /// Where to start, in metres [default: the scene's start]
    #[arg(long, value_name = "X,Z", value_parser = parse_place, allow_hyphen_values = true)]
    pub(crate) start: Option<Vec2>,
    /// Where to go [default: the scene's goal]
    #[arg(long, value_name = "X,Z", value_parser = parse_place, allow_hyphen_values = true)]
    pub(crate) goal: Option<Vec2>,
    /// How much farther than the clearance the path keeps from walls where there is room, 0 to 10 m
    #[arg(long, value_name = "METRES", default_value = "0.3", value_parser = parse_shyness, allow_negative_numbers = true)]
    shyness: f64,
    /// Turns are no tighter than this where there is room, 0.05 to 10 m
    #[arg(long, value_name = "METRES", default_value = "0.5", value_parser = parse_radius, allow_negative_numbers = true)]
    turn_radius: f64,
}

impl PlaceArgs {
    /// As a job's request has them.
    pub(crate) fn request(&self) -> PlacesRequest {
        PlacesRequest {
            start: self.start.map(|place| place.to_array()),
            goal: self.goal.map(|place| place.to_array()),
            shyness: Some(self.shyness),
            turn_radius: Some(self.turn_radius),
        }
    }
}

/// A picture from above.
#[derive(clap::Args)]
pub(crate) struct PictureArg {
    /// Draw the scene from above: png or svg by its ending. What is wrong is shown too, if anything is
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) picture: Option<PathBuf>,
}

impl PictureArg {}

fn parse_place(text: &str) -> Result<Vec2, String> {
    let wrong = || "two numbers such as 1.5,-2 would be right".to_string();
    let (x, z) = text.split_once(',').ok_or_else(wrong)?;
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(wrong);
    let place = Vec2::new(number(x)?, number(z)?);
    if place.abs().max_element() > MAX_REACH {
        return Err(format!("too far away to mean anything; at most {MAX_REACH} m"));
    }
    Ok(place)
}

fn parse_within(text: &str, [least, most]: [f64; 2]) -> Result<f64, String> {
    let number = text.trim_end_matches('m').trim().parse().ok().filter(|number: &f64| (least..=most).contains(number));
    number.ok_or_else(|| format!("a length from {least} to {most} m would be right"))
}

fn parse_shyness(text: &str) -> Result<f64, String> {
    parse_within(text, [0.0, 10.0])
}

fn parse_radius(text: &str) -> Result<f64, String> {
    parse_within(text, [0.05, 10.0])
}

/// A clearance in metres.
pub(crate) fn parse_clearance(text: &str) -> Result<f64, String> {
    parse_within(text, [0.0, 100.0])
}
