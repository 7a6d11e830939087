import { isValidDate } from '../../checksums.ts';
import { withCorrectedDigits } from '../../confusions.ts';
import { contextWords, matches, type PiiCandidate, type PiiRecogniser } from '../../recogniser.ts';
import { oncePerView, type TextView } from '../../view.ts';
import { misreadMonth, months, weekdayNames } from './months.ts';

const clock = '\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,6})?)?';
const dayPeriod = '(?: ?(?:a\\.m\\.|p\\.m\\.|am|pm|uhr)(?![a-z]))';
const zone = '(?: ?(?:z|utc|gmt|cest|cet|est|edt|pst|pdt|[+-]\\d{2}:?\\d{2})(?![a-z0-9]))';
/** A time after a date is part of the date. */
const andTime = `(?:(?:t| at | um | a las | alle | om |, ?| )${clock}${dayPeriod}?${zone}?)?`;
const boundaryBefore = '(?<![a-z0-9])(?<![0-9][.,:/-])';
const boundaryAfter = '(?![a-z0-9])(?![.,/:-][0-9])';
const weekday = `(?:(?:${weekdayNames})[.,]{0,2} )?`;
const year = '(?:1[6-9]|20|21)\\d\\d';

const pattern = (source: string) => new RegExp(`${boundaryBefore}${source}${boundaryAfter}`, 'g');

/** The year first: 2024-03-12, 2024/3/12, 2024.03.12. */
const yearFirst = pattern(`(${year})( ?[-/.] ?)(\\d{1,2})\\2(\\d{1,2})${andTime}`);
/** The year last: 12/3/2024, 12.03.24, 3-12-2024, 12. 3. 2024. */
const yearLast = pattern(
  `${weekday}(\\d{1,2})( ?[-/.] ?)(\\d{1,2})\\2(${year}|'?\\d{2})${andTime}`,
);
const dayMonth = pattern(
  `${weekday}(?:the )?(\\d{1,2})(?:st|nd|rd|th|er|eme|\\.|o|°|º)?(?:[ -]|, )?(?:of |de |di |d')?(${months})(\\.?(?:[ -]|, | de | del | di |, de | of )(?:${year}|'?\\d{2}(?! ?[a-z%]))|(?=[^a-z]|$))${andTime}`,
);
/** The month in Roman numerals: 6.XI.1949, 6 XI 1949. */
const romanMonth = pattern(
  `(\\d{1,2})( ?[-/.] ?| )(i{1,3}|iv|vi{0,3}|ix|xi{0,2})\\2(?:${year})(?: ?r\\.)?`,
);
const monthDay = pattern(
  `${weekday}(${months})\\.? (\\d{1,2})(?:st|nd|rd|th)?(,? (?:${year})|)${andTime}`,
);
const monthYear = pattern(`(?:${months})\\.?(?:,? | de | del | di |-|/)${year}`);
const timeAlone = pattern(`${clock}(?:${dayPeriod}?${zone}?)`);
const hours = pattern(
  `(?:\\d{1,2}(?:\\.\\d{2})?${dayPeriod}|\\d{1,2}\\.\\d{2} h|\\d{1,2} o'clock|\\d{1,2} ?h ?\\d{2})`,
);
/** Units and counted things. A number before them is not a year. */
const units =
  'people|persons|euros?|dollars?|pounds|users?|customers?|employees|units?|items|pieces|pages|words|times|percent|prozent|menschen|personen|stuck|seiten|mitarbeiter|personnes|personas|persone|mensen|eur|usd|kg|km|m|mm|cm|mg|g|ml|l|kb|mb|gb|rpm|watts?|kw|w|v|hz|mhz|ms';
/** A year alone: after a word that introduces a year, and not before a unit or a counted thing. */
const yearAlone = new RegExp(
  `(?<![a-z])(?:(?:in|since|until|till|before|after|during|by|from|year|(?<!\\d )of|class of|circa|seit|bis|vor|nach|jahr|jahre|anno|en|depuis|avant|apres|annee|ano|desde|hasta|nel|dal|del|fino al|anno|sinds|tot|voor|na|jaar)) (1[89]\\d\\d|20[0-5]\\d)(?![a-z0-9%]|[.,:/-]\\d|'?s\\b| ?[€$£]| ?(?:${units})(?![a-z]))`,
  'g',
);

interface FoundDate extends PiiCandidate {
  /** Whether day, month and year are present, so that the date may be a date of birth. */
  complete: boolean;
}

