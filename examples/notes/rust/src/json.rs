// SPDX-License-Identifier: BSD-3-Clause
//! JSON, as far as the answers need it.

/// A text as a JSON string.
pub fn text(value: &str) -> String {
    let mut out = String::with_capacity(value.len() + 2);
    out.push('"');
    for char in value.chars() {
        match char {
            '"' | '\\' => out.extend(['\\', char]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            control if control < ' ' => {
                let number = u32::from(control);
                let digits = [number >> 4, number & 15];
                out.push_str("\\u00");
                out.extend(
                    digits
                        .iter()
                        .filter_map(|&digit| char::from_digit(digit, 16)),
                );
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

/// A number. JSON has no number that is not finite.
pub fn number(value: f64) -> String {
    if value.is_finite() {
        value.to_string()
    } else {
        "null".to_owned()
    }
}

/// An object; its values are JSON already.
pub fn object<'a>(fields: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let fields: Vec<String> = fields
        .into_iter()
        .map(|(name, value)| format!("{}:{value}", text(name)))
        .collect();
    format!("{{{}}}", fields.join(","))
}

/// An array; its items are JSON already.
pub fn array(items: impl IntoIterator<Item = String>) -> String {
    let items: Vec<String> = items.into_iter().collect();
    format!("[{}]", items.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped() {
        assert_eq!(text("a\"b\\c\n\u{1}é"), "\"a\\\"b\\\\c\\n\\u0001é\"");
    }

    #[test]
    fn numbers_are_finite() {
        assert_eq!(number(1.5), "1.5");
        assert_eq!(number(f64::NAN), "null");
    }

    #[test]
    fn compounds_are_joined() {
        let items = array([text("x"), number(2.0)]);
        assert_eq!(
            object([("a", items), ("b", array([]))]),
            "{\"a\":[\"x\",2],\"b\":[]}"
        );
    }
}
