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
const linkingWords =
  "(?:(?:de|del|de la|de las|de los|dei|delle|della|dello|degli|di|da|do|das|dos|du|des|d['’]|la|le|les|las|los|al|alla|san|santa|sant['’])[ \\n]?)";
const word = "\\p{Lu}[\\p{L}'’-]{1,40}";
const number = '\\d{1,4}(?:[ -]?[a-zA-Z](?![\\p{L}]))?(?:[-/]\\d{1,3})?(?![\\p{L}\\d]|[.,]\\d)';
const streetName = `(?:(?:de|het|den|der|la|le|el|las|los|dei|do|da)[ \\n])?${word}(?:[ \\n](?:${linkingWords})?${word}){0,4}`;

const patterns = [
  // Living at Cinder Path 12; living at 12 Cinder Path.
  `(?<![\\p{L}])(?:${livingPhrases}):?[ \\n](${streetName},?[ \\n]${number}|\\d{1,4}[a-zA-Z]?(?:/\\d{1,3})?[ \\n]${word}(?:[ \\n]${word}){0,3})`,
].map((pattern) => new RegExp(pattern, 'dgu'));
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

/** Returns a pattern that also matches the words at the start of a sentence. */
function inAnyCase(words: string): string {
  const [first = '', ...rest] = words;
  return /\p{L}/u.test(first) ? `[${first}${first.toUpperCase()}]${rest.join('')}` : words;
}

/** Finds addresses of people whose streets the tagger does not recognise. */
export function findHomes({ text, original }: TextView): PiiFinding[] {
  return [...patterns, addressBlock, addressOnLine].flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match): PiiFinding[] => {
      const [start, end] = match.indices?.[1] ?? [0, 0];
      const address = text.slice(start, end);
      if (end === 0 || structural.test(address)) return [];
      return [{ type: 'ADDRESS', start: original(start), end: original(end - 1) + 1, score }];
    }),
  );
}
