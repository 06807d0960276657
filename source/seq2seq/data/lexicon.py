"""The words of our French-English grammar (`corpus`), written as tables.

Each row gives the English and the French forms that follow no rule; the grammar forms regular plurals. There are no
words with "œ", because the usual normalisation breaks them, and none with an aspirated h, so that every h in these
tables takes an elision.
"""


def _rows(table: str) -> list[tuple[str, ...]]:
    return [tuple(field.strip() for field in line.split("|")) for line in table.strip().splitlines()]


# English | masculine | feminine | comparative English ("" = no degrees, "+" = more ...) | a passing state? (x)
ADJECTIVES = _rows("""
tired|fatigué|fatiguée|+|x
happy|heureux|heureuse|happier|x
glad|content|contente||x
sad|triste|triste|sadder|x
tall|grand|grande|taller|
short|petit|petite|shorter|
young|jeune|jeune|younger|
old|vieux|vieille|older|
rich|riche|riche|richer|
poor|pauvre|pauvre|poorer|
strong|fort|forte|stronger|
weak|faible|faible|weaker|x
sick|malade|malade||x
ready|prêt|prête||x
busy|occupé|occupée|busier|x
alone|seul|seule||x
free|libre|libre||x
famous|célèbre|célèbre|+|
smart|intelligent|intelligente|smarter|
stupid|stupide|stupide|+|
crazy|fou|folle|crazier|
nice|gentil|gentille|nicer|
mean|méchant|méchante|meaner|
polite|poli|polie|+|
honest|honnête|honnête|+|
lazy|paresseux|paresseuse|lazier|
curious|curieux|curieuse|+|
jealous|jaloux|jalouse|+|
nervous|nerveux|nerveuse|+|x
calm|calme|calme|calmer|x
careful|prudent|prudente|+|
brave|courageux|courageuse|braver|
shy|timide|timide|+|
patient|patient|patiente|+|
worried|inquiet|inquiète|+|x
surprised|surpris|surprise||x
disappointed|déçu|déçue||x
lost|perdu|perdue||x
married|marié|mariée||
single|célibataire|célibataire||
serious|sérieux|sérieuse|+|
funny|drôle|drôle|funnier|
generous|généreux|généreuse|+|
proud|fier|fière|prouder|
blind|aveugle|aveugle||
deaf|sourd|sourde||
drunk|ivre|ivre||x
innocent|innocent|innocente||
guilty|coupable|coupable||
French|français|française||
English|anglais|anglaise||
Canadian|canadien|canadienne||
Swiss|suisse|suisse||
Japanese|japonais|japonaise||
Chinese|chinois|chinoise||
Italian|italien|italienne||
sincere|sincère|sincère|+|
talented|doué|douée|+|
sensitive|sensible|sensible|+|
modest|modeste|modeste|+|
stubborn|têtu|têtue|+|
discreet|discret|discrète|+|
injured|blessé|blessée||x
satisfied|satisfait|satisfaite||x
wet|mouillé|mouillée||x
angry|en colère|en colère||x
late|en retard|en retard||x
early|en avance|en avance||x
safe|en sécurité|en sécurité||x
on vacation|en vacances|en vacances||x
in love|amoureux|amoureuse||x
""")

# English | French noun used with "avoir" | may it be "very"? (x)
WITH_AVOIR = _rows("""
hungry|faim|x
thirsty|soif|x
cold|froid|x
hot|chaud|x
sleepy|sommeil|x
right|raison|
wrong|tort|
scared|peur|x
ashamed|honte|x
""")

# English | masculine | feminine ("" = no feminine in common use)
PROFESSIONS = _rows("""
doctor|médecin|
teacher|enseignant|enseignante
student|étudiant|étudiante
nurse|infirmier|infirmière
lawyer|avocat|avocate
singer|chanteur|chanteuse
dancer|danseur|danseuse
journalist|journaliste|journaliste
artist|artiste|artiste
farmer|agriculteur|agricultrice
baker|boulanger|boulangère
cook|cuisinier|cuisinière
pilot|pilote|pilote
engineer|ingénieur|ingénieure
writer|écrivain|écrivaine
musician|musicien|musicienne
photographer|photographe|photographe
architect|architecte|architecte
dentist|dentiste|dentiste
pharmacist|pharmacien|pharmacienne
mechanic|mécanicien|mécanicienne
judge|juge|juge
translator|traducteur|traductrice
hairdresser|coiffeur|coiffeuse
gardener|jardinier|jardinière
biologist|biologiste|biologiste
historian|historien|historienne
""")

