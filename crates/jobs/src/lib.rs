//! The main jobs, each as one call over plain data: no console, and no file but where a path is handed in.

mod abstractions_study_job;
mod abstractions_study_tables;
mod analyze_steps_job;
mod animate;
mod animate_job;
mod build_behaviours_job;
mod build_graph_job;
mod build_steps;
mod build_steps_job;
mod character;
mod check_labels_job;
mod clean;
mod clean_job;
mod clean_loop;
mod cleanup_step;
mod composer;
mod contacts_job;
mod convert;
mod convert_job;
mod corpus_job;
mod demo_cleanup;
mod demo_courses;
mod demo_inputs;
mod demo_job;
mod demo_marker;
mod demo_page;
mod demo_plans;
mod demo_walks;
#[cfg(test)]
mod drawn_numbers_tests;
mod editor_plan;
mod evaluate;
mod evaluate_job;
mod evaluate_report;
mod experiments;
mod export_step_job;
mod extract_job;
mod find_motion_files;
mod fit_gait_job;
mod folder_job;
mod folder_jobs;
mod folder_page;
mod follow_graph_job;
mod follow_verdict;
mod footprint_patterns_job;
mod gait;
mod gait_control;
mod gait_control_request;
mod gait_job;
mod gait_list_job;
mod gait_report;
mod go;
mod go_job;
mod info_job;
mod input_report;
mod input_request;
mod inspect_graph_job;
mod job;
mod job_context;
mod job_error;
mod level_ground;
mod load;
mod load_terrain;
mod made_gait;
mod measure_job;
mod measure_report;
mod metric_row;
mod metrics_study_job;
mod metrics_study_tables;
mod motion_graphs;
mod motion_output;
mod motion_source;
mod output_folder;
mod outputs;
mod plan_as_flown;
mod plan_editor;
mod plan_file_limits;
mod plan_mover;
mod plan_path;
mod plan_path_job;
mod plan_person_steps;
mod plan_report;
mod plan_steps_job;
mod plot_contacts;
mod plot_evaluation;
mod plot_gait;
mod plot_steps;
mod prune_steps_job;
mod random_courses;
mod recognise_job;
mod render_job;
mod render_page;
mod repair_plan_job;
mod repair_steps;
mod request_limits;
mod retarget_job;
mod scene_picture;
mod score_recognition_job;
mod signal_charts;
mod signal_edits;
mod signal_job;
mod signal_keys;
mod signal_mixing;
mod signal_tools;
mod signal_words;
mod step_findings;
mod study_request;
mod study_table;
mod style;
mod transition_graphs_job;
mod verdict_report;
mod walk_picture;
mod warp_path_job;

