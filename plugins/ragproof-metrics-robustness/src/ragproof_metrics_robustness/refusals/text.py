# ruff: noqa: RUF001 - letters of many scripts are the matter of this file
"""An answer's text made comparable, and cut into sentences.

Only the opening of an answer is looked at (:data:`HEAD_CHARS`): whether an answer declines is said early, and so the
cost is bounded whatever the length of the answer.
"""

from __future__ import annotations

import re
import unicodedata

HEAD_CHARS = 4000

# Zero-width characters, soft hyphens, direction marks, Arabic tatweel and harakat: nothing a reader sees as a letter.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u0640\u064b-\u0652\u0670\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f"
    "\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]+"
)
_LEADING = " \t\r\n\u00a0\u200b\u200c\u200d\u2060\u2028\u2029\ufeff"
_LETTERS = {
    **dict.fromkeys("\u2018\u2019\u201b\u02bc\u02b9\u00b4\u0060\uff07", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u300c\u300d\u300e\u300f\u2033\uff02", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2212", "-"),
    **dict.fromkeys("أإآٱ", "ا"),
    **dict.fromkeys("يىی", "ي"),
    **dict.fromkeys("كک", "ك"),
    "ة": "ه",
    "ё": "е",
    "ł": "l",
    "ø": "o",
    "đ": "d",
    "ı": "i",
    "æ": "ae",
    "œ": "oe",
    "*": "",
    "_": " ",
    "\t": " ",
    "\u00a0": " ",
    "\u3000": " ",
}
# Chinese letters of the tables in their traditional shape.
_TRADITIONAL = (
    "無沒檔資訊關於問題請對這個們嗎給據說確認實為會來過應該幫與內從獲導違視議論寫產製創處協執"
    "絕參數檢結僅連訪並還麼樣讓誰幾時間書語範圍聯網總統難覆復務動開發現種類機構權專業願詳細釋"
    "顯條記錄識斷經標準齊餘載隱邊聲規則際險張屬歲辦當"
)
_SIMPLIFIED = (
    "无没档资讯关于问题请对这个们吗给据说确认实为会来过应该帮与内从获导违视议论写产制创处协执"
    "绝参数检结仅连访并还么样让谁几时间书语范围联网总统难复复务动开发现种类机构权专业愿详细释"
    "显条记录识断经标准齐余载隐边声规则际险张属岁办当"
)
_MARKED_LATIN = (chr(code) for block in ((0xC0, 0x250), (0x1E00, 0x1F00)) for code in range(*block))
_FOLDS = str.maketrans(
    {
        **{
            letter: unicodedata.normalize("NFD", letter)[0]
            for letter in _MARKED_LATIN
            if len(unicodedata.normalize("NFD", letter)) > 1
        },
        **dict(zip(_TRADITIONAL, _SIMPLIFIED, strict=True)),
        **_LETTERS,
    }
)
_ASCII_FOLDS = str.maketrans({"*": "", "`": "'", "_": " ", "\t": " "})

_THINKING = re.compile(r"\s*<(think|thinking|reasoning)>")
# "Answer:", "A:", "### Response", a JSON object's first key: a label before the answer is no part of it.
_LABEL = re.compile(
    r"\s*(?:[#>\-]+ ?)?(?:[\[{(\"'*_]*\w*[_ ]?(?:answer|response|output|result|antwort|réponse|reponse|respuesta|"
    r"resposta|risposta|antwoord|odpowied[zź]|ответ|答案|回答|答え|答|답변|답|الإجابة|الجواب|उत्तर)[\"'*_]*\s*[:：]|"
    r"#+ [^\n]{0,40}\n)[\s*_]*\"?",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?]+[\"')\]*_]*(?=\s|$)|[。！？।؟۔\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+[\"')\]」』]*")
_ABBREVIATION = re.compile(
    r"(?:^|[\s.(])(?:\w|e\.g|i\.e|mr|mrs|dr|prof|no|vs|st|ca|cf|bzw|z\.b|d\.h|u\.a|т\.е|др)$", re.IGNORECASE
)
_SPACES = re.compile(r"\s+")


def opening(text: str) -> str:
    """The beginning of an answer in NFKC, without a thinking block and without invisible characters."""
    thinking = _THINKING.match(text)
    if thinking is not None:
        closed = text.find(f"</{thinking[1]}>")
        text = text if closed < 0 else text[closed + len(thinking[1]) + 3 :]
    text = text.lstrip(_LEADING)[:HEAD_CHARS]
    return visible(text)


def visible(text: str) -> str:
    """The text in NFKC, without characters that nobody sees."""
    return text if text.isascii() else _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))


def clean(text: str) -> str:
    """The text in NFKC and lower case, without invisible characters."""
    return visible(text).casefold()


def fold(cleaned: str) -> str:
    """Cleaned text with the marks of Latin letters, quote and apostrophe shapes and Arabic letter forms unified."""
    return cleaned.translate(_ASCII_FOLDS if cleaned.isascii() else _FOLDS)


def sentences(opening_text: str) -> list[str]:
    """The sentences of an opening as they stand, without a label, marks around them, and empty ones."""
    label = _LABEL.match(opening_text)
    if label is not None:
        opening_text = opening_text[label.end() :]
    parts: list[str] = []
    start = 0
    for mark in _SENTENCE_END.finditer(opening_text):
        if mark[0] == "." and _ABBREVIATION.search(opening_text, max(0, mark.start() - 6), mark.start()):
            continue
        parts.append(opening_text[start : mark.end()])
        start = mark.end()
    parts.append(opening_text[start:])
    spaced = (_SPACES.sub(" ", part).strip(" \n-#>*_") for part in parts)
    return [part for part in spaced if len(part) > 1]


def comparable(text: str) -> str:
    """The text as the phrases of the tables are: lower case, with letters unified."""
    return fold(text.casefold())