# English | masculine (before a vowel after /) | feminine | < comes before the noun, > after it
ATTRIBUTES = _rows("""
good|bon|bonne|<
bad|mauvais|mauvaise|<
young|jeune|jeune|<
old|vieux/vieil|vieille|<
excellent|excellent|excellente|<
new|nouveau/nouvel|nouvelle|<
beautiful|beau/bel|belle|<
small|petit|petite|<
big|grand|grande|<
long|long|longue|<
famous|célèbre|célèbre|>
talented|talentueux|talentueuse|>
honest|honnête|honnête|>
French|français|française|>
Canadian|canadien|canadienne|>
Italian|italien|italienne|>
rich|riche|riche|>
red|rouge|rouge|>
white|blanc|blanche|>
black|noir|noire|>
green|vert|verte|>
blue|bleu|bleue|>
yellow|jaune|jaune|>
expensive|cher|chère|>
interesting|intéressant|intéressante|>
strange|étrange|étrange|>
""")

# The adjectives that go with each kind of noun, so that no horse is yellow.
SAID_OF = {
    "person": "good bad young old excellent famous talented honest French Canadian Italian rich",
    "thing": "new old beautiful small big red white black green blue yellow expensive",
    "clothes": "new old beautiful long red white black green blue yellow expensive",
    "text": "new old beautiful long French interesting strange",
    "food": "good bad small big excellent",
    "animal": "old beautiful young small big white black",
    "building": "old beautiful small big white",
    "plant": "beautiful small big",
}

# English | French | gender | what may be said of it
THINGS = {
    row[0]: row
    for row in _rows("""
book|livre|m|text
letter|lettre|f|text
poem|poème|m|text
story|histoire|f|text
song|chanson|f|text
newspaper|journal|m|text
apple|pomme|f|food
cake|gâteau|m|food
sandwich|sandwich|m|food
orange|orange|f|food
soup|soupe|f|food
house|maison|f|thing
car|voiture|f|thing
bicycle|vélo|m|thing
boat|bateau|m|thing
truck|camion|m|thing
computer|ordinateur|m|thing
dress|robe|f|clothes
hat|chapeau|m|clothes
shirt|chemise|f|clothes
coat|manteau|m|clothes
skirt|jupe|f|clothes
door|porte|f|thing
window|fenêtre|f|thing
wall|mur|m|thing
table|table|f|thing
chair|chaise|f|thing
box|boîte|f|thing
bag|sac|m|thing
key|clé|f|thing
bus|bus|m|
train|train|m|
movie|film|m|text
castle|château|m|building
church|église|f|building
museum|musée|m|building
tree|arbre|m|plant
flower|fleur|f|plant
horse|cheval|m|animal
bird|oiseau|m|animal
cat|chat|m|animal
dog|chien|m|animal
""")
}

