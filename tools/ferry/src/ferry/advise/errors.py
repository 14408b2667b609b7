# SPDX-License-Identifier: BSD-3-Clause
"""What stops `ferry advise`, in a sentence that says what to do next."""

from ferry.folders import MeasureError
from ferry.folders import temporary_folder as folder_for_all

#: Exit status of ferry advise when it fails itself; env(1) and timeout(1) have it so.
STATUS_FAILED = 125


class AdviseError(Exception):
    """Something the user has to change."""

    def __init__(self, message: str, status: int = STATUS_FAILED) -> None:
        super().__init__(message)
        #: the exit status of ferry advise
        self.status = status


def temporary_folder() -> str:
    """Return the folder for temporary files. Raises AdviseError where none can be written."""
    try:
        return folder_for_all()
    except MeasureError as error:
        raise AdviseError(str(error)) from None
