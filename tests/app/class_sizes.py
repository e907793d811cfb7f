# SPDX-License-Identifier: GPL-3.0-or-later
"""How many fields and public methods each class of a C++ text has: enough of the grammar for the way this tree is written.

Fields are members with a place in the object; methods are public ones but constructors, destructors, operators and signals.
"""

import collections
import re

Size = collections.namedtuple("Size", "fields methods is_class")

# Whatever of them begins first hides the others: a text may hold two slashes, a comment a quotation mark.
WORDS = re.compile(
    r'R"(?P<mark>\w*)\(.*?\)(?P=mark)"|/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Za-z_])\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
NOISE = [
    (re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE), " "),
    (re.compile(r"\bQ_(?:OBJECT|GADGET)\b|\bQ_(?:PROPERTY|ENUM|DECLARE_TR_FUNCTIONS|DISABLE_COPY)\([^()]*\)"), " "),
    (re.compile(r"\bTANDEM_[A-Z_]+\([^()]*\)|\bTANDEM_[A-Z_]+\b|\[\[[^\]]*\]\]|\balignas\([^()]*\)"), " "),
]
UNNAMED = re.compile(r"^\s*(?:const\s+)?(?:struct|union)\s{3,}\w")  # a member whose type has no name: its braces are blanks by then
HEAD = re.compile(r"^\s*(?:template\s*<.*>\s*)?(class|struct)\s+(\w+)(?:\s+final)?\s*(?::[^:].*)?$", re.DOTALL)
LABEL = re.compile(r"^\s*(?:(public|protected|private)(?:\s+(?:slots|Q_SLOTS))?|(signals|Q_SIGNALS))\s*:(?!:)")
NEITHER = re.compile(r"^\s*(?:using|typedef|friend|static|enum|union|class|struct|template\s*<.*>\s*(?:class|struct|using)|static_assert)\b", re.DOTALL)


def plain(text):
    """Without comments, texts, preprocessor and annotations."""
    text = WORDS.sub(lambda match: {"/": " ", "'": "0"}.get(match.group()[0], '""'), text)
    for pattern, by in NOISE:
        text = pattern.sub(by, text)
    return text


def without_arguments(text):
    """Without what stands between < and >."""
    before = None
    text = text.replace("->", "  ").replace("<=>", " ").replace("<<", " ").replace(">=", " ").replace("<=", " ")
    while before != text:
        before, text = text, re.sub(r"<[^<>;]*>", " ", text)
    return text


def pieces(text, at):
    """Declarations from `at` to the brace that closes the scope: (what stands before a body or the semicolon, body's start or None)."""
    start, found = at, []
    depth = 0
    while at < len(text):
        char = text[at]
        if char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char == "{" and depth == 0:
            opened, level = at + 1, 1
            while level:
                at += 1
                level += {"{": 1, "}": -1}.get(text[at], 0)
            rest = re.match(r"\s*;", text[at + 1 :])
            head = text[start:opened - 1]
            is_value = re.search(r"=\s*[\w:<>, ]*$|[\w>\]]\s*$", head) and not HEAD.match(head) and "(" not in without_arguments(head)
            more = re.match(r"\s*,", text[at + 1 :]) if "(" not in without_arguments(head) or is_value else None
            if more or (is_value and not rest and re.match(r"\s*(?:TANDEM|\w)", text[at + 1 :]) and not re.match(r"^\s*namespace\b", head)):
                text = text[: opened - 1] + " " * (at - opened + 2) + text[at + 1 :]
            else:
                found.append((head, opened))
                if rest:
                    at += rest.end()
                start = at + 1
        elif char == "{":
            level = 1
            while level:
                at += 1
                level += {"{": 1, "}": -1}.get(text[at], 0)
        elif char == "}":
            return found, at
        elif char == ";" and depth == 0:
            found.append((text[start:at], None))
            start = at + 1
        at += 1
    return found, at


def sizes(text):
    """Size of each class by its name; a name that stands more than once in the text has its largest."""
    result = {}
    text = plain(text)

    def scope(at, owner, access, is_class=False):
        fields = methods = 0
        for head, body in pieces(text, at)[0]:
            while True:
                label = LABEL.match(head)
                if not label:
                    break
                access, head = label.group(1) or "signals", head[label.end() :]
            named = HEAD.match(head)
            if body is not None and named:
                scope(body, named.group(2), "public" if named.group(1) == "struct" else "private", named.group(1) == "class")
                continue
            if body is not None and owner is None:
                if re.match(r"^\s*(?:inline\s+)?namespace\b", head) or re.match(r'^\s*extern\s*""', head):
                    scope(body, None, access)
                continue
            if owner is not None and UNNAMED.match(head):
                fields += 1
                continue
            if owner is None or not head.strip() or NEITHER.match(head) and not re.match(r"^\s*static\b.*\(", head, re.DOTALL):
                continue
            short = without_arguments(head)
            call, value = short.find("("), short.find("=")
            if call >= 0 and (value < 0 or call < value or "operator" in short):
                is_special = re.search(r"(?<!\w)~?%s\s*\(" % owner, short) or "operator" in short
                methods += access == "public" and not is_special
            elif not re.match(r"^\s*static\b", head):
                declared = re.sub(r"\([^()]*\)", "", re.sub(r"=[^,]*", "", short))
                fields += 1 + declared.count(",")
        if owner is not None:
            known = result.get(owner, Size(0, 0, False))
            result[owner] = max(known, Size(fields, methods, is_class))

    scope(0, None, "public")
    return result
