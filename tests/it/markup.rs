//! A strict reader of HTML: every element closed, every attribute quoted, nothing left unescaped.

/// An element with all that is in it.
#[derive(Clone, Debug, Default)]
pub struct Element {
    pub name: String,
    pub attributes: Vec<(String, String)>,
    pub children: Vec<Element>,
    /// The text of this element alone, entities replaced.
    pub own_text: String,
}

const VOID: [&str; 4] = ["meta", "link", "br", "hr"];

/// Reads a whole page, or says what is wrong with it and where.
pub fn parse(page: &str) -> Result<Element, String> {
    let mut rest = page.strip_prefix("<!DOCTYPE html>").ok_or("it has no doctype")?;
    let mut open = vec![Element::default()];
    while !rest.is_empty() {
        let near = || rest.chars().take(60).collect::<String>();
        if let Some(tag) = rest.strip_prefix("</") {
            let (name, after) = tag.split_once('>').ok_or_else(near)?;
            close(&mut open, name).map_err(|why| format!("{why} at {}", near()))?;
            rest = after;
        } else if let Some(tag) = rest.strip_prefix('<') {
            let (element, after) = start(tag).map_err(|why| format!("{why} at {}", near()))?;
            let name = element.name.clone();
            open.push(element);
            rest = after;
            if VOID.contains(&name.as_str()) {
                close(&mut open, &name)?;
            } else if name == "style" {
                let end = rest.find("</style>").ok_or("a style sheet without an end")?;
                open.last_mut().expect("just put there").own_text = rest[..end].to_owned();
                rest = &rest[end..];
            }
        } else {
            let end = rest.find('<').unwrap_or(rest.len());
            let text = text(&rest[..end])?;
            open.last_mut().expect("the page itself is never closed").own_text.push_str(&text);
            rest = &rest[end..];
        }
    }
    match open.as_mut_slice() {
        [page] if page.children.len() == 1 => Ok(page.children.remove(0)),
        _ => Err(format!("not closed: {:?}", open.iter().map(|element| &element.name).collect::<Vec<_>>())),
    }
}

fn close(open: &mut Vec<Element>, name: &str) -> Result<(), String> {
    let element = open.pop().filter(|element| element.name == name && !open.is_empty());
    let element = element.ok_or_else(|| format!("</{name}> closes something else"))?;
    open.last_mut().expect("it is not empty").children.push(element);
    Ok(())
}

/// What stands between `<` and `>`, and what follows.
fn start(tag: &str) -> Result<(Element, &str), String> {
    let end = tag.find([' ', '>']).ok_or("a tag without an end")?;
    let mut element = Element { name: tag[..end].to_owned(), ..Element::default() };
    if element.name.is_empty() || !element.name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Err(format!("`{}` is no name of an element", element.name));
    }
    let mut rest = &tag[end..];
    while let Some(attribute) = rest.strip_prefix(' ') {
        let (name, after) = attribute.split_once("=\"").ok_or("an attribute without quotes")?;
        let (value, after) = after.split_once('"').ok_or("a value without an end")?;
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
            return Err(format!("`{name}` is no name of an attribute"));
        }
        if element.attribute(name).is_some() {
            return Err(format!("{name} twice"));
        }
        element.attributes.push((name.to_owned(), text(value)?));
        rest = after;
    }
    Ok((element, rest.strip_prefix('>').ok_or("a tag that does not end")?))
}

fn text(raw: &str) -> Result<String, String> {
    if let Some(at) = raw.find(['<', '>', '"']).filter(|&at| !raw[at..].starts_with('"')) {
        return Err(format!("not escaped: {}", &raw[at..]));
    }
    let mut out = String::new();
    let mut pieces = raw.split('&');
    out.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let (entity, after) = piece.split_once(';').ok_or_else(|| format!("a lonely & before {piece}"))?;
        out.push(match entity {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            other => return Err(format!("the entity {other}")),
        });
        out.push_str(after);
    }
    Ok(out)
}

impl Element {
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// This element and all in it, in the order of their starts.
    pub fn all(&self) -> Vec<&Self> {
        let mut all = vec![self];
        all.extend(self.children.iter().flat_map(Self::all));
        all
    }

    /// Those of a name, at any depth.
    pub fn named(&self, name: &str) -> Vec<&Self> {
        self.all().into_iter().filter(|element| element.name == name).collect()
    }

    /// All text in it.
    pub fn text(&self) -> String {
        self.all().iter().map(|element| element.own_text.as_str()).collect()
    }
}

#[test]
fn what_is_not_strict_is_refused() {
    let read = |body: &str| parse(&format!("<!DOCTYPE html><html>{body}</html>"));
    assert_eq!(read("<p class=\"a b\">1 &lt; 2</p>").map(|page| page.text()).as_deref(), Ok("1 < 2"));
    for wrong in
        ["<p>", "</p>", "<p></b></p>", "<p a=1></p>", "a & b", "a > b", "<p a=\"1\" a=\"2\"></p>", "<p/>"]
    {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}
