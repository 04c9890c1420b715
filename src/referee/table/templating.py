"""How templates become HTML: Jinja, with the work that all pages repeat thousands of times a second taken out of it.

A text without facts is put in when a template is compiled; a dictionary's key is looked up before an attribute, where it
stands; macros are called at once; short strings that come again and again are escaped once; and what `once(macro, …)` writes
is kept for the next page on which those arguments are the same.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, MutableMapping
from functools import lru_cache, partial
from types import BuiltinMethodType, FunctionType
from typing import Any, Final, cast

import msgspec
from jinja2 import BaseLoader, Environment, StrictUndefined, meta, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.exceptions import TemplateAssertionError
from jinja2.runtime import Context, LoopContext, Macro
from jinja2.utils import missing
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, escape

TEXT: Final = "t"  # the name under which templates look up a text
ONCE: Final = "once"  # and under which what writes a macro once
_SHORT: Final = 80
_KEPT: Final = 1024  # pieces that were written once, of all tables
_INDENTED: Final = re.compile(r"\n[ \t]+")  # nothing that people see, and a tenth of some pages
_METHODS: Final = frozenset(dir(dict))
_OF_LOOPS: Final = frozenset(name for name in dir(LoopContext) if not name.startswith("_"))
_LEFT_OUT: Final = tuple((missing,) * count for count in range(10))  # arguments of a macro


class _Code(CodeGenerator):
    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.autoescape and not frame.eval_ctx.volatile:
            self.write("(" if _is_plain(node) else "environment.escaped(")
        else:
            super()._output_child_pre(node, frame, finalize)

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802 - named after the node
        name, held = node.attr, self.temporary_identifier()
        match node.node:
            case nodes.Name(name="loop") if name in _OF_LOOPS:
                found, known = f"{held}.{name}", f"type({held} := {{}}) is LoopContext"
            case _ if name not in _METHODS:
                found, known = f"{held}[{name!r}]", f"type({held} := {{}}) is dict and {name!r} in {held}"
            case _:
                super().visit_Getattr(node, frame)
                return
        before, after = known.split("{}")
        self.write(f"({found} if {before}")
        self.visit(node.node, frame)
        self.write(f"{after} else environment.getattr({held}, {name!r}))")

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: N802 - the same
        if forward_caller or node.kwargs or node.dyn_args or node.dyn_kwargs or frame.block_frame:
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.write("context.called(")
        self.visit(node.node, frame)
        self.write(f", {'_loop_vars' if frame.loop_frame else None}")
        for each in node.args:
            self.write(", ")
            self.visit(each, frame)
        self.write(")")


def _is_plain(node: nodes.Expr) -> bool:
    """Whether this is one of several texts of the template's own that need no escaping."""
    match node:
        case nodes.CondExpr(expr1=one, expr2=other) if other is not None:
            return _is_plain(one) and _is_plain(other)
        case nodes.Const(value=str() as value):
            return str(escape(value)) == value
    return False


class _Context(Context):
    """Calls macros, texts and what is built in at once: they need none of what is looked for on other things."""

    def called(self, function: Any, loop_vars: dict[str, Any] | None, *args: Any) -> Any:
        """What a call without names comes to."""
        kind = type(function)
        if kind is Macro:
            left_out = function._argument_count - len(args)
            if left_out >= 0 and not (function.catch_kwargs or function.catch_varargs or function.caller):
                made = function._func(*args, *_LEFT_OUT[left_out]) if left_out else function._func(*args)
                return str.__new__(Markup, made) if self.eval_ctx.autoescape else made
        elif kind is type or kind is BuiltinMethodType or (kind is FunctionType and not hasattr(function, "jinja_pass_arg")):
            return function(*args)
        return self.call(function, *args, _loop_vars=loop_vars)

    def call(__self, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        kind = type(__obj)
        if kind is not Macro and kind is not partial:
            return super().call(__obj, *args, **kwargs)
        kwargs.pop("_loop_vars", None)
        kwargs.pop("_block_vars", None)
        return __obj(__self.eval_ctx, *args, **kwargs) if kind is Macro else __obj(*args, **kwargs)


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


def _once() -> Callable[..., Markup]:
    pack = msgspec.msgpack.Encoder().encode
    kept: OrderedDict[tuple[int, bytes], tuple[Any, Markup]] = OrderedDict()

    def once(macro: Macro, *args: Any) -> Markup:
        code = macro._func.__code__
        key = id(code), pack(args)
        found = kept.get(key)
        if found is None:
            kept[key] = found = code, Markup(macro(*args))  # the code lives as long, so that its id names no other
            if len(kept) > _KEPT:
                kept.popitem(last=False)
        else:
            kept.move_to_end(key)
        return found[1]

    return once


def _sees_nothing_else(tree: nodes.Template, environment: Environment, name: str | None) -> None:
    """That macros which are written once look at their arguments alone; at more, one seat would be shown another's page."""
    macros = {each.name: each for each in tree.find_all(nodes.Macro)}
    imported = {each.target for each in tree.find_all(nodes.Import) if not each.with_context}
    imported |= {
        each if isinstance(each, str) else each[1]
        for found in tree.find_all(nodes.FromImport) if not found.with_context for each in found.names
    }  # fmt: skip
    free = {*environment.globals, *imported}

    def check(wanted: str, seen: frozenset[str]) -> None:
        macro = macros[wanted]
        alone = cast(nodes.Template, nodes.Template([macro]).set_environment(environment))
        for each in meta.find_undeclared_variables(alone) - free - seen:
            if each not in macros:
                raise TemplateAssertionError(f"{wanted!r} is written once, but looks at {each!r}", macro.lineno, name)
            check(each, seen | {each})

    for call in tree.find_all(nodes.Call):
        match call:
            case nodes.Call(node=nodes.Name(name=called), args=[nodes.Name(name=it), *_]) if called == ONCE and it in macros:
                check(it, frozenset({it}))


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
        self._reads: dict[str, frozenset[str] | None] = {}
        self.globals[TEXT] = text
        self.globals[ONCE] = _once()

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(_INDENTED.sub("\n", source), name, filename)
        _sees_nothing_else(tree, self, name)
        return cast(nodes.Template, _Folded(self._text).visit(tree))

    def reads(self, template: str) -> frozenset[str] | None:
        """The facts that a template may look at: what it imports sees none of them. None if it hands on all that it gets."""
        if template not in self._reads:
            assert self.loader is not None
            tree = self.parse(self.loader.get_source(self, template)[0])
            others = tree.find_all((nodes.Include, nodes.Extends, nodes.Import, nodes.FromImport))
            handed_on = any(getattr(each, "with_context", True) for each in others)
            self._reads[template] = None if handed_on else frozenset(meta.find_undeclared_variables(tree))
        return self._reads[template]

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
