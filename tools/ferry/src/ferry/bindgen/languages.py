# SPDX-License-Identifier: BSD-3-Clause
"""The languages of `ferry bindgen`, of hosts and of providers; a new one has its line here."""

from ferry.bindgen import c, cddl, cpp, go, nats, provider_c, provider_haskell, provider_rust, python, rust
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

#: Languages in which a library is written, by the name that `--provider` takes.
PROVIDERS: dict[str, Language] = {
    "c": provider_c.LANGUAGE,
    "haskell": provider_haskell.LANGUAGE,
    "rust": provider_rust.LANGUAGE,
}
