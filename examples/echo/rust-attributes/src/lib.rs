// SPDX-License-Identifier: BSD-3-Clause
//! The library echo, as `examples/echo/echo.nim` has it, by attributes on ordinary Rust. Its description is
//! `examples/echo/echo.json`.

/// A library that gives back what it is given, sometimes later. It has something of every kind, so that one
/// conformance program can be written in every language.
#[ferry::library]
pub mod echo {
    use std::cell::Cell;
    use std::collections::BTreeMap;
    use std::rc::Rc;
    use std::time::{Duration, Instant};

    use ferry::{Context, Failure, Handle, Held, Question, Unanswered, Yields};

    /// The longest delay an echo may ask for, in milliseconds.
    #[ferry::constant]
    pub const MAX_DELAY_MS: u32 = 60_000;
    /// What a polite host sends first.
    #[ferry::constant]
    pub const GREETING: &str = "hello, \"wörld\"";
    /// One half.
    #[ferry::constant]
    pub const HALF: f64 = 0.5;
    /// Whether the library was built for debugging.
    #[ferry::constant]
    pub const DEBUG: bool = false;
    /// The lowest number there is.
    #[ferry::constant]
    pub const LOWEST: i64 = i64::MIN;

    /// A colour.
    #[ferry::enumeration]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Color {
        /// No colour at all.
        None = -1,
        /// Red.
        Red,
        /// Green.
        Green,
        /// Blue, out of line.
        Blue = 7,
    }

    /// What to echo, and when.
    #[ferry::object]
    #[derive(Debug)]
    pub struct EchoRequest {
        /// What to say.
        pub message: String,
        /// How long to wait before answering, in milliseconds; 0 answers at once.
        #[ferry::default(0)]
        pub delay_ms: i64,
    }

    /// What was echoed.
    #[ferry::object]
    pub struct EchoResponse {
        /// The message, after the context's prefix.
        pub echoed: String,
        /// How long it was waited, for people.
        pub timer: String,
    }

    /// Many things at once.
    #[ferry::object]
    pub struct ComplexRequest {
        /// Several messages.
        pub messages: Vec<EchoRequest>,
        /// Words about them.
        pub tags: Vec<String>,
        /// A remark.
        pub note: Option<String>,
        /// How often to try again.
        pub retries: Option<i64>,
    }

    /// What became of many things.
    #[ferry::object]
    pub struct ComplexResponse {
        /// The messages and the tags, each joined by commas, and a semicolon between the two.
        pub summary: String,
        /// How many messages and tags there were.
        pub item_count: u32,
        /// Whether there was a note.
        pub has_note: bool,
        /// The retries asked for; -1 when none were.
        pub retries: i64,
    }

    /// A field of every type.
    #[ferry::object]
    pub struct AllTypes {
        a_bool: bool,
        an_i8: i8,
        an_i16: i16,
        an_i32: i32,
        an_i64: i64,
        a_u8: u8,
        a_u16: u16,
        a_u32: u32,
        a_u64: u64,
        an_f32: f32,
        an_f64: f64,
        a_string: String,
        some_bytes: Vec<u8>,
        a_color: Color,
        an_object: EchoRequest,
        maybe_number: Option<i32>,
        maybe_text: Option<String>,
        maybe_object: Option<EchoRequest>,
        maybe_color: Option<Color>,
        numbers: Vec<f64>,
        flags: Vec<bool>,
        colors: Vec<Color>,
        rows: Vec<Vec<i32>>,
        maybe_words: Vec<Option<String>>,
        blobs: Vec<Vec<u8>>,
        text_by_number: BTreeMap<i32, String>,
        number_by_text: BTreeMap<String, i64>,
        objects_by_text: BTreeMap<String, EchoRequest>,
    }

    /// A tree, which contains itself.
    #[ferry::object]
    pub struct Tree {
        /// What it is called.
        pub name: String,
        /// The nodes below it.
        pub children: Vec<Tree>,
    }

    /// Why a number was not divided.
    #[ferry::enumeration]
    #[derive(Clone, Copy)]
    pub enum DivideError {
        /// The divisor is 0.
        ByZero = 1,
        /// The quotient is more than the largest number there is.
        Overflow = 2,
    }

    /// Why a text is no number.
    #[ferry::object]
    pub struct ParseError {
        /// A sentence.
        pub reason: String,
        /// Which byte of the text is wrong.
        pub position: u32,
    }

    /// What to say several times, and how.
    #[ferry::object]
    pub struct Chorus {
        /// How often, at most 100 times.
        #[ferry::default(2)]
        pub times: u32,
        /// What to say.
        pub text: String,
        /// How much more often than that; what comes out is rounded down.
        #[ferry::default(1.5)]
        pub factor: f64,
        /// What stands between.
        #[ferry::default(", ")]
        pub separator: String,
        /// Whether `!` ends it.
        #[ferry::default(true)]
        pub loud: bool,
        /// In which colour; its number comes last.
        #[ferry::default(Color::Blue)]
        pub color: Color,
        /// What stands before, if anything.
        pub remark: Option<String>,
    }

    /// What to count, and how.
    #[ferry::object]
    pub struct CountRequest {
        /// How many numbers, from 0.
        pub up_to: u32,
        /// Instead of which number it fails, by `too_far`.
        pub fail_at: Option<u32>,
        /// How long to wait before each number, in milliseconds.
        #[ferry::default(0)]
        pub delay_ms: i64,
        /// How many letters come with each number.
        #[ferry::default(0)]
        pub text_bytes: u32,
    }

    /// A number.
    #[ferry::object]
    pub struct Counted {
        pub number: u32,
        /// As many letters as were asked for.
        pub text: String,
    }

    /// Why no more numbers came.
    #[ferry::enumeration]
    #[derive(Clone, Copy)]
    pub enum CountError {
        /// It was asked to fail.
        TooFar = 1,
    }

    /// What became of the counts of a context.
    #[ferry::object]
    #[derive(Clone, Copy, Default)]
    pub struct Counts {
        /// How many are not over.
        pub running: u32,
        /// How many the host did not want to the end.
        pub stopped: u32,
        /// How many numbers they have given.
        pub given: u64,
    }

    /// Why a host picks nothing.
    #[ferry::enumeration]
    #[derive(Clone, Copy, Debug)]
    pub enum PickError {
        /// None of the choices is right.
        NoneFits = 1,
        /// It was asked too often.
        AsksTooMuch = 2,
    }

    /// What became of a question to the host.
    #[ferry::enumeration]
    #[derive(Clone, Copy)]
    pub enum Consultation {
        /// It has picked.
        Answered,
        /// It has answered with an error.
        Refused,
        /// Its function has failed.
        Failed,
        /// It does not listen.
        Unheard,
        /// Too many questions were open.
        TooMany,
        /// No answer came in time.
        TooLate,
    }

    /// What became of a question, and what the answer was.
    #[ferry::object]
    pub struct Consulted {
        pub outcome: Consultation,
        /// The choice that was picked, or why none was.
        pub text: String,
    }

    #[ferry::object]
    pub struct ShapeCircle {
        pub radius: f64,
    }

    #[ferry::object]
    pub struct ShapeSquare {
        pub side: f64,
        /// In degrees.
        pub angle: f64,
    }

    #[ferry::object]
    pub struct ShapeLabel {
        pub text: String,
    }

    #[ferry::object]
    pub struct ShapeGroup {
        /// What it is made of.
        pub parts: Vec<Shape>,
    }

    /// A shape.
    #[ferry::variant]
    pub enum Shape {
        /// None at all.
        Nothing,
        Circle(ShapeCircle),
        Square(ShapeSquare),
        /// A text.
        Label(ShapeLabel),
        /// A text that belongs to a shape.
        Caption(ShapeLabel),
        /// Several shapes.
        Group(ShapeGroup),
    }

    #[ferry::object]
    pub struct DrawingTrue {
        pub color: Color,
    }

    #[ferry::variant]
    pub enum DrawingByIsColored {
        False,
        True(DrawingTrue),
    }

    /// What to draw.
    #[ferry::object]
    pub struct Drawing {
        /// What it is called.
        pub name: String,
        pub shapes: Vec<Shape>,
        /// Whether it has a colour.
        pub is_colored: DrawingByIsColored,
    }

    #[ferry::object]
    pub struct DrawErrorTooMany {
        /// How many there are.
        pub count: u32,
    }

    /// Why nothing was drawn.
    #[ferry::variant]
    pub enum DrawError {
        /// There are no shapes.
        Empty,
        /// There are more than 100.
        TooMany(DrawErrorTooMany),
    }

    /// Reads a text in pieces.
    #[ferry::handle]
    pub struct Reader {
        text: String,
        position: Cell<usize>,
    }

    /// What the library keeps for one context.
    pub struct Echo {
        prefix: String,
        cancellations: Cell<u32>,
        counts: Rc<Cell<Counts>>,
    }

    /// Something happened.
    #[ferry::event(drop_newest)]
    fn tick(context: &Context<Echo>);

    /// An echo was given.
    #[ferry::event]
    fn echoed(context: &Context<Echo>, response: &EchoResponse);

    /// A drawing was drawn.
    #[ferry::event]
    fn drawn(context: &Context<Echo>, shape: &Shape);

    /// Which of the choices, by its place, from 0.
    #[ferry::ask]
    fn pick(
        context: &Context<Echo>,
        /// The matter that is to be decided.
        title: String,
        /// What there is to choose from.
        choices: Vec<String>,
    ) -> Question<u32, PickError>;

    /// A delay that may be asked for.
    fn delay(delay_ms: i64) -> Result<Duration, String> {
        match u64::try_from(delay_ms) {
            Ok(delay_ms) if delay_ms <= MAX_DELAY_MS.into() => Ok(Duration::from_millis(delay_ms)),
            _ => Err(format!("the delay has to be from 0 to {MAX_DELAY_MS} ms")),
        }
    }

    impl Echo {
        /// Start an echo.
        #[ferry::constructor]
        pub fn create(
            /// What every echo begins with. `fail` makes the constructor fail.
            prefix: String,
        ) -> Result<Echo, String> {
            if prefix == "fail" {
                return Err("the prefix says to fail".into());
            }
            Ok(Echo {
                prefix,
                cancellations: Cell::default(),
                counts: Rc::default(),
            })
        }

        /// End an echo.
        #[ferry::destructor]
        pub fn destroy(self) {}

        /// Give back a message, after the prefix, when the delay is over. Emits `echoed`.
        #[ferry::method]
        pub async fn echo(
            &self,
            context: &Context<Self>,
            /// What to echo, and when.
            request: EchoRequest,
        ) -> Result<EchoResponse, String> {
            let delay = delay(request.delay_ms)?;
            if !delay.is_zero() {
                context.sleep(delay).await;
            }
            let response = EchoResponse {
                echoed: format!("{}{}", self.prefix, request.message),
                timer: format!("{} ms", request.delay_ms),
            };
            echoed(context, &response);
            Ok(response)
        }

        /// Take many things and sum them up.
        #[ferry::method]
        pub fn complex(
            &self,
            /// Many things.
            request: &ComplexRequest,
        ) -> ComplexResponse {
            let messages: Vec<&str> = request
                .messages
                .iter()
                .map(|each| each.message.as_str())
                .collect();
            ComplexResponse {
                summary: format!("{};{}", messages.join(","), request.tags.join(",")),
                item_count: (messages.len() + request.tags.len()) as u32,
                has_note: request.note.is_some(),
                retries: request.retries.unwrap_or(-1),
            }
        }

        /// Give back the same bytes.
        #[ferry::method]
        pub fn bytes(
            &self,
            /// Any bytes.
            payload: Vec<u8>,
        ) -> Vec<u8> {
            payload
        }

        /// Fail with a message.
        #[ferry::method]
        pub fn fail(
            &self,
            /// What the error says.
            message: String,
        ) -> Result<(), String> {
            Err(message)
        }

        /// Give back the same value.
        #[ferry::method]
        pub fn all(
            &self,
            /// Any value.
            value: AllTypes,
        ) -> AllTypes {
            value
        }

        /// Give back the same tree.
        #[ferry::method]
        pub fn tree(
            &self,
            /// Any tree.
            root: Tree,
        ) -> Tree {
            root
        }

        /// Give back the text or nothing.
        #[ferry::method]
        pub fn maybe(
            &self,
            /// A text or nothing.
            value: Option<String>,
        ) -> Option<String> {
            value
        }

        /// Emit `tick` that many times.
        #[ferry::method]
        pub fn ticks(
            &self,
            context: &Context<Self>,
            /// How many.
            count: u32,
        ) {
            (0..count).for_each(|_| tick(context));
        }

        /// Open a reader of a text.
        #[ferry::method]
        pub fn open(
            &self,
            context: &Context<Self>,
            /// The text that is to be read.
            text: String,
        ) -> Result<Handle<Reader>, Failure> {
            let position = Cell::new(0);
            Ok(context.keep(Reader { text, position })?)
        }

        /// Read on. Nothing at the end of the text. Pieces are cut between bytes, so the text should be ASCII.
        #[ferry::method]
        pub fn read(
            &self,
            /// An open reader.
            reader: &Reader,
            /// How many bytes to read at most; 1 or more.
            bytes_max: u32,
        ) -> Result<Option<String>, Failure> {
            if bytes_max == 0 {
                return Err("bytes_max has to be 1 or more".into());
            }
            let position = reader.position.get();
            let left = &reader.text.as_bytes()[position..];
            if left.is_empty() {
                return Ok(None);
            }
            let piece = &left[..left.len().min(usize::try_from(bytes_max)?)];
            reader.position.set(position + piece.len());
            Ok(Some(String::from_utf8(piece.to_vec())?))
        }

        /// Close a reader. A call that uses it afterwards is refused.
        #[ferry::method]
        pub fn close(
            &self,
            context: &Context<Self>,
            /// An open reader.
            reader: Held<Reader>,
        ) {
            context.release(reader.handle());
        }

        /// The version of the library.
        #[ferry::method]
        pub fn version() -> String {
            env!("CARGO_PKG_VERSION").to_owned()
        }

        /// Add two numbers, wrapping around.
        #[ferry::method]
        pub fn sum(
            /// A number.
            left: i64,
            /// Another.
            right: i64,
        ) -> i64 {
            left.wrapping_add(right)
        }

        /// Divide a number, towards zero.
        #[ferry::method]
        pub async fn divide(
            &self,
            /// What is divided.
            dividend: i64,
            /// By what.
            divisor: i64,
        ) -> Result<i64, DivideError> {
            if divisor == 0 {
                return Err(DivideError::ByZero);
            }
            dividend.checked_div(divisor).ok_or(DivideError::Overflow)
        }
    }

    /// The number that a text is.
    #[ferry::method]
    pub fn parse(
        /// Decimal digits, at most 18.
        text: &str,
    ) -> Result<i64, Failure<ParseError>> {
        const DIGITS_MAX: usize = 18;
        if text.is_empty() {
            return Err("there is no text".into());
        }
        for (index, byte) in text.bytes().enumerate() {
            let reason = match byte {
                _ if index == DIGITS_MAX => "too long",
                b'0'..=b'9' => continue,
                _ => "no digit",
            };
            return Err(Failure::raised(ParseError {
                reason: reason.to_owned(),
                position: u32::try_from(index)?,
            }));
        }
        Ok(text.parse::<i64>()?)
    }

    /// Counts a cancellation when it is dropped, unless its nap is over then: a future is dropped when its call is
    /// cancelled.
    struct Nap<'a> {
        cancellations: &'a Cell<u32>,
        is_over: bool,
    }

    impl Drop for Nap<'_> {
        fn drop(&mut self) {
            let count = u32::from(!self.is_over);
            self.cancellations.set(self.cancellations.get() + count);
        }
    }

    impl Echo {
        /// Wait; others are served meanwhile. Ends early when it is cancelled.
        #[ferry::method]
        pub async fn nap(
            &self,
            context: &Context<Self>,
            /// How long, in milliseconds.
            delay_ms: i64,
        ) -> Result<(), String> {
            let delay = delay(delay_ms)?;
            let cancellations = &self.cancellations;
            let is_over = false;
            let mut nap = Nap {
                cancellations,
                is_over,
            };
            context.sleep(delay).await;
            nap.is_over = true;
            Ok(())
        }

        /// Compute; nothing else is served meanwhile. Ends early when it is cancelled.
        #[ferry::method]
        pub fn spin(
            &self,
            context: &Context<Self>,
            /// How long, in milliseconds.
            delay_ms: i64,
        ) -> Result<(), Failure> {
            let over = Instant::now() + delay(delay_ms)?;
            while Instant::now() < over {
                if context.is_cancelled() {
                    self.cancellations.set(self.cancellations.get() + 1);
                    return Err(Failure::cancelled());
                }
            }
            Ok(())
        }

        /// How many naps and spins were cancelled.
        #[ferry::method]
        pub fn cancellations(&self) -> u32 {
            self.cancellations.get()
        }

        /// Say a text several times: `ho, ho, ho! 7` is what the defaults make of `ho`.
        #[ferry::method]
        pub fn sing(
            /// What to say, and how often.
            chorus: Chorus,
        ) -> Result<String, &'static str> {
            let times = f64::from(chorus.times) * chorus.factor;
            if !(0.0..=100.0).contains(&times) {
                return Err("a text is said at most 100 times");
            }
            // a number from 0 to 100, rounded down
            let said = vec![chorus.text; times as usize].join(&chorus.separator);
            let remark = chorus.remark.unwrap_or_default();
            let end = if chorus.loud { "!" } else { "" };
            Ok(format!("{remark}{said}{end} {}", chorus.color as i32))
        }
    }

    /// A count that is not over: it counts that itself when it is dropped.
    struct Counter {
        counts: Rc<Cell<Counts>>,
        is_over: bool,
    }

    impl Counter {
        fn change(&self, change: impl FnOnce(&mut Counts)) {
            let mut counts = self.counts.get();
            change(&mut counts);
            self.counts.set(counts);
        }
    }

    impl Drop for Counter {
        fn drop(&mut self) {
            self.change(|counts| {
                counts.running -= 1;
                counts.stopped += u32::from(!self.is_over);
            });
        }
    }

    impl Echo {
        /// Count; others are served meanwhile.
        #[ferry::method]
        pub fn count(
            &self,
            context: &Context<Self>,
            /// What to count, and how.
            request: CountRequest,
        ) -> Result<Yields<Counted, CountError>, Failure<CountError>> {
            let delay = delay(request.delay_ms)?;
            let context = context.clone();
            let counter = Counter {
                counts: Rc::clone(&self.counts),
                is_over: false,
            };
            counter.change(|counts| counts.running += 1);
            Ok(Yields::unfold(
                (counter, 0),
                move |(mut counter, number)| {
                    let sleep = context.sleep(delay);
                    let text = "x".repeat(request.text_bytes as usize);
                    let (up_to, fail_at) = (request.up_to, request.fail_at);
                    async move {
                        if number == up_to {
                            counter.is_over = true;
                            return Ok(None);
                        }
                        sleep.await;
                        if fail_at == Some(number) {
                            counter.is_over = true;
                            return Err(Failure::raised(CountError::TooFar));
                        }
                        counter.change(|counts| counts.given += 1);
                        Ok(Some((Counted { number, text }, (counter, number + 1))))
                    }
                },
            ))
        }

        /// What became of the counts.
        #[ferry::method]
        pub fn counting(&self) -> Counts {
            self.counts.get()
        }

        /// Ask the host to pick one of the choices, and say what became of that; others are served meanwhile.
        #[ferry::method]
        pub async fn consult(
            &self,
            context: &Context<Self>,
            /// What the host has to decide.
            title: String,
            /// What it has to choose from.
            choices: Vec<String>,
            /// How long it may take, in milliseconds.
            wait_ms: u32,
        ) -> Result<Consulted, Failure> {
            let time = Duration::from_millis(wait_ms.into());
            let (outcome, text) = match pick(context, title, choices.clone()).within(time).await {
                Ok(place) => match choices.into_iter().nth(place as usize) {
                    Some(choice) => (Consultation::Answered, choice),
                    None => return Err(format!("there is no choice {place}").into()),
                },
                Err(Unanswered::Cancelled) => return Err(Failure::cancelled()),
                Err(why) => (outcome(&why), why.to_string()),
            };
            Ok(Consulted { outcome, text })
        }

        /// How many questions to the host are open.
        #[ferry::method]
        pub fn asking(&self, context: &Context<Self>) -> u32 {
            context.open_questions()
        }

        /// Make one shape of many, behind their name, which is a caption with the colour if there is one. Emits `drawn`.
        #[ferry::method]
        pub fn draw(
            &self,
            context: &Context<Self>,
            /// What to draw.
            drawing: Drawing,
            /// One more shape, which comes last.
            extra: Option<Shape>,
        ) -> Result<Shape, Failure<DrawError>> {
            const SHAPES_MAX: usize = 100;
            let name = match drawing.is_colored {
                DrawingByIsColored::False => Shape::Label(ShapeLabel { text: drawing.name }),
                DrawingByIsColored::True(DrawingTrue { color }) => Shape::Caption(ShapeLabel {
                    text: format!("{} {}", drawing.name, color as i32),
                }),
            };
            let parts: Vec<Shape> = std::iter::once(name)
                .chain(drawing.shapes)
                .chain(extra)
                .collect();
            let count = parts.len() - 1;
            if count == 0 {
                return Err(Failure::raised(DrawError::Empty));
            }
            if count > SHAPES_MAX {
                return Err(Failure::raised(DrawError::TooMany(DrawErrorTooMany {
                    count: u32::try_from(count)?,
                })));
            }
            let whole = Shape::Group(ShapeGroup { parts });
            drawn(context, &whole);
            Ok(whole)
        }
    }

    /// What became of a question that has no answer.
    fn outcome(why: &Unanswered<PickError>) -> Consultation {
        match why {
            Unanswered::Nobody => Consultation::Unheard,
            Unanswered::TooMany => Consultation::TooMany,
            Unanswered::TooLate => Consultation::TooLate,
            Unanswered::Failed(_) | Unanswered::Cancelled => Consultation::Failed,
            Unanswered::Refused(_) => Consultation::Refused,
        }
    }
}
