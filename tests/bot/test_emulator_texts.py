"""Telegram's HTML and keyboards: what is read, what is refused and in which words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.playground.entities import clean, parse_html, settle, to_html, utf16_length
from bot.playground.keyboards import read_markup
from bot.playground.refusals import ApiError


@pytest.mark.parametrize(
    "html, text, marks",
    [
        pytest.param("<b>a</b>", "a", [("bold", 0, 1)], id="bold"),
        pytest.param("<STRONG>a</strong>", "a", [("bold", 0, 1)], id="tag names in any case"),
        pytest.param("<i>a</>", "a", [("italic", 0, 1)], id="an empty end tag closes the last one"),
        pytest.param("🂡<u>x</u>", "🂡x", [("underline", 2, 1)], id="offsets are UTF-16 units"),
        pytest.param("♠️<s>x</s>", "♠️x", [("strikethrough", 2, 1)], id="a variation selector counts one"),
        pytest.param('<span class="tg-spoiler">x</span>', "x", [("spoiler", 0, 1)], id="spoiler by span"),
        pytest.param("<tg-spoiler>x</tg-spoiler>", "x", [("spoiler", 0, 1)], id="spoiler by its own tag"),
        pytest.param("<b></b>x", "x", [], id="an empty element yields no entity"),
        pytest.param("a > b & c &nbsp; &copy;", "a > b & c &nbsp; &copy;", [], id="lone signs stay as typed"),
        pytest.param("&lt;&gt;&amp;&quot;&#65;&#x42;", '<>&"AB', [], id="four names and numbers are decoded"),
        pytest.param("<blockquote expandable>x</blockquote>", "x", [("expandable_blockquote", 0, 1)], id="expandable"),
        pytest.param("<blockquote>x</blockquote>", "x", [("blockquote", 0, 1)], id="quote"),
        pytest.param(
            "<blockquote>a<code>b</code></blockquote>", "ab", [("blockquote", 0, 2), ("code", 1, 1)], id="quote of code"
        ),
        pytest.param("<code>a<blockquote>b</blockquote></code>", "ab", [("code", 0, 2)], id="no quote in code"),
        pytest.param('<a href="notalink">x</a>', "x", [], id="an invalid link loses its link silently"),
        pytest.param("<b>a<i>b</i></b>", "ab", [("bold", 0, 2), ("italic", 1, 1)], id="nesting"),
        pytest.param("<code>a<b>b</b></code>", "ab", [("code", 0, 2)], id="code holds no other formatting"),
        pytest.param("  <b> a </b>  ", "a", [("bold", 0, 1)], id="the text is trimmed and entities follow"),
        pytest.param("/deal <code>/deal</code>", "/deal /deal", [("bot_command", 0, 5), ("code", 6, 5)], id="commands"),
    ],
)
def test_html_is_read_as_telegram_reads_it(html: str, text: str, marks: list[tuple[str, int, int]]) -> None:
    plain, found = settle(*parse_html(html))
    assert plain == text
    assert [(entity["type"], entity["offset"], entity["length"]) for entity in found] == marks


def test_links_mentions_and_languages_carry_their_argument() -> None:
    _, found = settle(
        *parse_html(
            '<a href="https://example.org/?a=1&amp;b">x</a><a href="tg://user?id=9000000000001">y</a>'
            '<pre><code class="language-json">{}</code></pre><tg-time unix="17" format="r">z</tg-time>'
        )
    )
    assert found == [
        {"type": "text_link", "offset": 0, "length": 1, "url": "https://example.org/?a=1&b"},
        {"type": "text_mention", "offset": 1, "length": 1, "user_id": 9000000000001},
        {"type": "pre", "offset": 2, "length": 2, "language": "json"},
        {"type": "date_time", "offset": 4, "length": 1, "unix_time": 17, "date_time_format": "r"},
    ]


@pytest.mark.parametrize(
    "html, complaint",
    [
        pytest.param("<b>x", 'Can\'t find end tag corresponding to start tag "b"', id="never closed"),
        pytest.param("<x>y</x>", 'Unsupported start tag "x" at byte offset 0', id="unknown tag"),
        pytest.param("a<br>b", 'Unsupported start tag "br" at byte offset 1', id="br"),
        pytest.param("1 < 2", 'Unsupported start tag "" at byte offset 2', id="a lone less-than sign"),
        pytest.param("<b>x</i>", 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"', id="crossed"),
        pytest.param("x</b>", "Unexpected end tag at byte offset 1", id="end without start"),
        pytest.param("♥️ x<b", "Unclosed start tag at byte offset 8", id="offsets are bytes"),
        pytest.param("<span>x</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0', id="span"),
        pytest.param("<b>x</b", "Unclosed end tag at byte offset 4", id="end tag not closed"),
        pytest.param('<a href="x', "Unclosed start tag at byte offset 0", id="attribute not closed"),
        pytest.param(
            "<a =1>x</a>", 'Empty attribute name in the tag "a" at byte offset 0', id="attribute without name"
        ),
        pytest.param("<a href=x/y>z</a>", "Unexpected end of name token at byte offset 8", id="bare value"),
    ],
)
def test_bad_html_is_refused_in_telegrams_words(html: str, complaint: str) -> None:
    with pytest.raises(ApiError) as refused:
        parse_html(html)
    assert refused.value.description == f"Bad Request: can't parse entities: {complaint}"
    assert refused.value.code == 400


@given(st.text())
def test_escaped_text_always_comes_back_and_the_page_shows_no_tag_of_it(text: str) -> None:
    text = clean(text.encode("utf-8", "ignore").decode())
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    plain, found = parse_html(f"<b>{escaped}</b>")
    assert plain == text
    shown = to_html(plain, found)
    assert shown.count("<") == (2 if text else 0)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["b", "i", "u", "s", "code", "pre", "blockquote", "tg-spoiler"]),
            st.text("ab<&🂡", max_size=4),
        )
    )
)
def test_every_entity_lies_inside_the_text(parts: list[tuple[str, str]]) -> None:
    html = "".join(f"<{tag}>{text.replace('&', '&amp;').replace('<', '&lt;')}</{tag}>" for tag, text in parts)
    plain, found = settle(*parse_html(html))
    assert all(e["offset"] >= 0 and e["offset"] + e["length"] <= utf16_length(plain) for e in found)
    assert to_html(plain, found).count("</") == len(found)


def test_f46_direction_overrides_vanish_and_isolates_stay() -> None:
    assert clean("a\u202eb\u2068c\u2069\td\re") == "ab\u2068c\u2069 de"


def test_a_link_in_the_page_cannot_leave_its_attribute() -> None:
    plain, found = settle(*parse_html('<a href="https://x.org/&quot;onclick=&quot;a">x</a>'))
    assert '"onclick' not in to_html(plain, found)


def key(**fields: object) -> dict[str, object]:
    return {"inline_keyboard": [[{"text": "a", **fields}]]}


PARSE = "can't parse inline keyboard button: "


@pytest.mark.parametrize(
    "markup, complaint",
    [
        pytest.param(key(callback_data=""), "BUTTON_DATA_INVALID", id="F32 empty payload"),
        pytest.param(key(callback_data="x" * 65), "BUTTON_DATA_INVALID", id="F32 65 bytes"),
        pytest.param(key(callback_data="é" * 33), "BUTTON_DATA_INVALID", id="F32 bytes, not characters"),
        pytest.param(key(), f"{PARSE}Text buttons are unallowed in the inline keyboard", id="no action"),
        pytest.param(key(disabled={}), f"{PARSE}Text buttons are unallowed in the inline keyboard", id="10.3 disabled"),
        pytest.param(key(callback_data="a", colour="red"), f'{PARSE}Unknown field "colour"', id="unknown field"),
        pytest.param(key(callback_data="a", style="pink"), f"{PARSE}invalid button style specified", id="style"),
        pytest.param({"inline_keyboard": [[{"callback_data": "a"}]]}, f'{PARSE}Can\'t find field "text"', id="no text"),
        pytest.param(key(url=None), f'{PARSE}Field "url" must be of type String', id="url is null"),
        pytest.param({"inline_keyboard": {}}, 'Field "inline_keyboard" must be of type Array', id="no array"),
        pytest.param(key(copy_text={"text": "x" * 257}), "BUTTON_COPY_TEXT_INVALID", id="copy 257"),
        pytest.param(key(copy_text={"text": ""}), "BUTTON_COPY_TEXT_INVALID", id="copy nothing"),
        pytest.param(key(pay=True), "BUTTON_TYPE_INVALID", id="pay"),
        pytest.param(
            key(url="http://localhost:1"),
            "inline keyboard button URL 'http://localhost:1' is invalid: Wrong HTTP URL",
            id="localhost",
        ),
        pytest.param(
            key(url="ftp://a.org"),
            "inline keyboard button URL 'ftp://a.org' is invalid: Unsupported URL protocol",
            id="ftp",
        ),
        pytest.param(
            {"inline_keyboard": [[{"text": "x" * 200, "callback_data": "a"}]] * 60},
            "reply markup is too long",
            id="heavy",
        ),
    ],
)
def test_bad_keyboards_are_refused_in_telegrams_words(markup: object, complaint: str) -> None:
    with pytest.raises(ApiError) as refused:
        read_markup(markup, private=True)
    assert refused.value.description == f"Bad Request: {complaint}"


def test_rows_are_cut_at_twelve_keyboards_at_three_hundred_and_empty_labels_dropped() -> None:
    wide = [{"text": str(n), "callback_data": "a"} for n in range(15)]
    assert [len(row) for row in read_markup({"inline_keyboard": [wide]}, private=True).inline or []] == [12]
    tall = [[{"text": "a", "callback_data": "a"}]] * 301
    assert len(read_markup({"inline_keyboard": tall}, private=True).inline or []) == 300
    empty = [[{"text": "  ", "callback_data": "a"}], [{"text": "b", "callback_data": "x" * 64}]]
    assert read_markup({"inline_keyboard": empty}, private=True).inline == [[{"text": "b", "callback_data": "x" * 64}]]


def test_good_addresses_pass() -> None:
    for address in ("https://t.me/q64_local_bot?start=a", "tg://resolve?domain=x", "example.org"):
        assert read_markup(key(url=address), private=True).inline
