//! Recipes: every option of every tool is read, what is written comes back, and what is wrong is reported with its line.

use surefoot_formats::ErrorKind;
use surefoot_formats::own::{EditWords, read_recipe, write_recipe};
use surefoot_signal::{Edge, Edit, EqualizedSignals, GainWords, GroundWords, RegisterBy, TransferBy};

fn edit(fields: &str) -> Edit {
    let words =
        read_recipe(format!("recipe = 1\n[[edit]]\n{fields}\n").as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    Edit::try_from(&words[0]).expect("checked as it was read")
}

/// Options of every tool, in every notation.
const WHOLE: &str = r#"recipe = 1

[[edit]]
tool = "equalize"
gain = { 2 = 1.8, "3-5" = -0.5, "1-3Hz" = 2 }
joints = ["arms", "Head"]
edge = "hold"
positions = true

[[edit]]
tool = "equalize"
preset = "tone-down"
amount = 0.5
joints = "legs,travel"

[[edit]]
tool = "blend"
with = ["a.bvh", "b, with a comma.bvh"]
weights = [0.2, 0.3, 0.5]
part = ["arms=1,0,0", "all@0-2=0:0/2:1,0,1"]
timing = "0,0,1"
joints = "arms"
register = "contacts"
weigh = { legs = 2, arms = 0 }
max-slope = 3
smoothing = 0.1

[[edit]]
tool = "warp"
to = "c.bvh"
amount = "0:0/2:1"

[[edit]]
tool = "shape"
shape = "undulate:4"
range = "-30..90deg"
drive = 1.5
mix = "0:0/1:1"
components = "xz"
joints = "arms"

[[edit]]
tool = "shape"
points = "-1:-1/0:0.4/1:1"
range = "mean"

[[edit]]
tool = "shape"
limit = ["knees.flexion=0..120", "LeftArm.y=..80"]
body-limits = true
soft = 15

[[edit]]
tool = "displace"
keys = "wave.keys.json"
turn = ["120:LeftArm=30,0,-5", "1.5s:Head=0,40,0"]
move = "0:Hips=0,0.1,0"
reach = "200:left-hand=0,0.1,0"
place = "200:right-foot=0.1,0,0.5"
fade = "ends"
flow = "smooth"

[[edit]]
tool = "concat"
with = "d.bvh"
zone = 0.5
fade = "linear"
cut = "best:1.5"
warp = true
max-slope = 2

[[edit]]
tool = "loop"
cycles = 3
shortest = 0.5
longest = 2
zone = 0.2

[[edit]]
tool = "filter"
despike = true
lowpass = 6
order = 3
gaussian = 0.03
orientation = 2
savitzky-golay = 0.15
joints = "all,travel"

[[edit]]
tool = "transfer"
from = "n.bvh"
to = "s.bvh"
amount = 1.5
timing = 0
bands = { "0-2" = 0 }
register = "strides"

[[edit]]
tool = "keep-plants"
terrain = "flat:0.03"
rigid = true
"#;

#[test]
fn every_option_of_every_tool_is_read_and_comes_back() {
    let words = read_recipe(WHOLE.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    let edits: Vec<Edit> = words.iter().map(|words| Edit::try_from(words).expect("checked")).collect();
    let tools: Vec<&str> = edits.iter().map(Edit::tool).collect();
    let all = [
        "equalize",
        "equalize",
        "blend",
        "warp",
        "shape",
        "shape",
        "shape",
        "displace",
        "concat",
        "loop",
        "filter",
        "transfer",
        "keep-plants",
    ];
    assert_eq!(tools, all);
    let text = write_recipe(&words);
    let again = read_recipe(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let edits_again: Vec<Edit> = again.iter().map(|words| Edit::try_from(words).expect("checked")).collect();
    assert_eq!(edits_again, edits, "{text}");
    assert_eq!(write_recipe(&again), text);
    let [Edit::Equalize(first), Edit::Equalize(second), Edit::Blend(blend), ..] = &edits[..] else {
        panic!("in order")
    };
    assert_eq!((first.edge, first.signals), (Some(Edge::Held), EqualizedSignals::Positions));
    let GainWords::Bands(gains) = &first.gains else { panic!("gains") };
    assert_eq!(gains.iter().map(|(_, gain)| *gain).collect::<Vec<_>>(), [1.8, -0.5, -0.5, -0.5, 2.0]);
    assert_eq!(second.joints, Some(vec!["legs".to_string(), "travel".to_string()]));
    assert_eq!(blend.with[1].to_str(), Some("b, with a comma.bvh"));
    assert_eq!((blend.parts.len(), blend.parts[1].bands.clone()), (2, Some(0..=2)));
    assert_eq!((blend.register.by, blend.register.max_slope), (RegisterBy::Contacts, Some(3)));
    let [.., Edit::Transfer(transfer), Edit::KeepPlants(keep)] = &edits[..] else { panic!("in order") };
    assert_eq!(transfer.by, TransferBy::Strides);
    assert_eq!((keep.ground.clone(), keep.rigid), (Some(GroundWords::Flat(0.03)), true));
}

#[test]
fn a_command_line_and_a_recipe_mean_the_same() {
    let words = EditWords::new("equalize").with("gain", Some("2=1.8,3=1.8")).with("joints", Some("arms,Head"));
    let of_line = Edit::try_from(&words).expect("an edit");
    assert_eq!(of_line, edit("tool = \"equalize\"\ngain = { 2 = 1.8, 3 = 1.8 }\njoints = [\"arms\", \"Head\"]"));
    assert_eq!(of_line, edit("tool = \"equalize\"\ngain = [\"2-3=1.8\"]\njoints = \"arms, Head\""));
    let text = write_recipe(&[words]);
    assert_eq!(text, "recipe = 1\n\n[[edit]]\ntool = \"equalize\"\ngain = \"2=1.8,3=1.8\"\njoints = \"arms,Head\"\n");
}

#[test]
fn what_is_no_recipe_is_reported_with_its_line() {
    let edit = |fields: &str| format!("recipe = 1\n[[edit]]\n{fields}");
    for (text, kind, line, part) in [
        ("".to_string(), ErrorKind::Empty, 0, "empty"),
        ("recipe = 1".to_string(), ErrorKind::MissingField, 1, "`edit` is missing"),
        ("recipe = 1\nedit = []".to_string(), ErrorKind::MissingField, 2, "there is no edit"),
        ("recipe = 2\n[[edit]]".to_string(), ErrorKind::Version, 1, "version 2"),
        ("gate = 1".to_string(), ErrorKind::MissingField, 1, "this is a gate"),
        ("recipe = 1\nedits = 3".to_string(), ErrorKind::UnknownField, 2, "did you mean `edit`?"),
        ("recipe = 1\nedit = 3".to_string(), ErrorKind::Type, 2, "[[edit]]"),
        (edit("gain = \"2=1\""), ErrorKind::MissingField, 2, "`tool` is missing"),
        (edit("tool = \"equalise\""), ErrorKind::UnknownField, 2, "did you mean `equalize`?"),
        (edit("tool = \"xyzzy\""), ErrorKind::UnknownField, 2, "there are equalize, blend"),
        (
            edit("tool = \"equalize\"\ngian = 3"),
            ErrorKind::UnknownField,
            4,
            "edit[0].gian: `equalize` has no such option; did you mean `gain`?",
        ),
        (edit("tool = \"equalize\""), ErrorKind::MissingField, 2, "is missing, such as 2=1.8"),
        (edit("tool = \"equalize\"\n\ngain = \"2\""), ErrorKind::Type, 5, "edit[0].gain: 2: bands with a gain"),
        (edit("tool = \"equalize\"\ngain = \"2=1000\""), ErrorKind::Type, 4, "a gain from -100 to 100"),
        (edit("tool = \"equalize\"\ngain = \"2=nan\""), ErrorKind::Type, 4, "a gain from -100 to 100"),
        (edit("tool = \"equalize\"\ngain = \"4-2=1\""), ErrorKind::Type, 4, "frequencies such as 1-3Hz"),
        (
            edit("tool = \"equalize\"\ngain = \"2=1\"\npreset = \"nervous\""),
            ErrorKind::DuplicateName,
            5,
            "gains of its own",
        ),
        (
            edit("tool = \"equalize\"\ngain = \"2=1\"\namount = 1"),
            ErrorKind::UnknownField,
            5,
            "no use without `preset`",
        ),
        (edit("tool = \"equalize\"\npreset = \"loud\""), ErrorKind::Type, 4, "one of exaggerate"),
        (edit("tool = \"equalize\"\npreset = \"nervous\"\namount = 11"), ErrorKind::Type, 5, "from 0 to 10"),
        (edit("tool = \"equalize\"\ngain = \"2=1\"\nedge = \"wrap\""), ErrorKind::Type, 5, "one of reflect, hold"),
        (edit("tool = \"equalize\"\ngain = \"2=1\"\npositions = 3"), ErrorKind::Type, 5, "true or false"),
        (edit("tool = \"equalize\"\ngain = [[1]]"), ErrorKind::Type, 4, "a list or a table of texts and numbers"),
        (edit("tool = \"equalize\"\ngain = 1979-05-27"), ErrorKind::Type, 4, "found a date"),
        (edit("tool = \"blend\""), ErrorKind::MissingField, 2, "is missing, such as other.bvh"),
        (edit("tool = \"blend\"\nwith = \"-\""), ErrorKind::Type, 4, "is no clip"),
        (
            edit("tool = \"blend\"\nwith = \"a.bvh\"\nweights = [1, 2, 3]"),
            ErrorKind::Type,
            5,
            "3 weights for 1 other clips",
        ),
        (edit("tool = \"blend\"\nwith = \"a.bvh\"\nweights = \"half\""), ErrorKind::Type, 5, "`half` is no amount"),
        (edit("tool = \"blend\"\nwith = \"a.bvh\"\npart = \"arms\""), ErrorKind::Type, 5, "arms=0.2,0.8"),
        (edit("tool = \"blend\"\nwith = \"a.bvh\"\npart = \"arms@x=1\""), ErrorKind::Type, 5, "after @"),
        (
            edit("tool = \"blend\"\nwith = \"a.bvh\"\nregister = \"frames\"\ntiming = 1"),
            ErrorKind::UnknownField,
            6,
            "of no use",
        ),
        (edit("tool = \"warp\"\nto = [\"a.bvh\", \"b.bvh\"]"), ErrorKind::Type, 4, "one clip"),
        (edit("tool = \"warp\"\nto = \"a.bvh\"\nmax-slope = 99"), ErrorKind::OutOfRange, 5, "from 1 to 32"),
        (edit("tool = \"warp\"\nto = \"a.bvh\"\nmax-slope = 1.5"), ErrorKind::Type, 5, "a whole number"),
        (edit("tool = \"warp\"\nto = \"a.bvh\"\nweigh = \"legs\""), ErrorKind::Type, 5, "legs=2,arms=0"),
        (
            edit("tool = \"warp\"\nto = \"a.bvh\"\nregister = \"frames\""),
            ErrorKind::Type,
            5,
            "movement, contacts or paper",
        ),
        (
            edit("tool = \"warp\"\nto = \"a.bvh\"\nregister = \"paper\"\namount = 0.5"),
            ErrorKind::Type,
            6,
            "complete warp",
        ),
        (edit("tool = \"shape\""), ErrorKind::MissingField, 2, "is missing, such as undulate"),
        (edit("tool = \"shape\"\nshape = \"undulat\""), ErrorKind::Type, 4, "undulate"),
        (edit("tool = \"shape\"\nshape = \"undulate:900\""), ErrorKind::Type, 4, "1 to 20 would be right"),
        (edit("tool = \"shape\"\npoints = \"1:1/0:0\""), ErrorKind::Type, 4, "points"),
        (edit("tool = \"shape\"\nshape = \"clip\"\nrange = \"90..30deg\""), ErrorKind::Type, 5, "-30..90deg"),
        (edit("tool = \"shape\"\nshape = \"clip\"\ncomponents = \"w\""), ErrorKind::Type, 5, "some of x, y and z"),
        (
            edit("tool = \"concat\"\nwith = \"a.bvh\"\ncut = \"worst\""),
            ErrorKind::Type,
            5,
            "ends, best or best:SECONDS",
        ),
        (
            edit("tool = \"concat\"\nwith = \"a.bvh\"\nsmoothing = 1"),
            ErrorKind::UnknownField,
            5,
            "no use without `warp`",
        ),
        (edit("tool = \"shape\"\nshape = \"clip\"\nsoft = 3"), ErrorKind::UnknownField, 5, "no use without `limit`"),
        (edit("tool = \"shape\"\nbody-limits = true\nmix = 1"), ErrorKind::UnknownField, 5, "no use without `shape`"),
        (edit("tool = \"displace\""), ErrorKind::MissingField, 2, "is missing, such as reach.keys.json"),
        (edit("tool = \"displace\"\nturn = \"Head=1,2,3\""), ErrorKind::Type, 4, "120:LeftArm=30,0,0"),
        (edit("tool = \"displace\"\nturn = \"5:Head=1,2\""), ErrorKind::Type, 4, "120:LeftArm=30,0,0"),
        (edit("tool = \"displace\"\nreach = \"5:nose=1,2,3\""), ErrorKind::Type, 4, "120:left-hand=0,0.1,0"),
        (edit("tool = \"displace\"\nmove = \"5:Hips=0,0,inf\""), ErrorKind::Type, 4, "120:Hips=0,0.1,0"),
        (
            edit("tool = \"displace\"\nmove = \"5:Hips=0,0,1\"\nfade = \"slow\""),
            ErrorKind::Type,
            5,
            "seconds, or `ends`",
        ),
        (edit("tool = \"loop\"\ncut = \"12\""), ErrorKind::Type, 4, "12..74"),
        (edit("tool = \"loop\"\ncycles = -1"), ErrorKind::Type, 4, "a whole number"),
        (edit("tool = \"filter\""), ErrorKind::MissingField, 2, "no filter is named"),
        (edit("tool = \"filter\"\ndespike = true\norder = 2"), ErrorKind::UnknownField, 5, "no use without `lowpass`"),
        (edit("tool = \"transfer\"\nfrom = \"n.bvh\""), ErrorKind::MissingField, 2, "is missing, such as styled.bvh"),
        (edit("tool = \"keep-plants\"\nterrain = \"flat:high\""), ErrorKind::Type, 4, "flat:0.03"),
        (edit("tool = \"keep-plants\"\njoints = \"legs\""), ErrorKind::UnknownField, 4, "it has terrain, rigid"),
    ] {
        let error = read_recipe(text.as_bytes()).expect_err(&text);
        assert_eq!((error.kind, error.line.unwrap_or(0)), (kind, line), "{text}: {error}");
        assert!(error.message.contains(part), "{text}: {error}");
    }
}
