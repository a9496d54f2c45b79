//! Every cut and every change of one byte of a small skeleton and motion ends in a value or an error.

use surefoot_formats::asf::{into_document, read_amc, read_asf, skeleton_document};
use surefoot_formats::{ErrorKind, ReadError};

const ASF: &str = "# a seed\n:version 1.10\n:name seed\n:units\n mass 1.0\n length 0.45\n angle deg\n:documentation\n any :text\n\
    :root\n order TX TY TZ RX RY RZ\n axis XYZ\n position 0 0 0\n orientation 0 0 0\n:bonedata\n\
    begin\n id 1\n name a\n direction 0 1 0\n length 2.5\n axis 0 0 20 XYZ\n dof rx l\n limits (-inf inf)\n (-1 1)\n end\n\
    begin\n id 2\n name b\n direction 1 0 0\n length 1\n axis 0 0 0 ZYX\n end\n\
    :hierarchy\n begin\n root a\n a b\n end\n";

const AMC: &str = "#!OML:ASF seed.ASF\n:FULLY-SPECIFIED\n:DEGREES\n1\nroot 1 2 3 4 5 6\na -7.5e1 0.25\n2\nroot 1 2 3 4 5 6\na 8 0\nb\n";

fn read_both(asf: &[u8], amc: &[u8]) -> Result<usize, ReadError> {
    let asf = read_asf(asf)?;
    assert_eq!(skeleton_document(&asf).skeleton.n_joints(), asf.bones.len() + 1);
    let document = into_document(&asf, &read_amc(amc, &asf)?);
    assert!(document.poses.iter().all(|pose| pose.local.iter().all(surefoot_geom::Transform::is_finite)));
    Ok(document.poses.len())
}

/// All texts that differ from a seed by a cut, a changed byte, a byte too many or one too few.
fn faults(seed: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    let cuts = (0..seed.len()).map(|n| seed[..n].to_vec());
    let tails = (0..seed.len()).map(|n| seed[n..].to_vec());
    let losses = (0..seed.len()).map(|n| [&seed[..n], &seed[n + 1..]].concat());
    let changes = (0..seed.len()).flat_map(|n| (0..=u8::MAX).map(move |byte| (n, byte))).flat_map(move |(n, byte)| {
        let mut changed = seed.to_vec();
        changed[n] = byte;
        [changed, [&seed[..n], &[byte], &seed[n..]].concat()]
    });
    cuts.chain(tails).chain(losses).chain(changes)
}

#[test]
fn the_seed_is_read() {
    assert_eq!(read_both(ASF.as_bytes(), AMC.as_bytes()), Ok(2));
}

#[test]
fn every_fault_of_a_skeleton_ends_in_a_value_or_an_error() {
    let n_lines = ASF.lines().count();
    let mut n_refused = 0;
    for fault in faults(ASF.as_bytes()) {
        if let Err(error) = read_both(&fault, AMC.as_bytes()) {
            n_refused += 1;
            let line = error.line.expect("text has lines");
            assert!(line >= 1 && line <= n_lines + 2, "{error}");
        }
    }
    assert!(n_refused > 1000, "only {n_refused} faults were refused");
}

#[test]
fn every_fault_of_a_motion_ends_in_a_value_or_an_error() {
    let mut n_refused = 0;
    for fault in faults(AMC.as_bytes()) {
        n_refused += usize::from(read_both(ASF.as_bytes(), &fault).is_err());
    }
    assert!(n_refused > 1000, "only {n_refused} faults were refused");
}

#[test]
fn a_cut_skeleton_is_never_taken_for_a_whole_one() {
    // The last word is `end`; before it something is always missing.
    let last = ASF.trim_end().len();
    for n in 0..last {
        assert!(read_asf(&ASF.as_bytes()[..n]).is_err(), "cut to {n} bytes");
    }
}

#[test]
fn chains_and_loops_of_any_length_are_read_or_refused_on_a_small_stack() {
    let long = |last: &str| {
        let mut text = String::from(":units\n angle deg\n:root\n order TX\n:bonedata\n");
        for i in 0..20_000 {
            text += &format!("begin\nname b{i}\ndirection 0 1 0\nlength 1\naxis 0 0 0 XYZ\nend\n");
        }
        text += ":hierarchy\nbegin\n";
        // Listed from the far end, so that every family is new when it comes.
        for i in (1..20_000).rev() {
            text += &format!("b{} b{i}\n", i - 1);
        }
        text + last + "\nend\n"
    };
    let read = |text: String| {
        let job = move || read_asf(text.as_bytes()).map(|asf| asf.depth_first.len()).map_err(|error| error.kind);
        std::thread::Builder::new().stack_size(256 * 1024).spawn(job).expect("a thread").join().expect("no panic")
    };
    assert_eq!(read(long("root b0")), Ok(20_000));
    assert_eq!(read(long("b19999 b0")), Err(ErrorKind::Cycle));
    assert_eq!(read(long("")), Err(ErrorKind::OrphanBone));
    let one_more = long("root b0").replace(":hierarchy", "begin\nname x\ndirection 0 1 0\nlength 1\nend\n:hierarchy");
    assert_eq!(read(one_more), Err(ErrorKind::Limit));
}

#[test]
fn a_small_motion_of_a_large_skeleton_is_bounded() {
    let mut asf = String::from(":units\n angle deg\n:root\n order\n:bonedata\n");
    for i in 0..5_000 {
        asf += &format!("begin\nname b{i}\ndirection 0 1 0\nlength 1\naxis 0 0 0 XYZ\nend\n");
    }
    asf += ":hierarchy\nbegin\nroot";
    for i in 0..5_000 {
        asf += &format!(" b{i}");
    }
    let asf = read_asf((asf + "\nend\n").as_bytes()).expect("a skeleton");
    let amc: String = (1..10_000).map(|i| format!("{i}\n")).collect();
    assert_eq!(read_amc(format!(":DEGREES\n{amc}").as_bytes(), &asf).map_err(|e| e.kind).err(), Some(ErrorKind::Limit));
}
