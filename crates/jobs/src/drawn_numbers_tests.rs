//! What reports say for those who draw it themselves: only where it is asked for, and the numbers of the pictures.

use crate::{
    AnalyzeStepsRequest, ContactsRequest, ExportStepRequest, GaitMotionRequest, GaitWalkRequest, IfExists,
    InputRequest, Job, JobContext, MotionOutput, PlanPathRequest, SignalRequest, ToolRequest,
};
use std::path::Path;

fn run<J: Job>(request: &J) -> J::Report {
    request.run(&JobContext::silent()).unwrap_or_else(|error| panic!("{error:?}"))
}

fn walk(folder: &Path, name: &str) -> GaitMotionRequest {
    GaitMotionRequest { output: MotionOutput::new(folder.join(name)), ..GaitMotionRequest::default() }
}

#[test]
fn diagrams_are_those_of_the_motion_and_of_recordings() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(run(&GaitWalkRequest(walk(folder.path(), "a.bvh"))).diagrams.is_empty());
    let compare = vec![folder.path().join("a.bvh")];
    let request = GaitMotionRequest { diagrams: true, compare, ..walk(folder.path(), "b.bvh") };
    let diagrams = run(&GaitWalkRequest(request)).diagrams;
    let names: Vec<&str> = diagrams.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["walk", "a"]);
    let [made, recorded] = &diagrams[..] else { panic!("two of them") };
    assert_eq!(made.hip_degrees.len(), made.knee_degrees.len());
    // It is the same walk, once as it was made and once as a file of it is read.
    let apart = made.knee_degrees.iter().zip(&recorded.knee_degrees).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(apart < 8.0 && (made.speed_km_per_hour - recorded.speed_km_per_hour).abs() < 0.2, "{apart}");
}

#[test]
fn traces_have_a_number_for_each_frame() {
    let folder = tempfile::tempdir().expect("a folder");
    run(&GaitWalkRequest(walk(folder.path(), "a.bvh")));
    let request =
        ContactsRequest { input: InputRequest::new(folder.path().join("a.bvh")), ..ContactsRequest::default() };
    assert!(run(&request).traces.is_none());
    let report = run(&ContactsRequest { traces: true, ..request });
    let traces = report.traces.expect("they were asked for");
    let ball = &traces.left.ball;
    assert_eq!([ball.height_mm.len(), ball.speed.len(), ball.planted_speed.len()], [report.frames; 3]);
    let plant = report.plants.iter().find(|plant| plant.foot == "left" && plant.part == "ball").expect("a plant");
    let middle = (plant.frames[0] + plant.frames[1]) / 2;
    assert!(ball.height_mm[middle].expect("a height") < ball.height_limits_mm[1]);
    assert!(ball.speed[middle].expect("a speed") < ball.planted_speed[middle].expect("a limit"));
}

#[test]
fn edits_report_gains_by_frequency_and_corresponding_seconds() {
    let folder = tempfile::tempdir().expect("a folder");
    run(&GaitWalkRequest(walk(folder.path(), "a.bvh")));
    let mut quick = walk(folder.path(), "b.bvh");
    quick.pace.speed = Some(1.7);
    run(&GaitWalkRequest(quick));
    let edit = |tool: &str, option: &str, value: &str, traces: bool| {
        let mut request = SignalRequest {
            input: InputRequest::new(folder.path().join("a.bvh")),
            output: MotionOutput::new(folder.path().join("c.take")),
            traces,
            if_exists: IfExists::Replace,
            ..SignalRequest::default()
        };
        let options = [(option.to_string(), vec![value.to_string()])].into_iter().collect();
        request.edits.tools = vec![ToolRequest { tool: tool.to_string(), options }];
        run(&request).edits.remove(0)
    };
    assert!(edit("equalize", "gain", "2=1.5", false).gains.is_empty());
    let gains = edit("equalize", "gain", "2=1.5", true).gains;
    assert!(gains[2][1] == 1.5 && gains[1][1] == 1.0 && gains[1][0] > gains[2][0], "{gains:?}");
    let other = folder.path().join("b.bvh");
    let pairs = edit("blend", "with", &other.to_string_lossy(), true).correspondence;
    assert!(pairs.windows(2).all(|pair| pair[0][0] < pair[1][0] && pair[0][1] <= pair[1][1]), "time goes on");
    let [first, last] = [pairs[0], pairs[pairs.len() - 1]];
    assert!(first[0] == 0.0 && last[1] < last[0], "the other walk is shorter: {last:?}");
}

#[test]
fn a_corridor_is_the_discs_that_the_path_leads_through() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = folder.path().join("x.scene.json");
    let text = r#"{"scene": 1, "bounds": [[0, 0], [6, 0], [6, 3], [0, 3]], "start": {"position": [1, 1.5]}, "goal": {"position": [5, 1.5]}}"#;
    std::fs::write(&scene, text).expect("a file");
    let request = PlanPathRequest {
        scene,
        output: folder.path().join("x.path.json"),
        if_exists: IfExists::Replace,
        ..PlanPathRequest::default()
    };
    let report = run(&request);
    assert!(report.path.is_empty() && report.corridor.is_empty());
    let report = run(&PlanPathRequest { corridor: true, ..request });
    assert_eq!((report.path.len(), report.corridor.len()), (report.points, report.discs));
    let is_free = |[x, z]: [f64; 2]| report.corridor.iter().any(|disc| (x - disc[0]).hypot(z - disc[1]) <= disc[2]);
    assert!(report.path.iter().all(|&point| is_free(point)));
}

#[test]
fn a_database_shows_its_steps_and_hands_out_each() {
    let folder = tempfile::tempdir().expect("a folder");
    let steps = folder.path().join("x.steps");
    let request =
        AnalyzeStepsRequest { points: true, write_steps: Some(steps.clone()), ..AnalyzeStepsRequest::default() };
    let report = run(&request);
    assert_eq!(report.left.points.len(), report.left.steps);
    let n_points = report.left.points.len();
    assert!(report.left.hull_edges.iter().flatten().all(|&end| end < n_points) && report.left.hull_edges.len() > 6);
    let step = |step: usize| ExportStepRequest {
        input: Some(steps.clone()),
        step,
        output: MotionOutput::new(folder.path().join("step.bvh")),
        if_exists: IfExists::Replace,
        ..ExportStepRequest::default()
    };
    let point = &report.right.points[3];
    let made = run(&step(point.step));
    assert_eq!((made.foot.as_str(), &made.source), ("right", &point.source));
    let error = step(report.steps).run(&JobContext::silent()).expect_err("there is none");
    assert!(error.message.contains("there is no step") && error.field.as_deref() == Some("step"), "{error:?}");
}
