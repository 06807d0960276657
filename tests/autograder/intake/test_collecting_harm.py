"""Collecting archives: everything that one can do to harm costs itself alone."""

import os
import struct
import tarfile
import zipfile

import pytest

from autograder.intake import archives
from tests.helpers.collecting import LESSON, CollectingCourse, nested, tarred, zip_link, zipped


@pytest.fixture
def course(tmp_path):
    """A course with nbgrader's own collecting of archives, and our two plugins in it."""
    return CollectingCourse(tmp_path / "course")


def bomb(size: int) -> bytes:
    return zipped((f"{LESSON}.ipynb", b"0" * size))


def locked() -> bytes:
    content = bytearray(zipped(("a/attention.ipynb", "{}")))
    for sign, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = content.index(sign) + offset
        content[at : at + 2] = struct.pack("<H", 1)
    return bytes(content)


# What is wrong -> an archive, or a function that makes a large one, and what is said.
HARM = {
    "up": (zipped(("../../../../evil.ipynb", "x")), "leads out of the folder"),
    "up in the middle": (zipped(("a/../../../b/attention.ipynb", "x")), "leads out of the folder"),
    "up, Windows": (zipped(("..\\..\\attention.ipynb", "x")), "leads out of the folder"),
    "root": (zipped(("/tmp/evil_attention.ipynb", "x")), "starts at a disk's root"),
    "drive": (zipped(("C:\\evil\\attention.ipynb", "x")), "starts at a disk's root"),
    "dots": (zipped(("...zip", zipped(("attention.ipynb", "x")))), "no notebook in it"),
    "newline": (zipped(("a\nb/attention.ipynb", "x")), "characters that no name should have"),
    "tag": (zipped(("<script>/attention.ipynb", "x")), "characters that no name should have"),
    "quote": (zipped(('a"b/attention.ipynb', "x")), "characters that no name should have"),
    "dash": (zipped(("-rf/attention.ipynb", "x")), "starts with a dash"),
    "long": (zipped(("x" * 220 + "/attention.ipynb", "x")), "too long"),
    "many folders": (zipped(("x/" * 30 + "attention.ipynb", "x")), "too long"),
    "bomb": (lambda: bomb(20 * 2**20), "times its size"),
    "large": (lambda: bomb(51 * 2**20), "larger than 50 MB"),
    "locked": (locked(), "protected by a password"),
    "bzip2 in zip": (zipped(("a/attention.ipynb", "x"), how=zipfile.ZIP_BZIP2), "packed in a way"),
    "broken": (zipped(("a/attention.ipynb", "x" * 99))[:40], "cannot be read"),
    "damaged": (zipped(("a/attention.ipynb", "some text"), how=0).replace(b"some", b"none"), "cannot be read"),
    "no zip": (b"hello", "cannot be read"),
    "empty": (b"", "cannot be read"),
    "nested": (nested(3), "more than 3 deep"),
    "link in zip": (zip_link(), "a link or a device"),
    "nothing": (zipped(("a/readme.txt", "x")), "no notebook in it"),
    "rar": (zipped(("a/work.rar", "x")), "archives of this kind"),
}
for _kind in ("SYMTYPE", "LNKTYPE", "CHRTYPE", "FIFOTYPE"):
    HARM[_kind] = (tarred(("a/attention.ipynb", "/etc/passwd"), kind=getattr(tarfile, _kind)), "a link or a device")
HARM["up in tar"] = (tarred(("../../../evil_attention.ipynb", "x")), "leads out of the folder")
HARM["tar bomb"] = (lambda: tarred(("a/attention.ipynb", "0" * 9 * 2**20)), "unpacks to more than is allowed")
HARM["cut tar"] = (tarred(("a/attention.ipynb", "".join(map(str, range(9999)))))[:5000], "cannot be read")


@pytest.mark.parametrize("harm", HARM)
def test_one_bad_archive_costs_itself_only(course, caplog, harm):
    """Handed in by a student and put there by hand: refused in one sentence, and the others are taken."""
    content, sentence = HARM[harm]
    content = content() if callable(content) else content
    course.put("platform.zip", zipped(("mallory_1_23456_x.zip", content), ("ada_2_23457_attention.ipynb", "ada")))
    course.put("alone.zip", content)
    course.put("bob_attention.ipynb", b"bob")
    taken = course.collect()
    assert taken.pop("ada_2") == "ada" and taken.pop("bob") == "bob"
    assert not taken
    assert sentence in caplog.text
    assert all("\n" not in record.getMessage() for record in caplog.records)
    assert course.strays() == set()


def test_what_is_good_in_a_bad_archive_is_taken(course, caplog):
    bad = ["../x.ipynb", "/x.ipynb", "-x/attention.ipynb", "a\x1b[2J/attention.ipynb"]
    course.put("class.zip", zipped(*((name, "x") for name in bad), ("ada/attention.ipynb", "ada")))
    assert course.collect() == {"ada": "ada"}
    assert caplog.text.count("Refused") == len(bad)
    assert "\x1b" not in caplog.text


def test_links_put_beside_the_archives_are_not_followed(course, caplog):
    secret = course.root / "secret.ipynb"
    secret.write_text("secret")
    (course.archive / "eve_attention.ipynb").symlink_to(secret)
    os.mkfifo(course.archive / "pipe_attention.ipynb")
    course.put("ada_attention.ipynb", b"ada")
    assert course.collect() == {"ada": "ada"}
    assert caplog.text.count("a link or a device") == 2


def test_bounds_on_entries_and_on_the_whole(course, caplog, monkeypatch):
    monkeypatch.setattr("autograder.intake.archives.MAX_ENTRIES", 5)
    monkeypatch.setattr("autograder.intake.archives.MAX_NESTED_TOTAL", 1000)
    many = [(f"{number}/x.txt", "") for number in range(9)]
    course.put("many.zip", zipped(*many, ("eve/attention.ipynb", "eve")))
    large = zipped(*((f"{number}/attention.ipynb", "x" * 400) for number in range(4)))
    course.put("platform.zip", zipped(("mallory_1_23456_x.zip", large), ("ada_2_23457_attention.ipynb", "ada")))
    taken = course.collect()
    assert "eve" not in taken and taken["ada_2"] == "ada"
    assert "more than 5 files" in caplog.text and "unpacks to more than is allowed" in caplog.text


def test_a_forged_directory_is_not_loaded(course, caplog, monkeypatch):
    monkeypatch.setattr(archives, "MAX_ENTRIES", 10)
    course.put("class.zip", zipped(*((f"{number}.txt", "") for number in range(60))))
    loaded = []
    monkeypatch.setattr(archives.zipfile, "ZipFile", lambda *a: loaded.append(a))
    assert course.collect() == {}
    assert "more than 10 files" in caplog.text and not loaded
