"""An HTML exporter that compiles each template and colours each cell's code once per process.

It does not parse each finished page once more.
"""

from functools import lru_cache
from typing import Any

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from nbconvert.exporters import HTMLExporter, TemplateExporter
from nbconvert.filters import Highlight2HTML
from nbconvert.filters.widgetsdatatypefilter import WidgetsDataTypeFilter
from nbformat import NotebookNode


class CompiledTemplates(BytecodeCache):
    """A cache of compiled Jinja templates, shared by all exporters of this process.

    nbgrader makes an exporter for each student, and each exporter would compile all templates anew.
    """

    def __init__(self) -> None:
        self.known: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self.known:
            bucket.bytecode_from_string(self.known[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.known[bucket.key] = bucket.bytecode_to_string()


_compiled = CompiledTemplates()


@lru_cache(maxsize=2048)
def _coloured(source: str) -> str:
    """Return code as HTML; most code is the lesson's, or many students'."""
    return str(Highlight2HTML()(source))


class QuickPage(HTMLExporter):
    """An exporter for our own templates, without the work that nbconvert (7.17) does on a finished page.

    nbconvert parses each page to give pictures an `alt` where they have none, and to make the cells of its own
    templates reachable by keys.
    """

    def from_notebook_node(  # type: ignore[override]  # as nbconvert's own does
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **kw: Any
    ) -> tuple[str, dict[str, Any]]:
        self.environment.bytecode_cache = _compiled
        prepared = self._init_resources(resources)
        types = WidgetsDataTypeFilter(notebook_metadata=self._nb_metadata, parent=self, resources=prepared)
        self.register_filter("filter_data_type", types)
        self.register_filter("highlight_code", lambda source, **_: _coloured(source))
        return TemplateExporter.from_notebook_node(self, nb, prepared, **kw)
