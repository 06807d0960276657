"""The columns of tables that platforms export, in four languages, by the names that the workbook uses for them.

Moodle's words are those of its language packs (lang/LANGUAGE/assign.php, moodle.php).
"""

import re

EMAIL = (
    "email address|e-mail|e-mail address|adresse de courriel|courriel|adresse e-mail|e-mail-adresse|电子邮件|"
    "电子邮件地址|电子邮箱|邮箱|邮箱地址|email地址|e-mail地址"
)
ID_NUMBER = "id number|numéro d'identification|numéro d'étudiant|id-nummer|matrikelnummer|学号|id号|编号|student id"
FULL_NAME = "student|name|full name|étudiant|nom complet|vollständiger name|全名|姓名"
GROUP = "groups|group name|group_name|group code|team|groupe|groupes|gruppe|gruppen|组|小组|分组|组别"
# Of a list of students: Moodle's participants, Canvas' gradebook and groups, Blackboard's gradebook and groups.
PEOPLE = {
    "first_name": "first name|firstname|prénom|vorname|名|名字",
    "last_name": "last name|lastname|surname|nom|nom de famille|nachname|姓|姓氏",
    "full_name": FULL_NAME,
    "email": EMAIL,
    "username": "user name|nom d'utilisateur|anmeldename|benutzername|用户名|sis login id|login_id",
    "id_number": ID_NUMBER,
    "sis_user_id": "sis user id|user_id",
    "lms_user_id": "canvas_user_id",
    "group": GROUP,
    "section": "sections",
}
# Of Moodle's grading worksheet.
WORKSHEET = {
    "identifier": "identifiant|id|标识符|identificador|identificatie",
    "full_name": FULL_NAME,
    "id_number": ID_NUMBER,
    "email": EMAIL,
    "group": GROUP,
    "grade": "note|bewertung|成绩|评分|分数|calificación|nota",
    "maximum": "maximum grade|note maximale|bestwertung|最高分|最高成绩|calificación máxima|nota máxima",
    "scale": "barème|skala|量表|等级|escala",
    "submitted": "last modified (submission)|dernière modification (travail remis)|zuletzt geändert (abgabe)|"
    "上次修改(作业)|最后修改(提交)|última modificación (entrega)|última modificação (envio)",
}


def named(heads: list[str], columns: dict[str, str]) -> list[str]:
    """Return the names of a table's columns, with the workbook's own for those it knows; the first of a kind counts."""
    meanings = {word: name for name, words in columns.items() for word in (name, *words.split("|"))}
    names: list[str] = []
    for head in heads:
        bare = re.sub(r"\s+", " ", head.strip().lower().translate(str.maketrans("’（）", "'()")))
        name = meanings.get(bare, bare)
        names.append(bare if name in names else name)
    return names
