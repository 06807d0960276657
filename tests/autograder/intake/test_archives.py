"""Archives' bounds: the last byte, name, entry and ratio that is taken, and the first that is not."""

import io
import struct
import tarfile
import zipfile

import pytest

from autograder.intake import archives
from autograder.intake.archives import ArchiveMember, ByteBudget, Metered, ending, entries, read, split
from autograder.intake.errors import Skip
from tests.helpers.collecting import tarred, zip_link, zipped


def test_the_bounds_are_those_of_a_class_of_three_hundred():
    assert (archives.MAX_TOTAL, archives.MAX_NESTED_TOTAL) == (8 * 2**30, 200 * 2**20)
    assert (archives.MAX_ENTRIES, archives.MAX_DEPTH) == (20_000, 3)
    assert (archives.MAX_RATIO, archives.RATIO_FROM) == (200, 2**20)
    assert (archives.MAX_NAME, archives.MAX_FOLDERS) == (200, 20)


def test_a_budget_lasts_to_its_last_byte_and_out_of_the_larger_one_too():
    whole = ByteBudget(10)
    part = ByteBudget(7, within=whole)
    part.take(7)
    assert (part.left, whole.left) == (0, 3)
    with pytest.raises(Skip, match="it unpacks to more than is allowed, so the rest was not read"):
        part.take(1)
    other = ByteBudget(7, within=whole)
    with pytest.raises(Skip):
        other.take(3)


def test_a_small_budget_within_a_large_one_ends_first():
    whole = ByteBudget(100)
    part = ByteBudget(2, within=whole)
    with pytest.raises(Skip):
        part.take(3)
    assert (part.left, whole.left) == (-1, 97)


@pytest.mark.parametrize(
    ("packed", "left", "most"),
    [
        (1, 10**9, 2**20),
        (2**20 // 200 + 1, 10**9, 200 * (2**20 // 200 + 1)),
        (10**6, 10**9, 2 * 10**8),
        (10**6, 50, 50),
    ],
)
def test_a_stream_holds_a_megabyte_or_two_hundred_times_its_size_or_what_is_left(packed, left, most):
    class Endless(io.RawIOBase):
        def read(self, size=-1):
            return memoryview(bytes(1)) if size == 1 else b"\0" * size

    stream = Metered(Endless(), packed, ByteBudget(left))
    assert stream.most == most
    stream.count = most - 3
    assert len(stream.read(3)) == 3
    with pytest.raises(Skip, match="more than is allowed"):
        stream.read(1)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("a/b\\c.ipynb", ("a", "b", "c.ipynb")),
        ("./a//b/.", ("a", "b")),
        ("a.b/..c", ("a.b", "..c")),
        ("", ()),
        ("/".join(["x"] * 20), ("x",) * 20),
        ("x" * 200, ("x" * 200,)),
        ("é" * 100, ("é" * 100,)),
        ("ab:c", ("ab:c",)),
        ("a-b/c-", ("a-b", "c-")),
    ],
)
def test_a_good_name_is_split_into_its_folders(name, parts):
    assert split(name) == parts


@pytest.mark.parametrize(
    ("name", "says"),
    [
        *((name, "starts at a disk's root") for name in ("/a", "\\a", "C:\\a", "c:a", "Z:/a")),
        *((name, "leads out of the folder") for name in ("..", "a/..", "a\\..\\b", "../a")),
        *(
            (name, "contains characters that no name should have")
            for name in ("a\nb", "a<b", "a>b", 'a"b', "a\u2028b", "a\u2029b")
        ),
        ("a\ud800b", "contains characters that no name should have"),
        *((name, "starts with a dash") for name in ("-a", "a/-b", "a\\-b/c")),
        *((name, "is too long") for name in ("/".join(["x"] * 21), "x" * 201, "a/" + "é" * 100 + "x")),
    ],
)
def test_a_name_that_leads_or_means_elsewhere_is_refused(name, says):
    with pytest.raises(Skip, match=f"^its name {says}"):
        split(name)


@pytest.mark.parametrize(
    ("path", "end"),
    [
        ("a/b.ipynb", ".ipynb"),
        ("b.IPYNB", ".ipynb"),
        ("b.tar.gz", ".tar.gz"),
        ("b.tar.bz2", ".tar.bz2"),
        ("b.tgz", ".tgz"),
        ("b.tbz2", ".tbz2"),
        ("b.tar", ".tar"),
        ("b.gz", ".gz"),
        ("b.zip", ".zip"),
        *((f"b{end}", end) for end in (".7z", ".rar", ".xz", ".txz", ".zst")),
        ("b.txt", ""),
        ("b.ipynb.txt", ""),
        (".b.ipynb", ""),
        (".git/b.ipynb", ""),
        ("__MACOSX/b.ipynb", ""),
        ("a/__MACOSX/b.ipynb", ""),
        ("", ""),
    ],
)
def test_an_ending_says_what_is_to_be_done(path, end):
    assert ending(tuple(path.split("/")) if path else ()) == end


def listed(content: bytes, budget: ByteBudget | None = None) -> list[tuple]:
    found = entries(io.BytesIO(content), budget or ByteBudget(10**9))
    return [(entry.name, entry.wrong, entry.time, entry.size) for entry in found if entry]


WHEN = (2026, 11, 20, 12, 0, 0)


def test_a_zips_files_are_listed_with_their_times_and_sizes():
    content = zipped(("a/", ""), ("a/b.ipynb", "x" * 7), ("c.txt", "y" * 5000))
    assert listed(content) == [("a/b.ipynb", "", WHEN, 7), ("c.txt", "", WHEN, 5000)]
    found = [entry and (entry.open().read(), entry.packed) for entry in entries(io.BytesIO(content), ByteBudget(10**9))]
    folder, *contents = found
    assert folder is None  # it counts, and is no file
    assert [text for text, _ in contents] == [b"x" * 7, b"y" * 5000] and contents[1][1] < 100


