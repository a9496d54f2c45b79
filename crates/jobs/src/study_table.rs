//! Tables as Markdown, which terminals and documents both show.

use surefoot_graph::experiment::Summary;

/// A table being written.
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new<S: Into<String>>(head: impl IntoIterator<Item = S>) -> Table {
        Table { rows: vec![head.into_iter().map(Into::into).collect()] }
    }

    pub(crate) fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// With columns as wide as their widest cell.
    pub(crate) fn finish(&self) -> String {
        let n_columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let cell = |row: &Vec<String>, column: usize| row.get(column).cloned().unwrap_or_default();
        let width = |column: usize| self.rows.iter().map(|row| cell(row, column).chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..n_columns).map(|column| width(column).max(3)).collect();
        let line = |row: &Vec<String>| {
            let cells = widths.iter().enumerate().map(|(column, width)| {
                let text = cell(row, column);
                if column == 0 { format!("{text:<width$}") } else { format!("{text:>width$}") }
            });
            format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
        };
        let rule = widths.iter().enumerate().map(|(column, width)| {
            let dashes = "-".repeat(width + 1);
            if column == 0 { format!("{dashes}-") } else { format!("{dashes}:") }
        });
        let mut text = line(&self.rows[0]);
        text += &format!("|{}|\n", rule.collect::<Vec<_>>().join("|"));
        self.rows[1..].iter().for_each(|row| text += &line(row));
        text
    }
}

/// `1.23 ± 0.04`, multiplied into a unit; `-` of nothing.
pub(crate) fn mean_text(summary: Option<Summary>, unit: f64, decimals: usize) -> String {
    summary.map_or("-".to_string(), |summary| {
        format!("{:.decimals$} ± {:.decimals$}", unit * summary.mean, unit * summary.error())
    })
}

/// The cells of a row or column with the one of the least mean in bold.
pub(crate) fn bold_least(summaries: &[Option<Summary>], unit: f64, decimals: usize) -> Vec<String> {
    let mean = |summary: &Option<Summary>| summary.map_or(f64::INFINITY, |summary| summary.mean);
    let least = summaries.iter().map(mean).fold(f64::INFINITY, f64::min);
    let text = |summary: &Option<Summary>| {
        let text = mean_text(*summary, unit, decimals);
        if summary.is_some() && mean(summary) == least { format!("**{text}**") } else { text }
    };
    summaries.iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_markdown_with_even_columns() {
        let mut table = Table::new(["a", "number"]);
        table.row(["first", "1"]);
        table.row(["b"]);
        let expected = "| a     | number |\n|-------|-------:|\n| first |      1 |\n| b     |        |\n";
        assert_eq!(table.finish(), expected);
    }

    #[test]
    fn the_least_stands_out() {
        let of = |value: f64| Summary::of([value]);
        assert_eq!(bold_least(&[of(2.0), None, of(1.0)], 100.0, 0), ["200 ± 0", "-", "**100 ± 0**"]);
    }
}
