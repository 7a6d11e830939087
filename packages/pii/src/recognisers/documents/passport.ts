import { passesIcao } from '../../checksums.ts';
import { digitFor } from '../../confusions.ts';
import { contextWords, matches, type PiiCandidate, type PiiRecogniser } from '../../recogniser.ts';

/** Six to ten characters, including five digits: the only form that passport numbers share. */
const number = /(?<![A-Za-z0-9./-])(?=(?:[A-Za-z]*\d){5})[A-Za-z0-9]{6,10}(?![A-Za-z0-9/-]|\.\d)/g;

/** Passport numbers have no common form, so they are recognised by adjacent words. */
export const passportNumber: PiiRecogniser = {
  context: contextWords([
    'passport*',
    'pass no',
    'pass nr',
    'reisepass*',
    'passnummer',
    'passeport*',
    'pasaporte*',
    'passaporto',
    'paspoort*',
    'travel document',
    'passnr',
    'passaporte',
    'paszport*',
    'pass',
  ]),
  against: contextWords(['order', 'invoice', 'phone', 'tel', 'photo', 'photos']),
  candidates: ({ text }) =>
    matches(text, number, (match) => ({
      start: match.index,
      end: match.index + match[0].length,
      alone: 0.05,
      inContext: 0.88,
    })),
};

const zoneCharacter = '[A-Z0-9<]';
/**
 * The zones of ICAO Doc 9303: parts 4 (two lines of 44), 6 (two lines of 36) and 5 (three lines of
 * 30).
 */
const zones: readonly { form: RegExp; checks: readonly (readonly [number, number, number])[] }[] = [
  {
    form: new RegExp(
      `(?<![A-Z0-9<])P${zoneCharacter}{43}\\s{1,3}${zoneCharacter}{44}(?![A-Z0-9<])`,
      'g',
    ),
    // The line, the first character, and the character after the check digit.
    checks: [
      [1, 0, 10],
      [1, 13, 20],
      [1, 21, 28],
    ],
  },
  {
    form: new RegExp(
      `(?<![A-Z0-9<])[ACIPV]${zoneCharacter}{35}\\s{1,3}${zoneCharacter}{36}(?![A-Z0-9<])`,
      'g',
    ),
    checks: [
      [1, 0, 10],
      [1, 13, 20],
      [1, 21, 28],
    ],
  },
  {
    form: new RegExp(
      `(?<![A-Z0-9<])[ACI]${zoneCharacter}{29}\\s{1,3}${zoneCharacter}{30}\\s{1,3}${zoneCharacter}{30}(?![A-Z0-9<])`,
      'g',
    ),
    checks: [
      [0, 5, 15],
      [1, 0, 7],
      [1, 8, 15],
    ],
  },
];

/**
 * Whether a field passes its check, either unchanged or with the digits of a date and its check
 * digit corrected.
 */
function passesCheck(field: string): boolean {
  if (passesIcao(field)) return true;
  const digits = Array.from(field, (one) => digitFor[one] ?? one).join('');
  return passesIcao(digits) || passesIcao(field.slice(0, -1) + digits.slice(-1));
}

/**
 * The machine-readable zone of passports, cards and visas. Two of its three check digits must pass,
 * because one may be misread.
 */
export const machineReadableZone: PiiRecogniser = {
  context: null,
  against: null,
  *candidates({ text }) {
    for (const { form, checks } of zones) {
      yield* matches(text, form, (match): PiiCandidate | null => {
        const lines = match[0].split(/\s+/);
        const passed = checks.filter(([line, from, to]) =>
          passesCheck((lines[line] ?? '').slice(from, to)),
        );
        if (passed.length < 2) return null;
        const end = match.index + match[0].length;
        return { start: match.index, end, alone: 0.99, inContext: 0.99 };
      });
    }
  },
};
