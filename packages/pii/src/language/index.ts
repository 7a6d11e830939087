import { add, type Evidence, evidenceOf, noEvidence, strongest, wordsOf } from './evidence.ts';
import { type ForeignScript, foreignScript } from './scripts.ts';

/** The languages that the tagger of names is trained in. */
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

/** A line of a text in a language that the tagger is not trained in. */
export interface ForeignLine {
  start: number;
  end: number;
  /** ISO 639. */
  language: string;
}

interface Line {
  start: number;
  end: number;
  block: number;
  script: ForeignScript | null;
  evidence: Evidence;
  /** The line's own score for an uncovered language; negative for a covered one. */
  own: number;
  /** The words that indicate its language. */
  words: string;
}

/** Minimum total score of a line in an uncovered language. */
const ENOUGH = 3.5;
/** Maximum amount that surrounding lines, and the whole text, add to a line's score. */
const AROUND = 4;
/**
 * The same for a line in another script with capitals, which only a name or two are in when the
 * others are not.
 */
const AROUND_SCRIPT = 2;
/** Maximum number of units of a line that are examined: no language takes that many to identify. */
const LINE_UNITS = 2000;

/**
 * Returns the lines of a text that are in languages that the tagger is not trained in. A line with
 * little evidence, such as a name, is judged with the surrounding lines and with the text. Takes
 * time linear in the text.
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
 * The combined evidence of lines. Lines with the same words count once: a list has "ok" in every
 * row.
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
   * Returns the evidence of the lines around a line, or around its block, about it. Other scripts
   * are no evidence about Latin, nor is Latin about scripts without capitals, in which nothing
   * looks like a name.
   */
  around({ script, own }: Line, block?: Sum): number {
    const max = script?.cased ? AROUND_SCRIPT : AROUND;
    const of = ({ latin, other }: Sum): number =>
      script ? other + (script.cased ? latin : 0) : latin;
    return Math.max(-max, Math.min(max, of(this) - (block ? of(block) : own)));
  }
}

/**
 * Returns the languages of a text that the tagger is not trained in, those of most letters first.
 */
export function uncoveredLanguages(text: string): string[] {
  const letters = new Map<string, number>();
  for (const { language, start, end } of foreignLines(text)) {
    letters.set(language, (letters.get(language) ?? 0) + end - start);
  }
  return [...letters].sort(([, a], [, b]) => b - a).map(([language]) => language);
}

/** Number of units of a text that are read to determine its language. */
const READ_UNITS = 20_000;
/**
 * Minimum ratio of the evidence for an uncovered language to that for a covered one with mostly the
 * same words, as Galician and Spanish.
 */
const SIBLING = 1.25;

/**
 * Returns the language that most of a text is in, words with capitals included, as an ISO 639 code,
 * of those that the tagger is trained in; null if too little tells it.
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

/** Returns the language of a line in Latin script: its own, else that of what is around it. */
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
 * After the end of the line that starts at `start`, or at the last space before it gets too long.
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
  // In another script, capitals are equally good evidence.
  const words = script ? line : wordsOf(line).join(' ');
  return { start, end: start + line.length, block, script, evidence, own, words };
}
