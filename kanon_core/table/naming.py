"""Column names that suggest the person of a record: a customer, a patient's number, an e-mail address.

It knows words of English and Japanese, and the most usual ones of German, French and Spanish. Upper or lower
case, blanks, underscores and CamelCase make no difference.
"""

from __future__ import annotations

import re
import unicodedata

from kanon_core.table.identifiers.national import OWN_NAMES, SHORT_NAMES

_PERSON = (
    "person|individual|customer|client|consumer|buyer|shopper|subscriber|cardholder|policyholder|insured|"
    "borrower|donor|guest|visitor|passenger|travell?er|driver|rider|player|patient|inpatient|outpatient|"
    "subject|participant|respondent|user|member|account|household|resident|citizen|tenant|taxpayer|voter|"
    "employee|worker|student|pupil|learner|author|reviewer|"
    "kunde|kundin|patientin|mitglied|benutzer|nutzer|mitarbeiter|haushalt|schüler|versicherter|"
    "utilisateur|adhérent|salarié|assuré|foyer|ménage|élève|personne|"
    "cliente|paciente|usuario|empleado|hogar|persona|alumno"
)
_ONLY_NUMBERED = (
    "cust|pat|pers|emp|acct|usr|subj|hh|fam|family|dwelling|case|personal|kunden|"
    "patienten|mitglieds|haushalts|versicherten|matrikel|"
    "card|device|cookie|tax|insurance|social security|national|passport|licen[cs]e"
)
_NUMBER = "ids?|identifier|no|nr|num|number|nummer|index|idx|code|key|ref|token|hash|pseudonym|uuid|guid"
_FIRST = "id|uid|code|numéro|número|numero|matricule"
_OWN = (
    "e ?mail|mail address|phone|telephone|mobile|cell ?phone|telefon|téléphone|teléfono|correo|ssn|passport|"
    "mrn|msisdn|mac address|ip|ip address|login|nick ?name|full ?name|licen[cs]e plate"
)
_PERSON_JA = (
    "顧客|お客様|得意先|患者|受診者|会員|利用者|ユーザー?|個人|本人|社員|従業員|職員|学生|生徒|児童|世帯|住民|"
    "被保険者|加入者|契約者|受給者|被験者|対象者|回答者|参加者|購入者|乗客|メンバー|アカウント"
)
_NUMBER_JA = "id|no|番号|コード|ナンバー|キー|識別子|仮名|氏名|名"
_OWN_JA = "氏名|名前|電話番号|携帯番号|携帯電話|電話|メール|メールアドレス|マイナンバー|口座番号|カード番号"
_THING = (
    "product|item|article|brand|model|drug|medicine|species|breed|category|color|colour|language|sport|event|"
    "city|town|village|municipality|district|county|region|province|prefecture|state|country|station|airport|"
    "hospital|clinic|ward|department|dept|school|college|university|course|class|plan|project|"
    "column|variable|field|feature|attribute|table|sheet|movie|film|song|book"
)
"""Things with names that are not of people. Files, hosts, companies, streets and pets often bear one."""

_AFTER = r"( ?\d++| ?hash(ed)?| ?(pseudo|ano)nymi[sz]ed)*+$"
_NUMBERED = re.compile(
    f"(^| )(({_PERSON})( ?(name|{_NUMBER}))+|({_ONLY_NUMBERED})( ?({_NUMBER}))+){_AFTER}"
    f"|(^| )({_FIRST}) ?(de |del |du )?({_PERSON}){_AFTER}"
    f"|^(id|uid|uuid|guid|pid){_AFTER}"
    f"|({_PERSON_JA}) ?({_NUMBER_JA}){_AFTER}"
)
_NAMED = re.compile(f"^({_PERSON}|name|{_PERSON_JA}){_AFTER}")
_POSSESSED = re.compile(
    f"(^| )({_OWN}|{OWN_NAMES})( ?(number|no|nr|id|address))?{_AFTER}|({_OWN_JA}){_AFTER}"
)
_SHORT = re.compile(f"(^| )({SHORT_NAMES})( ?(number|no|nr|id|code))?{_AFTER}")
_NAME_OF_THING = re.compile(
    rf"(^| )({_THING})s? ?names?(?= ?\d*$)|^names? of (the |a )?({_THING})s?(?= ?\d*$)", re.I
)

_LONGEST = 500
"""Characters of a name that are looked at; a longer text is no name."""


def spaced(name: str) -> str:
    """The words of a column's name with one blank between; of a long one its first 500 characters.

    >>> spaced("customerId"), spaced("PATIENT_NO.")
    ('customer Id', 'PATIENT NO ')
    """
    plain = unicodedata.normalize("NFKC", name[:_LONGEST])
    return re.sub(r"[_\W]+", " ", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", plain))


def numbers_persons(name: str) -> bool:
    """Return whether the name is that of a person's number: a word for a person with one for a number, or
    "id".

    >>> [numbers_persons(name) for name in ("customer_id", "PatientNo", "会員番号", "customer", "product_id")]
    [True, True, True, False, False]
    """
    return bool(_NUMBERED.search(spaced(name).strip().casefold()))


def names_persons(name: str) -> bool:
    """Return whether the name is a word for a person and nothing else, or for what one person has, as an
    e-mail address.

    >>> [names_persons(name) for name in ("customer", "顧客", "home_phone", "customer_age", "userrating")]
    [True, True, True, False, False]
    """
    words = spaced(name).strip().casefold()
    return bool(_NAMED.search(words) or _POSSESSED.search(words))


def may_name_persons(name: str) -> bool:
    """Return whether the name is short for a number that persons have, and may mean something else as well:
    values decide.

    >>> [may_name_persons(name) for name in ("BSN", "cpf_number", "vin", "wine")]
    [True, True, True, False]
    """
    return bool(_SHORT.search(spaced(name).strip().casefold()))


def names_possessions(name: str) -> bool:
    """Return whether the name is that of a number or an address that persons have, as a phone's, and no word
    for a person.

    >>> [names_possessions(name) for name in ("home_phone", "BSN", "patient", "name")]
    [True, True, False, False]
    """
    words = spaced(name).strip().casefold()
    return bool(_POSSESSED.search(words)) or may_name_persons(name)


def without_things(name: str) -> str:
    """Return the words of a column's name (`spaced`) without those for the name of a thing, such as a city,
    product or column: what is left may still suggest people.

    >>> [without_things(name) for name in ("my_column_name", "customerProductName", "shop owner name")]
    ['my', 'customer', 'shop owner name']
    """
    return _NAME_OF_THING.sub("", spaced(name).strip()).strip()
