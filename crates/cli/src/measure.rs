//! `surefoot measure`: how good a motion is, and whether it passes a gate.

use crate::import_args::ImportArgs;
use crate::measure_table::{self, Shown};
use crate::report::{Failure, Format, print_result, print_text, tell_import};
use crate::terrain_arg::TerrainArg;
use std::path::{Path, PathBuf};
use surefoot::contact::{Contacts, DetectOptions, Take, detect_contacts, estimate_ground};
use surefoot::contact::{
    metrics::Family, metrics::Gate, metrics::GateFailure, metrics::MeasureOptions, metrics::Measures,
    metrics::Reference, metrics::StaysFrom, metrics::check_gate, metrics::is_same_skeleton, metrics::measure_take,
};
use surefoot::formats::{FloorChoice, Import, ReadError, own, read_bytes};
use surefoot::ground::Terrain;
use surefoot::load_contacts;
use surefoot::motion::{BodyMap, Side};

/// Arguments of `measure`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Motion file
    #[arg(value_name = "CLIP")]
    input: PathBuf,
    /// When its feet stand [default: as the motion's own file says, or detected]
    #[arg(long, value_name = "FILE.contacts.json")]
    contacts: Option<PathBuf>,
    /// Footprints that the feet should stand on
    #[arg(long, value_name = "FILE.plan.json")]
    plan: Option<PathBuf>,
    /// What realises a footprint: a plant of the contacts, or wherever the ball rests near it in the motion
    #[arg(long, value_enum, value_name = "FROM", default_value = "contacts", requires = "plan")]
    stays: StaysArg,
    /// Path that the pelvis should follow
    #[arg(long, value_name = "FILE.path.json")]
    path: Option<PathBuf>,
    /// Report of the walk through a motion graph that this motion is: what `graph follow --json` printed
    #[arg(long, value_name = "FILE.json")]
    walk: Option<PathBuf>,
    /// Motion that this one should be like, such as the one it was made from; read with the same options. If its skeleton is
    /// the same, its soles are taken for both
    #[arg(long, value_name = "CLIP")]
    reference: Option<PathBuf>,
    #[command(flatten)]
    terrain: TerrainArg,
    /// Whose definition of skating to show; give it again for more
    #[arg(long, value_enum, value_name = "NAME", default_value = "graph")]
    definition: Vec<DefinitionArg>,
    /// Limits on figures: exit code 1 if one does not hold
    #[arg(long, value_name = "FILE.toml")]
    gate: Option<PathBuf>,
    /// List every plant, footprint and compared joint
    #[arg(long)]
    details: bool,
    #[command(flatten)]
    import: ImportArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum DefinitionArg {
    Graph,
    Gmd,
    Kimodo,
    Mann,
    Holosoma,
    All,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum StaysArg {
    Contacts,
    Motion,
}

/// Where the contacts came from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ContactsFrom {
    Given,
    File,
    Detected,
    /// Those of the measured motion, for a reference of as many frames.
    Measured,
}

impl ContactsFrom {
    /// A word for machines.
    pub(crate) fn name(self) -> &'static str {
        match self {
            ContactsFrom::Given => "given",
            ContactsFrom::File => "file",
            ContactsFrom::Detected => "detected",
            ContactsFrom::Measured => "measured",
        }
    }

    /// For people.
    pub(crate) fn text(self) -> &'static str {
        match self {
            ContactsFrom::Given => "as given",
            ContactsFrom::File => "of the motion's own file",
            ContactsFrom::Detected => "detected",
            ContactsFrom::Measured => "those of the measured motion",
        }
    }
}

/// A motion with all that its measures need.
pub(crate) struct Subject {
    pub(crate) file: PathBuf,
    pub(crate) take: Take,
    pub(crate) body: BodyMap,
    pub(crate) contacts_from: ContactsFrom,
    /// Whether its soles are those of the reference.
    pub(crate) has_reference_soles: bool,
}

