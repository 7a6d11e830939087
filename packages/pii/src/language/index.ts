import { add, type Evidence, evidenceOf, noEvidence, strongest, wordsOf } from './evidence.ts';
import { type ForeignScript, foreignScript } from './scripts.ts';

/** The languages in which the tagger of names is trained. */
const coveredLanguages: ReadonlySet<string> = new Set([
  'en',
  'de',
  'fr',
  'es',
  'it',
  'nl',
  'pt',
  'pl',
]);

/** A line in a language in which the tagger is not trained. */
export interface ForeignLine {
  start: number;
  end: number;
  /** The ISO 639 code of the language. */
  language: string;
}

interface Line {
  start: number;
  end: number;
  block: number;
  script: ForeignScript | null;
  evidence: Evidence;
  /** The score of the line itself for an uncovered language; negative for a covered language. */
  own: number;
  /** The words of the line that indicate its language. */
  words: string;
}

/** Minimum total score of a line in an uncovered language. */
const ENOUGH = 3.5;
/** Maximum contribution of the surrounding lines, and of the whole text, to the score of a line. */
const AROUND = 4;
/**
 * The same for a line in another script with capitals. If the other lines are not in that script,
 * only one or two names may be.
 */
const AROUND_SCRIPT = 2;
/**
 * Maximum number of UTF-16 units of a line that are examined, more than needed to identify a
 * language.
 */
const LINE_UNITS = 2000;

/**
 * Returns the lines of a text in languages in which the tagger is not trained. A line with little
 * evidence, such as a name, is classified together with the surrounding lines and the whole text.
 * The run time is linear in the length of the text.
 */
export function foreignLines(text: string): ForeignLine[] {
  const lines = linesOf(text);
  const whole = new Sum();
  const blocks = new Map<number, Sum>();
  for (const line of lines) {
    const block = blocks.get(line.block) ?? new Sum();
    blocks.set(line.block, block);
    block.add(line);
    whole.add(line);
  }
  const found: ForeignLine[] = [];
  for (const line of lines) {
    const block = blocks.get(line.block)!;
    if (line.own + block.around(line) + whole.around(line, block) <= ENOUGH) continue;
    const language = line.script?.language ?? languageOf([line, block, whole]);
    if (language) found.push({ start: line.start, end: line.end, language });
  }
  return found;
}

/**
 * The combined evidence of lines. Lines with the same words count once, because the rows of a list
 * repeat words such as "ok".
 */
class Sum {
  readonly evidence = noEvidence();
  private readonly added = new Set<string>();
  private latin = 0;
  private other = 0;

  add({ script, evidence, own, words }: Line): void {
    if (this.added.has(words)) return;
    this.added.add(words);
    add(this.evidence, evidence);
    if (script) this.other += own;
    else this.latin += own;
  }

  /**
   * Returns the evidence of the lines around a line, or around its block. Lines in other scripts
   * are not evidence about Latin-script lines, and Latin-script lines are not evidence about
   * scripts without capitals, whose words do not look like names.
   */
  around({ script, own }: Line, block?: Sum): number {
    const max = script?.cased ? AROUND_SCRIPT : AROUND;
    const of = ({ latin, other }: Sum): number =>
      script ? other + (script.cased ? latin : 0) : latin;
    return Math.max(-max, Math.min(max, of(this) - (block ? of(block) : own)));
  }
}

/**
 * Returns the languages of a text in which the tagger is not trained, ordered by their number of
 * letters.
 */
export function uncoveredLanguages(text: string): string[] {
  const letters = new Map<string, number>();
  for (const { language, start, end } of foreignLines(text)) {
    letters.set(language, (letters.get(language) ?? 0) + end - start);
  }
  return [...letters].sort(([, a], [, b]) => b - a).map(([language]) => language);
}

/** Number of UTF-16 units of a text that are read to determine its language. */
const READ_UNITS = 20_000;
/**
 * Minimum ratio of the evidence for an uncovered language to that for a covered language with
 * similar words, such as Galician and Spanish.
 */
const SIBLING = 1.25;

/**
 * Returns the language of most of a text as an ISO 639 code, including its capitalised words. Only
 * languages in which the tagger is trained are returned; null if the evidence is insufficient.
 */
export function mainLanguage(text: string): string | null {
  const sum = noEvidence();
  for (const line of text.slice(0, READ_UNITS).split('\n')) {
    if (!foreignScript(line)) add(sum, evidenceOf(line.toLowerCase()));
  }
  const { language, value } = strongest(sum, coveredLanguages, true);
  const other = strongest(sum, coveredLanguages, false).value;
  return value > ENOUGH && value * SIBLING > other ? language : null;
}

/**
 * Returns the language of a line in Latin script: by its own words, or else by the surrounding
 * text.
 */
function languageOf(from: readonly { evidence: Evidence }[]): string | null {
  for (const { evidence } of from) {
    const { language, value } = strongest(evidence, coveredLanguages, false);
    if (value > ENOUGH) return language;
  }
  return null;
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let block = 0;
  for (let start = 0; start < text.length; ) {
    const end = endOfLine(text, start);
    const line = text.slice(start, end);
    if (line.trim() === '') block++;
    else lines.push(judged(line, start, block));
    start = Math.max(end, start + 1);
  }
  return lines;
}

/**
 * Returns the end of the line that starts at `start`, or its last space before the maximum length.
 */
function endOfLine(text: string, start: number): number {
  const end = text.slice(start, start + LINE_UNITS).search(/[\n\r\v\f\u0085\u2028\u2029]/);
  if (end >= 0) return start + end + 1;
  if (start + LINE_UNITS >= text.length) return text.length;
  const space = text.lastIndexOf(' ', start + LINE_UNITS);
  return space > start ? space + 1 : start + LINE_UNITS;
}

function judged(line: string, start: number, block: number): Line {
  const script = foreignScript(line);
  const evidence = script ? noEvidence() : evidenceOf(line);
  const own = script
    ? script.letters * (script.dense ? 0.5 : 0.25)
    : strongest(evidence, coveredLanguages, false).value -
      strongest(evidence, coveredLanguages, true).value;
  // In other scripts, capitalised words are equally good evidence.
  const words = script ? line : wordsOf(line).join(' ');
  return { start, end: start + line.length, block, script, evidence, own, words };
}
