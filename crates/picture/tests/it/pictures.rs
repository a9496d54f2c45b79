//! What pictures promise, on a synthetic walker: figures inside their panels, sides where each view has them, marks only where
//! contacts are known, the same bytes every time, and files that others can decode.

use crate::walker::walker;
use surefoot_contact::{Contacts, SyntheticWalk};
use surefoot_geom::{Quat, Transform, Vec3};
use surefoot_motion::{Clip, Joint, Poses, Skeleton};
use surefoot_picture::{
    FrameChoice, Image, PictureError, RenderOptions, Subject, View, animated_gif, animated_gif_with, contact_sheet,
    encode_png, sheet_svg, strobe, strobe_svg,
};

/// Around a sheet and between its panels, without labels.
const MARGIN: u32 = 12;
const GAP: u32 = 8;

fn subject(walker: &SyntheticWalk) -> Subject<'_> {
    Subject { clip: &walker.take.clip, body: Some(&walker.take.body), contacts: None, terrain: None }
}

fn with_contacts(walker: &SyntheticWalk) -> Subject<'_> {
    Subject { contacts: Some(&walker.take.contacts), ..subject(walker) }
}

fn plain(view: View, frames: Vec<usize>) -> RenderOptions {
    RenderOptions { view, frames: FrameChoice::Chosen(frames), labels: false, columns: 4, ..RenderOptions::default() }
}

fn is_blue([r, g, b]: [u8; 3]) -> bool {
    b > r.saturating_add(50) && b > g.saturating_add(20)
}

fn is_orange([r, g, b]: [u8; 3]) -> bool {
    r > b.saturating_add(70) && r > g.saturating_add(25)
}

fn pixels_where(image: &Image, wanted: impl Fn([u8; 3]) -> bool) -> Vec<(u32, u32)> {
    let all = (0..image.height()).flat_map(|y| (0..image.width()).map(move |x| (x, y)));
    all.filter(|&(x, y)| wanted(image.pixel(x, y))).collect()
}

fn mean(points: &[(u32, u32)]) -> (f64, f64) {
    assert!(!points.is_empty(), "some pixels of that colour");
    let n = points.len() as f64;
    (points.iter().map(|p| f64::from(p.0)).sum::<f64>() / n, points.iter().map(|p| f64::from(p.1)).sum::<f64>() / n)
}

#[test]
fn every_figure_lies_inside_its_panel_and_fills_it() {
    let walker = walker(120, 60.0);
    for view in View::ALL {
        let options = plain(view, (0..8).map(|i| i * 15).collect());
        let image = contact_sheet(&subject(&walker), &options).expect("a sheet");
        let [width, height] = options.panel;
        assert_eq!((image.width(), image.height()), (4 * width + 3 * GAP + 2 * MARGIN, 2 * height + GAP + 2 * MARGIN));
        let limbs = pixels_where(&image, |pixel| is_blue(pixel) || is_orange(pixel));
        let mut tallest = 0;
        let mut widest = 0;
        for i in 0..8 {
            let (x, y) = (MARGIN + i % 4 * (width + GAP), MARGIN + i / 4 * (height + GAP));
            let inside = limbs.iter().filter(|p| (x..x + width).contains(&p.0) && (y..y + height).contains(&p.1));
            let (mut low, mut high) = ((u32::MAX, u32::MAX), (0, 0));
            for p in inside {
                low = (low.0.min(p.0 - x), low.1.min(p.1 - y));
                high = (high.0.max(p.0 - x), high.1.max(p.1 - y));
            }
            assert!(low.0 >= 8 && low.1 >= 8 && high.0 < width - 8 && high.1 < height - 8, "{view}, panel {i}");
            tallest = tallest.max(high.1 - low.1);
            widest = widest.max(high.0 - low.0);
        }
        // Head and trunk are grey, so limbs alone span somewhat less than the panel.
        assert!(f64::from(tallest) > 0.6 * f64::from(height) || f64::from(widest) > 0.7 * f64::from(width), "{view}");
    }
}

