//! A live gait allocates when it is made, and never after, whatever is asked of it.

use allocation_counter::measure;
use surefoot_gait::{Control, Gait, GaitSettings, LiveGait, Rig};
use surefoot_geom::Vec3;
use surefoot_ground::Terrain;
use surefoot_motion::{PersonOptions, Poses, person};

#[test]
fn going_on_allocates_nothing() {
    let (skeleton, body) = person(&PersonOptions::default()).unwrap();
    let rig = Rig::new(&skeleton, &body, &Poses::default()).unwrap();
    let mut pose = rig.rest_pose().clone();
    let natural = Control { settings: GaitSettings::natural(Gait::Walk, 1.8), go: true, turn: 0.0, direction: 0.0 };
    let mut live = LiveGait::new(rig, natural, Vec3::ZERO, 0.0, Some(Terrain::flat(0.0)));
    let used = measure(|| {
        let mut control = natural;
        for frame in 0..1800 {
            match frame {
                300 => control.settings.gait = Gait::Run,
                600 => control.turn = 0.3,
                900 => control.settings.gait = Gait::Walk,
                1200 => control.direction = 1.0,
                1500 => control.go = false,
                _ => (),
            }
            live.set_control(control);
            live.advance(1.0 / 60.0);
            live.pose(&mut pose);
        }
        assert!(live.is_standing());
    });
    assert_eq!(used.count_total, 0);
}
