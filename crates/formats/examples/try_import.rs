use surefoot_formats::*;
fn main() {
    for arg in std::env::args().skip(1) {
        let path = std::path::Path::new(&arg);
        match open(path, &OpenOptions::default()).and_then(|d| import(d, &ImportOptions::default())) {
            Ok(i) => {
                let a = &i.assumed;
                println!("{arg}: {}f+{} {}fps unit {} {:?} up {:?} leg {:.3} floor {:.3} travel {:.2} head {:.0} body {}", i.clip.n_frames(), a.dropped_frames, i.clip.frame_rate, a.unit.to_metre, a.unit_reason, a.up, i.leg_length().unwrap_or(f64::NAN), a.floor.unwrap_or(f64::NAN), i.travel(), a.heading.unwrap_or(0.).to_degrees(), i.body.is_ok());
                for d in &i.diagnostics { println!("    {}:{} {}", d.code, d.detail, d.message); }
                for d in &i.warnings { println!("    W {} {:?} {}", d.code, d.line, d.message); }
            }
            Err(e) => println!("{arg}: ERR {} {e}", e.kind.code()),
        }
    }
}
