"""How the site is made: `make docs`. Nothing in it is loaded from a network, when it is built or when it is read."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

from holdfast import __version__  # noqa: E402

project = "Holdfast"
author = "The Holdfast developers"
copyright = author  # noqa: A001
version = release = __version__

extensions = [
    "myst_parser",
    "names",
    "offline_math",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
]
exclude_patterns = ["_build", "_make", "examples/gate/tests"]
nitpicky = False
default_role = "py:obj"  # a name in backticks in a docstring is a link where there is such a thing, and code elsewhere
highlight_language = "none"

myst_enable_extensions = ["attrs_block", "colon_fence", "deflist", "dollarmath"]
myst_fence_as_directive = ["math"]  # as GitHub spells it
myst_heading_anchors = 4
myst_update_mathjax = False
html_math_renderer = "mathml"

add_module_names = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the pages say in words what is taken; the code has the types
autosummary_generate = False
napoleon_google_docstring = False
napoleon_attr_annotations = False
napoleon_custom_sections = [("Attributes", "params_style")]
napoleon_use_param = False  # several names may share a line
napoleon_use_rtype = False

html_theme = "furo"
html_title = "Holdfast"
html_static_path = ["_static"]
html_css_files = ["holdfast.css"]
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
html_show_search_summary = False  # excerpts are fetched, which browsers refuse to pages opened from files
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1b4f72", "color-brand-content": "#1b4f72"},
    "dark_css_variables": {"color-brand-primary": "#8ec7ea", "color-brand-content": "#8ec7ea"},
}