/// Runs `measure`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let gate = args.gate.as_deref().map(|path| read(path, own::read_gate)).transpose()?;
    check_gate_usage(args, gate.as_ref())?;
    let plan = args.plan.as_deref().map(|path| read(path, own::read_plan)).transpose()?;
    let path = args.path.as_deref().map(|path| read(path, own::read_path)).transpose()?;
    let search = args.walk.as_deref().map(|path| read(path, own::read_walk_report)).transpose()?;
    let terrain = args.terrain.load()?;
    let (subject, reference) = load(args, format)?;
    let (ground, ground_text) = ground_under(&subject, terrain, args);

    let options = MeasureOptions {
        skate_floor: matches!(args.import.floor, FloorChoice::At(_)).then_some(0.0),
        plan: plan.as_ref(),
        stays: match args.stays {
            StaysArg::Contacts => StaysFrom::Contacts,
            StaysArg::Motion => StaysFrom::Motion,
        },
        path: path.as_ref(),
        search,
        reference: reference.as_ref().map(|other| Reference { clip: &other.take.clip, body: &other.body }),
    };
    let measures = measure_take(&subject.take, &ground, &options);
    let of_reference = reference.as_ref().map(|other| measure_alone(other, &ground, &options));
    let failures = gate.as_ref().map(|gate| check(gate, &measures, of_reference.as_ref()));
    let shown = Shown {
        subject: &subject,
        ground: &ground_text,
        measures: &measures,
        reference: reference.as_ref().zip(of_reference.as_ref()),
        plan: plan.as_ref(),
        families: families(&args.definition),
        gate: args.gate.as_deref().zip(gate.as_ref()).zip(failures.as_deref()),
        details: args.details,
    };
    match format {
        Format::Json => print_result("measure", &measure_table::to_json(&shown))?,
        Format::Human => print_text(&measure_table::to_text(&shown))?,
    }
    match failures.as_deref() {
        None | Some([]) => Ok(()),
        Some(failures) => Err(Failure::reported(surefoot::jobs::JobError::not_met("gate", failure_text(failures)))),
    }
}

/// Refuses limits that can never be checked as the command was called, before any work is done.
fn check_gate_usage(args: &Args, gate: Option<&Gate>) -> Result<(), Failure> {
    let Some((gate, file)) = gate.zip(args.gate.as_deref()) else { return Ok(()) };
    if gate.needs_reference() && args.reference.is_none() {
        return Err(Failure::of_file(
            "usage",
            file,
            "`times_reference` compares with a reference; --reference names it",
        ));
    }
    let missing = |family: Family| match family {
        Family::Plan => args.plan.is_none().then_some("--plan"),
        Family::Path => args.path.is_none().then_some("--path"),
        Family::Search => args.walk.is_none().then_some("--walk"),
        Family::Reference => args.reference.is_none().then_some("--reference"),
        _ => None,
    };
    let unmet = gate.limits.iter().find_map(|limit| Some((limit, missing(limit.figure.family)?)));
    unmet.map_or(Ok(()), |(limit, option)| {
        let message = format!("limits.{}: this figure needs {option}", limit.figure.name);
        Err(Failure::of_file("usage", file, message))
    })
}

/// Reads a file of our own.
fn read<T>(path: &Path, reader: fn(&[u8]) -> Result<T, ReadError>) -> Result<T, Failure> {
    let result = read_bytes(path).and_then(|bytes| reader(&bytes));
    result.map_err(|error| Failure::from(error.in_file(path)))
}

/// The measured motion and its reference.
///
/// A heel is no joint: each import fits it to its own motion. Where both have one skeleton, the reference's soles are taken for
/// both, so that both are measured by the same points.
fn load(args: &Args, format: Format) -> Result<(Subject, Option<Subject>), Failure> {
    let mut import = args.import.load(&args.input)?;
    let reference = args.reference.as_deref().map(|file| args.import.load(file)).transpose()?;
    let mut has_reference_soles = false;
    if let (Ok(body), Some((other, Ok(soles)))) =
        (&mut import.body, reference.as_ref().map(|other| (other, &other.body)))
        && is_same_skeleton(&import.clip.skeleton, &other.clip.skeleton)
    {
        for side in Side::BOTH {
            body.legs[side].foot = soles.legs[side].foot;
        }
        has_reference_soles = true;
    }
    let contacts = match &args.contacts {
        Some(file) => Some((load_contacts(file, &import)?, ContactsFrom::Given)),
        None => import.contacts.clone().map(|contacts| (contacts, ContactsFrom::File)),
    };
    let subject = Subject { has_reference_soles, ..subject_of(&args.input, import, contacts, format)? };
    let reference = args.reference.as_deref().zip(reference).map(|(file, import)| {
        let contacts = reference_contacts(&import, &subject);
        subject_of(file, import, contacts, format)
    });
    Ok((subject, reference.transpose()?))
}

