"""Files are written whole or not at all."""

import errno
import os

import pytest

from autograder.common.paths import write_whole


def test_text_and_bytes_arrive_in_folders_yet_to_be_made(tmp_path):
    write_whole(tmp_path / "a" / "text", "é")
    write_whole(tmp_path / "a" / "bytes", b"\xff")
    assert (tmp_path / "a" / "text").read_bytes() == "é".encode()
    assert (tmp_path / "a" / "bytes").read_bytes() == b"\xff"


def test_a_name_may_be_as_long_as_the_file_system_allows(tmp_path):
    write_whole(tmp_path / ("x" * 255), "there")
    assert (tmp_path / ("x" * 255)).read_text() == "there"


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, step):
    def full(*_args):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    write_whole(tmp_path / "marks", "old")
    with monkeypatch.context() as patched:
        patched.setattr(os, step, full)
        with pytest.raises(OSError, match="No space left"):
            write_whole(tmp_path / "marks", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["marks"]
    assert (tmp_path / "marks").read_text() == "old"
