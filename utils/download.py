"""Fetch the real data: `python -m utils.download coco` or `tatoeba`. The lessons also run without.

Shows progress, continues an interrupted download, and checks every file by SHA-256 before it is put in place. Correct
files that are already there are not fetched again. `--from ADDRESS` (or ATTENTION_WORKBOOK_COCO,
ATTENTION_WORKBOOK_TATOEBA in the environment) names a mirror.

Sources: COCO captions 2014 with VGG-16 features, prepared by Stanford's course CS231n (CC BY 4.0,
https://cocodataset.org); English-French sentence pairs of Tatoeba (CC BY 2.0 FR, https://tatoeba.org), collected at
https://www.manythings.org/anki, in the edition of PyTorch's tutorial on translation.
"""

import argparse
import hashlib
import os
import shutil
import sys
import urllib.error
import urllib.request
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pooch
from tqdm import tqdm

from utils.common.errors import DataError
from utils.common.messages import N_, said
from utils.common.storage import data_folder

BLOCK = 2**20  # bytes read at a time
TIMEOUT = 30  # seconds without a byte
ATTEMPTS = 5  # connections; each continues where the one before ended


@dataclass(frozen=True)
class DataSet:
    """An archive and the files that it must hold: name -> SHA-256."""

    name: str
    folder: str
    address: str
    files: dict[str, str]
    size: str

    @property
    def variable(self) -> str:
        return f"ATTENTION_WORKBOOK_{self.name.upper()}"


DATA_SETS = {
    "coco": DataSet(
        "coco",
        "coco_captioning",
        "http://cs231n.stanford.edu/coco_captioning.zip",
        {
            "coco2014_captions.h5": "4035d7ff55145f1f01b9ee9f3e24eb6ba6da3bdcd69f927c75390f11f74f891d",
            "coco2014_vocab.json": "0cf30d2a349e9d24df4c9b0fa3dca46ad69b05876595546fdd690559a8c8da53",
            "train2014_urls.txt": "7616ec66526a3acc4ad323aef4ca6642a6bb9e7e4ad4f1541786dc07e6841ae2",
            "train2014_vgg16_fc7.h5": "8e15fc883ea70730d5d1319f34712bcb706b2807645cd876f7886d61ff94a5d8",
            "train2014_vgg16_fc7_pca.h5": "ec0a10c585909761d15778a1c4a5dbad92e1672853d9b5bad08e6a36fd21c779",
            "val2014_urls.txt": "760d7c76f78f46cc376390cc4d21126b040eb48d896bae00a5b21f46ef5a9818",
            "val2014_vgg16_fc7.h5": "21ebb9bda6232c7697c8d883916d6bc582d0a101ddcad30512f5444196e14f63",
            "val2014_vgg16_fc7_pca.h5": "6619466e3385ef1e913fae9470ef802df283675533ce0dc34d88abac5e7d1cf9",
        },
        N_("1.0 GB, and 2.3 GB unpacked"),
    ),
    "tatoeba": DataSet(
        "tatoeba",
        "tatoeba",
        "https://download.pytorch.org/tutorial/data.zip",
        {"eng-fra.txt": "6b0f3decdb78600485b58efb541f5a2ab69ba888742ac04180e013084e40de7c"},
        N_("3 MB, and 10 MB unpacked"),
    ),
}


def fetch(data_set: DataSet, address: str | None = None) -> Path:
    """Fetch a data set's files into the user's data folder and return the folder.

    The archive is a file `*.part` meanwhile, so that a later call can continue it, and is deleted at the end.
    Raises: DataError that says what failed and what to do.
    """
    folder = data_folder(data_set.folder)
    missing = [name for name, digest in data_set.files.items() if not is_right(folder / name, digest)]
    if not missing:
        print(said(N_("{name}: all files are there and right, in {folder}"), name=data_set.name, folder=str(folder)))
        return folder
    address = address or os.environ.get(data_set.variable) or data_set.address
    values = {"name": data_set.name, "address": address, "size": said(data_set.size), "folder": str(folder)}
    print(said(N_("{name}: fetching {address} ({size}) into {folder}"), **values))
    archive = folder / "archive.zip"
    # Without a hash of the archive, because mirrors pack the files anew: `unpack` compares each file's own hash.
    try:
        pooch.retrieve(
            address, known_hash=None, fname=archive.name, path=folder, downloader=Resuming(folder / "archive.part")
        )
        for name in missing:
            unpack(archive, name, folder, data_set.files[name])
    except (OSError, urllib.error.URLError) as error:
        raise DataError(
            N_(
                "{address} could not be fetched ({error}); run the same command again to go on where it stopped, or "
                "name a mirror with --from ADDRESS."
            ),
            address=address,
            error=str(error),
        ) from None
    finally:
        archive.unlink(missing_ok=True)
    print(said(N_("{name}: done"), name=data_set.name))
    return folder