#[test]
fn sides_are_where_each_view_has_them() {
    let walker = walker(60, 60.0);
    let draw = |view| {
        let image = contact_sheet(&subject(&walker), &plain(view, vec![0])).expect("a sheet");
        (pixels_where(&image, is_blue), pixels_where(&image, is_orange))
    };
    // Who faces the viewer has their left at the picture's right.
    let (left, right) = draw(View::Front);
    assert!(mean(&left).0 > mean(&right).0 + 20.0);
    // From above, facing the picture's right, the left is at the top.
    let (left, right) = draw(View::Top);
    assert!(mean(&left).1 < mean(&right).1 - 20.0);
    // From the right, the right limbs hide the left ones.
    let (left, right) = draw(View::Side);
    assert!(right.len() > left.len() * 3 / 2, "{} left, {} right", left.len(), right.len());
    // Halfway between, the left limbs are at the picture's right and further away.
    let (left, right) = draw(View::ThreeQuarter);
    assert!(mean(&left).0 > mean(&right).0 + 10.0 && right.len() > left.len());
}

#[test]
fn planted_marks_appear_only_with_contacts() {
    let walker = walker(120, 60.0);
    let frame = (0..120)
        .find(|&frame| walker.take.contacts.plants.left.iter().any(|plant| plant.frames.contains(&frame)))
        .expect("a plant");
    let none = Contacts::none(120);
    for view in View::ALL {
        let options = plain(view, vec![frame]);
        let unknown = contact_sheet(&subject(&walker), &options).expect("a sheet");
        let never = contact_sheet(&Subject { contacts: Some(&none), ..subject(&walker) }, &options).expect("a sheet");
        let known = contact_sheet(&with_contacts(&walker), &options).expect("a sheet");
        assert!(unknown == never, "{view}: a foot that does not stand looks the same with contacts and without");
        // Rings lie on the ground, which is grey otherwise; the foot itself changes colour.
        let is_grey = |[r, g, b]: [u8; 3]| r.abs_diff(g) < 24 && g.abs_diff(b) < 24;
        let ringed = pixels_where(&known, |pixel| is_blue(pixel) || is_orange(pixel));
        let ringed = ringed.iter().filter(|&&(x, y)| is_grey(unknown.pixel(x, y))).count();
        assert!(ringed > 20, "{view}: {ringed} pixels of rings");
        let changed = unknown.pixels().iter().zip(known.pixels()).filter(|(a, b)| a != b).count();
        assert!(changed > 300, "{view}: {changed} bytes changed");
        // Without a body nobody knows which foot it would be.
        let nobody = Subject { body: None, ..with_contacts(&walker) };
        let bare = Subject { contacts: None, ..nobody };
        assert!(contact_sheet(&nobody, &options) == contact_sheet(&bare, &options));
    }
}

#[test]
fn the_grid_is_fixed_in_the_world() {
    let mut walker = walker(1, 30.0);
    for metres in [1.0, 1.5] {
        let mut pose = walker.take.clip.pose(0).to_pose();
        pose[walker.take.body.pelvis].translation.z += metres;
        walker.take.clip.poses_mut().push(&pose);
    }
    let image = contact_sheet(&subject(&walker), &plain(View::ThreeQuarter, vec![0, 1, 2])).expect("a sheet");
    let [width, height] = RenderOptions::default().panel;
    let difference = |panel: u32| {
        let shift = panel * (width + GAP);
        let points = (0..height).flat_map(|y| (0..width).map(move |x| (MARGIN + x, MARGIN + y)));
        points.map(|(x, y)| u64::from(image.pixel(x, y)[0].abs_diff(image.pixel(x + shift, y)[0]))).sum::<u64>()
    };
    // A metre on, the follower sees the same lines again; half a metre on, others. Rounding may move single shades.
    assert!(difference(1) * 50 < difference(2), "{} against {}", difference(1), difference(2));
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let walker = walker(90, 60.0);
    let subject = with_contacts(&walker);
    let options = RenderOptions { frames: FrameChoice::EvenlyAlongPath(6), ..RenderOptions::default() };
    let draw = || {
        let sheet = encode_png(&contact_sheet(&subject, &options).expect("a sheet")).expect("a file");
        let path = encode_png(&strobe(&subject, &options).expect("a strobe")).expect("a file");
        let movie = animated_gif(&subject, &options).expect("a movie");
        let texts = (sheet_svg(&subject, &options).expect("text"), strobe_svg(&subject, &options).expect("text"));
        (sheet, path, movie, texts)
    };
    assert!(draw() == draw());
}

