//! Reads a skeleton: sections of an ASF file, then the tree that they describe.

use super::hierarchy::{Family, Names, link_bones};
use super::words::{Line, Lines, Words, extended, finite, looks_like_number, show};
use super::{AngleUnit, Asf, AxisAngles, Bone, Dof, Root, Units};
use crate::bvh::MAX_JOINTS;
use crate::{ErrorKind, ReadError, Warning};
use std::collections::HashMap;
use surefoot_geom::Vec3;

/// How far the length of a direction may be from one before the reader warns. Files print six digits.
const DIRECTION_SLACK: f64 = 1e-3;

/// Reads an ASF file.
pub fn read_asf(bytes: &[u8]) -> Result<Asf, ReadError> {
    let mut reader = Reader::default();
    let mut lines = Lines::new(bytes)?;
    let mut section = Section::Start;
    for line in &mut lines {
        section = match line.first.strip_prefix(b":") {
            Some(keyword) => reader.enter(keyword, section, &line)?,
            None => {
                reader.take(section, &line)?;
                section
            }
        };
    }
    if matches!(section, Section::Start) {
        return Err(ReadError::at(ErrorKind::Empty, 1, "the file is empty; an ASF file has sections like `:root`"));
    }
    reader.finish(lines.number())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    /// Before the first keyword.
    Start,
    Units,
    Documentation,
    Root,
    Bones,
    Hierarchy,
    /// A section that does not matter to motion: `:version`, `:skin`.
    Other,
}

/// A section that may stand once and matters, by its keyword.
const SECTIONS: [(&str, Section); 5] = [
    ("units", Section::Units),
    ("documentation", Section::Documentation),
    ("root", Section::Root),
    ("bonedata", Section::Bones),
    ("hierarchy", Section::Hierarchy),
];

/// Where `begin` and `end` of a section stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Block {
    #[default]
    Before,
    Open,
    Closed,
}

/// A bone while its lines are read.
#[derive(Default)]
struct Draft {
    /// The fields seen, in lower case: none may stand twice.
    seen: Vec<&'static str>,
    name: Option<(String, usize)>,
    direction: Option<(Vec3, usize)>,
    length: Option<(f64, usize)>,
    axis: Option<AxisAngles>,
    dofs: Vec<Dof>,
    limits: Vec<f64>,
    limits_line: usize,
}

/// What has been read so far.
#[derive(Default)]
struct Reader {
    seen: Vec<Section>,
    name: Option<String>,
    units: Units,
    has_angle: bool,
    root_fields: Vec<&'static str>,
    order: Vec<Dof>,
    position: Vec3,
    orientation: AxisAngles,
    bones: Vec<Bone>,
    /// For each bone the line of its name.
    name_lines: Vec<usize>,
    by_name: HashMap<Vec<u8>, Option<usize>>,
    draft: Option<Draft>,
    hierarchy: Block,
    /// Lines of the hierarchy as words, kept until all bones are known.
    families: Vec<Family>,
    warnings: Vec<Warning>,
}

impl Reader {
    fn warn(&mut self, code: &'static str, line: impl Into<Option<usize>>, message: String) {
        self.warnings.push(Warning { code, line: line.into(), message });
    }

    /// A line that begins with a colon: the section that follows it.
    fn enter(&mut self, keyword: &[u8], current: Section, line: &Line<'_>) -> Result<Section, ReadError> {
        if self.draft.is_some() || (current == Section::Hierarchy && self.hierarchy == Block::Open) {
            let message = format!("`{}` comes before the `end` of what `begin` opened", line.keyword());
            return Err(line.error(ErrorKind::Syntax, message));
        }
        let known = SECTIONS.iter().find(|(name, _)| keyword.eq_ignore_ascii_case(name.as_bytes()));
        let Some(&(name, section)) = known else {
            if current == Section::Documentation && !keyword.eq_ignore_ascii_case(b"name") {
                // Notes may hold anything, also a colon at the start of a line.
                return Ok(Section::Documentation);
            }
            if keyword.eq_ignore_ascii_case(b"name") {
                self.name = line.words().next().map(show);
            }
            return Ok(Section::Other);
        };
        if self.seen.contains(&section) {
            return Err(line.error(ErrorKind::DuplicateSection, format!("a second `:{name}`; one is right")));
        }
        self.seen.push(section);
        Ok(section)
    }

    /// A line inside a section.
    fn take(&mut self, section: Section, line: &Line<'_>) -> Result<(), ReadError> {
        match section {
            Section::Start => {
                let message =
                    format!("an ASF file begins with a keyword like `:version`, this one with `{}`", line.keyword());
                Err(line.error(ErrorKind::NotAsf, message))
            }
            Section::Documentation | Section::Other => Ok(()),
            Section::Units => self.take_unit(line),
            Section::Root => self.take_root(line),
            Section::Bones => self.take_bone_line(line),
            Section::Hierarchy => self.take_family(line),
        }
    }

