/** Endings of nouns and participles in forms that are not surnames, with the preceding letters. */
const endings = [
  // German and Dutch.
  '.{6,}ung(?:en)?|.{3,}(?:heit|keit|schaft)(?:en)?|.{4,}(?:schein|scheine|stand|stände|betrag|beträge)',
  '.{3,}(?:nummer|datum|menge|kosten|gebühr(?:en)?|bericht|vertrag|antrag|auftrag|gruppe|saft|kasse|mittel)',
  '(?:aus|ein|um|be|ver|an|ab|vor|nach|ent)zug|.{3,}(?:grund|preis)e?',
  '.{4,}heid|.{3,}(?:standen|prijs|lijst|gegevens|rekening|bewijs|dagen|zaamheden)|(?:waarborg|koop|hoofd)som',
  // French, English, Spanish, Italian, Portuguese.
  '.{3,}(?:tion|ssion)s?|.{6,}(?:ement|iment|ament)s?|.{6,}ables?|.{5,}ship',
  '.{3,}(?:ción|ciones)|.{4,}(?:sión|siones)|.{4,}(?:idad|idades)|.{6,}(?:miento|mientos)',
  '.{3,}(?:zione|zioni)|.{4,}(?:sione|sioni)|.{5,}ità|.{6,}(?:abile|amento|imento)',
  '.{3,}(?:ções|agens)|(?!assun|concei|encarna|anuncia|purifica|consola).{3,}ção|.{4,}idade|.{4,}[áí]vel',
  '.{4,}(?:logia|logía|logie|terapia|grafia)',
  // Polish.
  '.{4,}(?:ość|acja|encja|ycja)|.{5,}(?:[ae]nie|owan[aey])',
];
const noun = new RegExp(`^(?:${endings.join('|')})$`, 'u');

/** Whether a word ends like nouns in forms, in the languages in which the tagger is trained. */
export const isNoun = (word: string): boolean => noun.test(word.toLowerCase());