# English -ing | English base | infinitive | je | tu | il | nous | vous | ils | its objects
TRANSITIVE = _rows("""
reading|read|lire|lis|lis|lit|lisons|lisez|lisent|book letter poem story newspaper
writing|write|écrire|écris|écris|écrit|écrivons|écrivez|écrivent|book letter poem story song
translating|translate|traduire|traduis|traduis|traduit|traduisons|traduisez|traduisent|book letter poem story
eating|eat|manger|mange|manges|mange|mangeons|mangez|mangent|apple cake sandwich orange soup
preparing|prepare|préparer|prépare|prépares|prépare|préparons|préparez|préparent|cake sandwich soup
buying|buy|acheter|achète|achètes|achète|achetons|achetez|achètent|book house car bicycle dress hat coat computer flower
selling|sell|vendre|vends|vends|vend|vendons|vendez|vendent|house car bicycle boat truck table horse
looking for|look for|chercher|cherche|cherches|cherche|cherchons|cherchez|cherchent|key bag hat book cat dog box
waiting for|wait for|attendre|attends|attends|attend|attendons|attendez|attendent|bus train letter
watching|watch|regarder|regarde|regardes|regarde|regardons|regardez|regardent|movie bird horse cat train
wearing||porter|porte|portes|porte|portons|portez|portent|dress hat shirt coat skirt
driving|drive|conduire|conduis|conduis|conduit|conduisons|conduisez|conduisent|car truck bus
painting|paint|peindre|peins|peins|peint|peignons|peignez|peignent|door wall house chair boat
cleaning|clean|nettoyer|nettoie|nettoies|nettoie|nettoyons|nettoyez|nettoient|house table window car bag
closing|close|fermer|ferme|fermes|ferme|fermons|fermez|ferment|door window box bag
opening|open|ouvrir|ouvre|ouvres|ouvre|ouvrons|ouvrez|ouvrent|door window box letter
repairing|repair|réparer|répare|répares|répare|réparons|réparez|réparent|car bicycle boat computer chair door
building|build|construire|construis|construis|construit|construisons|construisez|construisent|house boat wall church
visiting|visit|visiter|visite|visites|visite|visitons|visitez|visitent|castle church museum house
choosing|choose|choisir|choisis|choisis|choisit|choisissons|choisissez|choisissent|book dress hat movie flower song
washing|wash|laver|lave|laves|lave|lavons|lavez|lavent|car shirt dress dog horse
drawing|draw|dessiner|dessine|dessines|dessine|dessinons|dessinez|dessinent|tree house flower bird horse boat
""")

# English -ing | English base | infinitive | je | tu | il | nous | vous | ils
INTRANSITIVE = _rows("""
sleeping|sleep|dormir|dors|dors|dort|dormons|dormez|dorment
working|work|travailler|travaille|travailles|travaille|travaillons|travaillez|travaillent
singing|sing|chanter|chante|chantes|chante|chantons|chantez|chantent
dancing|dance|danser|danse|danses|danse|dansons|dansez|dansent
running|run|courir|cours|cours|court|courons|courez|courent
swimming|swim|nager|nage|nages|nage|nageons|nagez|nagent
crying|cry|pleurer|pleure|pleures|pleure|pleurons|pleurez|pleurent
laughing|laugh|rire|ris|ris|rit|rions|riez|rient
smiling|smile|sourire|souris|souris|sourit|sourions|souriez|sourient
lying|lie|mentir|mens|mens|ment|mentons|mentez|mentent
joking|joke|plaisanter|plaisante|plaisantes|plaisante|plaisantons|plaisantez|plaisantent
cheating|cheat|tricher|triche|triches|triche|trichons|trichez|trichent
cooking|cook|cuisiner|cuisine|cuisines|cuisine|cuisinons|cuisinez|cuisinent
studying|study|étudier|étudie|étudies|étudie|étudions|étudiez|étudient
playing|play|jouer|joue|joues|joue|jouons|jouez|jouent
driving|drive|conduire|conduis|conduis|conduit|conduisons|conduisez|conduisent
speaking|speak|parler|parle|parles|parle|parlons|parlez|parlent
listening|listen|écouter|écoute|écoutes|écoute|écoutons|écoutez|écoutent
resting|rest|se reposer|repose|reposes|repose|reposons|reposez|reposent
having fun|have fun|se amuser|amuse|amuses|amuse|amusons|amusez|amusent
getting dressed|get dressed|se habiller|habille|habilles|habille|habillons|habillez|habillent
hiding|hide|se cacher|cache|caches|cache|cachons|cachez|cachent
taking a walk|take a walk|se promener|promène|promènes|promène|promenons|promenez|promènent
""")

# Verbs that take a person as direct object, same columns.
OF_PERSONS = _rows("""
looking for|look for|chercher|cherche|cherches|cherche|cherchons|cherchez|cherchent
waiting for|wait for|attendre|attends|attends|attend|attendons|attendez|attendent
watching|watch|regarder|regarde|regardes|regarde|regardons|regardez|regardent
listening to|listen to|écouter|écoute|écoutes|écoute|écoutons|écoutez|écoutent
helping|help|aider|aide|aides|aide|aidons|aidez|aident
calling|call|appeler|appelle|appelles|appelle|appelons|appelez|appellent
inviting|invite|inviter|invite|invites|invite|invitons|invitez|invitent
following|follow|suivre|suis|suis|suit|suivons|suivez|suivent
drawing|draw|dessiner|dessine|dessines|dessine|dessinons|dessinez|dessinent
""")

