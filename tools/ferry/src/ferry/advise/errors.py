# SPDX-License-Identifier: BSD-3-Clause
"""What stops `ferry advise`, in a sentence that says what to do next."""


class AdviseError(Exception):
    """Something the user has to change."""

    def __init__(self, message: str, status: int = 125) -> None:
        super().__init__(message)
        #: the exit status of ferry advise; 125 as env(1) and timeout(1) have it for failures of their own
        self.status = status
