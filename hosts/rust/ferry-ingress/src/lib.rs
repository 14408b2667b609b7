// SPDX-License-Identifier: BSD-3-Clause
//! x
pub mod wire;
