//! Recipes: what is read is an edit, and can be written and read again.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use std::path::Path;
use surefoot_formats::own::{EditWords, read_recipe, write_recipe};
use surefoot_fuzz::{mutate_words, offer_seeds};
use surefoot_signal::Edit;

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| { mutate_words(data, size, max_size, seed) });

fuzz_target!(
    init: offer_seeds(seeds()),
    |data: &[u8]| {
        let Ok(words) = read_recipe(data) else { return };
        let meant = |words: &[EditWords]| -> Vec<Edit> {
            words.iter().map(|words| Edit::try_from(words).expect("checked as it was read")).collect()
        };
        let text = write_recipe(&words);
        let again = read_recipe(text.as_bytes()).unwrap_or_else(|error| panic!("our own recipe: {error}\n{text}"));
        assert_eq!(meant(&again), meant(&words), "{text}");
        for words in words {
            let _ = words.from_folder(Path::new("a/b"));
        }
    }
);

fn seeds() -> Vec<Vec<u8>> {
    let edits = [
        "tool = \"equalize\"\ngain = { 2 = 1.8, \"3-5\" = -0.5, \"1-3Hz\" = 2 }\njoints = [\"arms\", \"Head\"]\nedge = \"hold\"\npositions = true\n",
        "tool = \"equalize\"\npreset = \"tone-down\"\namount = 0.5\n",
        "tool = \"blend\"\nwith = [\"a.bvh\", \"b.bvh\"]\nweights = [0.2, 0.3, 0.5]\npart = [\"arms=1,0,0\", \"all@0-2=0:0/2:1,0,1\"]\ntiming = \"0,0,1\"\nregister = \"contacts\"\nweigh = { legs = 2 }\nmax-slope = 3\nsmoothing = 0.1\n",
        "tool = \"warp\"\nto = \"c.bvh\"\namount = \"0:0/2:1\"\n",
        "tool = \"shape\"\nshape = \"undulate:4\"\nrange = \"-30..90deg\"\ndrive = 1.5\nmix = \"0:0/1:1\"\ncomponents = \"xz\"\n",
        "tool = \"shape\"\npoints = \"-1:-1/0:0.4/1:1\"\nlimit = [\"knees.x=0..120\"]\nbody-limits = true\nsoft = 10\n",
        "tool = \"displace\"\nkeys = \"a.keys.json\"\nturn = \"120:LeftArm=30,0,0\"\nreach = [\"1.5s:left-hand=0,0.1,0\"]\nfade = \"ends\"\nflow = \"smooth\"\n",
        "tool = \"concat\"\nwith = \"d.bvh\"\nzone = 0.5\nfade = \"linear\"\ncut = \"best:1.5\"\nwarp = true\n",
        "tool = \"loop\"\ncycles = 3\nshortest = 0.5\nlongest = 2\nzone = 0.2\ncut = \"3..40\"\n",
        "tool = \"filter\"\ndespike = true\nlowpass = 6\norder = 3\ngaussian = 0.03\norientation = 2\nsavitzky-golay = 0.15\n",
        "tool = \"transfer\"\nfrom = \"n.bvh\"\nto = \"s.bvh\"\namount = 1.5\ntiming = 0\nbands = { \"0-2\" = 0 }\nregister = \"strides\"\n",
        "tool = \"keep-plants\"\nterrain = \"flat:0.03\"\nrigid = true\n",
    ];
    edits.map(|edit| format!("recipe = 1\n[[edit]]\n{edit}").into_bytes()).to_vec()
}
