"""Reads archives that are not trusted (zip, tar, tar.gz, tar.bz2, .gz): names and sizes are checked before unpacking.

Nothing here writes; a file is read whole into memory, within the bounds below.
"""

import bz2
import contextlib
import gzip
import io
import json
import os
import re
import stat
import tarfile
import time
import unicodedata
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import IO, BinaryIO, cast

from autograder.common.paths import MAX_BYTES
from autograder.intake.errors import Skip
from utils.common.messages import N_

# Bytes, unpacked. A class of 300 with 10 MB each, and reserve; in a student's archive four of the largest notebooks.
MAX_TOTAL, MAX_NESTED_TOTAL = 8 * 2**30, 4 * MAX_BYTES
# Files and folders. Some students pack their environment of ten thousand files; millions are an attack on memory.
MAX_ENTRIES = 20_000
# Archives in one another: the platform's, the student's, and one within that.
MAX_DEPTH = 3
# Unpacked size / packed size; checked from 1 MB on. A notebook with pictures has about 3, with repeated lines about
# 30; deflate's limit is 1000.
MAX_RATIO, RATIO_FROM = 200, 2**20
# Bytes of a name, of which file systems allow 255; folders in one another.
MAX_NAME, MAX_FOLDERS = 200, 20
ODD = set('<>"')
ARCHIVES = (".tar.gz", ".tar.bz2", ".tgz", ".tbz2", ".tar", ".gz", ".zip")
TOO_MUCH = N_("it unpacks to more than is allowed, so the rest was not read")
OTHER_KIND = N_("archives of this kind are not read; unpack it, or pack it as .zip")
A_LINK = N_("it is a link or a device")
TOO_LARGE = N_("it is larger than {number} MB; clear all outputs, save it, and hand it in again")
UNREAD = (".7z", ".rar", ".xz", ".txz", ".zst")


@dataclass
class ArchiveMember:
    """A file in an archive; `wrong` says why it must not be read, "" if it may; `packed`: its bytes in the archive.

    `time` is the time of its last change, (year, month, …, second), () if unknown.
    """

    name: str
    wrong: str
    time: tuple[int, ...]
    packed: int
    size: int
    open: Callable[[], IO[bytes]]


@dataclass
class ByteBudget:
    """The bytes that may still be unpacked. Bytes taken from this budget are also taken from the one `within`."""

    left: int
    within: "ByteBudget | None" = None

    def take(self, size: int) -> None:
        """Take `size` bytes. Raises: Skip if fewer are left."""
        self.left -= size
        if self.within:
            self.within.take(size)
        if self.left < 0:
            raise Skip(TOO_MUCH)


class Metered(io.RawIOBase):
    """A stream that raises Skip after more bytes than the budget, or MAX_RATIO times the packed size, were read."""

    def __init__(self, stream: IO[bytes], packed: int, budget: ByteBudget):
        self.stream, self.count, self.most = stream, 0, min(budget.left, max(RATIO_FROM, MAX_RATIO * packed))

    def read(self, size: int = -1) -> bytes:
        content = self.stream.read(size)
        self.count += len(content)
        if self.count > self.most:
            raise Skip(TOO_MUCH)
        return content


