/* Reads outputs for the checks. It accepts only the form in which redaction writes. */
import { prologue } from './write.ts';

/** A file in Rich Text Format that redaction wrote. */
export interface RtfOutput {
  /** The runs of text, in order. */
  runs: string[];
  /** What the file contains besides the form in which redaction writes. */
  unexpected: string[];
}

/**
 * Control words of content that no output may contain. This list is separate from the list of kept
 * words, so that a mistake in it is detected.
 */
const disallowedWord =
  /^(?:pict|shppict|nonshppict|object|objdata|field|fldinst|info|title|author|generator|bin|v|deleted|revised|annotation|atnid|atnauthor|bkmkstart|bkmkend|stylesheet|colortbl|listtable|docvar|userprops|xe|tc|datafield|formfield|template|sp|sn|sv|ud|upr|cf|cb|webhidden)$/;

const token =
  /(?<brace>[{}])|\\\*(?=\\(?:shpinst|shpgrp|nesttableprops) )|\\u(?<unit>-?\d{1,5})\?|\\(?<symbol>[\\{}])|\\(?<word>[A-Za-z]{1,20})(?:-?\d{1,5})? |(?<text>[ -[\]-z|~]+)|\n/y;

export function readOutput(bytes: Uint8Array): RtfOutput {
  const source = Buffer.from(bytes).toString('latin1');
  const output: RtfOutput = { runs: [], unexpected: [] };
  if (!source.startsWith(prologue) || !source.endsWith('}\n')) {
    output.unexpected.push('another beginning or end');
    return output;
  }
  let depth = 1;
  let run = '';
  for (token.lastIndex = prologue.length; token.lastIndex < source.length; ) {
    const { groups } = token.exec(source) ?? {};
    if (!groups) {
      output.unexpected.push('an unexpected character or control word');
      return output;
    }
    const { brace, unit, symbol, word, text } = groups;
    if (unit !== undefined) run += String.fromCharCode(Number(unit) & 0xffff);
    else if (text !== undefined || symbol !== undefined) run += text ?? symbol;
    else if (word === 'tab') run += '\t';
    else if (brace !== undefined || word !== undefined) {
      if (run !== '') output.runs.push(run);
      run = '';
    }
    if (brace !== undefined) depth += brace === '{' ? 1 : -1;
    if (depth === 0 && source.length - token.lastIndex > 1) {
      output.unexpected.push('content after the end');
      return output;
    }
    if (word !== undefined && disallowedWord.test(word)) {
      output.unexpected.push(`the control word ${word}`);
    }
  }
  if (run !== '') output.runs.push(run);
  if (depth !== 0) output.unexpected.push('groups that are not closed');
  return output;
}
