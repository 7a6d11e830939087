import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { OperationName } from '@scriptorium/contracts/operations';
import { createEngines } from '@scriptorium/documents';
import { memoryBytes } from '../../documents/limits.ts';
import { openSteps } from '../../documents/steps.ts';
import { makeScan, makeTextPages } from '../scans.ts';

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
  scan: await writeInput('scan.pdf', (await makeScan(1, 7, 150)).pdf),
  letter: await writeInput('letter.pdf', (await makeTextPages(2, 8, heading)).pdf),
  manual: await writeInput('manual.pdf', (await makeTextPages(20, 9)).pdf),
};

async function writeInput(name: string, bytes: Buffer): Promise<string> {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

let turn = 0;

/** Runs operations of a file in order, each of which must have a result. */
async function run(path: string, ...operations: OperationName[]): Promise<void> {
  const turnFolder = join(folder, `turn-${turn++}`);
  const step = openSteps(engines, { path, mime: 'application/pdf' }, turnFolder);
  for (const operation of operations) {
    const { error, failed } = await step(operation);
    if (error || failed.length > 0) {
      throw new Error(`${operation} failed: ${JSON.stringify(error ?? failed)}`);
    }
  }
  rmSync(turnFolder, { recursive: true, force: true });
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

const workloads: Record<string, () => Promise<void>> = {
  ocr: () => run(files.scan, 'ocr'),
  redact: () => run(files.letter, 'ocr', 'redact_pii'),
  normalize: () => run(files.manual, 'ocr', 'normalize_for_llm'),
  fixed: async () => fixedWork(),
};

process.on('message', async ({ work }: { work: string }) => {
  await workloads[work]!();
  process.send!({ done: work });
});
process.on('disconnect', async () => {
  await engines.close();
  rmSync(folder, { recursive: true, force: true });
  process.exit();
});
process.send!({ ready: true });