def is_right(path: Path, digest: str) -> bool:
    """Return whether the file exists and has the SHA-256 `digest`."""
    return path.is_file() and pooch.file_hash(str(path), alg="sha256") == digest


class Resuming:
    """A downloader for pooch that continues the file `part`, if the server allows, and shows a progress bar."""

    def __init__(self, part: Path):
        self.part = part

    def __call__(self, url: str, output_file: str, _pooch: object) -> None:
        for attempt in range(ATTEMPTS):
            try:
                if self._go_on(url):
                    break
            except (OSError, urllib.error.URLError):
                if attempt == ATTEMPTS - 1:
                    raise
        else:
            raise OSError(said(N_("the connection broke off, tries: {tries}"), tries=ATTEMPTS))
        shutil.move(self.part, output_file)

    def _go_on(self, url: str) -> bool:
        """Fetch the rest of the file; return whether the file is complete."""
        have = self.part.stat().st_size if self.part.exists() else 0
        request = urllib.request.Request(url, headers={"User-Agent": "attention-workbook"})
        if have:
            request.add_header("Range", f"bytes={have}-")
        try:
            answer = urllib.request.urlopen(request, timeout=TIMEOUT)
        except urllib.error.HTTPError as error:
            error.close()
            if error.code == 416:  # the server has no more bytes: the part is complete, or of another file
                self.part.unlink()
                return False
            raise OSError(
                said(N_("the server answers {code} {reason}"), code=error.code, reason=error.reason)
            ) from None
        with answer:
            goes_on = answer.status == 206
            rest = int(answer.headers.get("Content-Length") or 0)
            total = (have if goes_on else 0) + rest
            bar = tqdm(total=total or None, initial=have if goes_on else 0, unit="B", unit_scale=True, file=sys.stdout)
            with open(self.part, "ab" if goes_on else "wb") as file, bar:
                while block := answer.read(BLOCK):
                    file.write(block)
                    bar.update(len(block))
        return not total or self.part.stat().st_size == total


def unpack(archive: Path, name: str, folder: Path, digest: str) -> None:
    """Extract the file `name` from the archive, check it, and then put it in place."""
    # Under another name until the hash is compared, so that an interrupted run leaves no damaged file in its place.
    draft = folder / f"{name}.draft"
    try:
        with zipfile.ZipFile(archive) as content:
            member = next((m for m in content.namelist() if m.rsplit("/")[-1] == name and "__MACOSX" not in m), None)
            if member is None:
                raise DataError(
                    N_("The archive does not contain {name}: is its address right? Name another with --from ADDRESS."),
                    name=name,
                )
            seen = hashlib.sha256()
            with content.open(member) as source, open(draft, "wb") as target:
                while block := source.read(BLOCK):
                    seen.update(block)
                    target.write(block)
    except (zipfile.BadZipFile, EOFError):
        raise DataError(
            N_("What was fetched is not a zip archive; run the same command again, or name a mirror.")
        ) from None
    else:
        if seen.hexdigest() != digest:
            raise DataError(
                N_(
                    "{name} in the archive is not the expected file (SHA-256 {seen}…, expected {digest}…); "
                    "nothing was changed."
                ),
                name=name,
                seen=seen.hexdigest()[:12],
                digest=digest[:12],
            )
        os.replace(draft, folder / name)
        print(f"  {name}")
    finally:
        draft.unlink(missing_ok=True)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m utils.download", description=__doc__.splitlines()[0])
    parser.add_argument("data_set", choices=sorted(DATA_SETS))
    parser.add_argument("--from", dest="address", metavar="ADDRESS", help="a mirror of the archive")
    options = parser.parse_args(arguments)
    try:
        fetch(DATA_SETS[options.data_set], options.address)
    except DataError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
