//! Pictures of a synthetic walker. The sheet of 12 figures, as a PNG file, must stay below half a second.

#[path = "../tests/it/walker/mod.rs"]
mod walker;

use divan::Bencher;
use surefoot_contact::SyntheticWalk;
use surefoot_picture::{
    FrameChoice, RenderOptions, Subject, View, animated_gif, contact_sheet, encode_png, sheet_svg, strobe,
};
use walker::walker;

fn main() {
    divan::main();
}

fn subject(walker: &SyntheticWalk) -> Subject<'_> {
    Subject {
        clip: &walker.take.clip,
        body: Some(&walker.take.body),
        contacts: Some(&walker.take.contacts),
        terrain: None,
    }
}

#[divan::bench(args = View::ALL)]
fn contact_sheet_of_12(bencher: Bencher<'_, '_>, view: View) {
    let walker = walker(240, 120.0);
    let options = RenderOptions { view, ..RenderOptions::default() };
    bencher.bench(|| contact_sheet(&subject(&walker), &options));
}

#[divan::bench]
fn contact_sheet_of_12_as_png(bencher: Bencher<'_, '_>) {
    let walker = walker(240, 120.0);
    let options = RenderOptions::default();
    bencher.bench(|| encode_png(&contact_sheet(&subject(&walker), &options).expect("a sheet")));
}

#[divan::bench]
fn strobe_of_9(bencher: Bencher<'_, '_>) {
    let walker = walker(240, 120.0);
    let options = RenderOptions { frames: FrameChoice::Evenly(9), ..RenderOptions::default() };
    bencher.bench(|| strobe(&subject(&walker), &options));
}

#[divan::bench]
fn sheet_svg_of_12(bencher: Bencher<'_, '_>) {
    let walker = walker(240, 120.0);
    let options = RenderOptions::default();
    bencher.bench(|| sheet_svg(&subject(&walker), &options));
}

#[divan::bench(sample_count = 5)]
fn animated_gif_of_a_second(bencher: Bencher<'_, '_>) {
    let walker = walker(120, 120.0);
    let options = RenderOptions::default();
    bencher.bench(|| animated_gif(&subject(&walker), &options));
}