#[test]
fn a_png_decodes_to_the_pixels_drawn() {
    let walker = walker(30, 30.0);
    let image = contact_sheet(&with_contacts(&walker), &RenderOptions::default()).expect("a sheet");
    let bytes = encode_png(&image).expect("a file");
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("a header");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("a picture");
    assert_eq!((info.width, info.height), (image.width(), image.height()));
    assert!(pixels == image.pixels());
}

/// Decodes a GIF: its size and the delays of its pictures, in hundredths of a second.
fn decode_gif(bytes: &[u8]) -> (u16, u16, Vec<u16>) {
    let mut decoder = gif::DecodeOptions::new().read_info(bytes).expect("a header");
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    let mut delays = Vec::new();
    while let Some(frame) = decoder.read_next_frame().expect("a picture") {
        assert_eq!(frame.buffer.len(), usize::from(frame.width) * usize::from(frame.height));
        delays.push(frame.delay);
    }
    (decoder.width(), decoder.height(), delays)
}

#[test]
fn a_gif_plays_in_real_time_whatever_the_rate() {
    for (n_frames, rate) in [(121, 120.0), (61, 60.0), (31, 30.0), (25, 24.0), (13, 12.5), (1, 120.0)] {
        let walker = walker(n_frames, rate);
        let options = RenderOptions { movie: [120, 150], ..RenderOptions::default() };
        let mut reported = Vec::new();
        let bytes = animated_gif_with(&with_contacts(&walker), &options, |done, all| reported.push((done, all)));
        let (width, height, delays) = decode_gif(&bytes.expect("a movie"));
        assert_eq!((width, height), (120, 150));
        assert_eq!(reported, (1..=delays.len()).map(|i| (i, delays.len())).collect::<Vec<_>>());
        // Each picture stands until the next; the last one as long as a picture does.
        let shown = f64::from(delays[..delays.len() - 1].iter().sum::<u16>()) / 100.0;
        let shortest = delays.iter().min().expect("a picture");
        assert!(*shortest >= 4, "at most 25 pictures a second at {rate}");
        assert!((shown - walker.take.clip.duration()).abs() <= 1.0 / 25.0 + 1e-9, "{shown} s at {rate}");
    }
}

#[test]
fn a_strobe_shows_path_and_footprints() {
    let walker = walker(240, 60.0);
    let options =
        RenderOptions { view: View::Top, frames: FrameChoice::Evenly(3), labels: false, ..RenderOptions::default() };
    let bare = strobe(&subject(&walker), &options).expect("a strobe");
    let marked = strobe(&with_contacts(&walker), &options).expect("a strobe");
    assert_eq!(bare.width(), options.strobe_width);
    let is_path = |[r, g, b]: [u8; 3]| r < 0x70 && g.abs_diff(0x60) < 20 && b.abs_diff(0x6e) < 20;
    assert!(pixels_where(&bare, is_path).len() > 500);
    // Prints lie between the three figures, where nothing else is coloured.
    let coloured = |image: &Image| pixels_where(image, |pixel| is_blue(pixel) || is_orange(pixel)).len();
    assert!(coloured(&marked) > coloured(&bare) + 1000, "{} and {}", coloured(&marked), coloured(&bare));
}

#[test]
fn an_svg_is_balanced_and_shows_every_panel_and_name() {
    let mut walker = walker(60, 60.0);
    walker.take.clip.name = "a <walk> & \"run\"".to_string();
    for view in View::ALL {
        let options = RenderOptions { view, ..RenderOptions::default() };
        for (text, panels) in [
            (sheet_svg(&with_contacts(&walker), &options).expect("text"), 12),
            (strobe_svg(&with_contacts(&walker), &options).expect("text"), 0),
        ] {
            check_tags(&text);
            assert_eq!(text.matches("<svg ").count(), panels + 1);
            assert_eq!(text.matches(">frame ").count(), panels);
            assert!(text.contains("a &lt;walk&gt; &amp; &quot;run&quot;"));
            assert!(!text.contains("NaN") && !text.contains("inf"), "{view}");
        }
    }
}

