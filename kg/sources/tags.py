"""Text out of marked-up text: JATS and HTML tags gone, paragraphs apart, entities decoded."""

from __future__ import annotations

import html
import re

# Only names of known elements: "<passage, answer> pair" is text.
_BLOCK = "p|sec|title|list|list-item|label|div|br|h[1-6]|li|ul|ol|abstract|section|disp-formula"
_INLINE = "i|b|em|strong|sub|sup|italic|bold|sc|u|span|a|ext-link|uri|xref|inline-formula|tex-math|alternatives|mml:\\w+|math|m\\w+|monospace|underline|styled-content|named-content|tt|code|small|inf|roman|font|fixed-case|scp"
_TAG = re.compile(rf"</?(?:jats:|ns\d*:)?(?:(?P<block>{_BLOCK})|{_INLINE})(?:\s[^<>]*)?/?>", re.I)
_LABEL = re.compile(
    r"(?is)^\s*<(?:jats:)?(?:title|h\d|p)[^<>]*>\s*(?:abstract|summary)\s*[.:]?\s*</(?:jats:)?(?:title|h\d|p)>"
)
_LEFT = re.compile(r"[ \t\r\f\v]*\n\s*")


def plain_text(marked: str) -> str:
    """The text that people see in a marked-up title or abstract.

    >>> plain_text("<jats:title>Abstract</jats:title><jats:p>Water is H<jats:sub>2</jats:sub>O &amp; wet.</jats:p>")
    'Water is H2O & wet.'
    """
    if "<" not in marked:
        return html.unescape(marked).strip() if "&" in marked else marked.strip()
    text = _LABEL.sub("", marked)
    squeezed = re.sub(r"\s+", " ", text)  # in markup, white space is layout
    text = _TAG.sub(lambda m: "\n" if m["block"] else "", squeezed)
    return _LEFT.sub("\n", html.unescape(text)).strip()
