"""Small changes that a program might suffer: one operator, one number, one statement.

Python is changed by its syntax tree, C++ by its tokens; what only people read (comments, docstrings, texts,
types) is left alone. A `Mutation` is a place in a file and what to put there; all else stays as it was.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Mutation:
    """One change of one file."""

    path: str
    kind: str
    start: int
    """Where the old text begins, in characters."""
    old: str
    new: str

    def apply(self, source: str) -> str:
        assert source[self.start : self.start + len(self.old)] == self.old
        return source[: self.start] + self.new + source[self.start + len(self.old) :]

    def line(self, source: str) -> int:
        return source.count("\n", 0, self.start) + 1

    def key(self, source: str) -> str:
        """What names this change for good, wherever its lines may move: the lines before and after it."""
        first = source.rfind("\n", 0, self.start) + 1
        last = self.start + len(self.old)
        end = source.find("\n", last) % (len(source) + 1)
        before = " ".join(source[first:end].split())
        after = " ".join((source[first : self.start] + self.new + source[last:end]).split())
        return f"{self.path}: {before} -> {after}"


# --- Python ------------------------------------------------------------------------------------------

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


def of_python(path: str, source: str) -> list[Mutation]:
    """Every change of a Python file, in the order of its text."""
    tree = ast.parse(source)
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    lines = source.splitlines()

    def place(node: ast.stmt | ast.expr) -> tuple[int, int]:
        """Columns are counted in bytes."""
        assert node.end_lineno is not None and node.end_col_offset is not None

        def at(line: int, column: int) -> int:
            return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

        return at(node.lineno, node.col_offset), at(node.end_lineno, node.end_col_offset)

    found = []
    for node in _code(tree):
        for kind, target, text in _changes(node):
            start, end = place(target)
            found.append(Mutation(path, kind, start, source[start:end], text))
    return sorted(found, key=lambda each: (each.start, each.kind, each.new))


def _code(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that do something: no types, docstrings or formatted texts."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr):
                continue
            if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
                continue  # a docstring
            if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
                continue
            yield child
            yield from _code(child)


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.stmt | ast.expr, str]]:
    """The kinds of change of a node, each with what it replaces and by which text."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARISONS:
        ops = [_COMPARISONS[type(node.ops[0])](), *node.ops[1:]]
        yield "comparison", node, _text(ast.Compare(node.left, ops, node.comparators))
    if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
        yield "arithmetic", node, _text(ast.BinOp(node.left, _ARITHMETIC[type(node.op)](), node.right))
    if isinstance(node, ast.AugAssign) and type(node.op) in _ARITHMETIC:
        other = ast.AugAssign(node.target, _ARITHMETIC[type(node.op)](), node.value)
        yield "arithmetic", node, ast.unparse(other)
        yield "removed", node, "pass"
    if isinstance(node, ast.BoolOp):
        yield (
            "boolean",
            node,
            _text(ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)),
        )
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield "boolean" if isinstance(node.op, ast.Not) else "arithmetic", node, _text(node.operand)
    if isinstance(node, ast.Constant) and type(node.value) in (bool, int, float):
        value = node.value
        other = (
            not value
            if isinstance(value, bool)
            else value + 1
            if isinstance(value, int)
            else value * 2 or 1.0
        )
        yield "constant", node, repr(other)
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        yield "condition", node.test, _text(ast.UnaryOp(ast.Not(), node.test))
    if isinstance(node, ast.comprehension):
        for test in node.ifs:
            yield "condition", test, _text(ast.UnaryOp(ast.Not(), test))
    if isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) != "None":
        yield "return", node, "return None"
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "removed", node, "pass"
    if (
        isinstance(node, ast.Call)
        and len(node.args) == 2
        and not any(isinstance(a, ast.Starred) for a in node.args)
    ):
        yield "swapped", node, _text(ast.Call(node.func, node.args[::-1], node.keywords))


def _text(node: ast.expr) -> str:
    return f"({ast.unparse(node)})"


# --- C++ ---------------------------------------------------------------------------------------------

_OPERATORS = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "+": "-",
    "-": "+",
    "*": "/",
    "/": "*",
    "%": "/",
    "&&": "||",
    "||": "&&",
    "&": "|",
    "|": "&",
    "<<": ">>",
    ">>": "<<",
    "+=": "-=",
    "-=": "+=",
}
# clang-format sets binary operators off by blanks, and templates, references and pointers not.
_TOKENS = re.compile(
    r"""(?P<operator>(?<=\ )(?:<<|>>|[<>=!]=|&&|\|\||[-+]=|[-+*/%<>&|])(?=[ \n]))
    |(?P<number>(?<![\w.'])\d+(?:\.\d+f?)?(?![\w.'xX]))
    |(?P<truth>\b(?:true|false)\b)
    |(?P<step>\+\+|--)
    |(?P<leave>\b(?:continue|break)(?=;))
    |(?P<condition>(?<=\bif\ )\((?=[^()\n;]*(?:\([^()\n;]*\)[^()\n;]*)*\)))
    |(?P<return>(?<=\breturn\ )[^;{}\n]+(?=;))
    |(?P<statement>(?<=\n)[ ]+[\w.:>-]+\([^;{}\n]*\);(?=\n))""",
    re.VERBOSE,
)
_UNREAD = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+'|^[ ]*\#(?:[^\n\\]|\\\n)*"""
    r"""|\btemplate\ <[^{;]*?>\ *(?=\n)|\bstatic_assert\b[^;]*;|\b(?:using|friend)\b[^;]*;"""
    r"""|\brequires\b[^{;]*""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)


def of_cpp(path: str, source: str) -> list[Mutation]:
    """Every change of a C++ file, in the order of its text. Some of them will not compile."""
    blank = _UNREAD.sub(lambda m: re.sub(r"[^\n]", "\x00", m[0]), source)
    found = []
    for match in _TOKENS.finditer(blank):
        kind, old = str(match.lastgroup), match[0]
        if "\x00" in old:
            continue
        found += [
            Mutation(path, name, match.start(), source[match.start() : match.end()], new)
            for name, new in _replace(kind, old)
        ]
    return found


def _replace(kind: str, old: str) -> Iterator[tuple[str, str]]:
    if kind == "operator":
        name = (
            "boolean"
            if old in ("&&", "||")
            else "comparison"
            if _OPERATORS[old] in _OPERATORS and old[0] in "<>=!" and old not in ("<<", ">>")
            else "arithmetic"
        )
        yield name, _OPERATORS[old]
    elif kind == "number":
        yield "constant", re.sub(r"^\d+", lambda m: str(int(m[0]) + 1), old)
    elif kind == "truth":
        yield "constant", "false" if old == "true" else "true"
    elif kind == "step":
        yield "arithmetic", "--" if old == "++" else "++"
    elif kind == "leave":
        yield "condition", "break" if old == "continue" else "continue"
    elif kind == "condition":
        yield "condition", "(!"
    elif kind == "return" and old not in ("{}", "nullptr"):
        yield "return", "{}"
    elif kind == "statement" and not old.strip().startswith("return"):
        yield "removed", re.match(r" *", old)[0] + ";"  # type: ignore[index]
