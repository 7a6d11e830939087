/** The letters of a script, and the language of most texts in it. */
interface Script {
  is: RegExp;
  language: string;
  /** Letters that only other languages of the script use. */
  others?: readonly (readonly [letters: RegExp, language: string])[];
  /** Whether a letter is a syllable or a word. */
  dense?: true;
  /** Whether the script has capital letters. */
  cased?: true;
}

const scripts: readonly Script[] = [
  { is: /\p{Script=Hangul}/u, language: 'ko', dense: true },
  { is: /[\p{Script=Hiragana}\p{Script=Katakana}]/u, language: 'ja', dense: true },
  { is: /\p{Script=Han}/u, language: 'zh', dense: true },
  {
    is: /\p{Script=Cyrillic}/u,
    language: 'ru',
    cased: true,
    others: [
      [/[іїєґ]/iu, 'uk'],
      [/[ў]/iu, 'be'],
      [/[ђћџљњј]/iu, 'sr'],
      [/[әғқңөұүһ]/iu, 'kk'],
    ],
  },
  { is: /\p{Script=Greek}/u, language: 'el', cased: true },
  {
    is: /\p{Script=Arabic}/u,
    language: 'ar',
    others: [
      [/[ٹڈڑںے]/u, 'ur'],
      [/[پچژگ]/u, 'fa'],
    ],
  },
  { is: /\p{Script=Hebrew}/u, language: 'he' },
  { is: /\p{Script=Devanagari}/u, language: 'hi' },
  { is: /\p{Script=Bengali}/u, language: 'bn' },
  { is: /\p{Script=Gurmukhi}/u, language: 'pa' },
  { is: /\p{Script=Gujarati}/u, language: 'gu' },
  { is: /\p{Script=Tamil}/u, language: 'ta' },
  { is: /\p{Script=Telugu}/u, language: 'te' },
  { is: /\p{Script=Kannada}/u, language: 'kn' },
  { is: /\p{Script=Malayalam}/u, language: 'ml' },
  { is: /\p{Script=Sinhala}/u, language: 'si' },
  { is: /\p{Script=Thai}/u, language: 'th', dense: true },
  { is: /\p{Script=Lao}/u, language: 'lo', dense: true },
  { is: /\p{Script=Khmer}/u, language: 'km', dense: true },
  { is: /\p{Script=Myanmar}/u, language: 'my', dense: true },
  { is: /\p{Script=Georgian}/u, language: 'ka' },
  { is: /\p{Script=Armenian}/u, language: 'hy', cased: true },
  { is: /\p{Script=Ethiopic}/u, language: 'am', dense: true },
];

const LATIN = 254;
const OTHER = 255;
let tables: Uint8Array | undefined;

/**
 * Returns the script of each UTF-16 unit: 0 if it is not a letter, or the index in `scripts` plus
 * one.
 */
function table(): Uint8Array {
  tables ??= Uint8Array.from({ length: 0x10000 }, (_, unit) => {
    const letter = String.fromCharCode(unit);
    if (!/\p{L}/u.test(letter)) return 0;
    if (/\p{Script=Latin}/u.test(letter)) return LATIN;
    const at = scripts.findIndex(({ is }) => is.test(letter));
    return at < 0 ? OTHER : at + 1;
  });
  return tables;
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
  const of = table();
  const counts = new Map<number, number>();
  let foreign = 0;
  let latin = 0;
  for (let at = 0; at < line.length; at++) {
    const script = of[line.charCodeAt(at)]!;
    if (script === 0) continue;
    if (script === LATIN) latin++;
    else {
      foreign++;
      counts.set(script, (counts.get(script) ?? 0) + 1);
    }
  }
  if (foreign <= latin) return null;
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  const has = (language: string) =>
    counts.has(scripts.findIndex((s) => s.language === language) + 1);
  const script = scripts[(first?.[0] ?? 0) - 1];
  if (!script) return { language: 'und', letters: foreign, dense: false, cased: false };
  const other = script.others?.find(([letters]) => letters.test(line))?.[1];
  // Some Japanese lines consist mostly of Han letters.
  const language = script.language === 'zh' && has('ja') ? 'ja' : (other ?? script.language);
  return {
    language,
    letters: script.cased ? smallLetters(line) : foreign,
    dense: script.dense ?? false,
    cased: script.cased ?? false,
  };
}

function smallLetters(line: string): number {
  let letters = 0;
  for (const [word] of line.matchAll(/(?<![\p{L}\p{M}])\p{Ll}[\p{L}\p{M}]{0,40}/gu))
    letters += word.length;
  return letters;
}
