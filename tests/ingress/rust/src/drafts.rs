// SPDX-License-Identifier: BSD-3-Clause
//! Chains by chance, whose arguments are drafts: a chain gives what the same calls one after another give, also where a
//! part that is taken is not there.

use std::collections::HashMap;

use echo::{
    AllTypes, Draft, DrawError, Drawing, DrawingByIsColored, Echo, EchoChain, EchoRequest,
    EchoResponse, Failure, Shape, ShapeGroup, ShapeLabel, Status,
};

use ferry_ingress::{wire, Promise, Promised};

use crate::random::Random;
use crate::{create, request, with, Case, PATIENCE, WIRES};

pub const CASES: &[Case] = &[(
    "a_chain_of_drafts_gives_what_calls_in_turn_give",
    a_chain_of_drafts_gives_what_calls_in_turn_give,
)];

/// How often drawn shapes stand in each other: a message has at most 32 levels.
const NESTED_MAX: usize = 4;

/// What is promised, and what it is when the calls are made in turn.
struct Known<C, T> {
    promised: Promised<C>,
    value: Result<T, Status>,
    nested: usize,
}

type Text = Known<wire::Text, String>;
type Drawn = Known<Shape, Shape>;

type Shown = (Promise<Shape, Failure<DrawError>>, Result<Shape, Status>);
type Echoed = (Promise<EchoResponse>, Result<String, Status>);

/// A shape as an argument.
enum Given {
    Draft(Draft<Shape>),
    Promised(Promised<Shape>),
}

/// A program that is made by chance. Beside each argument is the value that it has if nothing is missing.
struct Program {
    random: Random,
    texts: Vec<Text>,
    shapes: Vec<Drawn>,
    /// What the call that is being made fails with, of all that it takes.
    wrong: Vec<Status>,
    /// How often drawn shapes stand in each other in what that call takes.
    nested: usize,
}

fn label(text: &str) -> ShapeLabel {
    ShapeLabel {
        text: text.to_owned(),
    }
}

/// The part of a group that stands there.
fn part(shape: &Shape, index: usize) -> Option<&Shape> {
    match shape {
        Shape::Group(group) => group.parts.get(index),
        _ => None,
    }
}

fn labelled(shape: &Shape, is_caption: bool) -> Option<&ShapeLabel> {
    match shape {
        Shape::Caption(label) if is_caption => Some(label),
        Shape::Label(label) if !is_caption => Some(label),
        _ => None,
    }
}

impl Program {
    /// The value of what is taken, or one in its place when the call fails for the lack of it.
    fn taken<T>(&mut self, value: Result<T, Status>, instead: T) -> T {
        value.unwrap_or_else(|status| {
            self.wrong.push(status);
            instead
        })
    }

    fn drawn(&mut self) -> Option<(Promised<Shape>, Result<Shape, Status>)> {
        let fit = |drawn: &&Drawn| drawn.nested <= NESTED_MAX;
        let count = self.shapes.iter().filter(fit).count();
        if count == 0 || self.random.below(10) < 3 {
            return None;
        }
        let chosen = self.random.below(count);
        let drawn = self.shapes.iter().filter(fit).nth(chosen)?;
        self.nested = self.nested.max(drawn.nested);
        Some((drawn.promised.clone(), drawn.value.clone()))
    }

    /// What the case of a part of a drawn shape carries.
    fn carried(&mut self) -> Option<(Promised<ShapeLabel>, ShapeLabel)> {
        let (promised, value) = self.drawn()?;
        let (index, is_caption) = [(0, true), (0, false), (1, false)][self.random.below(3)];
        let case = if is_caption {
            Shape::CAPTION
        } else {
            Shape::LABEL
        };
        let found = value.and_then(|shape| {
            let found = part(&shape, index).and_then(|part| labelled(part, is_caption));
            found.cloned().ok_or(Status::BadPayload)
        });
        let parts = promised.case(Shape::GROUP).field(ShapeGroup::PARTS);
        let value = self.taken(found, label(""));
        Some((parts.at(index).case(case), value))
    }

