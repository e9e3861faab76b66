# SPDX-License-Identifier: Apache-2.0
"""Files that someone asked to be written: their folders are made where they are missing."""
import pathlib
import sys


def with_folder(file):
    """The file's path, of which the folder is there."""
    file = pathlib.Path(file)
    file.parent.mkdir(parents=True, exist_ok=True)
    return file


def write_if_new(file, text):
    """So that nothing is built again for a file that has not changed."""
    file = pathlib.Path(file)
    if not file.is_file() or file.read_text() != text:
        write_file(file, text)


def write_file(file, text, option=""):
    """Writes a file that the user asked for by this option. Ends the program with the reason if that is not possible."""
    try:
        with_folder(file).write_text(text)
    except OSError as error:
        program = pathlib.Path(sys.argv[0]).name
        sys.exit(f"{program}: {f'{option}: ' if option else ''}cannot write {file} ({error.strerror})")