const canBeDate = (first: number, second: number, yearText: string) => {
  const inYear = Number(yearText.replace("'", ''));
  return isValidDate(inYear, second, first) || isValidDate(inYear, first, second);
};

function* searchDates(view: TextView): Generator<FoundDate> {
  // Numbers are corrected and words are lower-cased without changing positions.
  const text = view.recognised ? withCorrectedDigits(view).toLowerCase() : view.lower;
  const folded = text.length === view.lower.length ? mergeDigits(text, view) : view.lower;
  const dateAt = (match: RegExpExecArray, alone: number, complete: boolean): FoundDate => ({
    start: match.index,
    end: match.index + match[0].length,
    alone,
    inContext: Math.max(alone, 0.75),
    complete,
  });
  yield* matches(folded, yearFirst, (match) =>
    isValidDate(Number(match[1]), Number(match[3]), Number(match[4]))
      ? dateAt(match, 0.75, true)
      : null,
  );
  yield* matches(folded, yearLast, (match) => {
    const [, first = '', separator = '', second = '', last = ''] = match;
    if (!canBeDate(Number(first), Number(second), last)) return null;
    if (last.length === 4) return dateAt(match, 0.75, true);
    // Versions, scores and sizes have the same form as dates with two-digit years.
    const hasTwoDigitParts = first.length === 2 && second.length === 2;
    return dateAt(
      match,
      separator.includes('/') ? 0.55 : hasTwoDigitParts && separator === '.' ? 0.5 : 0.3,
      true,
    );
  });
  const isCapitalised = (match: RegExpExecArray, name: string) => {
    const start = match.index + match[0].indexOf(name);
    return /\p{Lu}/u.test(view.text[start] ?? '');
  };
  yield* matches(folded, dayMonth, (match) => {
    const [, day, month = '', inYear = ''] = match;
    if (Number(day) < 1 || Number(day) > 31) return null;
    if (!inYear && month.length < 4 && !isCapitalised(match, month)) return null;
    return dateAt(match, inYear ? 0.75 : 0.55, /\d/.test(inYear));
  });
  yield* matches(folded, romanMonth, (match) => {
    const [, day, , month = ''] = match;
    if (Number(day) < 1 || Number(day) > 31 || !isCapitalised(match, month)) return null;
    return dateAt(match, 0.75, true);
  });
  yield* matches(folded, monthDay, (match) => {
    const [, month = '', day, inYear] = match;
    if (Number(day) < 1 || Number(day) > 31 || (!inYear && !isCapitalised(match, month)))
      return null;
    return dateAt(match, inYear ? 0.75 : 0.55, Boolean(inYear));
  });
  yield* matches(folded, monthYear, (match) => dateAt(match, 0.6, false));
  yield* matches(folded, timeAlone, (match) => {
    const [hour, minute, second] = match[0].split(/[:.,]/).map((part) => Number.parseInt(part, 10));
    if ((hour ?? 99) > 24 || (minute ?? 99) > 59) return null;
    const characterBefore = folded.charAt(match.index - 1);
    const isTimestamp =
      characterBefore === '[' && folded.charAt(match.index + match[0].length) === ']';
    const isSpecific = second !== undefined || /[a-z]/.test(match[0]) || isTimestamp;
    return dateAt(match, isSpecific ? 0.55 : 0.4, false);
  });
  yield* matches(folded, hours, (match) =>
    Number.parseInt(match[0], 10) > 24 ? null : dateAt(match, 0.55, false),
  );
  yield* matches(folded, yearAlone, (match) => {
    const yearDate = dateAt(match, 0.55, false);
    return { ...yearDate, start: yearDate.end - 4 };
  });
}

/** A word between a day and a year. */
const monthInDate =
  /(?<=\d{1,2}(?:st|nd|rd|th|\.)?(?: | de ))[a-z]{4,12}(?=\.?(?: | de )\d{4}(?!\d))/g;

/**
 * Returns the letters of `TextView.lower` with the corrected digits and months of the text.
 */
function mergeDigits(corrected: string, view: TextView): string {
  if (!view.recognised) return view.lower;
  return Array.from({ length: corrected.length }, (_, index) =>
    /\d/.test(corrected[index] ?? '') ? corrected[index] : view.lower[index],
  )
    .join('')
    .replace(monthInDate, (word) => misreadMonth(word) ?? word);
}

const datesIn: (view: TextView) => FoundDate[] = oncePerView((view) => [...searchDates(view)]);

/**
 * Returns dates with day, month and a four-digit year, in order. Few other values have this form.
 */