# English | French | gender
PLACES = _rows("""
station|gare|f
market|marché|m
hospital|hôpital|m
airport|aéroport|m
library|bibliothèque|f
office|bureau|m
beach|plage|f
bank|banque|f
church|église|f
restaurant|restaurant|m
hotel|hôtel|m
park|parc|m
museum|musée|m
swimming pool|piscine|f
theater|théâtre|m
university|université|f
supermarket|supermarché|m
bakery|boulangerie|f
castle|château|m
""")

# English | in, to | from
COUNTRIES = _rows("""
France|en France|de France
Italy|en Italie|de Italie
Spain|en Espagne|de Espagne
China|en Chine|de Chine
Japan|au Japon|du Japon
Canada|au Canada|du Canada
Brazil|au Brésil|du Brésil
the United States|aux États-Unis|des États-Unis
Paris|à Paris|de Paris
London|à Londres|de Londres
""")

# English | French | gender | plural? (x)
KIN = _rows("""
brother|frère|m|
brothers|frères|m|x
cousin|cousin|m|
cousin|cousine|f|
father|père|m|
mother|mère|f|
son|fils|m|
daughter|fille|f|
daughters|filles|f|x
uncle|oncle|m|
aunt|tante|f|
friend|ami|m|
friend|amie|f|
friends|amis|m|x
friends|amies|f|x
neighbor|voisin|m|
neighbor|voisine|f|
neighbors|voisins|m|x
neighbors|voisines|f|x
boss|patron|m|
boss|patronne|f|
husband|mari|m|
wife|femme|f|
nephew|neveu|m|
niece|nièce|f|
parents|parents|m|x
children|enfants|m|x
colleague|collègue|m|
colleagues|collègues|m|x
""")

# English adjective | English complement | French complement (after the adjective); {X} is a person
COMPLEMENTS = _rows("""
proud|of {X}|de {X}
jealous|of {X}|de {X}
angry|with {X}|contre {X}
worried|about {X}|pour {X}
in love|with {X}|de {X}
nice|to {X}|avec {X}
ready|to leave|à partir
ready|to start|à commencer
ready|to work|à travailler
ready|to help you|à te aider
happy|to be here|de être ici
happy|to see you|de te voir
happy|to help them|de les aider
happy|to work with us|de travailler avec nous
glad|to see you|de vous voir
glad|to know you|de vous connaître
tired|of waiting|de attendre
tired|of working|de travailler
tired|of this city|de cette ville
surprised|to see you here|de te voir ici
disappointed|with this book|par ce livre
lost|in the city|dans LA ville
alone|in the house|dans LA maison
alone|in this room|dans cette pièce
satisfied|with the result|de LE résultat
early|for dinner|pour LE dîner
late|for dinner|pour LE dîner
busy|in the kitchen|dans LA cuisine
famous|in Japan|à LE Japon
famous|in France|en France
""")

# "too ... to" and "... enough to": adjectives | English verb | French infinitive
TOO = ["tired", "young", "old", "weak", "busy", "nervous", "sick", "shy", "drunk"]
ENOUGH = ["tall", "strong", "rich", "old", "smart", "brave"]
TO_DO = _rows("""
work|travailler
drive|conduire
play|jouer
leave|partir
dance|danser
travel|voyager
win|gagner
swim|nager
answer|répondre
understand|comprendre
""")

TENS = {20: ("twenty", "vingt"), 30: ("thirty", "trente"), 40: ("forty", "quarante"), 50: ("fifty", "cinquante")}
UNITS = {
    2: ("two", "deux"), 3: ("three", "trois"), 4: ("four", "quatre"), 5: ("five", "cinq"),
    6: ("six", "six"), 7: ("seven", "sept"), 8: ("eight", "huit"), 9: ("nine", "neuf"),
}  # fmt: skip
TEENS = {
    10: ("ten", "dix"), 11: ("eleven", "onze"), 12: ("twelve", "douze"), 13: ("thirteen", "treize"),
    14: ("fourteen", "quatorze"), 15: ("fifteen", "quinze"), 16: ("sixteen", "seize"), 18: ("eighteen", "dix-huit"),
}  # fmt: skip
