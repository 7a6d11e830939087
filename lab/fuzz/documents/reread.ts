import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { strFromU8, unzipSync } from 'fflate';
import { textOf } from '../../../test/support/samples.ts';

/** How long another program may read a file, since that is not tested here. */
const readMs = 30_000;

/** The outcome of reading a file: with text, without text, or failed. */
const readOutcomes = ['text', 'nothing', 'failed', 'missing'] as const;
type ReadOutcome = (typeof readOutcomes)[number];
/** The number of outcomes for each way of reading, by the name of its program. */
export type ReadCounts = Map<string, Record<ReadOutcome, number>>;

function count(counts: ReadCounts, name: string, outcome: ReadOutcome): void {
  const outcomes = counts.get(name) ?? { text: 0, nothing: 0, failed: 0, missing: 0 };
  outcomes[outcome] += 1;
  counts.set(name, outcomes);
}

/** A line for each program; outcomes that did not occur are omitted. */
export function formatReads(counts: ReadCounts): string[] {
  return [...counts].map(([name, outcomes]) => {
    const parts = readOutcomes.flatMap((ending) =>
      outcomes[ending] > 0 ? [`${ending} ${outcomes[ending]}`] : [],
    );
    return `read by ${name}: ${parts.join(', ')}`;
  });
}

/** The text of a file according to the service's own reader and other programs, each by name. */
async function readByAll(
  path: string,
  mime: string,
  counts: ReadCounts,
): Promise<Map<string, string>> {
  const bytes = readFileSync(path);
  const texts = new Map<string, string>();
  const add = async (name: string, read: () => string | Promise<string>): Promise<void> => {
    try {
      const text = await read();
      count(counts, name, text === '' ? 'nothing' : 'text');
      texts.set(name, text);
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      count(counts, name, isMissing ? 'missing' : 'failed');
    }
  };
  await add('bytes', () => decodeBytes(bytes));
  if (mime === 'application/pdf') {
    const readers = [
      { name: 'pdfium', read: async () => (await textOf(bytes)).join(' ') },
      { name: 'pdftotext', read: () => outputOf('pdftotext', ['-q', path, '-']) },
      { name: 'mutool', read: () => outputOf('mutool', ['draw', '-q', '-F', 'text', path]) },
      // Every stream without compression, including streams that no page uses.
      {
        name: 'qpdf',
        read: () => outputOf('qpdf', ['--qdf', '--object-streams=disable', path, '-']),
      },
    ];
    for (const { name, read } of readers) await add(name, read);
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
  counts: ReadCounts,
): Promise<Map<string, string[]>> {
  const texts = await readByAll(path, mime, counts);
  const readersByValue = new Map<string, string[]>();
  for (const value of values) {
    const pattern = patternOf(value);
    const readers = [...texts].flatMap(([name, text]) => (pattern.test(text) ? [name] : []));
    if (readers.length > 0) readersByValue.set(value, readers);
  }
  return readersByValue;
}

/**
 * A value in a text whose lines may break anywhere. Joined with other letters or digits, as after
 * damage, it is a different value.
 */
function patternOf(value: string): RegExp {
  const letters = [...withoutSpaces(value)].map((letter) =>
    letter.replace(/[^\p{L}\p{N}@-]/u, '\\$&'),
  );
  return new RegExp(`(?<![\\p{L}\\p{N}])${letters.join('\\s*')}(?![\\p{L}\\p{N}])`, 'u');
}

function withoutSpaces(text: string): string {
  return text.replace(/\s+/g, '');
}

/** Bytes as text in the usual encodings, and decoded from hexadecimal or base64. */
function decodeBytes(bytes: Buffer): string {
  const text = bytes.toString('latin1');
  const hex = [...text.matchAll(/<([0-9A-Fa-f\s]{16,})>/g)].map(([, digits]) =>
    Buffer.from(withoutSpaces(digits!), 'hex').toString('latin1'),
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
      else resolve(stdout.length > 0 ? decodeBytes(stdout) : '');
    });
  });
}