    fn text(&mut self) -> (Option<Promised<wire::Text>>, String) {
        if self.random.below(3) == 0 {
            if let Some((promised, value)) = self.carried() {
                return (Some(promised.field(ShapeLabel::TEXT)), value.text);
            }
        }
        if self.texts.is_empty() || self.random.below(3) == 0 {
            return (None, "some".to_owned());
        }
        let chosen = self.random.below(self.texts.len());
        let (promised, value) = (
            self.texts[chosen].promised.clone(),
            self.texts[chosen].value.clone(),
        );
        (Some(promised), self.taken(value, String::new()))
    }

    fn label(&mut self) -> (Draft<ShapeLabel>, ShapeLabel) {
        let (promised, text) = self.text();
        let draft = Draft::of(&label(&text));
        let draft = match promised {
            Some(promised) => draft.put(ShapeLabel::TEXT, promised),
            None => draft,
        };
        (draft, label(&text))
    }

    /// A drawn shape, or a part of one.
    fn whole(&mut self) -> Option<(Given, Shape)> {
        let (promised, value) = self.drawn()?;
        let index = self.random.below(4);
        if index == 3 {
            let value = self.taken(value, Shape::Nothing);
            return Some((Given::Promised(promised), value));
        }
        let found = value.and_then(|shape| part(&shape, index).cloned().ok_or(Status::BadPayload));
        let value = self.taken(found, Shape::Nothing);
        let parts = promised.case(Shape::GROUP).field(ShapeGroup::PARTS);
        Some((Given::Promised(parts.at(index)), value))
    }

    fn shape(&mut self) -> (Given, Shape) {
        match self.random.below(5) {
            0 => {
                let mut list = Draft::list();
                let parts = self.list(&mut list);
                let group =
                    Draft::of(&ShapeGroup { parts: Vec::new() }).put(ShapeGroup::PARTS, list);
                let draft = Draft::case(Shape::GROUP, group);
                (Given::Draft(draft), Shape::Group(ShapeGroup { parts }))
            }
            1 => {
                if let Some((promised, value)) = self.carried() {
                    let draft = Draft::case(Shape::LABEL, promised);
                    return (Given::Draft(draft), Shape::Label(value));
                }
                self.caption()
            }
            2 | 3 => self.whole().unwrap_or_else(|| {
                let draft = Draft::case(Shape::LABEL, &label("x"));
                (Given::Draft(draft), Shape::Label(label("x")))
            }),
            _ => self.caption(),
        }
    }

    fn caption(&mut self) -> (Given, Shape) {
        let (draft, value) = self.label();
        let draft = Draft::case(Shape::CAPTION, draft);
        (Given::Draft(draft), Shape::Caption(value))
    }

    /// Append up to two shapes to a draft.
    fn list(&mut self, list: &mut Draft<wire::Seq<Shape>>) -> Vec<Shape> {
        let mut values = Vec::new();
        for _ in 0..self.random.below(3) {
            let (given, value) = self.shape();
            *list = match given {
                Given::Draft(draft) => list.clone().push(draft),
                Given::Promised(promised) => list.clone().push(promised),
            };
            values.push(value);
        }
        values
    }

    /// What the call that was made fails with before it runs, if anything.
    fn failure(&mut self) -> Option<Status> {
        let wrong = std::mem::take(&mut self.wrong);
        let is_skipped = wrong.contains(&Status::Skipped);
        if is_skipped {
            return Some(Status::Skipped);
        }
        wrong.first().copied()
    }

    fn echo(&mut self, echo: &Echo, chain: &mut EchoChain) -> Echoed {
        let (promised, text) = self.text();
        let draft = Draft::of(&request(&text, 0));
        let said = match promised {
            Some(promised) => chain.echo(draft.put(EchoRequest::MESSAGE, promised)),
            None => chain.echo(&request(&text, 0)),
        };
        let value = match self.failure() {
            Some(status) => Err(status),
            None => {
                let said = echo.echo(&request(&text, 0)).wait(PATIENCE);
                said.map(|said| said.echoed).map_err(|error| error.status())
            }
        };
        self.texts.push(Known {
            promised: said.field(EchoResponse::ECHOED),
            value: seen_later(&value),
            nested: 0,
        });
        (said, value)
    }

