// SPDX-License-Identifier: BSD-3-Clause
//! Reads lines `METHOD FORMAT HEX`, decodes each message as that method's reply, and writes `ok CBOR C`, the value in
//! both formats, or `error WHAT`. The codecs are those that `ferry bindgen --lang rust` wrote for spec/wire/types.json.

use ferry_ingress::wire::{self, Codec, DecodeError, Wire};
use std::borrow::Borrow;
use std::io::{self, BufRead, Write};

fn bytes(hex: &str) -> Vec<u8> {
    let digits = if hex == "-" { "" } else { hex };
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).expect("hex")).collect()
}

fn hex(bytes: &[u8]) -> String {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    if digits.is_empty() { "-".to_owned() } else { digits }
}

fn encoded<C: Codec>(wire: Wire, value: &C::Value) -> String {
    let mut bytes = Vec::new();
    wire::encode::<C>(wire, value.borrow(), &mut bytes).expect("encodes");
    hex(&bytes)
}

fn transcoded<C: Codec>(wire: Wire, bytes: &[u8]) -> Result<String, DecodeError> {
    let value = wire::decode::<C>(wire, bytes)?;
    Ok(format!("{} {}", encoded::<C>(Wire::Cbor, &value), encoded::<C>(Wire::C, &value)))
}

fn transcode(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let wire = if words[1] == "cbor" { Wire::Cbor } else { Wire::C };
    match root(words[0])(wire, &bytes(words[2])) {
        Ok(both) => format!("ok {both}"),
        Err(error) => format!("error {error}"),
    }
}

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        writeln!(out, "{}", transcode(&line?))?;
    }
    Ok(())
}
