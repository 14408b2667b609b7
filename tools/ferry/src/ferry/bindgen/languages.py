# SPDX-License-Identifier: BSD-3-Clause
"""The host languages of `ferry bindgen`; a new one has its line here."""

from ferry.bindgen import c, cddl, cpp, go, nats, python, rust
from ferry.bindgen.language import Language

LANGUAGES: dict[str, Language] = {
    language.name: language
    for language in (
        c.LANGUAGE,
        cddl.LANGUAGE,
        cpp.LANGUAGE,
        go.LANGUAGE,
        nats.LANGUAGE,
        python.LANGUAGE,
        rust.LANGUAGE,
    )
}
