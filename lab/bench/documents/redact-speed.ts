/**
 * CPU of the removal and proof of `redact_pii` per page of PDFs.
 *
 * npx tsx lab/bench/documents/redact-speed.ts <folder or PDF>... [--rounds 3] [--processes 2]
 *
 * Recognition and detection run before and are not measured. Each round redacts and proves all
 * files, one after the other, in warm children. CPU is user and system, of all processes. `--plans
 * FOLDER` stores the findings there, so that two versions can be compared on the same plans;
 * `--outputs FOLDER` keeps the redacted files, to compare them byte for byte.
 */
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { createEngines, type Engines } from '@scriptorium/documents';
import { completeOptions } from '../../../src/jobs/creating/check.ts';
import { operationWork } from '../../../src/jobs/operations/index.ts';
import type {
  OperationWork,
  StepWork,
  StoredPage,
} from '../../../src/jobs/operations/operation.ts';
import { readInteger } from '../../number-options.ts';
import { cpuMs } from '../support/cpu.ts';
import { memoryBytes } from './limits.ts';

const steps = ['ocr', 'redact_pii'] as const;
type Step = (typeof steps)[number];
/** The stored pages of a file, its words in base64. */
type StoredPages = Record<Step, { page: number; words: string | null }[]>;
type DetectedFile = { path: string; pages: StoredPages };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    processes: { type: 'string', default: '2' },
    plans: { type: 'string' },
    outputs: { type: 'string' },
  },
});
const rounds = readInteger('--rounds', values.rounds);
const processes = readInteger('--processes', values.processes);
const folder = fs.mkdtempSync(join(tmpdir(), 'bench-redact-speed-'));
let fileCount = 0;

function workFor(engines: Engines, { path, pages }: DetectedFile, op: Step): StepWork<never> {
  const optionsOf = (name: Step) => completeOptions(name, undefined) as never;
  const mime = 'application/pdf';
  return {
    engines,
    source: { path, mime, filename: 'a.pdf', sha256: '', projectId: 'bench', redacted: false },
    options: optionsOf(op),
    decisions: null,
    permittedRecogniser: async () => null,
    makesOutputs: true,
    optionsOf: (name) => (name === 'ocr' || name === 'redact_pii' ? optionsOf(name) : null),
    signal: new AbortController().signal,
    async *pages(name, range = { from: 1, to: Number.POSITIVE_INFINITY }) {
      const stored = name === 'ocr' || name === 'redact_pii' ? pages[name] : [];
      for (const { page, words } of stored.slice(range.from - 1, range.to)) {
        const buffer = words === null ? null : Buffer.from(words, 'base64');
        const done: StoredPage = {
          page,
          state: 'succeeded',
          error: null,
          result: null,
          words: buffer,
        };
        yield done;
      }
    },
    pageInSource: async (page) => page,
    newFile: async () => join(folder, String(fileCount++)),
  };
}

async function detect(engines: Engines, path: string): Promise<DetectedFile> {
  const planFile = values.plans ? join(values.plans, `${basename(path)}.json`) : null;
  if (planFile && fs.existsSync(planFile)) {
    const pages = JSON.parse(fs.readFileSync(planFile, 'utf8')) as StoredPages;
    return { path, pages };
  }
  const found: DetectedFile = { path, pages: { ocr: [], redact_pii: [] } };
  for (const op of steps) {
    const work = workFor(engines, found, op);
    const operation = operationWork[op] as OperationWork<never>;
    const { pages } = await operation.open(work);
    for (let page = 1; page <= pages; page += 1) {
      const done = await operation.page(work, page);
      const words = 'words' in done ? done.words?.toString('base64') : null;
      found.pages[op].push({ page, words: words ?? null });
    }
  }
  if (planFile) fs.writeFileSync(planFile, JSON.stringify(found.pages));
  return found;
}

const paths = positionals.flatMap((argument) =>
  argument.endsWith('.pdf')
    ? [argument]
    : fs
        .readdirSync(argument)
        .filter((name) => name.endsWith('.pdf'))
        .sort()
        .map((name) => join(argument, name)),
);
for (const outputFolder of [values.plans, values.outputs])
  if (outputFolder) fs.mkdirSync(outputFolder, { recursive: true });
const engines = createEngines({
  processes,
  memoryBytes,
  tmpDir: folder,
});
try {
  const detectedFiles: DetectedFile[] = [];
  for (const path of paths) detectedFiles.push(await detect(engines, path));
  const pages = detectedFiles.reduce((sum, one) => sum + one.pages.ocr.length, 0);
  const { assemble } = operationWork.redact_pii as OperationWork<never>;
  const [cpu, wall]: [number[], number[]] = [[], []];
  // The children start in round 0.
  for (let round = 0; round <= rounds; round += 1) {
    const [before, start] = [cpuMs(process.pid), performance.now()];
    for (const file of round === 0 ? detectedFiles.slice(0, 2) : detectedFiles) {
      const redaction = await assemble(workFor(engines, file, 'redact_pii')).catch(String);
      if (typeof redaction === 'string') console.log(basename(file.path), redaction);
      else if (values.outputs) {
        for (const { path } of redaction.outputs) {
          fs.copyFileSync(path, join(values.outputs, basename(file.path)));
        }
      }
    }
    if (round === 0) continue;
    cpu.push((cpuMs(process.pid) - before) / 1000 / pages);
    wall.push((performance.now() - start) / 1000);
  }
  const formatList = (all: readonly number[], digits: number) =>
    all.map((value) => value.toFixed(digits)).join(' ');
  console.log(`${paths.length} files, ${pages} pages`);
  console.log(
    `CPU a page, in seconds: ${formatList(cpu, 3)}; wall, in seconds: ${formatList(wall, 1)}`,
  );
} finally {
  await engines.close();
  fs.rmSync(folder, { recursive: true, force: true });
}
