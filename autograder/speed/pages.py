"""nbconvert's HTML pages at less than half their cost: templates compiled once, and a page that is not read again."""

from typing import Any

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from nbconvert.exporters import HTMLExporter, TemplateExporter
from nbconvert.filters import Highlight2HTML
from nbconvert.filters.widgetsdatatypefilter import WidgetsDataTypeFilter
from nbformat import NotebookNode


class CompiledTemplates(BytecodeCache):
    """The compiled templates of this process; nbgrader makes an exporter, which compiles them, for each student."""

    def __init__(self) -> None:
        self.known: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self.known:
            bucket.bytecode_from_string(self.known[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.known[bucket.key] = bucket.bytecode_to_string()


_compiled = CompiledTemplates()


class QuickPage(HTMLExporter):
    """An exporter for templates of ours: without the HTML parser in which nbconvert (7.17) reads each page again.

    With it nbconvert describes pictures that have no `alt`, and makes cells of its own templates reachable by keys.
    """

    def from_notebook_node(  # type: ignore[override]  # as nbconvert's own does
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **kw: Any
    ) -> tuple[str, dict[str, Any]]:
        self.environment.bytecode_cache = _compiled
        told = self._init_resources(resources)
        lexer = nb.metadata.get("language_info", {}).get("pygments_lexer")
        types = WidgetsDataTypeFilter(notebook_metadata=self._nb_metadata, parent=self, resources=told)
        self.register_filter("filter_data_type", types)
        self.register_filter("highlight_code", Highlight2HTML(pygments_lexer=lexer, parent=self))
        return TemplateExporter.from_notebook_node(self, nb, told, **kw)
