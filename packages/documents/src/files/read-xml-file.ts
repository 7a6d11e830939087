import { gunzipSync } from 'node:zlib';
import { EngineError } from '@scriptorium/sandbox/errors';
import { decodeDeclared } from './encoding/index.ts';
import { parseXml, type XmlElement } from './xml.ts';

const maxUnpackedBytes = 64 * 2 ** 20;

/**
 * Reads an XML file in its declared encoding, without comments, processing instructions and the
 * document type.
 * @throws EngineError `damaged`, `unsupported` for document type definitions, or `too_large`
 */
export function readXmlFile(bytes: Uint8Array): XmlElement {
  const content = bytes[0] === 0x1f && bytes[1] === 0x8b ? unpack(bytes) : bytes;
  const head = Buffer.from(content.subarray(0, 200)).toString('latin1');
  const [declaration = '', encoding = 'utf-8'] =
    /^<\?xml[^>]{0,100}?encoding=["']([\w.:-]{1,40})["'][^>]{0,60}\?>/.exec(head) ?? [];
  if (declaration === '' || /^utf-?(?:8|16)/i.test(encoding)) return parseXml(content);
  const text = decodeDeclared(content, encoding);
  if (text === null) {
    throw new EngineError('damaged', `The file is not valid in its encoding, ${encoding}.`);
  }
  return parseXml(Buffer.from(text.slice(declaration.length), 'utf8'));
}

function unpack(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxUnpackedBytes });
  } catch (error) {
    if (error instanceof RangeError) {
      throw new EngineError('too_large', 'The unpacked file is larger than 64 MiB.');
    }
    throw new EngineError('damaged', 'The compressed file is damaged.');
  }
}