pub use abstractions_study_job::{
    AbstractionsStudyReport, AbstractionsStudyRequest, StudyGraphPaper, StudyGraphReport, SwayReport, TechniqueCell,
    TechniqueMetrics, TechniqueReport, TestPathPaper, TestPathReport,
};
pub use analyze_steps_job::{AnalyzeStepsReport, AnalyzeStepsRequest, SideStepsReport, StepPointReport, steps_of};
pub use animate::animate_plan;
pub use animate_job::{
    AnimateReport, AnimateRequest, AnimateWith, ChoiceReport, ChooseRequest, NeighbourReport, SelectionName,
    SoftTargetsRequest,
};
pub use build_behaviours_job::corpus_behaviours;
pub use build_behaviours_job::{BehaviourClipReport, BuildBehavioursReport, BuildBehavioursRequest, StanceReport};
pub use build_graph_job::{
    BuildGraphReport, BuildGraphRequest, ClipLength, LeftOutReport, MetricName, PrunedReport, graph_of,
};
pub use build_steps::{
    BuildStepsError, BuildStepsOptions, BuiltSteps, ClipError, ClipSteps, build_steps, corpus_steps, load_steps,
    save_steps,
};
pub use build_steps_job::{
    BuildStepsReport, BuildStepsRequest, ClipStepsReport, SegmentRequest, build_steps_failure, clip_table,
    refusal_table,
};
pub use character::{CharacterReport, LoadedCharacter, ScalePlanRequest, missing_parts};
pub use check_labels_job::{CheckLabelsReport, CheckLabelsRequest, ConfusionReport, DifferingLabel};
pub use clean::{CleanForm, CleanTake, TiltedFloor, clean, clean_on_estimate};
pub use clean_job::{CleanReport, CleanRequest, DeadMotion, PopsRequest, RestoreReport, compare_takes};
pub use clean_loop::clean_loop;
pub use cleanup_step::{
    Cleanup, CleanupReport, CleanupRequest, DeadFrames, EditedMotion, EditedReport, RollRequest, TiltReport,
};
pub use composer::compose_on;
pub use contacts_job::{
    ContactsJobReport, ContactsRequest, DetectRequest, FootTraceReport, PlantReport, TraceReport, check_svg,
};
pub use convert::{ConvertError, ConvertOptions, Converted, OutputFormat, Target, convert};
pub use convert_job::{ConvertReport, ConvertRequest, Program};
pub use corpus_job::{BinCount, CorpusReport, CorpusRequest, CorpusTakeReport, ParameterCoverage, StepCoverageReport};
pub use demo_courses::demo_courses;
pub use demo_job::{DEMO_FOLDER, DemoCleanupReport, DemoPart, DemoPlacement, DemoReport, DemoRequest, DemoWalkReport};
pub use demo_plans::{DemoPlan, demo_plans};
pub use editor_plan::{EditorPrint, editor_prints, merge_edit, plan_of_prints, snap_to_ground};
pub use evaluate::{
    Better, ClipEvaluation, CourseErrors, CourseMethod, Distribution, EvaluateOptions, EvaluatedClip, EvaluatedCourse,
    EvaluatedMetric, Evaluation, MethodErrors, MethodWalk, MotionQuality, Split, SplitEvaluation, WalkMetrics,
    climbing_metrics, evaluate_clips, evaluate_corpus, evaluated_metrics, share_meeting,
};
pub use evaluate_job::EvaluateRequest;
pub use evaluate_report::{
    CandidatesReport, CandidatesRow, CourseErrorsReport, CourseLeftOut, DistributionReport, EvaluateReport,
    EvaluatedClipReport, EvaluatedMetricReport, MethodReport, MotionQualityReport, NotWalkedReport, RegionErrorsReport,
    WalkReport,
};
pub use experiments::{
    ExperimentClips, MirrorImages, TEST_NAMES, load_experiment, plot_abstractions, plot_examples, plot_techniques,
    technique_name,
};
pub use export_step_job::{ExportStepReport, ExportStepRequest};
pub use extract_job::{ExtractReport, ExtractRequest};
pub use find_motion_files::{find_motion_files, find_motions, is_single_file};
pub use fit_gait_job::{FitGaitReport, FitGaitRequest, FittedGaitReport, PartErrorReport};
pub use folder_job::{
    ClipFigure, ClipRow, ClipState, ClipSummary, FOLDER_PAGE, FOLDER_REPORT, FolderClip, FolderJob, FolderReport,
    FolderRequest, JOURNAL,
};
pub use follow_graph_job::{
    AbstractionName, FollowGraphReport, FollowGraphRequest, PathDeviationReport, PathFittedReport, ProgressName,
    SkatingReport,
};
pub use footprint_patterns_job::{
    FootprintPatternsReport, FootprintPatternsRequest, HeightReport, JumpPatternReport, LimitsReport, PairReport,
};
pub use gait::{
    Flights, GaitError, GaitRequest, GaitRoute, GaitTake, MAX_GAIT_FRAMES, Mover, StyleChoiceError, choose_style,
    follows_parameters, gait_attribute, make_gait, natural_gait, natural_gait_attribute,
};
pub use gait_control::{Cycle, CycleTravel, GaitControl};
pub use gait_control_request::{EndName, GaitControlRequest};
pub use gait_job::{
    ApproachName, BodyShapeRequest, CourseRequest, FeetName, FootName, GaitJumpRequest, GaitMotionRequest,
    GaitRunRequest, GaitWalkRequest, JumpCourse, MAX_GAIT_STEPS, PaceParameter, PaceRequest, StyleRequest,
};
pub use gait_list_job::{
    AttributeRow, GaitCatalogue, GaitListPart, GaitListReport, GaitListRequest, ParameterRow, PresetReport,
};
pub use gait_report::{AttributeName, CycleReport, GaitParametersReport, GaitReport, MadeGaitReport};
pub use go::{GoError, GoOptions, GraphTry, GraphWalk, SceneWalk, Synthesis, default_clearance, go, speed_settings};
pub use go_job::{
    GoReport, GoRequest, GraphTryReport, GraphWalkReport, SceneFollowRequest, SynthesizerName, TouchRow, TouchesReport,
};
pub use info_job::{FileReport, FilesReport, InfoReport, InfoRequest, TemplateReport};
pub use input_report::{
    ArmReport, BodyReport, DiagnosticReport, InputReport, JointReport, LegReport, SideValues, SoleReport, WarningReport,
};
pub use input_request::{AxisName, FloorRequest, InputRequest, ReadRequest, TerrainRequest};
pub use inspect_graph_job::{EdgeReport, InspectGraphReport, InspectGraphRequest};
pub use job::{
    ENVELOPE_VERSION, Envelope, ErrorEnvelope, Job, JobReport, finish, finish_with_folder, read_request, to_json_text,
};
pub use job_context::{CancelFlag, JobContext, Progress};
pub use job_error::{ErrorMeaning, JobError};
pub use level_ground::{level_height, lift_take};
pub use load::{LoadOptions, load, load_contacts};
pub use load_terrain::load_terrain;
pub use made_gait::{GaitSpan, MadeGait};
pub use measure_job::{MeasureRequest, SkatingDefinition, StancesRequest};
pub use measure_report::{
    FootprintPlacement, GateFailureReport, GateReport, JointError, MeasureReport, MeasuredFootprint, MeasuredPlant,
    Soles, SubjectReport,
};
pub use metric_row::{MetricChange, MetricRow, pair_metrics};
pub use metrics_study_job::{MetricGraphReport, MetricPaper, MetricsStudyReport, MetricsStudyRequest, StudyPath};
pub use motion_graphs::{
    BuildGraphError, BuiltGraph, FollowGraphError, FollowRequest, FollowedPath, GRAPH_FRAME_RATE, GatherError,
    GatheredMotions, GraphOptions, LeftOut, MAX_EXPERIMENT_FRAMES, MAX_FOLLOW_FRAMES, MAX_GRAPH_FRAMES, MAX_WINDOW,
    PathFitted, SourceMotion, build_graph, build_graph_until, corpus_graph, corpus_motions, follow_graph,
    follow_graph_on, gather_motions, load_graph, load_motions, save_graph, seeded_start,
};
pub use motion_output::{MotionFormat, MotionOutput, MotionReport, RootMotionRequest, as_take};
pub use motion_source::{ContactsReport, ContactsSource, MotionSource, body_of, no_body};
pub use output_folder::OutputFolder;
pub use outputs::{IfExists, Outputs, WrittenFile, is_standard_stream, write_stdout};
pub use plan_as_flown::plan_as_flown;
pub use plan_editor::{EditorCast, EditorLibrary, PlanEditor, Preview, Solved};
pub use plan_path::{
    PathRequest, PlanPathError, PlannedPath, blocked_place, check_path_in_scene, plan_path, scene_error_place,
};
pub use plan_path_job::{PlacesRequest, PlanPathReport, PlanPathRequest, USUAL_CLEARANCE};
pub use plan_person_steps::{PersonSteps, PersonStepsError, plan_person_steps};
pub use plan_report::{
    FlightsReport, FootprintReport, MotionMetricsReport, PlacementReport, PlanReport, StepSourceReport, TargetReport,
};
pub use plan_steps_job::{MovedFootprint, PlanStepsReport, PlanStepsRequest};
pub use plot_contacts::plot_contacts;
pub use plot_evaluation::draw_evaluation;
pub use plot_gait::{HipKneeReport, plot_gait_relations, plot_hip_knee};
pub use plot_steps::plot_steps;
pub use prune_steps_job::{PruneStepsReport, PruneStepsRequest};
pub use random_courses::random_course;
pub use recognise_job::{DecisionReport, MethodName, RecogniseReport, RecogniseRequest};
pub use render_job::{PictureFormat, RenderReport, RenderRequest, ViewRequest};
pub use render_page::{ArrangementRequest, MAX_ACTORS, MotionStream, show_motions};
pub use repair_plan_job::{PlanChangeReport, RepairPlanReport, RepairPlanRequest};
pub use request_limits::check_range;
pub use retarget_job::{RetargetReport, RetargetRequest, TouchReport, TransferKind};
pub use scene_picture::{
    ScenePlaces, SceneProblem, check_scene_picture, draw_scene, file_name_of, read_scene, short_words,
};
pub use score_recognition_job::{ActorScore, ScoreRecognitionReport, ScoreRecognitionRequest, WrongFootprint};
pub use signal_edits::{
    Charts, ClipShelf, EditFailure, EditProblem, EditReport, EditedClip, apply_edits, plant_slide, signal_clip,
};
pub use signal_job::{
    BatchClip, SignalBatchReport, SignalBatchRequest, SignalEditReport, SignalReport, SignalRequest, SlideReport,
};
pub use signal_words::{EditsRequest, ToolRequest};
pub use step_findings::{ExtremeName, FindingDetail, FindingReport, FootPlace, ShotReport, SwingEventName};
pub use study_request::{StudyClips, StudyRequest, SummaryReport};
pub use style::StyleReport;
pub use transition_graphs_job::{
    TransitionGraphReport, TransitionGraphsReport, TransitionGraphsRequest, TransitionStepReport,
};
pub use verdict_report::{GradeName, VerdictReport};
pub use walk_picture::walk_sheet_options;
pub use warp_path_job::{FitRequest, WarpPathReport, WarpPathRequest};
