"""Text as people read it: entities, tags, LaTeX, ligatures and residue gone. Stored text is not changed.

Offsets always point into the stored text; what this makes is for labels and pages only.
"""

from __future__ import annotations

import html
import re

from kg.text import squeeze, visible

_TAGS = re.compile(
    r"</?(?:jats:)?(?:p|sec|title|br|div|span|i|b|em|strong|sub|sup|italic|bold|sc|u|tt|code|inline-formula|tex-math|"
    r"mml:\w+|ext-link|xref|a|h[1-6]|li|ul|ol)(?:\s[^<>]*)?/?>",
    re.I,
)
_LEADING = re.compile(r"(?i)^\s*(?:abstract|summary)\s*(?:[:.—–]|-(?=\s))\s*")
_TRAILING = re.compile(r"(?i)\s*(?:show (?:more|less)|read more|\(abstract reprint\))\s*$")
_MARKDOWN = re.compile(r"(?<![\w*\\])(\*\*\*|\*\*|\*)(?=[^\s*])([^*\n]{1,300}?)(?<=[^\s*])\1(?!\*)")
_STARS_IN_WORD = re.compile(r"\*\*([^\W\d_]{1,12})\*\*")
_HYPHEN_BREAK = re.compile(r"(?<=[a-z])(?:-\s*\n\s*|- )(?!and |or |to |nor )(?=[a-z]{2})")
_UP = str.maketrans("0123456789+-=()niabcdefghjklmoprstuvwxyzT", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵃᵇᶜᵈᵉᶠᵍʰʲᵏˡᵐᵒᵖʳˢᵗᵘᵛʷˣʸᶻᵀ")
_DOWN = str.maketrans("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎")
_RAISED = re.compile(r"\^\s*(?:\{([^{}]{1,12})\}|([0-9A-Za-z+*′]))")
_LOWERED = re.compile(r"(?<=[\w)\]}])_(?:\{([0-9+\-=()]{1,12})\}|([0-9])(?![0-9A-Za-z]))")
_BARE_MACRO = re.compile(
    r"\\(?:text(?:tt|bf|it|rm|sc|sf|up)?|math(?:tt|bf|it|rm|sc|sf|cal|bb|frak|scr)|boldsymbol|emph|operatorname|mbox)\b\s*"
)
_CITE = re.compile(r"\s*\\(?:cite[a-z]*|ref|label|footnote)\*?(?:\[[^\]]*\])*\{[^{}]*\}")
_MACRO = re.compile(r"\\([A-Za-z]+)")
_GLUED_MACRO = re.compile(r"\\(?:text|math)(?:tt|bf|it|rm|sc|sf)(?=[A-Z])")  # its braces were lost
_COMPOUND = {"self", "well", "non", "multi", "pre", "post", "high", "low", "end", "semi", "co", "fine", "real", "long",
             "short", "large", "small", "few", "zero", "one", "two", "three", "cross", "state", "on", "off", "in"}  # fmt: skip
_WORDS = {"rm", "bf", "it", "tt", "sc", "sf", "em", "displaystyle", "left", "right", "big", "Big", "xspace"}


def display(text: str) -> str:
    r"""A title, name or abstract as people see it, on one line.

    >>> display("D$^3$epth: <em>fast</em> &amp; e&#64259;cient Ze\\v{c}evi\\'c")
    'D³epth: fast & efficient Zečević'
    """
    if not text:
        return ""
    if "&" in text:
        text = html.unescape(text)
    if "<" in text:
        text = _TAGS.sub("", text)
    text = _TRAILING.sub("", _LEADING.sub("", text, count=1))
    if "\\" in text or "$" in text or "^" in text or "{" in text:
        text = _latex(text)
    if "*" in text:
        text = _MARKDOWN.sub(lambda m: m[2], _STARS_IN_WORD.sub(r"\1", text))
    if not text.isascii():
        text = _repaired(text)
    if "- " in text or "-\n" in text:
        text = _HYPHEN_BREAK.sub(_joined, text)
    return squeeze(visible(text))


def _joined(found: re.Match[str]) -> str:
    """A word broken at a line end is joined; a compound ("self- attention") keeps its hyphen."""
    before = re.search(r"[a-z]+$", found.string[: found.start()], re.I)
    return "-" if before and before[0].lower() in _COMPOUND else ""


def _repaired(text: str) -> str:
    """Ligatures and mojibake repaired; quotes and typographic signs stay."""
    import ftfy

    return ftfy.fix_text(text, uncurl_quotes=False, fix_character_width=False, unescape_html=False, explain=False)


def _latex(text: str) -> str:
    """Accents, symbols, sub- and superscripts as characters; unknown macros keep their argument."""
    text = _CITE.sub("", text)
    text = _GLUED_MACRO.sub("", _BARE_MACRO.sub("", text))
    text = re.sub(r"\$\s*\$", "", text)
    if "\\" in text:
        text = _macros(text)
    text = _RAISED.sub(lambda m: (m[1] or m[2]).translate(_UP) if _simple(m[1] or m[2], _UP) else m[0], text)
    text = _LOWERED.sub(lambda m: (m[1] or m[2]).translate(_DOWN), text)
    text = re.sub(r"(?<!\\)\$", "", text) if text.count("$") >= 2 or not re.search(r"\$\d", text) else text
    return re.sub(r"(?<!\\)[{}]", "", text).replace("\\$", "$")


def _simple(script: str, table: dict[int, int]) -> bool:
    return all(ord(c) in table for c in script)


def _macros(text: str) -> str:
    from pylatexenc.latex2text import LatexNodes2Text, get_default_latex_context_db

    known = get_default_latex_context_db()

    text = re.sub(r"\\(" + "|".join(_WORDS) + r")\b\s*", "", text)
    # Percent signs start comments in LaTeX, and scraped text has bare ones; the math is turned as it stands.
    guarded = re.sub(r"(\\[A-Za-z]+)\$", r"\1{}", text)
    guarded = guarded.replace("$", "") if guarded.count("$") > 1 else re.sub(r"(?<!\\)\$", r"\\$", guarded)
    guarded = _MACRO.sub(lambda m: m[0] if known.get_macro_spec(m[1]) else m[1], guarded)  # `\alg` is a name
    guarded = re.sub(r"(?<!\\)%", r"\\%", guarded)
    guarded = re.sub(r"(?<!\\)[&#]", lambda m: "\\" + m[0], guarded)
    try:
        found = LatexNodes2Text(keep_braced_groups=True, keep_comments=True).latex_to_text(
            guarded, tolerant_parsing=True
        )
    except Exception:  # markup that a scraper broke
        found = ""
    # Nothing readable may be lost to markup that only looked like some: then the text as it is.
    return (
        found if len(found) * 2 >= len(re.sub(r"\\[A-Za-z]+|\W", "", text)) else re.sub(r"\\([A-Za-z]+)", r"\1", text)
    )
