# SPDX-License-Identifier: BSD-3-Clause
"""The host languages of `ferry bindgen`; a new one has its line here."""

from ferry.bindgen import cddl, rust
from ferry.bindgen.language import Language

LANGUAGES: dict[str, Language] = {language.name: language for language in (cddl.LANGUAGE, rust.LANGUAGE)}
