"""Sphinx's configuration of the site. `make.build` gives the language of the edition (`-D language=fr`)."""

project = html_title = "The Attention Workbook"
extensions = ["myst_parser", "autograder.site.extension"]
exclude_patterns = ["locale"]
locale_dirs = ["locale"]
# A lesson's quotation marks and dashes stay as its author wrote them.
smartquotes = False
highlight_language = "text"

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4

html_theme = "furo"
html_math_renderer = "workbook"
templates_path = ["theme"]
html_static_path = ["theme/workbook.css"]
html_css_files = ["workbook.css"]
html_copy_source = html_show_sourcelink = html_show_copyright = html_permalinks = False
html_use_index = html_domain_indices = False
