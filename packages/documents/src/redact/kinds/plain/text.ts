import { decode, encode } from '../../../files/encoding/index.ts';
import { type FileReading, newStream, piece, type StreamPart } from '../stream.ts';
import { isJson, readJson } from './json.ts';

/**
 * Reads plain text. Each line is a piece, so that line breaks are always kept. JSON and JSON Lines,
 * which are stored as text if nothing declares another type, are read by their values.
 * @throws EngineError if the file cannot be decoded
 */
export function readTextStreams(bytes: Uint8Array): FileReading {
  const { text, encoding } = decode(bytes);
  if (isJson(text)) {
    const { body, hasFiles, write } = readJson(text);
    return {
      pages: 1,
      streams: [body],
      pictures: 0,
      dropped: hasFiles ? ['base64'] : [],
      write: () => encode(write(), encoding),
    };
  }
  const body = newStream(1);
  // A loop is used because passing a million lines as arguments of one call would overflow the
  // stack.
  for (const part of text.split(/(\r\n|\r|\n|\f|\u2028|\u2029)/)) {
    body.parts.push(/^[\r\n\f\u2028\u2029]/.test(part) ? part : piece(part));
  }
  return {
    pages: 1,
    streams: [body],
    pictures: 0,
    write: () => encode(body.parts.map(outputOf).join(''), encoding),
  };
}

/** Returns the output for a part of a text. */
function outputOf(part: StreamPart): string {
  if (typeof part === 'string') return part;
  return 'text' in part ? (part.redacted ?? part.text) : '';
}