    /// Ask for a value of every type with a text in a map of it, and know what is of a key there.
    fn keep(&mut self, echo: &Echo, chain: &mut EchoChain) {
        let (promised, text) = self.text();
        let mut value = self.random.all_types();
        value.objects_by_text = [("kept".to_owned(), request(&text, 0))].into();
        let kept = Draft::of(&request(&text, 0));
        let kept = match promised {
            Some(promised) => kept.put(EchoRequest::MESSAGE, promised),
            None => kept,
        };
        let objects = Draft::map().insert("kept", kept);
        let made = chain.all(Draft::of(&value).put(AllTypes::OBJECTS_BY_TEXT, objects));
        let key = ["kept", "kept", "gone"][self.random.below(3)];
        let found = match self.failure() {
            Some(_) => Err(Status::Skipped),
            None => {
                let all = echo.all(&value).wait(PATIENCE).unwrap();
                let found = all.objects_by_text.get(key);
                found
                    .map(|found| found.message.clone())
                    .ok_or(Status::BadPayload)
            }
        };
        let object = made.field(AllTypes::OBJECTS_BY_TEXT).key(key);
        self.texts.push(Known {
            promised: object.field(EchoRequest::MESSAGE),
            value: found,
            nested: 0,
        });
    }

    fn draw(&mut self, echo: &Echo, chain: &mut EchoChain) -> Shown {
        self.nested = 0;
        let (promised, name) = self.text();
        let mut list = Draft::list();
        let shapes = self.list(&mut list);
        let extra = self.random.chance().then(|| self.shape());
        let drawing = Drawing {
            name,
            shapes,
            is_colored: DrawingByIsColored::False,
        };
        let mut draft = Draft::of(&drawing).put(Drawing::SHAPES, list);
        if let Some(promised) = promised {
            draft = draft.put(Drawing::NAME, promised);
        }
        let (shown, extra) = match extra {
            Some((Given::Draft(extra), value)) => (chain.draw(&draft, extra), Some(value)),
            Some((Given::Promised(extra), value)) => (chain.draw(&draft, extra), Some(value)),
            None => (chain.draw(&draft, None), None),
        };
        let value = match self.failure() {
            Some(status) => Err(status),
            None => {
                let drawn = echo.draw(&drawing, extra.as_ref()).wait(PATIENCE);
                drawn.map_err(|error| error.status())
            }
        };
        self.shapes.push(Known {
            promised: (*shown).clone(),
            value: seen_later(&value),
            nested: self.nested + 1,
        });
        (shown, value)
    }
}

/// What a later call fails with that takes what ended so.
fn seen_later<T: Clone>(ended: &Result<T, Status>) -> Result<T, Status> {
    ended.clone().map_err(|_| Status::Skipped)
}

fn a_chain_of_drafts_gives_what_calls_in_turn_give() {
    let mut seen = HashMap::new();
    for (wire, seed) in WIRES
        .into_iter()
        .flat_map(|wire| (0..80).map(move |seed| (wire, seed)))
    {
        let echo = create(&with(wire), "hi ");
        let mut program = Program {
            random: Random::new(seed),
            texts: Vec::new(),
            shapes: Vec::new(),
            wrong: Vec::new(),
            nested: 0,
        };
        let mut chain = echo.chain();
        let (mut shown, mut echoed) = (Vec::new(), Vec::new());
        for _ in 0..1 + program.random.below(14) {
            match program.random.below(8) {
                0 => echoed.push(program.echo(&echo, &mut chain)),
                1 => program.keep(&echo, &mut chain),
                _ => shown.push(program.draw(&echo, &mut chain)),
            }
        }
        let results = chain.submit(PATIENCE).unwrap();
        for (promise, value) in echoed {
            let found = promise.result(&results).map(|said| said.echoed);
            assert_eq!(found.map_err(|error| error.status()), value, "seed {seed}");
        }
        for (promise, value) in shown {
            let found = promise.result(&results).map_err(|error| error.status());
            assert_eq!(found, value, "seed {seed}");
            *seen.entry(value.err()).or_insert(0) += 1;
        }
    }
    let failures = [Status::Raised, Status::Skipped, Status::BadPayload].map(Some);
    for ended in failures.iter().chain([&None]) {
        assert!(seen[ended] >= 50, "{seen:?}");
    }
}
