//! Text of others on a terminal.

/// The text with control characters made visible, which a library, a file or an argument may hold: they must not reach
/// the terminal as such, nor begin a line of their own.
pub fn visible(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut out, letter| {
        if letter.is_control() {
            out.extend(letter.escape_debug());
        } else {
            out.push(letter);
        }
        out
    })
}
