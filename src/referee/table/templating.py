"""How templates become HTML: Jinja, with the work that all pages repeat thousands of times a second taken out of it.

A text without facts is put in when a template is compiled; a dictionary's key is looked up before an attribute; short
strings that come again and again are escaped once.
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from functools import lru_cache
from typing import Any, Final, cast

from jinja2 import BaseLoader, Environment, StrictUndefined, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Context, Macro
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, escape

TEXT: Final = "t"  # the name under which templates look up a text
_SHORT: Final = 80
_METHODS: Final = frozenset(dir(dict))


class _Code(CodeGenerator):
    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.autoescape and not frame.eval_ctx.volatile:
            self.write("environment.escaped(")
        else:
            super()._output_child_pre(node, frame, finalize)


class _Context(Context):
    """Calls macros at once, which need none of what is looked for on other things that can be called."""

    def call(__self, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        if type(__obj) is not Macro:
            return super().call(__obj, *args, **kwargs)
        kwargs.pop("_loop_vars", None)
        kwargs.pop("_block_vars", None)
        return __obj(__self.eval_ctx, *args, **kwargs)


class _Folded(NodeTransformer):
    """Puts texts that need no facts into a template."""

    def __init__(self, text: Callable[..., str]) -> None:
        self._text = text

    def visit_Call(self, node: nodes.Call) -> nodes.Node:  # noqa: N802 - named after the node
        match node:
            case nodes.Call(node=nodes.Name(name=name), args=[nodes.Const(value=key)], kwargs=[]) if name == TEXT:
                return nodes.Const(self._text(key), lineno=node.lineno)
        return self.generic_visit(node)

    def visit_CondExpr(self, node: nodes.CondExpr) -> nodes.Node:  # noqa: N802 - the same
        if node.expr2 is None:  # an object that stands for nothing would be made each time
            node.expr2 = nodes.Const("", lineno=node.lineno)
        return self.generic_visit(node)


class Templates(Environment):
    """The templates of one language. `text` looks up a text by its key, with facts put in, in that language."""

    code_generator_class = _Code
    context_class = _Context

    def __init__(self, loader: BaseLoader, text: Callable[..., str]) -> None:
        super().__init__(
            loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined, auto_reload=False,
            cache_size=-1,
        )  # fmt: skip
        self._text = text
        self.globals[TEXT] = text

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        return cast(nodes.Template, _Folded(self._text).visit(super()._parse(source, name, filename)))

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """What all templates know; a plain dictionary, where none has names of its own."""
        return super().make_globals(d) if d else self.globals

    def getattr(self, obj: Any, attribute: str) -> Any:
        """What `obj.attribute` is in a template."""
        if type(obj) is dict and attribute in obj and attribute not in _METHODS:
            return obj[attribute]
        return super().getattr(obj, attribute)

    @staticmethod
    def escaped(value: Any) -> str:
        """A value as it may stand in HTML."""
        kind = type(value)
        if kind is str:
            return _escaped(value) if len(value) < _SHORT else escape(value)
        if kind is Markup or kind is int:
            return str(value) if kind is int else cast(str, value)
        return escape(value)


@lru_cache(8192)
def _escaped(value: str) -> str:
    return str(escape(value))