def split(name: str) -> tuple[str, ...]:
    """Return a path's folders and name. Raises: Skip for a name that leads out of the folder, or could be misread."""
    if name.startswith(("/", "\\")) or re.match(r"[A-Za-z]:", name):
        raise Skip("its name starts at a disk's root")
    parts = tuple(part for part in re.split(r"[/\\]", name) if part not in ("", "."))
    if ".." in parts:
        raise Skip("its name leads out of the folder")
    if any(unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") or sign in ODD for sign in name):
        raise Skip("its name contains characters that no name should have; rename it")
    if any(part.startswith("-") for part in parts):
        raise Skip("its name starts with a dash; rename it")
    if len(parts) > MAX_FOLDERS or any(len(part.encode()) > MAX_NAME for part in parts):
        raise Skip("its name is too long; rename it")
    return parts


def ending(parts: tuple[str, ...]) -> str:
    """Return the ending of a file that is a notebook or an archive, "" for any other file."""
    if is_hidden(parts):
        return ""
    name = parts[-1]
    return next((end for end in (".ipynb", *ARCHIVES, *UNREAD) if name.lower().endswith(end)), "")


def is_hidden(parts: tuple[str, ...]) -> bool:
    """Return whether a file is one that a system or an editor keeps for itself."""
    return not parts or any(part.startswith(".") or part == "__MACOSX" for part in parts)


def as_notebook(name: str) -> str:
    """Return the name of a file that may be a notebook under another ending, with the right one; "" for other files.

    Browsers save attention.ipynb.txt and attention.ipynb.json, some systems hide the ending or take it away.
    """
    match = re.fullmatch(r"(.+?)\.(ipynb\b.*|txt|json|html?|py)|([^.]+)", name, re.IGNORECASE)
    return f"{match[1] or match[3]}.ipynb" if match else ""


def is_notebook(data: bytes) -> bool:
    """Return whether a file's bytes are a notebook's, whatever the file's ending."""
    if not re.match(rb"(\xef\xbb\xbf)?\s*\{", data):
        return False
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        return False
    return "nbformat" in content and ("cells" in content or "worksheets" in content)


def entries(file: BinaryIO, budget: ByteBudget) -> Iterator[ArchiveMember | None]:
    """Yield an archive's files, and None for each folder; its first bytes decide its kind, not its name."""
    magic = file.read(4)
    packed = file.seek(0, os.SEEK_END)
    file.seek(0)
    if magic[:2] == b"PK":
        yield from _zip_entries(file)
        return
    yield from _tar_entries(Metered(_unpressed(file, magic), packed, budget))


def _unpressed(file: BinaryIO, magic: bytes) -> IO[bytes]:
    if magic[:2] == b"\x1f\x8b":
        return cast(IO[bytes], gzip.open(file))
    return bz2.open(file) if magic[:2] == b"BZ" else file


def _tar_entries(stream: Metered) -> Iterator[ArchiveMember | None]:
    with tarfile.open(fileobj=stream, mode="r|") as archive:
        for info in archive:
            if info.isdir():
                yield None  # so that the caller counts folders, too: millions would fill the memory
                continue
            wrong = "" if info.isreg() and not info.issparse() else A_LINK
            changed: tuple[int, ...] = ()
            with contextlib.suppress(OverflowError, ValueError, OSError):
                changed = time.gmtime(info.mtime)[:6]
            # `extractfile` returns None only for what is not a regular file, which is never opened.
            content = cast(Callable[[], IO[bytes]], partial(archive.extractfile, info))
            yield ArchiveMember(info.name, wrong, changed, info.size, info.size, content)


def _zip_entries(file: BinaryIO) -> Iterator[ArchiveMember | None]:
    # ZipFile reads the whole directory into memory, so a forged one of millions of entries is refused before. Five
    # times as many signs are allowed, because these bytes also occur in files' contents by chance.
    signs = sum(block.count(b"PK\x01\x02") for block in iter(partial(file.read, 2**20), b""))
    if signs > 5 * MAX_ENTRIES:
        raise Skip("it contains more than {number} files", number=MAX_ENTRIES)
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            if info.is_dir():
                yield None
                continue
            wrong = ""
            if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
                wrong = A_LINK
            elif info.flag_bits & 0x1:
                wrong = N_("it is protected by a password")
            elif info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                wrong = N_("it is packed in a way that cannot be read; pack it as an ordinary .zip")
            size = info.file_size
            yield ArchiveMember(
                _name(info), wrong, info.date_time, info.compress_size, size, partial(archive.open, info)
            )


def _name(info: zipfile.ZipInfo) -> str:
    """Return a name in the encoding in which it was written; a zip says it for UTF-8 alone, and Windows often not.

    Other names are read as cp437, which garbles Chinese ones. No Western name is taken for GB2312, where each letter
    would be half a character.
    """
    if not info.flag_bits & 0x800 and not info.filename.isascii():
        raw = info.filename.encode("cp437", errors="ignore")
        for encoding in ("utf-8", "gb2312"):
            with contextlib.suppress(UnicodeDecodeError):
                return raw.decode(encoding)
    return info.filename


def read(entry: ArchiveMember, budget: ByteBudget) -> bytes:
    """Return a file's bytes. Raises: Skip if they exceed the bounds; sizes in the archive's directory may be false."""
    if entry.wrong:
        raise Skip(entry.wrong)
    if entry.size > MAX_BYTES:
        raise Skip(TOO_LARGE, number=MAX_BYTES // 2**20)
    with entry.open() as stream:
        content = stream.read(MAX_BYTES + 1)
    budget.take(len(content))
    if len(content) > MAX_BYTES:
        raise Skip(TOO_LARGE, number=MAX_BYTES // 2**20)
    if len(content) > max(RATIO_FROM, MAX_RATIO * entry.packed):
        raise Skip("it unpacks to more than {number} times its size", number=MAX_RATIO)
    return content
