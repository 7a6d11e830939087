import {
  addEvidence,
  type Evidence,
  evidenceOf,
  noEvidence,
  strongestLanguage,
  wordsOf,
} from './evidence.ts';
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
  ownScore: number;
  /** The words of the line that indicate its language. */
  words: string;
}

/** Minimum total score of a line in an uncovered language. */
const minScore = 3.5;
/** Maximum contribution of the surrounding lines, and of the whole text, to the score of a line. */
const maxContext = 4;
/**
 * The same for a line in another script with capitals. If no other line is in that script, the line
 * may consist of one or two names.
 */
const maxScriptContext = 2;
/**
 * Maximum number of UTF-16 units of a line that are examined, more than needed to identify a
 * language.
 */
const maxLineUnits = 2000;

/**
 * Returns the lines of a text in languages in which the tagger is not trained. A line with little
 * evidence, such as a name, is classified together with the surrounding lines and the whole text.
 * The run time is linear in the length of the text.
 */
export function foreignLines(text: string): ForeignLine[] {
  const lines = linesOf(text);
  const wholeText = new EvidenceSum();
  const blocks = new Map<number, EvidenceSum>();
  for (const line of lines) {
    const block = blocks.get(line.block) ?? new EvidenceSum();
    blocks.set(line.block, block);
    block.add(line);
    wholeText.add(line);
  }
  const foreign: ForeignLine[] = [];
  for (const line of lines) {
    const block = blocks.get(line.block)!;
    if (line.ownScore + block.contextOf(line) + wholeText.contextOf(line, block) <= minScore)
      continue;
    const language = line.script?.language ?? languageOf([line, block, wholeText]);
    if (language) foreign.push({ start: line.start, end: line.end, language });
  }
  return foreign;
}

/**
 * The combined evidence of lines. Lines with the same words count once, because the rows of a list
 * repeat words such as "ok".
 */
class EvidenceSum {
  readonly evidence = noEvidence();
  private readonly added = new Set<string>();
  private latin = 0;
  private other = 0;

  add({ script, evidence, ownScore, words }: Line): void {
    if (this.added.has(words)) return;
    this.added.add(words);
    addEvidence(this.evidence, evidence);
    if (script) this.other += ownScore;
    else this.latin += ownScore;
  }

  /**
   * Returns the evidence of the lines around a line, or around its block. Lines in other scripts
   * are not evidence about Latin-script lines, and Latin-script lines are not evidence about
   * scripts without capitals, whose words do not look like names.
   */
  contextOf({ script, ownScore }: Line, block?: EvidenceSum): number {
    const max = script?.cased ? maxScriptContext : maxContext;
    const evidenceFor = ({ latin, other }: EvidenceSum): number =>
      script ? other + (script.cased ? latin : 0) : latin;
    return Math.max(
      -max,
      Math.min(max, evidenceFor(this) - (block ? evidenceFor(block) : ownScore)),
    );
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
const maxReadUnits = 20_000;
/**
 * Minimum ratio of the evidence for an uncovered language to that for a covered language with
 * similar words, such as Galician and Spanish.
 */
const siblingRatio = 1.25;

/**
 * Returns the language of most of a text as an ISO 639 code, including its capitalised words. Only
 * languages in which the tagger is trained are returned; null if the evidence is insufficient.
 */
export function mainLanguage(text: string): string | null {
  const sum = noEvidence();
  for (const line of text.slice(0, maxReadUnits).split('\n')) {
    if (!foreignScript(line)) addEvidence(sum, evidenceOf(line.toLowerCase()));
  }
  const { language, value } = strongestLanguage(sum, coveredLanguages, true);
  const other = strongestLanguage(sum, coveredLanguages, false).value;
  return value > minScore && value * siblingRatio > other ? language : null;
}

/**
 * Returns the language of a line in Latin script: by its own words, or else by the surrounding
 * text.
 */
function languageOf(from: readonly { evidence: Evidence }[]): string | null {
  for (const { evidence } of from) {
    const { language, value } = strongestLanguage(evidence, coveredLanguages, false);
    if (value > minScore) return language;
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
    else lines.push(judgeLine(line, start, block));
    start = Math.max(end, start + 1);
  }
  return lines;
}

/**
 * Returns the end of the line that starts at `start`, or its last space before the maximum length.
 */
function endOfLine(text: string, start: number): number {
  const end = text.slice(start, start + maxLineUnits).search(/[\n\r\v\f\u0085\u2028\u2029]/);
  if (end >= 0) return start + end + 1;
  if (start + maxLineUnits >= text.length) return text.length;
  const space = text.lastIndexOf(' ', start + maxLineUnits);
  return space > start ? space + 1 : start + maxLineUnits;
}

function judgeLine(line: string, start: number, block: number): Line {
  const script = foreignScript(line);
  const evidence = script ? noEvidence() : evidenceOf(line);
  const ownScore = script
    ? script.letters * (script.dense ? 0.5 : 0.25)
    : strongestLanguage(evidence, coveredLanguages, false).value -
      strongestLanguage(evidence, coveredLanguages, true).value;
  // In other scripts, capitalised words are equally good evidence.
  const words = script ? line : wordsOf(line).join(' ');
  return { start, end: start + line.length, block, script, evidence, ownScore, words };
}