/// Every tag that opens closes, in order.
fn check_tags(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    for part in text.split('<').skip(1) {
        let tag = part.split('>').next().expect("a tag ends");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().expect("a name"));
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

/// Draws every kind of picture in every view.
fn draw_everything(subject: &Subject<'_>, what: &str) {
    for view in View::ALL {
        let options =
            RenderOptions { view, panel: [90, 110], strobe_width: 200, movie: [90, 110], ..RenderOptions::default() };
        contact_sheet(subject, &options).unwrap_or_else(|error| panic!("{what}: {error}"));
        strobe(subject, &options).unwrap_or_else(|error| panic!("{what}: {error}"));
        decode_gif(&animated_gif(subject, &options).unwrap_or_else(|error| panic!("{what}: {error}")));
        for text in [sheet_svg(subject, &options), strobe_svg(subject, &options)] {
            let text = text.unwrap_or_else(|error| panic!("{what}: {error}"));
            assert!(!text.contains("NaN") && !text.contains("inf"), "{what}, {view}");
        }
    }
}

#[test]
fn degenerate_clips_are_drawn_all_the_same() {
    let usual = walker(4, 30.0);
    draw_everything(&Subject { body: None, ..subject(&usual) }, "no body map");
    draw_everything(&with_contacts(&walker(1, 30.0)), "one frame");
    draw_everything(&with_contacts(&walker(0, 30.0)), "no frame");

    let mut broken = walker(4, 30.0);
    broken.take.clip.pose_mut(1)[broken.take.body.pelvis].translation = Vec3::splat(f64::NAN);
    broken.take.clip.pose_mut(2)[broken.take.body.legs.left.knee].rotation =
        Quat::from_xyzw(f64::NAN, 0.0, 0.0, f64::INFINITY);
    broken.take.clip.pose_mut(3)[broken.take.body.pelvis].translation = Vec3::new(1e300, -1e300, 1e12);
    draw_everything(&with_contacts(&broken), "numbers that are none");
    draw_everything(&Subject { body: None, ..subject(&broken) }, "numbers that are none, without a body");

    for joints in [vec![], vec![Joint { name: "alone".to_string(), parent: None, rest: Transform::IDENTITY }]] {
        let skeleton = Skeleton::new(joints, vec![]).expect("a skeleton");
        let poses = Poses::repeat(&skeleton.rest_pose(), 3);
        let clip = Clip::new("", skeleton.into(), 30.0, poses);
        draw_everything(&Subject { clip: &clip, body: None, contacts: None, terrain: None }, "hardly a skeleton");
    }
}

#[test]
fn what_cannot_be_drawn_is_refused_by_name() {
    let walker = walker(10, 30.0);
    let base = RenderOptions::default;
    let refuse = |options: &RenderOptions| contact_sheet(&subject(&walker), options).expect_err("refused");
    assert_eq!(refuse(&plain(View::Side, vec![3, 10])), PictureError::NoSuchFrame { frame: 10, n_frames: 10 });
    assert_eq!(refuse(&plain(View::Side, vec![])), PictureError::NoFrames);
    assert_eq!(refuse(&RenderOptions { frames: FrameChoice::Evenly(0), ..base() }), PictureError::NoFrames);
    assert_eq!(
        refuse(&RenderOptions { frames: FrameChoice::Evenly(1000), ..base() }),
        PictureError::TooManyFrames { n: 1000, max: 512 }
    );
    assert_eq!(
        refuse(&RenderOptions { range: Some(4..11), ..base() }),
        PictureError::NoSuchFrame { frame: 10, n_frames: 10 }
    );
    assert_eq!(refuse(&RenderOptions { range: Some(4..4), ..base() }), PictureError::NoFrames);
    assert!(matches!(
        refuse(&RenderOptions { ground_height: f64::NAN, ..base() }),
        PictureError::NotFinite { name: "ground height", .. }
    ));
    for panel in [[0, 100], [u32::MAX, u32::MAX], [16_384, 16_384], [5000, 5000]] {
        let options = RenderOptions { panel, columns: u32::MAX, ..base() };
        assert!(matches!(refuse(&options), PictureError::Size { .. }), "{panel:?}");
        assert!(sheet_svg(&subject(&walker), &options).is_err());
    }
    for strobe_width in [0, u32::MAX] {
        let options = RenderOptions { strobe_width, ..base() };
        assert!(matches!(strobe(&subject(&walker), &options), Err(PictureError::Size { .. })));
    }
    let long = crate::walker::walker(12_000, 60.0);
    let error = animated_gif(&subject(&long), &base()).expect_err("refused");
    assert!(matches!(error, PictureError::TooManyFrames { max: 3000, .. }));
}
