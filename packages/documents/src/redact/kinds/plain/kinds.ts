import { decode } from '../../../files/encoding/index.ts';
import type { RedactableKind, Texts } from '../kind.ts';
import { anglesInCode } from './code-angles.ts';
import { readCsvStreams } from './csv.ts';
import { readableTarget } from './links.ts';
import { readMarkdown } from './markdown.ts';
import { readTextStreams } from './text.ts';

/** Returns the whole text of a file: unchanged, and with percent encoding and escapes decoded. */
const textsOf = (bytes: Uint8Array): Texts => {
  const { text } = decode(bytes);
  const shown = [text, readableTarget(text)];
  if (text.includes('\\u')) shown.push(decodeEscapes(text));
  return { shown, hidden: [] };
};

/** Decodes the escapes of JSON and of programming languages. */
const decodeEscapes = (text: string): string =>
  text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );

export const textKind: RedactableKind = { read: readTextStreams, textsOf, disallowedIn: () => [] };
/** A file that is not valid JSON is read as text. */
export const jsonKind: RedactableKind = textKind;
export const csvKind: RedactableKind = { read: readCsvStreams, textsOf, disallowedIn: () => [] };

/** Markup that an output must not contain, unless Markdown shows it as code. */
const disallowedMarkup = /<(?:!--|(?:script|style|iframe|object|embed)\b)/gi;

function disallowedInMarkdown(bytes: Uint8Array): string[] {
  const { text } = decode(bytes);
  const found = [...text.matchAll(disallowedMarkup)];
  if (found.length === 0) return [];
  const codeAngles = anglesInCode(text);
  return found.every(({ index }) => codeAngles.has(index)) ? [] : ['comments, scripts or objects'];
}

export const markdownKind: RedactableKind = {
  read: readMarkdown,
  textsOf,
  disallowedIn: disallowedInMarkdown,
};