def test_what_is_wrong_with_a_zips_file_is_said():
    assert [wrong for _, wrong, _, _ in listed(zip_link())] == ["it is a link or a device"]
    locked = bytearray(zipped(("a", "x")))
    for sign, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = locked.index(sign) + offset
        locked[at : at + 2] = struct.pack("<H", 1)
    assert [wrong for _, wrong, _, _ in listed(bytes(locked))] == ["it is protected by a password"]
    for how in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        assert ["packed in a way" in wrong for _, wrong, _, _ in listed(zipped(("a", "x"), how=how))] == [True]
    assert [wrong for _, wrong, _, _ in listed(zipped(("a", "x"), how=zipfile.ZIP_STORED))] == [""]
    regular = io.BytesIO()
    with zipfile.ZipFile(regular, "w") as archive:
        info = zipfile.ZipInfo("a")
        info.external_attr = 0o100644 << 16
        archive.writestr(info, "x")
    assert [wrong for _, wrong, _, _ in listed(regular.getvalue())] == [""]


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2"])
def test_a_tars_files_are_listed_whatever_its_name_is(mode):
    content = tarred(("a/b.ipynb", "x" * 7), ("c.txt", "yy"), mode=mode)
    assert listed(content) == [("a/b.ipynb", "", (1970, 1, 1, 0, 0, 0), 7), ("c.txt", "", (1970, 1, 1, 0, 0, 0), 2)]
    names = [entry.open().read() for entry in entries(io.BytesIO(content), ByteBudget(10**9))]
    assert names == [b"x" * 7, b"yy"]


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_what_is_wrong_with_a_tars_file_is_said(kind):
    assert [wrong for _, wrong, _, _ in listed(tarred(("a", "b"), kind=kind))] == ["it is a link or a device"]


def test_folders_and_odd_times_of_a_tar_stop_nothing():
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, kind, time in (("a", tarfile.DIRTYPE, 0), ("a/b", tarfile.REGTYPE, 2**62), ("c", tarfile.REGTYPE, 7)):
            info = tarfile.TarInfo(name)
            info.type, info.mtime = kind, time
            archive.addfile(info)
    assert listed(target.getvalue()) == [("a/b", "", (), 0), ("c", "", (1970, 1, 1, 0, 0, 7), 0)]


def test_five_times_as_many_signs_of_entries_as_allowed_are_a_forged_directory(monkeypatch):
    """Five, since a file may well hold the four bytes by chance, or an archive in it."""
    monkeypatch.setattr(archives, "MAX_ENTRIES", 2)
    files = [(str(number), "") for number in range(10)]
    assert len(listed(zipped(*files))) == 10
    with pytest.raises(Skip, match=r"^it contains more than 2 files$"):
        listed(zipped(*files, ("x", "")))


def entry(size: int, content: int | None = None, packed: int = 10**9) -> ArchiveMember:
    return ArchiveMember("a", "", WHEN, packed, size, lambda: io.BytesIO(bytes(size if content is None else content)))


def test_a_file_is_read_to_its_last_byte(monkeypatch):
    monkeypatch.setattr(archives, "MAX_BYTES", 3 * 2**20)
    budget = ByteBudget(10 * 2**20)
    assert len(read(entry(3 * 2**20), budget)) == 3 * 2**20
    assert budget.left == 7 * 2**20
    for large in (entry(3 * 2**20 + 1), entry(1, content=3 * 2**20 + 1)):  # what it says of itself, and what it is
        with pytest.raises(Skip, match=r"^it is larger than 3 MB; clear all outputs, save it, and hand it in again$"):
            read(large, budget)
    assert budget.left == 4 * 2**20 - 1
    with pytest.raises(Skip, match="more than is allowed"):
        read(entry(2**20), ByteBudget(2**20 - 1))


def test_no_more_of_a_file_is_unpacked_than_shows_that_it_is_too_large():
    asked = []

    class Stream(io.BytesIO):
        def read(self, size=-1):
            asked.append(size)
            return b"x"

    assert read(ArchiveMember("a", "", WHEN, 1, 1, Stream), ByteBudget(10)) == b"x"
    assert asked == [archives.MAX_BYTES + 1]


def test_a_file_is_two_hundred_times_as_large_as_packed_or_a_megabyte():
    budget = ByteBudget(10**9)
    assert len(read(entry(2**20, packed=1), budget)) == 2**20
    with pytest.raises(Skip, match=r"^it unpacks to more than 200 times its size$"):
        read(entry(2**20 + 1, packed=1), budget)
    assert len(read(entry(2_000_000, packed=10_000), budget)) == 2_000_000
    with pytest.raises(Skip, match="200 times"):
        read(entry(2_000_001, packed=10_000), budget)


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        *((name, "utf-8") for name in ("李明/attention.ipynb", "Jürgen Größl/x.ipynb", "ada/x.ipynb")),
        *((name, "gb2312") for name in ("李明/attention.ipynb", "王小红_7_作业（一）/x.ipynb")),
        *((name, "cp437") for name in ("Jürgen Größl/x.ipynb", "José Nuñez/x.ipynb")),
    ],
)
def test_a_name_of_a_zip_is_read_in_the_encoding_in_which_a_computer_wrote_it(name, encoding):
    raw = name.encode(encoding)
    # As many programs do: the bytes in the computer's own encoding, without the sign for UTF-8.
    placeholder = "x" * len(raw)
    data = zipped((placeholder, "text")).replace(placeholder.encode(), raw)
    for member in entries(io.BytesIO(data), ByteBudget(100)):
        assert member.name == name and read(member, ByteBudget(100)) == b"text"