    fn take_unit(&mut self, line: &Line<'_>) -> Result<(), ReadError> {
        if line.is("mass") || line.is("length") {
            let [factor] = line.numbers()?;
            if factor <= 0.0 {
                let kind = if line.is("length") { ErrorKind::Length } else { ErrorKind::OutOfRange };
                return Err(line.error(kind, format!("the unit `{}` must be above zero, not {factor}", line.keyword())));
            }
            *(if line.is("length") { &mut self.units.length } else { &mut self.units.mass }) = factor;
        } else if line.is("angle") {
            let word = line.words().next().unwrap_or_default().to_ascii_lowercase();
            self.units.angle = match word.as_slice() {
                b"deg" | b"degrees" | b"degree" => AngleUnit::Degrees,
                b"rad" | b"radians" | b"radian" => AngleUnit::Radians,
                word => {
                    let message = format!("the unit of angles is `deg` or `rad`, not `{}`", show(word));
                    return Err(line.error(ErrorKind::Syntax, message));
                }
            };
            self.has_angle = true;
        } else {
            self.warn("unknown_field", line.number, format!("`{}` is no unit we know; ignored", line.keyword()));
        }
        Ok(())
    }

    fn take_root(&mut self, line: &Line<'_>) -> Result<(), ReadError> {
        const FIELDS: [&str; 4] = ["order", "axis", "position", "orientation"];
        let Some(field) = FIELDS.into_iter().find(|field| line.is(field)) else {
            self.warn("unknown_field", line.number, format!("`{}` is no field of a root; ignored", line.keyword()));
            return Ok(());
        };
        once(&mut self.root_fields, field, line)?;
        match field {
            "order" => {
                self.order = dofs(line)?;
                if self.order.contains(&Dof::Length) {
                    return Err(line.error(ErrorKind::Dof, "a root has no length that could change"));
                }
            }
            "axis" => self.orientation.order = axis_order(line, line.words())?,
            "position" => self.position = line.vector()?,
            _ => self.orientation.angles = line.vector()?,
        }
        Ok(())
    }

    fn take_bone_line(&mut self, line: &Line<'_>) -> Result<(), ReadError> {
        let Some(draft) = &mut self.draft else {
            if !line.is("begin") {
                let message = format!("a bone opens with `begin`, not `{}`", line.keyword());
                return Err(line.error(ErrorKind::Syntax, message));
            }
            if self.bones.len() == MAX_JOINTS {
                return Err(line.error(ErrorKind::Limit, format!("more than {MAX_JOINTS} bones")));
            }
            self.draft = Some(Draft::default());
            return Ok(());
        };
        if line.is("end") {
            let draft = self.draft.take().unwrap_or_default();
            return self.finish_bone(draft, line);
        }
        if !draft.take(line)? {
            self.warn("unknown_field", line.number, format!("`{}` is no field of a bone; ignored", line.keyword()));
        }
        Ok(())
    }

    /// At the `end` of a bone: checks it and gives it its place.
    fn finish_bone(&mut self, draft: Draft, end: &Line<'_>) -> Result<(), ReadError> {
        let Some((name, name_line)) = draft.name else {
            return Err(end.error(ErrorKind::MissingName, "the bone that ends here has no `name`"));
        };
        let Some((length, length_line)) = draft.length else {
            return Err(end.error(ErrorKind::Length, format!("bone `{name}` has no `length`")));
        };
        let Some((direction, direction_line)) = draft.direction else {
            return Err(end.error(ErrorKind::Direction, format!("bone `{name}` has no `direction`")));
        };
        let unit = direction.normalize_or_zero();
        if length == 0.0 {
            self.warn("zero_length", length_line, format!("bone `{name}` has no length"));
        } else if unit == Vec3::ZERO {
            let message = format!("the direction of bone `{name}` is zero, so it points nowhere");
            return Err(ReadError::at(ErrorKind::Direction, direction_line, message));
        }
        if unit != Vec3::ZERO && (direction.length() - 1.0).abs() > DIRECTION_SLACK {
            let message = format!("the direction of bone `{name}` has length {:.6}; taken as 1", direction.length());
            self.warn("direction_normalized", direction_line, message);
        }
        let limits = draft.limits.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect::<Vec<_>>();
        if !draft.limits.is_empty() && draft.limits.len() != 2 * draft.dofs.len() {
            let (found, dofs) = (draft.limits.len(), draft.dofs.len());
            let message =
                format!("bone `{name}` has {dofs} degrees of freedom and {found} numbers as limits, not two each");
            self.warn("limits_count", draft.limits_line, message);
        }
        if draft.axis.is_none() {
            self.warn("axis_default", end.number, format!("bone `{name}` has no `axis`; taken as the world's axes"));
        }
        self.bones.push(Bone {
            name,
            parent: None,
            direction: unit,
            length,
            axis: draft.axis.unwrap_or_default(),
            dofs: draft.dofs,
            limits,
        });
        self.name_lines.push(name_line);
        self.register_name(name_line)
    }

