/**
 * Runs all operations on every file of a folder of unusual PDFs. Each must give a result or a clear
 * error, in bounded time and memory, without losing a process.
 *
 *   npx tsx lab/bench/documents/corpus.ts <folder> [--jobs] [--only NAME] [--ops ocr,redact_pii]
 *
 * By default, runs the steps of each operation in one engine process, without a database. `--jobs`
 * runs them as jobs, through the API and workers as deployed.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type OperationName, operationNames } from '@scriptorium/contracts/operations';
import { createEngines } from '@scriptorium/documents';
import { type CorpusResult, report } from './corpus-report.ts';
import { runAsJobs } from './jobs.ts';
import { memoryBytes } from './limits.ts';
import { type Outcome, openSteps } from './steps.ts';
import { watchChildren } from './watch.ts';

/** Runs the operations of each file in order, `ocr` first because the others depend on it. */
async function runInEngines(files: readonly string[], operations: readonly OperationName[]) {
  const work = mkdtempSync(join(tmpdir(), 'bench-corpus-'));
  const engines = createEngines({ processes: 1, memoryBytes, tmpDir: work });
  const lines: CorpusResult[] = [];
  try {
    for (const file of files) {
      const folder = join(work, 'file');
      const step = openSteps(engines, { path: file, mime: 'application/pdf' }, folder);
      for (const operation of operations) {
        const stopWatching = watchChildren(process.pid);
        const start = performance.now();
        let outcome: Outcome | null = null;
        let fault: string | null = null;
        try {
          outcome = await step(operation);
        } catch (error) {
          fault = String(error);
        }
        const seconds = (performance.now() - start) / 1000;
        lines.push({ file, operation, outcome, fault, skipped: false, seconds, ...stopWatching() });
        report.line(lines.at(-1));
      }
      rmSync(folder, { recursive: true, force: true });
    }
  } finally {
    await engines.close();
    rmSync(work, { recursive: true, force: true });
  }
  return lines;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    ops: { type: 'string' },
  },
});
const folder = positionals[0] ?? process.env.CORPUS_DATA;
if (!folder || !existsSync(folder)) {
  console.log('SKIPPED: the first argument must be a folder of PDFs');
} else {
  const files = readdirSync(folder)
    .filter((name) => name.toLowerCase().endsWith('.pdf') && name.includes(values.only))
    .sort()
    .map((name) => join(folder, name));
  const requestedNames = values.ops?.split(',') ?? operationNames;
  const operations = operationNames.filter((name) => requestedNames.includes(name));
  report.header();
  const lines = values.jobs
    ? await runAsJobs(files, operations)
    : await runInEngines(files, operations);
  if (!report.summary(lines)) process.exitCode = 1;
}
