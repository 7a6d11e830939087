import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { strFromU8, unzipSync } from 'fflate';
import { textOf } from '../../../test/support/samples.ts';

/** How long another program may read a file, since that is not tested here. */
const readMs = 30_000;

/** The outcome of reading a file: with text, without text, or failed. */
const endings = ['text', 'nothing', 'failed', 'missing'] as const;
type Ending = (typeof endings)[number];
/** The number of outcomes for each way of reading, by the name of its program. */
export type Reads = Map<string, Record<Ending, number>>;

function count(reads: Reads, name: string, ending: Ending): void {
  const own = reads.get(name) ?? { text: 0, nothing: 0, failed: 0, missing: 0 };
  own[ending] += 1;
  reads.set(name, own);
}

/** A line for each program; outcomes that did not occur are omitted. */
export function sayReads(reads: Reads): string[] {
  return [...reads].map(([name, own]) => {
    const parts = endings.flatMap((ending) =>
      own[ending] > 0 ? [`${ending} ${own[ending]}`] : [],
    );
    return `read by ${name}: ${parts.join(', ')}`;
  });
}

/** The text of a file according to the service's own reader and other programs, each by name. */
async function readByAll(path: string, mime: string, reads: Reads): Promise<Map<string, string>> {
  const bytes = readFileSync(path);
  const texts = new Map<string, string>();
  const add = async (name: string, read: () => string | Promise<string>): Promise<void> => {
    try {
      const text = await read();
      count(reads, name, text === '' ? 'nothing' : 'text');
      texts.set(name, text);
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      count(reads, name, isMissing ? 'missing' : 'failed');
    }
  };
  await add('bytes', () => spelt(bytes));
  if (mime === 'application/pdf') {
    const ways = [
      { name: 'pdfium', read: async () => (await textOf(bytes)).join(' ') },
      { name: 'pdftotext', read: () => outputOf('pdftotext', ['-q', path, '-']) },
      { name: 'mutool', read: () => outputOf('mutool', ['draw', '-q', '-F', 'text', path]) },
      // Every stream without compression, including streams that no page uses.
      {
        name: 'qpdf',
        read: () => outputOf('qpdf', ['--qdf', '--object-streams=disable', path, '-']),
      },
    ];
    for (const { name, read } of ways) await add(name, read);
  } else if (bytes.subarray(0, 2).toString('latin1') === 'PK') {
    await add('parts', () => partsOf(bytes));
  }
  return texts;
}

/**
 * The values that some program reads in a file, with the programs. Adds each outcome to `reads`.
 */
export async function readersOf(
  values: readonly string[],
  { path, mime }: { path: string; mime: string },
  reads: Reads,
): Promise<Map<string, string[]>> {
  const texts = await readByAll(path, mime, reads);
  const found = new Map<string, string[]>();
  for (const value of values) {
    const spelling = spellingOf(value);
    const readers = [...texts].flatMap(([name, text]) => (spelling.test(text) ? [name] : []));
    if (readers.length > 0) found.set(value, readers);
  }
  return found;
}

/**
 * A value in a text whose lines may break anywhere. Joined with other letters or digits, as after
 * damage, it is a different value.
 */
function spellingOf(value: string): RegExp {
  const letters = [...squeezed(value)].map((letter) => letter.replace(/[^\p{L}\p{N}@-]/u, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{N}])${letters.join('\\s*')}(?![\\p{L}\\p{N}])`, 'u');
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, '');
}

/** Bytes as text in the usual encodings, and decoded from hexadecimal or base64. */
function spelt(bytes: Buffer): string {
  const text = bytes.toString('latin1');
  const hex = [...text.matchAll(/<([0-9A-Fa-f\s]{16,})>/g)].map(([, digits]) =>
    Buffer.from(squeezed(digits!), 'hex').toString('latin1'),
  );
  const base64 = [...text.matchAll(/(?:[A-Za-z0-9+/]{20,}={0,2}\s*)+/g)].map(([letters]) =>
    Buffer.from(letters, 'base64').toString('latin1'),
  );
  return [text, bytes.toString('utf16le'), text.replaceAll('\0', ''), ...hex, ...base64].join('\n');
}

/** The parts of an archive, with and without their tags. */
function partsOf(bytes: Buffer): string {
  const parts = Object.values(unzipSync(bytes)).map((part) => strFromU8(part));
  return [...parts, ...parts.map((part) => part.replace(/<[^>]*>/g, ' '))].join('\n');
}

function outputOf(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { timeout: readMs, maxBuffer: 256 * 2 ** 20, encoding: 'buffer' } as const;
    execFile(program, args, options, (error, stdout) => {
      // Damaged files cause warnings, but may still have text.
      if (error && stdout.length === 0) reject(error);
      else resolve(stdout.length > 0 ? spelt(stdout) : '');
    });
  });
}
