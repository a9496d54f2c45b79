//! A motion that is ready to be worked on: its body found, its contacts from a file or detected.

use crate::input_report::InputReport;
use crate::input_request::InputRequest;
use crate::job_error::JobError;
use serde::{Deserialize, Serialize};
use std::path::Path;
use surefoot_contact::{Contacts, DetectOptions, Take};
use surefoot_formats::Import;
use surefoot_motion::{BodyError, BodyMap};

/// Where contacts come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContactsSource {
    /// A contacts file that the request names.
    Given,
    /// The motion's own file.
    File,
    /// Detected from the motion.
    Detected,
    /// Those of the measured motion, for a reference of as many frames.
    Measured,
}

impl ContactsSource {
    /// For people, after "contacts".
    pub fn text(self) -> &'static str {
        match self {
            ContactsSource::Given => "as given",
            ContactsSource::File => "of the motion's own file",
            ContactsSource::Detected => "detected",
            ContactsSource::Measured => "those of the measured motion",
        }
    }
}

/// The contacts that a job worked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContactsReport {
    /// Where they come from; absent without a body, which has no feet.
    pub from: Option<ContactsSource>,
    /// How many plants of heels and balls there are.
    pub plants: usize,
}

impl ContactsReport {
    /// Of contacts.
    pub fn new(from: Option<ContactsSource>, contacts: &Contacts) -> ContactsReport {
        ContactsReport { from, plants: contacts.plants.iter().map(|(_, plants)| plants.len()).sum() }
    }
}

/// A motion that is ready to be worked on.
#[derive(Clone, Debug)]
pub struct MotionSource {
    /// As read.
    pub import: Import,
    /// What was assumed.
    pub input: InputReport,
    /// With its body map and its contacts.
    pub take: Take,
    /// Where these come from.
    pub contacts_from: ContactsSource,
}

impl MotionSource {
    /// Reads a motion with a body and frames. Its contacts come from the file that is named, else from the motion's own
    /// file, else they are detected.
    pub fn load(input: &InputRequest, detect: &DetectOptions) -> Result<MotionSource, JobError> {
        let (import, known) = input.load_with_contacts()?;
        let (known, from) = known.unzip();
        let taken = import.clone().into_take_with(known, detect).map_err(|error| no_body(&input.file, &error))?;
        if import.clip.n_frames() == 0 {
            let message = "holds a skeleton but no motion; a clip has frames";
            return Err(JobError::of_file("empty", &input.file, message));
        }
        let contacts_from = from.unwrap_or(ContactsSource::Detected);
        Ok(MotionSource { input: InputReport::new(&input.file, &import), import, take: taken.take, contacts_from })
    }

    /// The contacts, for the report.
    pub fn contacts_report(&self) -> ContactsReport {
        ContactsReport::new(Some(self.contacts_from), &self.take.contacts)
    }
}

/// The body map of a motion, or why there is none.
pub fn body_of(path: &Path, import: &Import) -> Result<BodyMap, JobError> {
    import.body.clone().map_err(|error| no_body(path, &error))
}

/// The error of a motion in which no body was found.
pub fn no_body(path: &Path, error: &BodyError) -> JobError {
    JobError::of_file("body", path, format!("no body was found in it: {error}; --body names the joints"))
}
