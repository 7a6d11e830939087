import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RedactedInKind } from '@scriptorium/documents/redact/contract/requests';
import type { Detector, PiiFinding } from '@scriptorium/pii/finding';
import { expect } from 'chai';
import { strFromU8, unzipSync } from 'fflate';
import { redactInKind } from '../../packages/documents/src/redact/kinds/index.ts';

export const mimes = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  epub: 'application/epub+zip',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  html: 'text/html',
  markdown: 'text/markdown',
  text: 'text/plain',
  csv: 'text/csv',
  json: 'application/json',
  xml: 'application/xml',
  svg: 'image/svg+xml',
  mail: 'message/rfc822',
  rtf: 'application/rtf',
} as const;

/**
 * Finds the names it is given, however their words are kept apart, mail addresses and long numbers.
 */
export function createNameDetector(...names: string[]): Detector {
  const patterns: [PiiFinding['type'], RegExp][] = [
    ['EMAIL_ADDRESS', /[\w.+-]+@[\w-]+\.[\w.]+/g],
    ['CREDIT_CARD', /\b\d(?:[ -]?\d){11,18}\b/g],
    ...names.map((name): [PiiFinding['type'], RegExp] => {
      const words = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').split(' ');
      return ['PERSON', new RegExp(`(?<![\\p{L}])${words.join('\\s+')}(?![\\p{L}])`, 'gu')];
    }),
  ];
  return (text) => {
    const found = patterns.flatMap(([type, pattern]) =>
      [...text.matchAll(pattern)].map(({ index, 0: value }): PiiFinding => {
        return { type, start: index, end: index + value.length, score: 0.9 };
      }),
    );
    found.sort((a, b) => a.start - b.start);
    return found.filter(({ start }, at) => at === 0 || start >= (found[at - 1]?.end ?? 0));
  };
}

export interface RedactedBytes {
  result: RedactedInKind;
  /** Undefined without an output. */
  output: Buffer | undefined;
}

/** Redacts bytes as a file of a kind. */
export async function redactBytes(
  kind: keyof typeof mimes,
  bytes: Uint8Array | string,
  detector: Detector,
  {
    style = 'label',
    allowList = [],
    keepRecipients,
  }: { style?: 'label' | 'blackbox'; allowList?: string[]; keepRecipients?: boolean } = {},
): Promise<RedactedBytes> {
  const folder = await mkdtemp(join(tmpdir(), 'kinds-'));
  try {
    const path = join(folder, randomUUID());
    const outPath = join(folder, 'out');
    await writeFile(path, bytes);
    const options = { entities: 'all' as const, minConfidence: 0.5, customPatterns: [], allowList };
    const request = { path, mime: mimes[kind], options, keepRecipients, style, outPath };
    const result = await redactInKind(request, detector);
    const output = await readFile(outPath).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    return { result, output };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the names of the checks that failed. */
export const failedChecks = ({ result }: RedactedBytes): string[] =>
  result.checks.filter(({ passed }) => !passed).map(({ name }) => name);

const fold = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Returns where a file contains a secret or a word of it, independently of the project's code:
 * parts unpacked, tags taken out or left in, references and percent signs decoded.
 */
export function findSecret(bytes: Uint8Array, secret: string): string[] {
  const parts: [string, string][] =
    strFromU8(bytes.subarray(0, 2)) === 'PK'
      ? Object.entries(unzipSync(bytes)).map(([name, data]) => [name, strFromU8(data)])
      : ['utf8', 'utf16le', 'latin1'].map((encoding) => {
          return [encoding, Buffer.from(bytes).toString(encoding as BufferEncoding)];
        });
  return parts.flatMap(([name, text]) => {
    const decoded = text
      .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
      .replace(/&[a-z]+;/g, ' ')
      .replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
        Buffer.from(run.replaceAll('%', ''), 'hex').toString(),
      );
    const views = [name, text, decoded, decoded.replace(/<[^>]*>/g, '')].map(fold);
    const words = [secret, ...secret.split(/[\s@.]+/).filter((word) => word.length > 4)];
    return words
      .filter((word) => views.some((view) => view.includes(fold(word))))
      .map((word) => `${word} in ${name}`);
  });
}

/** Secrets of other lengths, in whose place the output must be the same. */
const otherSecrets = ['Ida Orr', 'Theodora Featherstonehaugh'];

/** Finds a name and `otherSecrets`. */
export const createSecretDetector = (name: string): Detector =>
  createNameDetector(name, ...otherSecrets);

/**
 * Requires that a secret is removed from a file, and that the output is the same for every secret.
 * @param build returns a file that contains the secret
 */
export async function expectRemoved(
  kind: keyof typeof mimes,
  name: string,
  build: (secret: string) => Uint8Array,
): Promise<void> {
  const detector = createSecretDetector(name);
  const redacted = await redactBytes(kind, build(name), detector);
  expect(failedChecks(redacted)).to.deep.equal([]);
  expect(findSecret(build(name), name)).to.not.deep.equal([]);
  expect(findSecret(redacted.output!, name)).to.deep.equal([]);
  for (const other of otherSecrets) {
    const again = await redactBytes(kind, build(other), detector);
    expect(again.output?.equals(redacted.output!), `as with ${other}`).to.equal(true);
  }
}
