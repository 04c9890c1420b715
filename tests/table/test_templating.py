"""What makes templates fast changes nothing of what they say."""

from __future__ import annotations

from typing import Any

import pytest
from jinja2 import DictLoader, Environment, StrictUndefined, TemplateAssertionError, UndefinedError, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from referee.table.templating import Templates

FACTS: dict[str, Any] = {
    "text": "<b>&\"'", "long": "<" * 200, "markup": Markup("<i>kept</i>"), "number": 7, "none": None, "yes": True,
    "nested": {"name": "<n>", "items": "a key like a method", "list": [1, "<2>"]}, "empty": {}, "html": Markup("<u>") + "<v>",
}  # fmt: skip
TEMPLATES = [
    "{{ text }}{{ long }}{{ markup }}{{ number }}{{ none }}{{ yes }}{{ html }}",
    "{{ nested.name }}{% for key, value in nested.items() %}{{ key }}={{ value }};{% endfor %}{{ nested['items'] }}",
    "{{ 'some' if yes }}{{ 'other' if not yes }}{{ text if yes else long }}|{{ 'a' if not yes else 'b' if none else 'c' }}",
    "{% macro m(a, b='<d>') %}[{{ a }}{{ b }}{{ caller() if caller is defined and caller }}]{% endmacro %}"
    "{{ m(text) }}{{ m(1, b=markup) }}"
    "{% call m(2) %}<p>{{ text }}{% endcall %}{% for x in [1, 2] %}{{ m(loop.index) }}{% endfor %}",
    "{% set x %}{{ text }}{% endset %}{{ x }}{{ x|upper }}{{ [text, markup]|join('<') }}{{ text|replace('<', '>') }}",
    "{% import 'other' as o %}{{ o.m(text) }}{{ o.m() }}{% include 'part' %}",
    "{% for x in nested.list %}{% set y = x %}{{ loop.index0 }}{{ loop.first }}{{ loop.length }}{{ plain(x) }}{{ known(x) }}"
    "{{ loop.cycle('a', 'b') }}{% endfor %}{% set loop = {'index0': '<'} %}{{ loop.index0 }}",
    "{{ 'x'.upper() }}{{ text.partition('b')[0] }}{{ dict(a=1)['a'] }}{{ known(1) }}"
    "{% macro all(a) %}{{ a }}{{ varargs|join }}{{ kwargs }}{% endmacro %}{{ all(1, 2) }}{{ all(1, b=2) }}",
    "{{ text ~ markup }}{{ range(3)|list }}{{ nested.list[1] }}{{ t('key') }}"
    "{{ t('fact', what=text) }}{{ t('two', count=number) }}",
]
OTHERS = {"other": "{% macro m(a='-') %}({{ a }}){% endmacro %}", "part": "<{{ nested.name }}>"}


def text(key: str, /, **facts: object) -> str:
    return f"<{key} {facts}>"


@pass_context
def known(context: Context, value: object) -> str:
    return f"<{value} {context.get('y')} {context['number']}>"


def environments(template: str) -> tuple[Environment, Templates]:
    loader = DictLoader({"it": template, **OTHERS})
    plain = Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    plain.globals["t"] = text
    ours = Templates(loader, text)
    for each in (plain, ours):
        each.globals.update(plain=str, known=known)
    return plain, ours


@pytest.mark.parametrize("template", TEMPLATES)
def test_it_says_what_jinja_says(template: str) -> None:
    plain, ours = (environment.get_template("it").render(FACTS) for environment in environments(template))
    assert ours == plain
    assert "<b>&" not in ours


@pytest.mark.parametrize("template", ["{{ missing }}", "{{ nested.missing }}", "{{ t(missing) }}", "{{ nested.missing.more }}"])
def test_what_is_missing_is_told(template: str) -> None:
    for environment in environments(template):
        with pytest.raises(UndefinedError):
            environment.get_template("it").render(FACTS)


def test_a_text_is_put_in_when_a_template_is_compiled() -> None:
    asked: list[str] = []

    def counted(key: str, /, **facts: object) -> str:
        asked.append(key)
        return key

    template = Templates(DictLoader({"it": "{{ t('one') }}{{ t('two', what=1) }}"}), counted).get_template("it")
    assert asked == ["one"]
    assert template.render() == "onetwo"
    assert asked == ["one", "two"]


@pytest.mark.parametrize(
    ("template", "reads"),
    [
        ("{% import 'other' as o %}{{ o.m(text) }}{% for x in nested.list %}{{ x }}{% endfor %}", {"text", "nested"}),
        ("{% macro m(a) %}{{ a }}{{ number }}{% endmacro %}{% set b = empty %}{{ m(b) }}", {"number", "empty"}),
        ("{% include 'part' %}", None),
        ("{% import 'other' as o with context %}", None),
    ],
)
def test_it_knows_what_a_template_looks_at(template: str, reads: set[str] | None) -> None:
    assert environments(template)[1].reads("it") == reads


def test_a_macro_is_written_once_for_equal_arguments() -> None:
    written: list[str] = []

    def counted(key: str, /, **facts: object) -> str:
        written.append(str(facts["of"]))
        return "<"

    macro = "{% macro m(a, b=1) %}{{ t('said', of=a.name) }}<b>{{ a.name }}</b>{{ b }}{% endmacro %}"
    it = macro + "{{ once(m, one) }}{{ once(m, two, 2) }}"
    template = Templates(DictLoader({"it": it}), counted).get_template("it")
    for name, expected in (("&", ["&", "x"]), ("&", ["&", "x"]), ("y", ["&", "x", "y"])):
        said = template.render(one={"name": name}, two={"name": "x"})
        assert said == f"&lt;<b>{'&amp;' if name == '&' else name}</b>1&lt;<b>x</b>2"
        assert written == expected


@pytest.mark.parametrize(
    "template",
    [
        "{% macro m(a) %}{{ a }}{{ number }}{% endmacro %}{{ once(m, text) }}",
        "{% macro n(a) %}{{ number }}{% endmacro %}{% macro m(a) %}{{ n(a) }}{% endmacro %}{{ once(m, text) }}",
        "{% set x = number %}{% macro m(a) %}{{ a }}{{ x }}{% endmacro %}{% for y in [1] %}{{ once(m, text) }}{% endfor %}",
        "{% import 'other' as o with context %}{% macro m(a) %}{{ o.m(a) }}{% endmacro %}{{ once(m, text) }}",
    ],
)
def test_a_macro_that_looks_at_more_than_its_arguments_is_not_written_once(template: str) -> None:
    with pytest.raises(TemplateAssertionError, match=r"is written once, but looks at '(number|x|o)'"):
        environments(template)[1].get_template("it")