    /// Makes the last bone known by its name.
    fn register_name(&mut self, line: usize) -> Result<(), ReadError> {
        let index = self.bones.len() - 1;
        let name = self.bones[index].name.clone();
        if name.contains('\u{FFFD}') {
            self.warn("name_encoding", line, format!("the name `{name}` is not in UTF-8"));
        }
        let taken = name.eq_ignore_ascii_case("root");
        if taken || self.by_name.insert(name.to_ascii_lowercase().into_bytes(), Some(index)).is_some() {
            let message = format!("`{name}` names two bones; names must differ");
            return Err(ReadError::at(ErrorKind::DuplicateName, line, message));
        }
        Ok(())
    }

    fn take_family(&mut self, line: &Line<'_>) -> Result<(), ReadError> {
        match self.hierarchy {
            Block::Before if line.is("begin") => self.hierarchy = Block::Open,
            Block::Open if line.is("end") => self.hierarchy = Block::Closed,
            Block::Open => {
                let words = std::iter::once(line.first).chain(line.words());
                self.families.push(Family { line: line.number, names: words.map(lower_case_name).collect() });
            }
            Block::Before | Block::Closed => {
                let message = format!("`{}` is outside `begin` and `end` of the hierarchy", line.keyword());
                return Err(line.error(ErrorKind::Syntax, message));
            }
        }
        Ok(())
    }

    /// At the end of the file: checks that it is complete, and makes the tree.
    fn finish(mut self, last_line: usize) -> Result<Asf, ReadError> {
        let eof = |message: String| ReadError::at(ErrorKind::UnexpectedEof, last_line, message);
        if self.seen.is_empty() {
            let message = "the file has none of the sections of an ASF file, like `:root` and `:bonedata`";
            return Err(ReadError::at(ErrorKind::NotAsf, 1, message));
        }
        if self.draft.is_some() {
            return Err(eof("the file ends inside a bone, before its `end`".into()));
        }
        for (name, section) in SECTIONS {
            let needed = matches!(section, Section::Root | Section::Bones | Section::Hierarchy);
            if needed && !self.seen.contains(&section) {
                return Err(eof(format!("the file ends without a section `:{name}`")));
            }
        }
        if self.hierarchy != Block::Closed {
            return Err(eof("the file ends before the `end` of `:hierarchy`".into()));
        }
        if !self.root_fields.contains(&"order") {
            self.order = [Dof::Translation, Dof::Rotation].into_iter().flat_map(|dof| (0..3).map(dof)).collect();
            self.warn("root_order_default", None, "the root has no `order`; taken as TX TY TZ RX RY RZ".into());
        }
        self.by_name.insert(b"root".to_vec(), None);
        let names = Names { by_name: &self.by_name, lines: &self.name_lines };
        let depth_first = link_bones(&mut self.bones, &names, &self.families, &mut self.warnings)?;
        self.warn_of_assumed_units();
        Ok(Asf {
            name: self.name,
            units: self.units,
            root: Root { order: self.order, position: self.position, orientation: self.orientation },
            bones: self.bones,
            depth_first,
            warnings: self.warnings,
            by_name: self.by_name,
        })
    }

    /// The unit of angles matters only where there is an angle.
    fn warn_of_assumed_units(&mut self) {
        let turned = |axis: &AxisAngles| axis.angles != Vec3::ZERO;
        let matters = turned(&self.orientation) || self.bones.iter().any(|b| turned(&b.axis) || !b.dofs.is_empty());
        if !self.has_angle && (matters || !self.seen.contains(&Section::Units)) {
            self.warn("units_default", None, "the file does not state the unit of angles; taken as degrees".into());
        }
    }
}

