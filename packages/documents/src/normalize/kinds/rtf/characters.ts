import { decodeLeniently } from '../../../files/encoding/decoders.ts';

/** The encodings of the code pages in `\ansicpg` and `\cpg`. */
const encodingByPage: Readonly<Record<number, string>> = {
  437: 'cp437',
  850: 'cp850',
  852: 'cp852',
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  65001: 'utf-8',
  1250: 'windows-1250',
  1251: 'windows-1251',
  1252: 'windows-1252',
  1253: 'windows-1253',
  1254: 'windows-1254',
  1255: 'windows-1255',
  1256: 'windows-1256',
  1257: 'windows-1257',
  1258: 'windows-1258',
};

/** The code pages of the character sets in `\fcharset`. */
const pageByCharset: Readonly<Record<number, number>> = {
  0: 1252,
  77: 10000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
};

export const encodingOfPage = (page: number): string => encodingByPage[page] ?? 'windows-1252';

/** Returns the encoding of a font's character set; null if it implies no encoding. */
export const encodingOfSet = (set: number): string | null => {
  const page = pageByCharset[set];
  return page === undefined ? null : encodingOfPage(page);
};

/** Characters that have control words. */
export const namedCharacters: Readonly<Record<string, string>> = {
  tab: '\t',
  line: '\n',
  emdash: '—',
  endash: '–',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  '~': '\u00a0',
  _: '\u2011',
  '{': '{',
  '}': '}',
  '\\': '\\',
};

/** Creates a decoder that joins consecutive tokens, because a character may have several bytes. */
export function createDecoder(): { add(bytes: Uint8Array, name: string): void; take(): string } {
  let pendingBytes: Uint8Array[] = [];
  let encoding = '';
  let text = '';
  const flush = (): void => {
    if (pendingBytes.length > 0) text += decodeLeniently(Buffer.concat(pendingBytes), encoding);
    pendingBytes = [];
  };
  return {
    add(bytes, name) {
      if (name !== encoding) flush();
      encoding = name;
      pendingBytes.push(bytes);
    },
    take() {
      flush();
      const decoded = text;
      text = '';
      return decoded;
    },
  };
}
