# SPDX-License-Identifier: Apache-2.0
"""What /proc says of processes that may end between two looks: one that has ended has no command and no children."""
import os
import pathlib
import signal

GONE = (FileNotFoundError, ProcessLookupError)  # no such folder; a file of it that was open when it ended


def of(pid, what):
    """The text of /proc/PID/`what`, empty where the process has ended."""
    try:
        return pathlib.Path(f"/proc/{pid}/{what}").read_text()
    except GONE:
        return ""


def is_there(pid):
    """A process that has not ended; who has ended and was not asked about is a zombie."""
    return of(pid, "stat").rpartition(")")[2].split()[:1] not in ([], ["Z"])


def children(pid):
    """[(pid, name of the program, at most 15 characters)]"""
    return [(int(child), of(child, "comm").strip()) for child in of(pid, f"task/{pid}/children").split()]


def kill(pid):
    """Was it there to be killed?"""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True
