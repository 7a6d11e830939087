import { decode, encode } from '../../../files/encoding.ts';
import { type Part, piece, type Reading, stream } from '../stream.ts';

/** Plain text: each line a piece, so that line ends stay whatever goes. Throws EngineError. */
export function readText(bytes: Uint8Array): Reading {
  const { text, encoding } = decode(bytes);
  const body = stream(1);
  // A loop, since a spread call of a million lines would not fit on the stack.
  for (const part of text.split(/(\r\n|\r|\n|\f|\u2028|\u2029)/)) {
    body.parts.push(/^[\r\n\f\u2028\u2029]/.test(part) ? part : piece(part));
  }
  return {
    pages: 1,
    streams: [body],
    pictures: 0,
    write: () => encode(body.parts.map(written).join(''), encoding),
  };
}

/** What is written for a part of a text that is its own skeleton. */
export function written(part: Part): string {
  if (typeof part === 'string') return part;
  return 'text' in part ? (part.redacted ?? part.text) : '';
}
