//! Editing the JSON of a glTF in place: what is not edited keeps every byte, spaces and order of fields included.
//!
//! The text is parsed only as deep as the edits need, into pieces that still know where they are in the text. An edit is a
//! range of the text and what comes there instead; [`JsonEdit::finish`] applies all of them.

use crate::{ErrorKind, ReadError};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

/// The fields of an object, in the order of the text.
struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Members<'de>, D::Error> {
        struct MembersVisitor;
        impl<'de> Visitor<'de> for MembersVisitor {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some((key, value)) = map.next_entry::<Key<'de>, &'de RawValue>()? {
                    members.push((key.0, value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(MembersVisitor)
    }
}

/// A field's name, borrowed where it has no escapes.
#[derive(serde::Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

/// A text under edit.
pub(super) struct JsonEdit<'a> {
    text: &'a str,
    members: Vec<(Cow<'a, str>, &'a RawValue)>,
    /// By where they begin; ranges never overlap.
    edits: BTreeMap<usize, (usize, String)>,
    /// New elements by the array they go to.
    appended: Vec<(&'static str, Vec<Value>)>,
}

impl<'a> JsonEdit<'a> {
    /// Begins to edit an object.
    pub(super) fn new(text: &'a str) -> Result<JsonEdit<'a>, ReadError> {
        let Members(members) = parse(text)?;
        Ok(JsonEdit { text, members, edits: BTreeMap::new(), appended: Vec::new() })
    }

    /// A field of the top object.
    pub(super) fn member(&self, name: &str) -> Option<&'a RawValue> {
        find(&self.members, name)
    }

    /// The elements of an array at the top; none if there is no such array.
    pub(super) fn elements(&self, name: &str) -> Result<Vec<&'a RawValue>, ReadError> {
        self.member(name).map_or(Ok(Vec::new()), elements)
    }

    /// A field of an object anywhere in the text.
    pub(super) fn member_of(&self, object: &'a RawValue, name: &str) -> Result<Option<&'a RawValue>, ReadError> {
        let Members(members) = parse(object.get())?;
        Ok(find(&members, name))
    }

    /// Puts another text where a value is.
    pub(super) fn replace(&mut self, value: &RawValue, with: String) {
        let range = self.range(value);
        self.edits.insert(range.start, (range.end, with));
    }

    /// Gives a field of an object another value; adds it if there is none.
    pub(super) fn set_member(&mut self, object: &'a RawValue, name: &str, value: &Value) -> Result<(), ReadError> {
        match self.member_of(object, name)? {
            Some(old) => self.replace(old, value.to_string()),
            None => {
                let end = self.range(object).end - 1;
                let is_empty = object.get()[1..object.get().len() - 1].trim().is_empty();
                let comma = if is_empty { "" } else { "," };
                self.insert(end, &format!("{comma}{}:{value}", Value::from(name)));
            }
        }
        Ok(())
    }

    /// Puts other fields where a field of an object is; does nothing if there is none.
    pub(super) fn replace_member(
        &mut self,
        object: &'a RawValue,
        name: &str,
        with: &[(&str, Value)],
    ) -> Result<(), ReadError> {
        let Some(value) = self.member_of(object, name)? else { return Ok(()) };
        let (start, end) = (self.range(object).start, self.range(value));
        // The name is the last text before the colon.
        let before = self.text[start..end.start].trim_end().trim_end_matches(':').trim_end();
        let key = Value::from(name).to_string();
        if !before.ends_with(&key) {
            // Written with escapes.
            return self.rewrite(object, &[name], with);
        }
        let fields: Vec<String> = with.iter().map(|(name, value)| format!("{}:{value}", Value::from(*name))).collect();
        self.edits.insert(start + before.len() - key.len(), (end.end, fields.join(",")));
        Ok(())
    }

    /// Writes an object again without some of its fields, and with others.
    pub(super) fn rewrite(
        &mut self,
        object: &'a RawValue,
        drop: &[&str],
        add: &[(&str, Value)],
    ) -> Result<(), ReadError> {
        let Members(members) = parse(object.get())?;
        let kept = members.iter().filter(|(key, _)| !drop.contains(&&**key) && add.iter().all(|(name, _)| name != key));
        let kept = kept.map(|(key, value)| format!("{}:{}", Value::from(&**key), value.get()));
        let added = add.iter().map(|(name, value)| format!("{}:{value}", Value::from(*name)));
        let fields: Vec<String> = kept.chain(added).collect();
        self.replace(object, format!("{{{}}}", fields.join(",")));
        Ok(())
    }

    /// Keeps only the first elements of an array, one at least; others may be appended still.
    pub(super) fn shorten(&mut self, array: &'a RawValue, n: usize) -> Result<(), ReadError> {
        let list = elements(array)?;
        if let Some(last) = n.checked_sub(1).and_then(|last| list.get(last)).filter(|_| n < list.len()) {
            let range = self.range(array);
            let end = range.start + array.get()[..array.get().len() - 1].trim_end().len();
            self.edits.insert(self.range(last).end, (end, String::new()));
        }
        Ok(())
    }

    /// Appends elements to an array at the top, which is made if there is none.
    pub(super) fn append(&mut self, name: &'static str, elements: impl IntoIterator<Item = Value>) {
        let elements = elements.into_iter();
        match self.appended.iter_mut().find(|(array, _)| *array == name) {
            Some((_, waiting)) => waiting.extend(elements),
            None => self.appended.push((name, elements.collect())),
        }
    }

    /// The edited text.
    pub(super) fn finish(mut self) -> String {
        for (name, elements) in std::mem::take(&mut self.appended) {
            if elements.is_empty() {
                continue;
            }
            let list = elements.iter().map(Value::to_string).collect::<Vec<_>>().join(",");
            match self.member(name) {
                Some(array) => {
                    let inner = &array.get()[1..array.get().len() - 1];
                    // Behind the last element, before the spaces that end the array.
                    let at = self.range(array).start + 1 + inner.trim_end().len();
                    let comma = if inner.trim().is_empty() { "" } else { "," };
                    self.insert(at, &format!("{comma}{list}"));
                }
                None => {
                    let body = self.text.trim_end().strip_suffix('}').unwrap_or(self.text);
                    let at = body.trim_end().len();
                    let comma = if self.members.is_empty() { "" } else { "," };
                    self.insert(at, &format!("{comma}\"{name}\":[{list}]"));
                }
            }
        }
        let mut out = String::with_capacity(self.text.len() + 4096);
        let mut done = 0;
        for (start, (end, text)) in &self.edits {
            out.push_str(&self.text[done..*start]);
            out.push_str(text);
            done = *end;
        }
        out.push_str(&self.text[done..]);
        out
    }

    fn insert(&mut self, at: usize, text: &str) {
        let (_, waiting) = self.edits.entry(at).or_insert((at, String::new()));
        waiting.push_str(text);
    }

    /// Where a value is in the text: values borrow from it.
    fn range(&self, value: &RawValue) -> Range<usize> {
        let start = value.get().as_ptr() as usize - self.text.as_ptr() as usize;
        start..start + value.get().len()
    }
}

/// The elements of an array.
pub(super) fn elements(array: &RawValue) -> Result<Vec<&RawValue>, ReadError> {
    parse(array.get())
}

fn find<'a>(members: &[(Cow<'a, str>, &'a RawValue)], name: &str) -> Option<&'a RawValue> {
    members.iter().find(|(key, _)| key == name).map(|(_, value)| *value)
}

fn parse<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, ReadError> {
    serde_json::from_str(text)
        .map_err(|error| ReadError::new(ErrorKind::Json, format!("the JSON is not what a glTF has: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(text: &str, expected: &str, edit: impl FnOnce(&mut JsonEdit<'_>)) {
        let mut json = JsonEdit::new(text).expect("an object");
        edit(&mut json);
        let edited = json.finish();
        assert_eq!(edited, expected);
        serde_json::from_str::<Value>(&edited).expect("JSON");
    }

    #[test]
    fn only_what_is_edited_changes() {
        let text = "{ \"b\" : [ 1,2 ] ,\n \"a\":{\"x\":1.50e2, \"y\":[]},\"\\u0061b\":null }\n";
        check(text, text, |_| {});
        check(text, &text.replace("2 ]", "2,3,4 ]"), |json| {
            json.append("b", [json!(3)]);
            json.append("b", [json!(4)]);
        });
        check(text, &text.replace("1,2 ]", "1,5 ]"), |json| {
            json.shorten(json.member("b").unwrap(), 1).unwrap();
            json.append("b", [json!(5)]);
        });
        check(text, &text.replace("null }", "null,\"c\":[{\"d\":1}] }"), |json| json.append("c", [json!({ "d": 1 })]));
        check(text, &text.replace("1.50e2", "7"), |json| {
            let a = json.member("a").unwrap();
            json.set_member(a, "x", &json!(7)).unwrap();
        });
        check(text, &text.replace("[]}", "[],\"z\":8}"), |json| {
            let a = json.member("a").unwrap();
            json.set_member(a, "z", &json!(8)).unwrap();
        });
        check(text, &text.replace("{\"x\":1.50e2, \"y\":[]}", "{\"y\":[],\"w\":2}"), |json| {
            let a = json.member("a").unwrap();
            json.rewrite(a, &["x"], &[("w", json!(2))]).unwrap();
        });
    }

    #[test]
    fn empty_objects_and_arrays_take_their_first() {
        check("{}", "{\"a\":[1]}", |json| json.append("a", [json!(1)]));
        check("{\"a\":[ ]}", "{\"a\":[1 ]}", |json| json.append("a", [json!(1)]));
        check("{\"a\":[{ }]}", "{\"a\":[{ \"b\":2}]}", |json| {
            let a = json.elements("a").unwrap()[0];
            json.set_member(a, "b", &json!(2)).unwrap();
        });
    }
}
