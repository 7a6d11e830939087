import { decode } from '../../../files/encoding.ts';
import type { RedactableKind, Texts } from '../kind.ts';
import { readCsvStreams } from './csv.ts';
import { readableTarget } from './links.ts';
import { readMarkdown } from './markdown.ts';
import { readTextStreams } from './text.ts';

/** All of a text file is text. It is searched as it is and with percent encoding decoded. */
const textsOf = (bytes: Uint8Array): Texts => {
  const { text } = decode(bytes);
  return { shown: [text, readableTarget(text)], hidden: [] };
};

export const textKind: RedactableKind = { read: readTextStreams, textsOf, strangersIn: () => [] };
export const csvKind: RedactableKind = { read: readCsvStreams, textsOf, strangersIn: () => [] };
export const markdownKind: RedactableKind = {
  read: readMarkdown,
  textsOf,
  strangersIn: (bytes) =>
    /<!--|<(?:script|style|iframe|object|embed)\b/i.test(decode(bytes).text)
      ? ['comments, scripts or objects']
      : [],
};
