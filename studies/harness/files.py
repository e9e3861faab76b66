# SPDX-License-Identifier: Apache-2.0
"""Files that processes of several machines share: a name is there with all that belongs to it, or not at all.

Built on what NFS keeps its word on, too: making a link is one step of the server, and of two that want one name the
second is refused. A rename is one step as well, but takes the name from whoever has it; so it stands here only where that
is meant. Locks are not used: a dead machine's would have to be believed or broken.
"""
import os


def write_synced(file, text):
    """Brought to the disk: a name that it gets later, and that a crash leaves, has all of it."""
    with file.open("w") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())


def sync_folder(folder):
    """Brings the names to the disk."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def put_once(temporary, file):
    """Gives a whole file its name and takes the temporary one away, unless the name is taken; then nothing moves. Whether
    it has the name now."""
    try:
        os.link(temporary, file)
    except FileExistsError:
        # The answer of a server may be lost, and the client then asks again: the name is taken, by us.
        if os.stat(temporary).st_nlink < 2:
            return False
    os.unlink(temporary)
    return True


def replace(file, text):
    """Writes it anew: whoever reads has the old or the new text."""
    temporary = file.with_name(f"{file.name}.{os.uname().nodename}-{os.getpid()}.part")
    write_synced(temporary, text)
    os.replace(temporary, file)
    sync_folder(file.parent)
