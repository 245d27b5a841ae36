"""The report as one HTML file that opens offline: no script, no font, no picture from elsewhere."""

from base64 import b64encode
from collections.abc import Mapping
from html import escape
from typing import Final

STYLE: Final = """
body { font: 16px/1.5 sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
  color: #111; background: #fff; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { border-bottom: 1px solid #ccc; padding: .25rem .75rem; white-space: nowrap; }
th { border-bottom: 2px solid #111; }
pre { background: #f2f2f2; padding: .75rem; overflow-x: auto; }
img { max-width: 100%; height: auto; }
h1 + p { font-size: 1.15rem; }
"""


def page(markdown: str, pictures: Mapping[str, bytes]) -> str:
    """Make a page of a report; `pictures` are the SVG files it links to, by their path.

    Nothing in the report is taken for HTML, so a label cannot bring in a script.

    >>> "<h1>A &lt;b&gt;</h1>" in page("# A <b>", {})
    True
    """
    from markdown_it import MarkdownIt

    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(markdown)
    for path, svg in pictures.items():
        data = b64encode(svg).decode("ascii")
        body = body.replace(f'src="{path}"', f'src="data:image/svg+xml;base64,{data}"')
    title = escape(markdown.partition("\n")[0].lstrip("# "))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
