import { decode } from '../../../files/encoding.ts';
import type { Kind, Texts } from '../index.ts';
import { readCsv } from './csv.ts';
import { readableTarget } from './links.ts';
import { readMarkdown } from './markdown.ts';
import { readText } from './text.ts';

/** All of a text file is its text. Searched as it stands and with percent signs decoded. */
const textsOf = (bytes: Uint8Array): Texts => {
  const { text } = decode(bytes);
  return { shown: [text, readableTarget(text)], hidden: [] };
};

export const textKind: Kind = { read: readText, textsOf, strangersIn: () => [] };
export const csvKind: Kind = { read: readCsv, textsOf, strangersIn: () => [] };
export const markdownKind: Kind = {
  read: readMarkdown,
  textsOf,
  strangersIn: (bytes) =>
    /<!--|<(?:script|style|iframe|object|embed)\b/i.test(decode(bytes).text)
      ? ['comments, scripts or objects']
      : [],
};
