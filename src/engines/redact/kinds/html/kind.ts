import { decode } from '../encoding.ts';
import type { Kind } from '../index.ts';
import { readableTarget } from '../plain/links.ts';
import { readHtml } from './html.ts';

export const htmlKind: Kind = {
  read: readHtml,
  textsOf: (bytes) => {
    const { text } = decode(bytes);
    return [text, readableTarget(text), text.replace(/<[^>]*>/g, '')];
  },
  strangersIn: (bytes) => {
    const { text } = decode(bytes);
    const found =
      /<!--|<(script|style|link|iframe|frame|object|embed|base)\b|\son\w+=|="\s*(javascript|data):/i;
    return found.test(text) ? ['comments, scripts, styles, frames or embedded data'] : [];
  },
};
