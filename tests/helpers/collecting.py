"""A course that collects archives by nbgrader's own steps; and functions that make archives for it."""

import io
import logging
import tarfile
import zipfile
from pathlib import Path

from nbgrader.apps.zipcollectapp import ZipCollectApp
from nbgrader.coursedir import CourseDirectory

from autograder.intake.lms import LmsCollector, SafeExtractor

LESSON = "attention"
MOODLE = "Ada Lovelace_123456_assignsubmission_file_"
BLACKBOARD = "attention_ada_attempt_2026-11-20-13-45-10"


class CollectingCourse:
    """A course's folder with a released lesson; `archive` is the folder for downloaded archives."""

    def __init__(self, root: Path):
        self.root, self.archive = root, root / "downloaded" / LESSON / "archive"
        self.archive.mkdir(parents=True)
        self.released = root / "release" / LESSON / f"{LESSON}.ipynb"
        self.released.parent.mkdir(parents=True)
        self.released.write_text("{}")

    def put(self, name: str, content: bytes) -> None:
        path = self.archive / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def collect(self, *, force: bool = False, zone: str = "UTC") -> dict[str, str]:
        """Run nbgrader's steps; return the text of each student's notebook."""
        app = ZipCollectApp(extractor_plugin=SafeExtractor, collector_plugin=LmsCollector, force=force)
        app.config.LmsCollector.timezone = zone
        app.coursedir = CourseDirectory(root=str(self.root), assignment_id=LESSON)
        app.log = logging.getLogger("collecting")
        app.init_plugins()
        app.extract_archive_files()
        app.process_extracted_files()
        files = [path for path in (self.root / "submitted").rglob("*") if path.is_file()]
        assert {path.name for path in files} <= {f"{LESSON}.ipynb", "timestamp.txt"}
        return {path.parts[-3]: path.read_text() for path in files if path.suffix == ".ipynb"}

    def strays(self) -> set[str]:
        """Return all links in or beside the course, and all files outside of the folders for collected files."""
        folders = [self.root / name for name in ("submitted", "release", f"downloaded/{LESSON}", ".grading/places")]
        files = [path for path in self.root.parent.rglob("*") if path.is_symlink() or not path.is_dir()]
        return {str(p) for p in files if p.is_symlink() or not any(p.is_relative_to(folder) for folder in folders)}


def zipped(*files: tuple[str, str | bytes], when: tuple = (2026, 11, 20, 12, 0, 0), how: int = 8) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in files:
            info = zipfile.ZipInfo(name, when)
            info.compress_type = how
            archive.writestr(info, content)
    return target.getvalue()


def tarred(*files: tuple[str, str], kind: bytes = tarfile.REGTYPE, mode: str = "w:gz") -> bytes:
    """Return a tar archive of files, or of links: then a file's content is the link's target."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode=mode) as archive:
        for name, content in files:
            info = tarfile.TarInfo(name)
            info.type, data = kind, content.encode()
            if kind == tarfile.REGTYPE:
                info.size = len(data)
            else:
                info.linkname = content
            archive.addfile(info, io.BytesIO(data) if kind == tarfile.REGTYPE else None)
    return target.getvalue()


def zip_link() -> bytes:
    """Return a zip archive with a symbolic link to /etc/passwd."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        info = zipfile.ZipInfo("a/attention.ipynb")
        info.external_attr = 0o120777 << 16
        archive.writestr(info, "/etc/passwd")
    return target.getvalue()


def nested(depth: int) -> bytes:
    """Return a zip archive in a zip archive, and so on, `depth` times."""
    content = zipped(("attention.ipynb", "deep"))
    for _ in range(depth):
        content = zipped(("a.zip", content))
    return content
