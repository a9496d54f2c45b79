//! Animates random courses on the built-in corpus or on a step database of recordings, and writes each plan with its motion and contacts,
//! so that anybody's tool can measure them.
//!
//! `cargo run --release --example mixed_plans -- FOLDER [FIRST_SEED] [NUMBER] [FILE.steps]`

use std::path::PathBuf;
use std::sync::Arc;
use surefoot::compose::FlightLibrary;
use surefoot::corpus_steps;
use surefoot::formats::own;
use surefoot::gait::CorpusOptions;
use surefoot::jobs::{compose_on, corpus_behaviours, plan_as_flown, random_course};
use surefoot::plan::{World, synthesize};
use surefoot::steps::{Steps, WalkOptions};
use surefoot::{ConvertOptions, OutputFormat, convert};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("a folder to write to is needed")?);
    let first: u64 = arguments.next().map_or(Ok(0), |seed| seed.parse())?;
    let number: u64 = arguments.next().map_or(Ok(200), |number| number.parse())?;
    let file = arguments.next();
    std::fs::create_dir_all(&folder)?;

    let options = CorpusOptions::default();
    let (database, flights) = match file {
        Some(file) => own::read_steps_and_flights(&std::fs::read(file)?)?,
        None => (corpus_steps(&options)?, FlightLibrary::default()),
    };
    let steps = Steps::new(Arc::new(database), WalkOptions::default());
    let composer = compose_on((&steps, &flights), &corpus_behaviours(&options)?, None, None)?;
    let world = Arc::new(World::default());
    for seed in first..first + number {
        let plan = random_course(seed);
        let file = |ending: &str| folder.join(format!("{seed}.{ending}"));
        match synthesize(&composer, &world, &plan, "mixed") {
            Ok(made) => {
                let take = &made.take;
                let bvh = convert(
                    &take.clip,
                    Some(&take.body),
                    Some(&take.contacts),
                    OutputFormat::Bvh,
                    &ConvertOptions::default(),
                )?;
                std::fs::write(file("plan.json"), own::write_plan(&plan_as_flown(&plan, &made.report)))?;
                std::fs::write(file("bvh"), bvh.into_bytes()?)?;
                std::fs::write(file("contacts.json"), own::write_contacts(&take.contacts))?;
                println!("{seed}: {} {}", made.report.verdict.grade.name(), made.report.verdict.reasons.join("; "));
            }
            Err(error) => {
                std::fs::write(file("refused.json"), own::write_plan(&plan))?;
                println!("{seed}: refused: {error}");
            }
        }
    }
    Ok(())
}