/// Contacts of the reference's own file; or those of the measured motion, if both have as many frames.
fn reference_contacts(import: &Import, measured: &Subject) -> Option<(Contacts, ContactsFrom)> {
    let own = import.contacts.clone().map(|contacts| (contacts, ContactsFrom::File));
    own.or_else(|| {
        let ranges = own::ContactRanges::from(&measured.take.contacts);
        let contacts = ranges.of_clip(&import.clip, import.body.as_ref().ok()?).ok()?;
        (import.clip.frame_rate == measured.take.clip.frame_rate).then_some((contacts, ContactsFrom::Measured))
    })
}

fn subject_of(
    file: &Path,
    import: Import,
    contacts: Option<(Contacts, ContactsFrom)>,
    format: Format,
) -> Result<Subject, Failure> {
    if format == Format::Human {
        tell_import(&import);
    }
    let body = import.body.map_err(|error| {
        Failure::of_file("no_body", file, format!("feet cannot be measured: {error}; --body names the joints"))
    })?;
    let clip = import.clip;
    let (contacts, contacts_from) = contacts.unwrap_or_else(|| {
        let found = detect_contacts(&clip.world(), &body, clip.frame_rate, &DetectOptions::default());
        (found.contacts, ContactsFrom::Detected)
    });
    Ok(Subject {
        file: file.to_path_buf(),
        take: Take { clip, contacts },
        body,
        contacts_from,
        has_reference_soles: false,
    })
}

/// The ground that is named, or the one under the plants; and how it came about.
fn ground_under(subject: &Subject, named: Option<Terrain>, args: &Args) -> (Terrain, String) {
    if let Some(terrain) = named {
        return (terrain, "as given".to_string());
    }
    if matches!(args.import.floor, FloorChoice::At(_)) {
        return (Terrain::flat(0.0), "flat at 0 m, where --floor put it".to_string());
    }
    let Some(ground) = estimate_ground(&subject.take.contacts) else {
        return (Terrain::flat(0.0), "flat at 0 m, for there are no plants".to_string());
    };
    let text = match ground.levels[..] {
        [first, .., last] => {
            format!("{} levels from {first:.4} to {last:.4} m, where the plants are", ground.levels.len())
        }
        _ => format!("flat at {:.4} m, where the plants are", ground.levels.iter().sum::<f64>()),
    };
    (ground.terrain, text)
}

/// The reference's own figures, on the same ground and against the same plan and path.
fn measure_alone(reference: &Subject, ground: &Terrain, options: &MeasureOptions<'_>) -> Measures {
    let options = MeasureOptions { search: None, reference: None, ..*options };
    measure_take(&reference.take, ground, &options)
}

fn check(gate: &Gate, measures: &Measures, reference: Option<&Measures>) -> Vec<GateFailure> {
    check_gate(gate, &measures.figures(), &reference.map(Measures::figures).unwrap_or_default())
}

fn failure_text(failures: &[GateFailure]) -> String {
    let lines: Vec<String> = failures.iter().map(|failure| format!("\n  {failure}")).collect();
    format!("the gate does not hold:{}", lines.concat())
}

/// The families to show: skating by the definitions that were chosen, and everything else.
fn families(chosen: &[DefinitionArg]) -> Vec<Family> {
    let all = chosen.contains(&DefinitionArg::All);
    let is_shown = |family: &Family| {
        let definition = match family {
            Family::Graph => DefinitionArg::Graph,
            Family::Gmd => DefinitionArg::Gmd,
            Family::Kimodo => DefinitionArg::Kimodo,
            Family::Mann => DefinitionArg::Mann,
            Family::Holosoma => DefinitionArg::Holosoma,
            _ => return true,
        };
        all || chosen.contains(&definition)
    };
    Family::ALL.into_iter().filter(is_shown).collect()
}
