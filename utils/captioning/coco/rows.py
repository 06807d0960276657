"""Rows of large files, read when they are indexed: `Rows` of an HDF5 array, `Lines` of a text.

What: both have the shape, dtype and indexing of a numpy array; an index returns a numpy array (or one row), and
`np.asarray` reads all rows.
Why not a memory map: the system maps large pieces around each row, and counts them as the process's memory.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import DTypeLike


class Rows(NDArrayOperatorsMixin):
    """An HDF5 array (n, ...) on disk: `rows[5]`, `rows[[3, 1, 3]]`, `rows[10:20]` read only these rows."""

    def __init__(self, path: Path, key: str, shape: tuple[int, ...], dtype: np.dtype[Any]):
        self.path, self.key, self.shape, self.dtype = path, key, shape, dtype
        self.ndim, self.size = len(shape), int(np.prod(shape))

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, index: Any) -> Any:
        first, rest = (index[0], index[1:]) if isinstance(index, tuple) else (index, ())
        wanted = np.arange(len(self))[first]
        unique, places = np.unique(wanted, return_inverse=True)  # HDF5 wants rising indices
        import h5py  # see files.py

        with h5py.File(self.path, "r") as file:
            read = file[self.key][unique] if len(unique) else np.empty((0, *self.shape[1:]), self.dtype)
        read = read[places.reshape(np.shape(wanted))]
        return read[(slice(None),) * np.ndim(wanted) + rest] if rest else read

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self[:], dtype=dtype)

    def __array_ufunc__(self, function: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        read = (np.asarray(x) if isinstance(x, Rows) else x for x in inputs)
        return getattr(function, method)(*read, **options)

    def __repr__(self) -> str:
        return f"Rows({self.path.name!r}, {self.key!r}, shape={self.shape}, dtype={self.dtype})"


class Lines:
    """The lines of a text file: `lines[5]` is a string, `lines[[3, 1]]` an array of strings."""

    dtype: np.dtype[Any] = np.dtype(object)
    ndim = 1

    def __init__(self, path: Path):
        content = np.fromfile(path, dtype=np.uint8)
        ends = np.flatnonzero(content == ord("\n"))
        if len(content) and content[-1] != ord("\n"):
            ends = np.append(ends, len(content))
        self.path, self._ends = path, ends
        self.shape, self.size = (len(ends),), len(ends)

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, index: Any) -> Any:
        wanted = np.arange(len(self))[index]
        lines = np.empty(np.shape(wanted), dtype=object)
        with open(self.path, "rb") as file:
            for place, number in np.ndenumerate(wanted):
                start = int(self._ends[number - 1]) + 1 if number else 0
                file.seek(start)
                lines[place] = file.read(int(self._ends[number]) - start).decode("utf-8").rstrip("\r")
        return lines if lines.ndim else lines[()]

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.path.read_text(encoding="utf-8").splitlines(), dtype=dtype or object)

    def __repr__(self) -> str:
        return f"Lines({self.path.name!r}, {len(self)} lines)"
