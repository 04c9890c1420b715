import pytest

from referee.content import Example, Statement, parse_rules

TEXT = """# Chess: the rules

## 2. Statements

### MOVE - moving
- **CHE-MOVE-1** A rook moves straight (policy `castling`; `rook`). _(basis: house)_
- **CHE-MOVE-2** Moving is fun. _(basis: source+reading)_ _(informative)_

## 3. Policies

| policy | values (default first) | why |
|---|---|---|
| `castling` | true, false | disputed |
| en_passant | on, off | forgotten |

## 4. Examples

| id | given | right outcome | statements |
|---|---|---|---|
| CHE-EX-1 (data) | a rook | goes | MOVE-1..2, CAST-3, 5 |
- **CHE-EX-2** A king -> in check → moves away [MOVE-1, 2]. _(somebody)_
- **CHE-EX-3** (data) One sentence [a king] [MOVE-2].
- **CHE-EX-4** Nothing is cited → section 1.
"""


def test_statements() -> None:
    rulebook = parse_rules(TEXT)
    assert rulebook.title == "Chess: the rules"
    assert list(rulebook.statements.values()) == [
        Statement(
            "CHE-MOVE-1",
            "A rook moves straight (policy `castling`; `rook`).",
            ("house",),
            False,
            "MOVE - moving",
            ("castling",),
        ),
        Statement("CHE-MOVE-2", "Moving is fun.", ("source", "reading"), True, "MOVE - moving", ()),
    ]
    assert rulebook.policies == {"castling": "disputed", "en_passant": "forgotten"}


def test_examples() -> None:
    move_1, move_2 = "CHE-MOVE-1", "CHE-MOVE-2"
    assert list(parse_rules(TEXT).examples.values()) == [
        Example("CHE-EX-1", "a rook", "goes", (move_1, move_2, "CHE-CAST-3", "CHE-CAST-5"), True),
        Example("CHE-EX-2", "A king -> in check", "moves away", (move_1, move_2), False),
        Example("CHE-EX-3", "One sentence [a king]", "", (move_2,), True),
        Example("CHE-EX-4", "Nothing is cited", "section 1", (), False),
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("- **CHE-MOVE-1** Again. _(basis: house)_", "CHE-MOVE-1 is given twice"),
        ("- **CHE-MOVE-9** Without a basis.", "neither a statement nor an example"),
        ("| CHE-EX-9 | a | b |", "neither a statement nor an example"),
        ("| CHE-EX-9 | a | b | here and there |", "no id of a statement: here and there"),
    ],
)
def test_what_cannot_be_read(line: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_rules(f"{TEXT}{line}\n")
