use surefoot_formats::*;
fn main() {
    for arg in std::env::args().skip(1) {
        let path = std::path::Path::new(&arg);
        match open(path, &OpenOptions::default()).and_then(|d| import(d, &ImportOptions::default())) {
            Ok(i) => {
                let a = &i.assumed;
                println!(
                    "{arg}: {}f+{} {}fps unit {} {:?} up {:?} leg {:.3} floor {:.3} travel {:.2} head {:.0} body {}",
                    i.clip.n_frames(),
                    a.dropped_frames,
                    i.clip.frame_rate,
                    a.unit.to_metre,
                    a.unit_reason,
                    a.up,
                    i.leg_length().unwrap_or(f64::NAN),
                    a.floor.unwrap_or(f64::NAN),
                    i.travel(),
                    a.heading.unwrap_or(0.).to_degrees(),
                    i.body.is_ok()
                );
                if let Ok(b) = &i.body {
                    use surefoot_locomotion::check_frame_rate::*;
                    let g = measure_gait(&i.clip, b);
                    let f = measure_free_fall(&i.clip, b);
                    println!(
                        "    Q {} a9 {:.1} a13 {:.1} {:.1} a17 {:.1} gait {} fall {}",
                        arg,
                        quickest_fall(&i.clip, b, 9, 0.95),
                        quickest_fall(&i.clip, b, 13, 0.95),
                        quickest_fall(&i.clip, b, 13, 0.9),
                        quickest_fall(&i.clip, b, 17, 0.95),
                        g.map_or("-".into(), |g| format!(
                            "{} x {:.2} {:.2}/s v{:.2} wr{:.4}",
                            g.n_steps,
                            g.step_length,
                            g.cadence,
                            g.cadence * g.step_length,
                            g.walk_ratio()
                        )),
                        f.map_or("-".into(), |f| format!("{:.1} n{} h{}", f.acceleration, f.n_flights, f.n_high))
                    );
                }
                for d in &i.diagnostics {
                    println!("    {}:{} {}", d.code, d.detail, d.message);
                }
                for d in &i.warnings {
                    println!("    W {} {:?} {}", d.code, d.line, d.message);
                }
            }
            Err(e) => println!("{arg}: ERR {} {e}", e.kind.code()),
        }
    }
}
