"""Threads, rounding and folders: what is changed for a while is put back, and data lies where the system wants it."""

import sys
from pathlib import Path

import pytest
import torch

from utils.common.devices import no_denormals, one_thread
from utils.common.storage import FOLDER_VARIABLE, data_folder


def test_threads_and_rounding_are_put_back_also_after_an_error():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    tiny = torch.tensor([1e-40])
    try:
        with pytest.raises(ValueError, match="x"), one_thread(), no_denormals():
            assert torch.get_num_threads() == 1
            assert not (tiny * 1.0).any()
            raise ValueError("x")
        assert torch.get_num_threads() == 2
        assert (tiny * 1.0).any()
    finally:
        torch.set_num_threads(before)


@pytest.mark.parametrize(("xdg", "base"), [("{home}/c", "c"), ("relative", ".cache"), ("", ".cache")])
def test_data_lies_in_the_users_cache_folder(xdg, base, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", xdg.format(home=tmp_path))
    folder = data_folder("scenes")
    assert folder == tmp_path / base / "attention-workbook" / "scenes" and folder.is_dir()
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "lab"))
    assert data_folder("scenes") == tmp_path / "lab" / "scenes"
