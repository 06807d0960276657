"""Pictures by address: whatever goes wrong, the answer is None, and nothing is left behind."""

import contextlib
import io
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import numpy as np
import pytest
from PIL import Image

from utils.captioning import pictures
from utils.gradient_check import eval_numerical_gradient, eval_numerical_gradient_array, rel_error
from utils.image_utils import image_from_url


def png(mode="RGB", size=(7, 5)) -> bytes:
    buffer = io.BytesIO()
    Image.new(mode, size, 0 if mode != "RGB" else (200, 10, 30)).save(buffer, "PNG")
    return buffer.getvalue()


class Handler(BaseHTTPRequestHandler):
    asked: ClassVar[list[str]] = []

    def do_GET(self):
        self.asked.append(self.path)
        if self.path == "/reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
            self.connection.close()
            return
        if self.path == "/slow":
            time.sleep(0.6)
        if self.path == "/gone":
            self.send_error(404)
            return
        body = {"/text": b"<html>no picture</html>", "/grey": png("L"), "/half": png(size=(99, 99))[:60]}.get(
            self.path, png()
        )
        self.send_response(200)
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(body)

    def log_message(self, *args):
        pass


@pytest.fixture
def server(tmp_path, monkeypatch):
    monkeypatch.setenv("ATTENTION_WORKBOOK_DATA", str(tmp_path / "home"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(pictures, "TIMEOUT", 0.2)
    monkeypatch.setattr(pictures, "_gone", set())
    Handler.asked = []
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.handle_error = lambda *args: None
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_picture_is_fetched_once_and_kept(server, tmp_path):
    one, other = image_from_url(f"{server}/a"), image_from_url(f"{server}/a")
    assert one.shape == (5, 7, 3) and one.dtype == np.uint8 and tuple(one[0, 0]) == (200, 10, 30)
    np.testing.assert_array_equal(one, other)
    assert Handler.asked == ["/a"]
    assert image_from_url(f"{server}/grey").shape == (5, 7, 3)
    assert len(list((tmp_path / "home" / "pictures").iterdir())) == 2


@pytest.mark.parametrize("path", ["/gone", "/reset", "/slow", "/text", "/half"])
def test_what_cannot_be_shown_is_none(server, tmp_path, path):
    assert image_from_url(server + path) is None
    assert image_from_url(server + path) is None
    assert len(Handler.asked) == 1  # not asked, and not waited for, again
    assert list((tmp_path / "home" / "pictures").glob("*")) == []


def test_a_spoiled_copy_is_fetched_again(server, tmp_path):
    image_from_url(f"{server}/a")
    kept = next((tmp_path / "home" / "pictures").iterdir())
    kept.write_bytes(b"spoiled")
    assert image_from_url(f"{server}/a") is not None
    assert kept.read_bytes() == png()


def test_too_large_a_picture_is_none(server, monkeypatch):
    monkeypatch.setattr(pictures, "LARGEST", 20)
    assert image_from_url(f"{server}/a") is None


@pytest.mark.parametrize(
    "url",
    [
        "",
        None,
        5,
        "ftp://x/y",
        "file:///etc/passwd",
        "http://",
        "http://127.0.0.1:1/x",
        "scenes://val/99999",
        "scenes://",
    ],
)
def test_no_address_raises(server, url):
    assert image_from_url(url) is None


def test_scenes_are_drawn():
    picture = image_from_url("scenes://val/3")
    assert picture.shape == (256, 256, 3) and picture.dtype == np.uint8
    np.testing.assert_array_equal(picture, image_from_url(np.str_("scenes://val/3")))


def test_numerical_gradients():
    x = np.random.RandomState(0).randn(3, 5)
    kept = x.copy()
    assert rel_error(eval_numerical_gradient(lambda a: np.sum(a**3), x), 3 * x**2) < 1e-8
    upstream = np.random.RandomState(1).randn(3, 7)
    weight = np.random.RandomState(2).randn(5, 7)
    assert rel_error(eval_numerical_gradient_array(lambda a: a @ weight, x, upstream), upstream @ weight.T) < 1e-8
    np.testing.assert_array_equal(x, kept)
    assert rel_error(np.array([1.0, 0.0]), np.array([1.0, 0.0])) == 0
    assert rel_error([2.0], [1.0]) == pytest.approx(1 / 3)
