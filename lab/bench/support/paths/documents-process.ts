import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { OperationName } from '@scriptorium/contracts/operations';
import { createEngines } from '@scriptorium/documents';
import { memoryBytes } from '../../documents/limits.ts';
import { openSteps } from '../../documents/steps.ts';
import { makePrinted, makeScan } from '../scans.ts';

/**
 * Operations on generated documents in warm engine processes, without a database, and a fixed
 * amount of other work for comparison. Each message names the work; the answer is sent when it is
 * done.
 */
const folder = mkdtempSync(join(tmpdir(), 'bench-gate-documents-'));
const engines = createEngines({
  processes: 1,
  // A child that holds much memory is replaced, and a new one costs as much CPU as several turns.
  memoryBytes: 4 * memoryBytes,
  tmpDir: folder,
  tessdata: [resolve(import.meta.dirname, '../../../../.data/tessdata')],
  // Available on every machine: with the native program, where installed, the figures would differ.
  recogniser: 'wasm',
});

const heading = 'From Jane Miller, jane.miller@example.com, IBAN DE89 3704 0044 0532 0130 00';
const files = {
  scan: await keep('scan.pdf', (await makeScan(1, 7, 150)).pdf),
  letter: await keep('letter.pdf', (await makePrinted(2, 8, heading)).pdf),
  manual: await keep('manual.pdf', (await makePrinted(20, 9)).pdf),
};

async function keep(name: string, bytes: Buffer): Promise<string> {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

let turn = 0;

/** Runs operations of a file in order, each of which must have a result. */
async function run(path: string, ...operations: OperationName[]): Promise<void> {
  const own = join(folder, `turn-${turn++}`);
  const step = openSteps(engines, { path, mime: 'application/pdf' }, own);
  for (const operation of operations) {
    const { error, failed } = await step(operation);
    if (error || failed.length > 0) {
      throw new Error(`${operation} failed: ${JSON.stringify(error ?? failed)}`);
    }
  }
  rmSync(own, { recursive: true, force: true });
}

/** Other work: hashing, compressing, parsing and sorting. */
function fixedWork(): void {
  const rows = Array.from({ length: 4_000 }, (_, at) => ({
    id: createHash('sha256').update(String(at)).digest('hex'),
    words: ['harbour', 'copper', 'lantern', String(at % 97)],
  }));
  for (let time = 0; time < 15; time++) {
    const text = JSON.stringify(rows);
    deflateSync(text);
    const read = JSON.parse(text) as typeof rows;
    read.sort((one, other) => one.id.localeCompare(other.id));
    createHash('sha256')
      .update(read.map(({ words }) => words.join(' ')).join('\n'))
      .digest();
  }
}

const works: Record<string, () => Promise<void>> = {
  ocr: () => run(files.scan, 'ocr'),
  redact: () => run(files.letter, 'ocr', 'redact_pii'),
  normalize: () => run(files.manual, 'ocr', 'normalize_for_llm'),
  fixed: async () => fixedWork(),
};

process.on('message', async ({ work }: { work: string }) => {
  await works[work]!();
  process.send!({ done: work });
});
process.on('disconnect', async () => {
  await engines.close();
  rmSync(folder, { recursive: true, force: true });
  process.exit();
});
process.send!({ ready: true });