export const completeDatesIn: (view: TextView) => readonly PiiCandidate[] = oncePerView((view) =>
  datesIn(view)
    .filter(({ complete, alone }) => complete && alone >= 0.75)
    .sort((one, other) => one.start - other.start),
);

const against = contextWords([
  'version',
  'v',
  'ver',
  'release',
  'ratio',
  'scale',
  'score',
  'section',
  'part',
]);

export const dateTime: PiiRecogniser = {
  context: contextWords(
    `date dated in of en jahr nel depuis on since until at from time datum am um seit le du au
    fecha el desde data il dal op sinds uhrzeit`.split(/\s+/),
  ),
  against,
  candidates: (view) => datesIn(view).filter(({ alone }) => alone >= 0.5),
};

/** Dates that may equally be versions, scores or sizes, unless a word indicates a date or time. */
export const doubtfulDateTime: PiiRecogniser = {
  context: contextWords([
    'date',
    'dated',
    'since',
    'until',
    'at',
    'time',
    'datum',
    'vom',
    'bis',
    'seit',
    'um',
    'uhrzeit',
    'fecha',
    'desde',
    'hora',
    'a las',
    'data',
    'alle',
    'ora',
    'sinds',
    'om',
    'heure',
  ]),
  against,
  candidates: (view) => datesIn(view).filter(({ alone }) => alone < 0.5),
};

const birthWords = contextWords([
  'born',
  'dob',
  'd.o.b.',
  'date of birth',
  'birth',
  'birthdate',
  'birthday',
  'birth date',
  'geboren',
  'geb.',
  'geb',
  'geburtsdatum',
  'geburtstag',
  'geburt',
  'ne le',
  'nee le',
  'naquit',
  'ne',
  'nee',
  'naissance',
  'ne(e) le',
  'nacimiento',
  'nacido*',
  'nacida*',
  'nacio',
  'naci',
  'f. nac.',
  'nato',
  'nata',
  'nacque',
  'nascita',
  'nato il',
  'geboortedatum',
  'geb.dat.',
  'geboorte',
  'nascimento',
  'nascido',
  'nascida',
  'nasceu',
  'nasci',
  'fodd',
  'fodelsedatum',
  'fodt',
  'urodzenia',
  'urodzony',
  'urodzona',
  'urodzonej',
  'urodzonego',
  'urodzi*',
  'ur.',
  'into the world',
  'zur welt',
  'das licht der welt',
  'vu le jour',
  'vit le jour',
  'voir le jour',
  'venu au monde',
  'venue au monde',
  'vino al mundo',
  'venuto al mondo',
  'venuta al mondo',
  'venne al mondo',
  'alla luce',
  'ter wereld',
  'het levenslicht',
  'ao mundo',
  'na swiat',
]);

/** A date next to a word for birth. Dates of issue or expiry do not count. */
export const dateOfBirth: PiiRecogniser = {
  context: birthWords,
  against: contextWords(
    `issued issue expires expiry valid ausgestellt gultig expire delivre emision caducidad rilascio
    scadenza afgifte geldig died invoice beginn start started eintritt aufnahme admitted admission
    joined entree admis ingreso inicio inizio ingresso aanvang rozpoczecia`.split(/\s+/),
  ),
  candidates(view) {
    const dates = datesIn(view)
      .filter(({ complete }) => complete)
      .sort((a, b) => a.start - b.start);
    return dates.map((date, at) => ({
      ...date,
      alone: 0.02,
      inContext: belongsToBirth(view, dates[at - 1], dates[at + 1], date) ? 0.97 : 0.02,
    }));
  },
};

/** Distance around a date in which a word for birth applies to it, in characters. */
const birthDistance = 64;

/** Whether a word for birth belongs to a date, and not to the previous or next date. */
function belongsToBirth(
  { lower, fieldEnds }: TextView,
  previous: FoundDate | undefined,
  next: FoundDate | undefined,
  { start, end }: FoundDate,
): boolean {
  const line = lower.lastIndexOf('\n', start - 1) + 1;
  // Column names above a row of fields are read as labels.
  const row =
    fieldEnds.length > 0 && lower.slice(Math.max(line, start - birthDistance), start).includes('\t')
      ? line
      : 0;
  const from = Math.max(
    start - birthDistance,
    row,
    previous && previous.end <= start ? previous.end : 0,
  );
  if (lower.slice(Math.min(from, start), start).search(birthWords) >= 0) return true;
  // If another date follows a word, the word is the label of that date.
  if (next && next.start >= end && next.start - end < birthDistance) return false;
  return lower.slice(end, end + birthDistance).search(birthWords) >= 0;
}
