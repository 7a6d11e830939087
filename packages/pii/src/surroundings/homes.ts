import type { PiiFinding } from '../finding.ts';
import type { TextView } from '../view.ts';

const score = 0.6;

/** Words before the place where a person lives. */
const livingPhrases = [
  'resid(?:es?|ing|ent) (?:at|in)',
  'liv(?:es?|ed|ing) (?:at|in)',
  '(?:has |have )?moved (?:to|into)',
  '(?:new|old|home|current|former) (?:one|address|home|flat|house) (?:is|was)',
  'of no fixed abode, formerly',
  'domiciled (?:at|in)',
  'wohn(?:t|en|haft)(?: jetzt| nun| seit \\p{L}{1,20})? (?:in der|in dem|im|am|an der|auf der|auf dem|in|an)?',
  'wo(?:ont|nende?|nachtig)(?: nu| thans)? (?:aan de|aan het|op de|op het|in de|in het|aan|op|in|te)',
  'te wonen (?:aan de|aan het|op de|op|aan|in)',
  'terecht (?:op|aan)(?: de| het)?',
  'habit(?:e|ant|ait)(?: désormais| actuellement)?(?: au| à l[ae]| à)?',
  'demeurant(?: au| à)?',
  'domicili(?:é|ée|ado|ada)(?: au| à| en| na| no)?',
  'viv(?:e|ía|en)(?: ahora)? en(?: la| el)?',
  'resident[ei] (?:in|a|em|na|no|en)',
  'mora(?:dora?)? (?:n[ao]|em)',
  'abit(?:a|ante)(?: ora)? (?:in|a|al|alla)',
  'zamieszkał[ya] (?:przy|w|na)',
  'mieszka (?:przy|w|na)',
]
  .map(inAnyCase)
  .join('|');
/** Streets whose type precedes the name, in languages that write streets this way. */
const streetFirst = [
  'calle|camino|carrera|cuesta|paseo|plaza|plazuela|ronda|rambla|travesía|vereda|callejón|glorieta',
  'via|viale|vicolo|salita|piazza|piazzetta|corso|largo|calata|contrada|borgo|strada|discesa|rampa',
  'rua|travessa|quelha|calçada|beco|avenida|praça|ladeira|viela|rampa|azinhaga|caminho|estrada',
  'rue|ruelle|chemin|impasse|allée|quai|sentier|venelle|montée|traverse|cours|passage|place|square',
]
  .flatMap((words) => words.split('|'))
  .map(inAnyCase)
  .join('|');
const linkingWords =
  "(?:(?:de|del|de la|de las|de los|dei|delle|della|dello|degli|di|da|do|das|dos|du|des|d['’]|la|le|les|las|los|al|alla|san|santa|sant['’])[ \\n]?)";
const word = "\\p{Lu}[\\p{L}'’-]{1,40}";
const number = '\\d{1,4}(?:[ -]?[a-zA-Z](?![\\p{L}]))?(?:[-/]\\d{1,3})?(?![\\p{L}\\d]|[.,]\\d)';
const streetName = `(?:(?:de|het|den|der|la|le|el|las|los|dei|do|da)[ \\n])?${word}(?:[ \\n](?:${linkingWords})?${word}){0,4}`;

const patterns = [
  // Living at Cinder Path 12; living at 12 Cinder Path.
  `(?<![\\p{L}])(?:${livingPhrases}):?[ \\n](${streetName},?[ \\n]${number}|\\d{1,4}[a-zA-Z]?(?:/\\d{1,3})?[ \\n]${word}(?:[ \\n]${word}){0,3})`,
  // Camino de las Eras 8.
  `(?<![\\p{L}])((?:${streetFirst})[ \\n]${linkingWords}{0,2}${word}(?:[ \\n]${linkingWords}?${word}){0,3},?[ \\n](?:n[.º°][ \\n]?)?${number})`,
].map((pattern) => new RegExp(pattern, 'dgu'));
/** German streets that start with a preposition, on a separate line. */
const streetLine =
  /^[ \t]{0,20}((?:Zum|Zur|Am|An der|An den|An dem|Auf der|Auf dem|Im|In der|In den|Hinter der|Hinter dem|Unter den|Unter der|Vor dem|Beim|Bei der)(?: \p{Lu}[\p{L}-]{1,40}){1,3} \d{1,3} ?[a-z]?)[ \t]{0,20}$/dgmu;

/** Postal codes of the Netherlands, of five digits, of Poland and of Portugal. */
const postalCode = '(?:[A-Z]{1,2}-)?(?:\\d{4} ?[A-Z]{2}|\\d{5}|\\d{2}-\\d{3}|\\d{4}-\\d{3})';
const townWord = "\\p{Lu}[\\p{L}.'’-]{1,40}";
const linkingTown =
  '(?:an der|am|im|in|bei|sur|sous|lès|les|la|le|de|del|di|do|da|aan|den|upon|nad)';
/**
 * Two lines of an address block: a street with a house number, and a postal code with a town. A code
 * of four digits is too similar to a year to count alone.
 */
const addressBlock = new RegExp(
  `^[ \\t]{0,40}(((?:[\\p{L}.'’-]{1,40} ){1,5}\\d{1,4}(?: ?[-/ ]? ?(?:\\p{L}|\\d{1,4}|bis|ter)){0,2}|\\d{1,4} ?[a-zA-Z]?,? (?:bis,? |ter,? )?\\p{L}[\\p{L}.'’-]{0,40}(?: [\\p{L}.'’-]{1,40}){1,4}),?\\s*?\\n[ \\t]{0,40}${postalCode} ${townWord}(?: (?:${linkingTown} )?${townWord}){0,3})[ \\t]*$`,
  'dgmu',
);
/** The same on one line: `Lage Gouwe 51a, 2801 LG Gouda`. */
const addressOnLine = new RegExp(
  `(?<![\\p{L}\\p{N}])(${word}(?: (?:${linkingWords})?${word}){0,2} \\d{1,4}(?: ?[-/ ]? ?(?:[a-zA-Z]|\\d{1,4})){0,2}, ?${postalCode} ${townWord})`,
  'dgu',
);
/** Words with a number that are not streets. */
const structural =
  /^(?:table|tabelle|tabla|tableau|figure|fig|abb|abbildung|article|artikel|art|chapter|kapitel|page|seite|section|abschnitt|item|version|total|order|invoice|rechnung|factuur|facture|factura|fattura|fatura|faktura|telefon|tel|fax|datum|date|nr|no|pos|lot|room|raum)(?![\p{L}])/iu;

const calendarPhrase =
  /^(?:im|am|in der) (?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|jahr|kapitel|abschnitt|absatz|punkt|tabelle|seite)/iu;

/** Returns a pattern that also matches the words at the start of a sentence. */
function inAnyCase(words: string): string {
  const [first = '', ...rest] = words;
  return /\p{L}/u.test(first) ? `[${first}${first.toUpperCase()}]${rest.join('')}` : words;
}

/** Finds addresses of people whose streets the tagger does not recognise. */
export function findHomes({ text, original }: TextView): PiiFinding[] {
  return [...patterns, streetLine, addressBlock, addressOnLine].flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match): PiiFinding[] => {
      const [start, end] = match.indices?.[1] ?? [0, 0];
      const address = text.slice(start, end);
      if (end === 0 || calendarPhrase.test(address) || structural.test(address)) return [];
      return [{ type: 'ADDRESS', start: original(start), end: original(end - 1) + 1, score }];
    }),
  );
}
