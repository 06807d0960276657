"""Fetching the real data, from a server of our own: progress, resume, checksums."""

import hashlib
import io
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from utils import download
from utils.download import DATA_SETS, DataSet, main

CONTENT = {"first.txt": b"one\n" * 50_000, "second.bin": bytes(range(256)) * 700}


def archive(content=CONTENT) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, data in content.items():
            file.writestr(f"folder/{name}", data)
    return buffer.getvalue()


class Server(ThreadingHTTPServer):
    """Serves `body`; breaks off after `breaks` bytes as often as there are numbers in it."""

    def __init__(self, body: bytes, breaks=(), ranges=True):
        super().__init__(("127.0.0.1", 0), Handler)
        self.body, self.breaks, self.ranges, self.asked = body, list(breaks), ranges, []

    def handle_error(self, *args):
        pass


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        start = int(self.headers.get("Range", "bytes=0-")[6:-1]) if self.server.ranges else 0
        self.server.asked.append(start)
        if self.path == "/missing":
            self.send_error(404)
            return
        if start >= len(self.server.body):
            self.send_error(416)
            return
        body = self.server.body[start:]
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: self.server.breaks.pop(0)] if self.server.breaks else body)

    def log_message(self, *args):
        pass


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("ATTENTION_WORKBOOK_DATA", str(tmp_path))
    files = {name: hashlib.sha256(data).hexdigest() for name, data in CONTENT.items()}
    monkeypatch.setitem(DATA_SETS, "coco", DataSet("coco", "coco_captioning", "http://127.0.0.1:1/", files, "tiny"))
    return tmp_path / "coco_captioning"


@pytest.fixture
def serve():
    servers = []

    def start(*args, **kwargs):
        server = Server(*args, **kwargs)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        servers.append(server)
        return server, f"http://127.0.0.1:{server.server_port}/x.zip"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_all_files_arrive(home, serve, capsys):
    server, address = serve(archive())
    assert main(["coco", "--from", address]) == 0
    assert {name: (home / name).read_bytes() for name in names(home)} == CONTENT
    assert "100%" in capsys.readouterr().out
    assert main(["coco", "--from", address]) == 0
    assert server.asked == [0]  # the second time nothing is fetched
    assert "all files are there" in capsys.readouterr().out


def test_an_interrupted_download_goes_on(home, serve):
    server, address = serve(archive(), breaks=[100_000, 60_000])
    assert main(["coco", "--from", address]) == 0
    assert server.asked == [0, 100_000, 160_000]
    assert names(home) == sorted(CONTENT)


def test_a_later_call_goes_on(home, serve, monkeypatch, capsys):
    monkeypatch.setattr(download, "ATTEMPTS", 1)
    server, address = serve(archive(), breaks=[100_000])
    assert main(["coco", "--from", address]) == 1
    assert "run the same command again" in capsys.readouterr().err
    assert names(home) == ["archive.part"]
    assert main(["coco", "--from", address]) == 0
    assert server.asked == [0, 100_000] and names(home) == sorted(CONTENT)


def test_a_server_that_cannot_resume_starts_over(home, serve):
    _, address = serve(archive(), breaks=[100_000], ranges=False)
    assert main(["coco", "--from", address]) == 0
    assert names(home) == sorted(CONTENT)


def test_a_part_of_something_else_is_dropped(home, serve):
    home.mkdir(parents=True)
    (home / "archive.part").write_bytes(b"x" * 2 * len(archive()))
    _, address = serve(archive())
    assert main(["coco", "--from", address]) == 0
    assert names(home) == sorted(CONTENT)


def test_only_what_is_missing_or_wrong_is_replaced(home, serve):
    home.mkdir(parents=True)
    (home / "first.txt").write_bytes(CONTENT["first.txt"])
    (home / "second.bin").write_bytes(b"truncated")
    before = (home / "first.txt").stat().st_mtime_ns
    assert main(["coco", "--from", serve(archive())[1]]) == 0
    assert (home / "first.txt").stat().st_mtime_ns == before
    assert (home / "second.bin").read_bytes() == CONTENT["second.bin"]


@pytest.mark.parametrize(
    "body, words",
    [
        (archive(CONTENT | {"first.txt": b"other"}), "is not the expected file"),
        (archive({"second.bin": CONTENT["second.bin"]}), "does not contain first.txt"),
        (b"<html>sorry</html>", "not a zip archive"),
    ],
)
def test_wrong_archives_change_nothing(home, serve, capsys, body, words):
    assert main(["coco", "--from", serve(body)[1]]) == 1
    assert words in capsys.readouterr().err
    assert names(home) == []


def test_errors_of_the_server(home, serve, capsys, monkeypatch):
    _, address = serve(archive())
    assert main(["coco", "--from", address.replace("x.zip", "missing")]) == 1
    assert "404" in capsys.readouterr().err
    monkeypatch.setenv("ATTENTION_WORKBOOK_COCO", "http://127.0.0.1:1/x.zip")
    assert main(["coco"]) == 1
    assert "http://127.0.0.1:1/x.zip could not be fetched" in capsys.readouterr().err


def test_the_real_data_sets_are_named():
    assert len(DATA_SETS["tatoeba"].files["eng-fra.txt"]) == 64
    with pytest.raises(SystemExit):
        main(["imagenet"])
