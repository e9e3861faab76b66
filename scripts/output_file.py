# SPDX-License-Identifier: Apache-2.0
"""Files that someone asked to be written: their folders are made where they are missing."""
import pathlib


def with_folder(file):
    """The file's path, of which the folder is there."""
    file = pathlib.Path(file)
    file.parent.mkdir(parents=True, exist_ok=True)
    return file
