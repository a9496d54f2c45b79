use super::*;
use surefoot_contact::Footprint;
use surefoot_geom::Vec3;
use surefoot_ground::Obstacle;

fn scene() -> Scene {
    let outline = |points: &[(f64, f64)]| points.iter().map(|&point| Vec2::from(point)).collect::<Vec<_>>();
    let obstacles = vec![
        Obstacle { outline: outline(&[(1.0, 1.0), (2.0, 1.0), (2.0, 2.0), (1.0, 2.0)]), height: None },
        Obstacle { outline: outline(&[(-2.0, 0.0), (-1.0, 0.0), (-1.5, 1.0)]), height: Some(0.5) },
    ];
    let bounds = outline(&[(-4.0, -2.0), (4.0, -2.0), (4.0, 3.0), (-4.0, 3.0)]);
    Scene { bounds, obstacles, terrain: None, start: None, goal: None, waypoints: Vec::new() }
}

#[test]
fn the_scene_is_drawn_in_its_colours_x_to_the_right_and_z_down() {
    let scene = scene();
    let view = TopView { marks: &[(Vec2::new(3.0, -1.0), "here".to_string())], ..TopView::of_scene("room", &scene) };
    let image = top_view(&view).unwrap();
    let (size, _) = compose(&view);
    assert_eq!((image.width(), image.height()), (size.x as u32, size.y as u32));
    let (low, high) = extent(&view);
    let scale = (ROOM / (high - low)).min_element();
    let frame = Frame { low, scale, corner: Vec2::new(MARGIN, HEAD) };
    let at = |x: f64, z: f64| {
        let pixel = frame.place(Vec2::new(x, z));
        Colour(image.pixel(pixel.x as u32, pixel.y as u32))
    };
    assert_eq!((at(1.5, 1.5), at(-1.5, 0.5), at(0.0, -1.0)), (OBSTACLE, LOW_OBSTACLE, FLOOR));
    assert_eq!(at(3.0, -1.0), MARK, "a cross where something is wrong");
    let svg = top_view_svg(&view);
    assert!(svg.contains(">here</text>") && svg.contains("1 m</text>") && svg.contains(&OBSTACLE.css()), "{svg}");
}

#[test]
fn anything_can_be_drawn_even_nothing() {
    let empty = Scene {
        bounds: Vec::new(),
        obstacles: Vec::new(),
        terrain: None,
        start: None,
        goal: None,
        waypoints: Vec::new(),
    };
    assert!(top_view(&TopView::of_scene("", &empty)).is_ok());
    let bow_tie = [(0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)].map(Vec2::from).to_vec();
    let crossing = Scene { bounds: bow_tie, ..empty.clone() };
    assert!(top_view(&TopView::of_scene("a <b>", &crossing)).is_ok());
    let nan = Scene { bounds: vec![Vec2::NAN, Vec2::ZERO, Vec2::new(1e7, 1.0)], ..empty };
    assert!(top_view(&TopView::of_scene("", &nan)).is_ok());
}

#[test]
fn planted_feet_have_their_colours() {
    let scene = scene();
    let print = |side, x: f64| Footprint { heading: Some(0.0), ..Footprint::at(side, Vec3::new(x, 0.0, 0.0)) };
    let plan = FootPlan { footprints: vec![print(Side::Left, 0.1), print(Side::Right, -0.1)] };
    let sole = SoleShape { heel: 0.18, toe: 0.08, half_breadth: 0.05 };
    let soles = PerSide { left: sole, right: sole };
    let view = TopView { footprints: Some((&plan, soles)), ..TopView::of_scene("feet", &scene) };
    let svg = top_view_svg(&view);
    assert!(svg.contains(&colour::LEFT.css()) && svg.contains("right foot"));
    assert_eq!(svg, top_view_svg(&view));
}
