//! Files that a recipe names lie relative to the recipe.

use super::edit_words::EditWords;
use std::path::{Component, Path, PathBuf};

/// Options that name files. A terrain may also be `flat`.
const OF_FILES: [&str; 5] = ["with", "to", "from", "keys", "terrain"];

/// Whether the value of an option is a file.
fn is_file(option: &str, value: &str) -> bool {
    let is_flat = option == "terrain" && (value == "flat" || value.starts_with("flat:"));
    OF_FILES.contains(&option) && !is_flat && value != "-"
}

impl EditWords {
    /// The words of a recipe in a folder, with files as they are found from here.
    pub fn from_folder(self, folder: &Path) -> EditWords {
        self.map_files(|path| folder.join(path))
    }

    /// The words for a recipe in a folder, with files as they are found from there.
    pub fn for_folder(self, folder: &Path) -> EditWords {
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let folder = absolute(if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
        self.map_files(|path| relative_to(&absolute(path), &folder))
    }

    fn map_files(mut self, change: impl Fn(&Path) -> PathBuf) -> EditWords {
        for option in &mut self.options {
            let name = option.name.clone();
            for value in option.values.iter_mut().filter(|value| is_file(&name, value)) {
                *value = change(Path::new(&*value)).to_string_lossy().into_owned();
            }
        }
        self
    }
}

/// The relative path from a folder to a file, both absolute; the file itself where there is none (another drive).
fn relative_to(path: &Path, folder: &Path) -> PathBuf {
    let [path_parts, folder_parts] = [path, folder].map(|path| path.components().collect::<Vec<Component<'_>>>());
    let n_common = path_parts.iter().zip(&folder_parts).take_while(|(a, b)| a == b).count();
    if n_common == 0 {
        return path.to_path_buf();
    }
    let up = folder_parts[n_common..].iter().map(|_| Component::ParentDir);
    up.chain(path_parts[n_common..].iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_from_the_recipe_and_from_where_the_command_runs() {
        for (path, folder, relative) in [
            ("/a/b/walk.bvh", "/a/b", "walk.bvh"),
            ("/a/walk.bvh", "/a/b/c", "../../walk.bvh"),
            ("/a/x/walk.bvh", "/a/b", "../x/walk.bvh"),
        ] {
            assert_eq!(relative_to(Path::new(path), Path::new(folder)), Path::new(relative));
        }
        let words = || EditWords::new("blend").with("with", ["clips/a.bvh"]).with("weights", ["0.5"]);
        let found = words().from_folder(Path::new("recipes"));
        assert_eq!(found.options[0].values, ["recipes/clips/a.bvh"]);
        assert_eq!(found.options[1].values, ["0.5"]);
        assert_eq!(words().for_folder(Path::new("recipes")).options[0].values, ["../clips/a.bvh"]);
        assert_eq!(words().for_folder(Path::new("")).options[0].values, ["clips/a.bvh"]);
        let ground = EditWords::new("keep-plants").with("terrain", ["flat:0.1"]);
        assert_eq!(ground.clone().for_folder(Path::new("r")), ground);
    }
}
