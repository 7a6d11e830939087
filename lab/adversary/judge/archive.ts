import { strFromU8, unzipSync } from 'fflate';
import type { Reading } from '../../../test/support/corpus/reading.ts';
import { hasTool, runTool } from '../../bench/support/redaction/tools.ts';

/** The contents of an archive and of nested archives: the words of its parts, and pictures. */
export interface Contents {
  readings: Reading[];
  pictures: Buffer[];
}

export function openArchive(bytes: Uint8Array, reader = 'archive'): Contents {
  const contents: Contents = { readings: [], pictures: [] };
  for (const [name, part] of Object.entries(unzipSync(bytes))) {
    const partName = `${reader}, ${name}`;
    contents.readings.push({ by: partName, text: name, kind: 'text' });
    if (strFromU8(part.subarray(0, 2)) === 'PK') {
      const inner = openArchive(part, partName);
      contents.readings.push(...inner.readings);
      contents.pictures.push(...inner.pictures);
    } else if (isPicture(part)) contents.pictures.push(Buffer.from(part));
    else contents.readings.push(...readMarkup(strFromU8(part), partName));
  }
  return contents;
}

function isPicture(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return /^(?:\x89PNG|\xff\xd8\xff|GIF8|II\*\0|MM\0\*|RIFF....WEBP)/s.test(head);
}

/** Text with tags and without them: with the letters around a tag joined, and separated. */
export function readMarkup(text: string, reader: string): Reading[] {
  // Symbols in Word are letters in a font's own encoding.
  const letters = text.replace(/<w:sym [^>]*w:char="F0([0-9a-f]{2})"[^>]*>/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const decoded = decodeEntities(letters);
  return [
    { by: reader, text: decoded, kind: 'bytes' },
    // In attributes and comments, part of a value is a leak as well.
    { by: `${reader}, with its tags`, text: decoded, kind: 'text' },
    {
      by: `${reader}, without its tags`,
      text: decodeEntities(letters.replace(/<[^>]*>/g, '')),
      kind: 'text',
    },
    { by: `${reader}, formulas joined`, text: decoded.replace(/"&"/g, ''), kind: 'text' },
  ];
}

const namedEntities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  shy: '',
};

function decodeEntities(text: string): string {
  const unescaped = text.replace(
    /&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi,
    (whole, decimal, hex, name) => {
      if (name) return namedEntities[name] ?? whole;
      return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16));
    },
  );
  // Namespaces of Office, and of addresses.
  const escaped = unescaped.replace(/_x([0-9a-f]{4})_/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return escaped.replace(/%([0-7][0-9a-f])/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

const script = `
import io, sys, zipfile
def walk(data):
    archive = zipfile.ZipFile(io.BytesIO(data))
    for info in archive.infolist():
        part = archive.read(info)
        print(info.filename, info.comment)
        if part[:2] == b'PK': walk(part)
        else: sys.stdout.buffer.write(part)
walk(open(sys.argv[1], 'rb').read())
`;

/** The same with a reader that shares no code with JavaScript. */
export async function readByPython(path: string): Promise<Reading[]> {
  if (!hasTool('python3')) return [];
  const text = (await runTool('python3', ['-c', script, path])).toString();
  return readMarkup(text, 'python3');
}
