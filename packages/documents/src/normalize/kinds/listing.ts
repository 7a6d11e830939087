import { decode } from '../../files/encoding/index.ts';
import type { NormalDocument } from '../document.ts';
import { onePage, origin, plainSpan } from './build-blocks.ts';

/** Reads a text as one block of code. Throws EngineError. */
function readListing(bytes: Uint8Array, language: string): NormalDocument {
  const text = decode(bytes).text.replace(/\s+$/, '');
  return {
    title: null,
    language: null,
    pages: onePage,
    blocks:
      text === '' ? [] : [{ role: 'code', language, ...origin(), text, spans: [plainSpan(text)] }],
  };
}

/** Reads JSON as a block of code. Throws EngineError. */
export const readJsonListing = (bytes: Uint8Array): NormalDocument => readListing(bytes, 'json');

/** Reads XML as a block of code. Throws EngineError. */
export const readXmlListing = (bytes: Uint8Array): NormalDocument => readListing(bytes, 'xml');
