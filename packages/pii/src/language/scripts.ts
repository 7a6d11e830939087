/** The letters of a script, and the language of most texts in it. */
interface Script {
  pattern: RegExp;
  language: string;
  /** Letters that only other languages of the script use. */
  others?: readonly (readonly [letters: RegExp, language: string])[];
  /** Whether a letter is a syllable or a word. */
  dense?: true;
  /** Whether the script has capital letters. */
  cased?: true;
}

const scripts: readonly Script[] = [
  { pattern: /\p{Script=Hangul}/u, language: 'ko', dense: true },
  { pattern: /[\p{Script=Hiragana}\p{Script=Katakana}]/u, language: 'ja', dense: true },
  { pattern: /\p{Script=Han}/u, language: 'zh', dense: true },
  {
    pattern: /\p{Script=Cyrillic}/u,
    language: 'ru',
    cased: true,
    others: [
      [/[іїєґ]/iu, 'uk'],
      [/[ў]/iu, 'be'],
      [/[ђћџљњј]/iu, 'sr'],
      [/[әғқңөұүһ]/iu, 'kk'],
    ],
  },
  { pattern: /\p{Script=Greek}/u, language: 'el', cased: true },
  {
    pattern: /\p{Script=Arabic}/u,
    language: 'ar',
    others: [
      [/[ٹڈڑںے]/u, 'ur'],
      [/[پچژگ]/u, 'fa'],
    ],
  },
  { pattern: /\p{Script=Hebrew}/u, language: 'he' },
  { pattern: /\p{Script=Devanagari}/u, language: 'hi' },
  { pattern: /\p{Script=Bengali}/u, language: 'bn' },
  { pattern: /\p{Script=Gurmukhi}/u, language: 'pa' },
  { pattern: /\p{Script=Gujarati}/u, language: 'gu' },
  { pattern: /\p{Script=Tamil}/u, language: 'ta' },
  { pattern: /\p{Script=Telugu}/u, language: 'te' },
  { pattern: /\p{Script=Kannada}/u, language: 'kn' },
  { pattern: /\p{Script=Malayalam}/u, language: 'ml' },
  { pattern: /\p{Script=Sinhala}/u, language: 'si' },
  { pattern: /\p{Script=Thai}/u, language: 'th', dense: true },
  { pattern: /\p{Script=Lao}/u, language: 'lo', dense: true },
  { pattern: /\p{Script=Khmer}/u, language: 'km', dense: true },
  { pattern: /\p{Script=Myanmar}/u, language: 'my', dense: true },
  { pattern: /\p{Script=Georgian}/u, language: 'ka' },
  { pattern: /\p{Script=Armenian}/u, language: 'hy', cased: true },
  { pattern: /\p{Script=Ethiopic}/u, language: 'am', dense: true },
];

const latinIndex = 254;
const otherIndex = 255;
let scriptTable: Uint8Array | undefined;

/**
 * Returns the script of each UTF-16 unit: 0 if it is not a letter, or the index in `scripts` plus
 * one.
 */
function scriptByUnit(): Uint8Array {
  scriptTable ??= Uint8Array.from({ length: 0x10000 }, (_, unit) => {
    const letter = String.fromCharCode(unit);
    if (!/\p{L}/u.test(letter)) return 0;
    if (/\p{Script=Latin}/u.test(letter)) return latinIndex;
    const at = scripts.findIndex(({ pattern }) => pattern.test(letter));
    return at < 0 ? otherIndex : at + 1;
  });
  return scriptTable;
}

/** The script of most letters of a line, other than Latin. */
export interface ForeignScript {
  language: string;
  /**
   * The number of letters in words that start with a lower-case letter, if the script has case:
   * names are not evidence.
   */
  letters: number;
  dense: boolean;
  cased: boolean;
}

/** Returns the non-Latin script of a line; null if the line has at least as many Latin letters. */
export function foreignScript(line: string): ForeignScript | null {
  const scriptIndexes = scriptByUnit();
  const counts = new Map<number, number>();
  let foreign = 0;
  let latin = 0;
  for (let at = 0; at < line.length; at++) {
    const script = scriptIndexes[line.charCodeAt(at)]!;
    if (script === 0) continue;
    if (script === latinIndex) latin++;
    else {
      foreign++;
      counts.set(script, (counts.get(script) ?? 0) + 1);
    }
  }
  if (foreign <= latin) return null;
  const [mostFrequent] = [...counts].sort(([, a], [, b]) => b - a);
  const has = (language: string) =>
    counts.has(scripts.findIndex((s) => s.language === language) + 1);
  const script = scripts[(mostFrequent?.[0] ?? 0) - 1];
  if (!script) return { language: 'und', letters: foreign, dense: false, cased: false };
  const other = script.others?.find(([letters]) => letters.test(line))?.[1];
  // Some Japanese lines consist mostly of Han letters.
  const language = script.language === 'zh' && has('ja') ? 'ja' : (other ?? script.language);
  return {
    language,
    letters: script.cased ? countLowerCaseLetters(line) : foreign,
    dense: script.dense ?? false,
    cased: script.cased ?? false,
  };
}

function countLowerCaseLetters(line: string): number {
  let letters = 0;
  for (const [word] of line.matchAll(/(?<![\p{L}\p{M}])\p{Ll}[\p{L}\p{M}]{0,40}/gu))
    letters += word.length;
  return letters;
}