impl Draft {
    /// Reads one line of a bone. Returns whether the field is known.
    fn take(&mut self, line: &Line<'_>) -> Result<bool, ReadError> {
        const FIELDS: [&str; 9] = ["id", "name", "direction", "length", "axis", "dof", "limits", "bodymass", "cofmass"];
        let Some(field) = FIELDS.into_iter().find(|field| line.is(field)) else {
            let continues = self.seen.last() == Some(&"limits") && is_limit(line.first);
            if continues {
                self.take_limits(std::iter::once(line.first).chain(line.words()), line)?;
            }
            return Ok(continues);
        };
        once(&mut self.seen, field, line)?;
        match field {
            "name" => {
                let word =
                    line.words().next().ok_or_else(|| line.error(ErrorKind::MissingName, "`name` without a name"))?;
                self.name = Some((String::from_utf8_lossy(word).into_owned(), line.number));
            }
            "direction" => {
                // A direction that is no number is as bad as one of no length, and reported alike.
                let direction = line.vector().map_err(|e| ReadError { kind: direction_kind(e.kind), ..e })?;
                self.direction = Some((direction, line.number));
            }
            "length" => {
                let [length] = line.numbers().map_err(|e| ReadError { kind: length_kind(e.kind), ..e })?;
                if length < 0.0 {
                    return Err(line.error(ErrorKind::Length, format!("a length of {length} is below zero")));
                }
                self.length = Some((length, line.number));
            }
            "axis" => self.axis = Some(axis(line)?),
            "dof" => self.dofs = dofs(line)?,
            "limits" => self.take_limits(line.words(), line)?,
            // Numbers for other programs.
            _ => {}
        }
        Ok(true)
    }

    fn take_limits<'a>(&mut self, words: impl Iterator<Item = &'a [u8]>, line: &Line<'_>) -> Result<(), ReadError> {
        self.limits_line = line.number;
        for word in words {
            self.limits.push(extended(word, line.number)?);
        }
        Ok(())
    }
}

fn is_limit(word: &[u8]) -> bool {
    looks_like_number(word) || word.to_ascii_lowercase().starts_with(b"inf")
}

fn direction_kind(kind: ErrorKind) -> ErrorKind {
    if kind == ErrorKind::Nonfinite { ErrorKind::Direction } else { kind }
}

fn length_kind(kind: ErrorKind) -> ErrorKind {
    if kind == ErrorKind::Nonfinite { ErrorKind::Length } else { kind }
}

/// Notes a field as seen, and refuses it the second time.
fn once(seen: &mut Vec<&'static str>, field: &'static str, line: &Line<'_>) -> Result<(), ReadError> {
    if seen.contains(&field) {
        return Err(line.error(ErrorKind::DuplicateSection, format!("a second `{field}`; one is right")));
    }
    seen.push(field);
    Ok(())
}

/// `axis 0 0 20 XYZ`; the order may be missing.
fn axis(line: &Line<'_>) -> Result<AxisAngles, ReadError> {
    let mut words = line.words();
    let mut angles = Vec3::ZERO;
    for i in 0..3 {
        let word =
            words.next().ok_or_else(|| line.error(ErrorKind::Syntax, "`axis` needs three angles and an order"))?;
        angles[i] = finite(word, line.number)?;
    }
    let order = if words.clone().next().is_some() { axis_order(line, words)? } else { AxisAngles::default().order };
    Ok(AxisAngles { angles, order })
}

/// A permutation of `XYZ`.
fn axis_order(line: &Line<'_>, mut words: Words<'_>) -> Result<[usize; 3], ReadError> {
    let word = words.next().unwrap_or_default();
    line.expect_end(words)?;
    let mut order = [0; 3];
    let letters = word.iter().filter_map(|b| b"xyz".iter().position(|axis| *axis == b.to_ascii_lowercase()));
    let n_letters = letters.zip(&mut order).map(|(axis, slot)| *slot = axis).count();
    let [a, b, c] = order;
    if word.len() == 3 && n_letters == 3 && a != b && b != c && a != c {
        return Ok(order);
    }
    let message = format!("an order of axes has X, Y and Z once each, not `{}`", show(word));
    Err(line.error(ErrorKind::Syntax, message))
}

/// `rx ry rz`, `TX TY TZ RX RY RZ`, `l`, or none.
fn dofs(line: &Line<'_>) -> Result<Vec<Dof>, ReadError> {
    let mut dofs = Vec::new();
    for word in line.words() {
        let dof = match word.to_ascii_lowercase().as_slice() {
            [b't', axis @ b'x'..=b'z'] => Dof::Translation(usize::from(axis - b'x')),
            [b'r', axis @ b'x'..=b'z'] => Dof::Rotation(usize::from(axis - b'x')),
            b"l" => Dof::Length,
            _ => {
                let message = format!("`{}` is no degree of freedom; those are tx ty tz rx ry rz l", show(word));
                return Err(line.error(ErrorKind::Dof, message));
            }
        };
        if dofs.contains(&dof) {
            return Err(line.error(ErrorKind::Dof, format!("the degree of freedom `{}` appears twice", show(word))));
        }
        dofs.push(dof);
    }
    Ok(dofs)
}

/// A name as [`Asf::by_name`] keeps it.
pub(super) fn lower_case_name(word: &[u8]) -> Vec<u8> {
    match std::str::from_utf8(word) {
        Ok(_) => word.to_ascii_lowercase(),
        Err(_) => String::from_utf8_lossy(word).to_ascii_lowercase().into_bytes(),
    }
}
