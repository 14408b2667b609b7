// SPDX-License-Identifier: BSD-3-Clause
//! Floats of 16 bits, which CBOR has and Rust does not.

/// The value of the 16-bit float with these bits, as a float of 64 bits; the conversion is exact.
pub fn from_half(half: u16) -> f64 {
    let sign = if half & 0x8000 == 0 { 1.0 } else { -1.0 };
    let exponent = i32::from(half >> 10 & 0x1f);
    let fraction = f64::from(half & 0x3ff);
    match exponent {
        0 => sign * fraction * 2f64.powi(-24),
        0x1f if half & 0x3ff == 0 => sign * f64::INFINITY,
        0x1f => f64::NAN,
        _ => sign * (1.0 + fraction / 1024.0) * 2f64.powi(exponent - 15),
    }
}

/// The bits of the 16-bit float with this value, if there is one. The caller deals with NaN.
pub fn to_half(value: f32) -> Option<u16> {
    let bits = value.to_bits();
    let sign = (bits >> 16) as u16 & 0x8000;
    let exponent = (bits >> 23 & 0xff) as i32 - 127;
    let fraction = bits & 0x007f_ffff;
    match exponent {
        -127 if fraction == 0 => Some(sign),
        128 => (fraction == 0).then_some(sign | 0x7c00),
        -14..=15 => (fraction & 0x1fff == 0)
            .then(|| sign | ((exponent + 15) as u16) << 10 | (fraction >> 13) as u16),
        // subnormal as a 16-bit float: the leading one moves into the fraction
        -24..=-15 => {
            let whole = fraction | 0x0080_0000;
            let shift = (-1 - exponent) as u32;
            (whole & ((1 << shift) - 1) == 0).then(|| sign | (whole >> shift) as u16)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_there_and_back() {
        for half in 0..=u16::MAX {
            let value = from_half(half);
            if value.is_nan() {
                continue;
            }
            assert_eq!(to_half(value as f32), Some(half), "{half:#06x}");
        }
    }

    #[test]
    fn what_a_half_cannot_hold() {
        for value in [65520.0, 1.0 + 1.0 / 2048.0, 1e-8, f32::MIN_POSITIVE, 5.9e-8] {
            assert_eq!(to_half(value), None, "{value}");
        }
    }
}
