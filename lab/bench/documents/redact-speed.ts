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
import { cpuMs } from '../support/cpu.ts';
import { memoryBytes } from './limits.ts';

const steps = ['ocr', 'redact_pii'] as const;
type Step = (typeof steps)[number];
/** The stored pages of a file, its words in base64. */
type Stored = Record<Step, { page: number; words: string | null }[]>;
type Found = { path: string; pages: Stored };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    processes: { type: 'string', default: '2' },
    plans: { type: 'string' },
    outputs: { type: 'string' },
  },
});
const folder = fs.mkdtempSync(join(tmpdir(), 'bench-redact-speed-'));
let files = 0;

function workFor(engines: Engines, { path, pages }: Found, op: Step): StepWork<never> {
  const optionsOf = (name: Step) => completeOptions(name, undefined) as never;
  const mime = 'application/pdf';
  return {
    engines,
    source: { path, mime, filename: 'a.pdf', sha256: '', projectId: 'bench', redacted: false },
    options: optionsOf(op),
    decisions: null,
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
    newFile: async () => join(folder, String(files++)),
  };
}

async function find(engines: Engines, path: string): Promise<Found> {
  const kept = values.plans ? join(values.plans, `${basename(path)}.json`) : null;
  if (kept && fs.existsSync(kept)) {
    const pages = JSON.parse(fs.readFileSync(kept, 'utf8')) as Stored;
    return { path, pages };
  }
  const found: Found = { path, pages: { ocr: [], redact_pii: [] } };
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
  if (kept) fs.writeFileSync(kept, JSON.stringify(found.pages));
  return found;
}

const paths = positionals.flatMap((given) =>
  given.endsWith('.pdf')
    ? [given]
    : fs
        .readdirSync(given)
        .filter((name) => name.endsWith('.pdf'))
        .sort()
        .map((name) => join(given, name)),
);
for (const made of [values.plans, values.outputs])
  if (made) fs.mkdirSync(made, { recursive: true });
const engines = createEngines({
  processes: Number(values.processes),
  memoryBytes,
  tmpDir: folder,
});
try {
  const found: Found[] = [];
  for (const path of paths) found.push(await find(engines, path));
  const pages = found.reduce((sum, one) => sum + one.pages.ocr.length, 0);
  const { assemble } = operationWork.redact_pii as OperationWork<never>;
  const [cpu, wall]: [number[], number[]] = [[], []];
  // The children start in round 0.
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    const [before, start] = [cpuMs(process.pid), performance.now()];
    for (const one of round === 0 ? found.slice(0, 2) : found) {
      const made = await assemble(workFor(engines, one, 'redact_pii')).catch(String);
      if (typeof made === 'string') console.log(basename(one.path), made);
      else if (values.outputs) {
        for (const { path } of made.outputs) {
          fs.copyFileSync(path, join(values.outputs, basename(one.path)));
        }
      }
    }
    if (round === 0) continue;
    cpu.push((cpuMs(process.pid) - before) / 1000 / pages);
    wall.push((performance.now() - start) / 1000);
  }
  const listed = (all: readonly number[], digits: number) =>
    all.map((value) => value.toFixed(digits)).join(' ');
  console.log(`${paths.length} files, ${pages} pages`);
  console.log(`CPU a page, in seconds: ${listed(cpu, 3)}; wall, in seconds: ${listed(wall, 1)}`);
} finally {
  await engines.close();
  fs.rmSync(folder, { recursive: true, force: true });
}
