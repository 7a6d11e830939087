import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { openSteps } from '../../../bench/documents/steps.ts';
import { peakOf } from '../../../bench/documents/watch.ts';
import { type OperationName, operationNames } from '../../../src/contracts/operations.ts';
import { createEngines, type Engines } from '../../../src/engines/index.ts';
import { bornDigitalPdf, textOf } from '../../support/samples.ts';
import { Dice } from '../dice.ts';
import { damage } from './damage.ts';
import { canary, type SeedFile } from './seeds.ts';

/** One operation on one damaged file. */
interface Treated {
  file: string;
  operation: OperationName;
  /** `result`, `in part`, or the code of the error. */
  outcome: string;
  seconds: number;
  /** What should not have happened; null for a result or a documented error. */
  fault: string | null;
}

export interface Run {
  treated: Treated[];
  files: number;
  /** The largest resident memory of an engine process, in bytes. */
  peakBytes: number;
}

interface Options {
  seeds: readonly SeedFile[];
  files: number;
  seed: number;
  operations?: readonly OperationName[];
  /** Where files are kept that something was wrong with; null to keep none. */
  keep?: string | null;
  progress?: (run: Run) => void;
}

/** The memory limit of an engine process, as in workers. */
const memoryBytes = 2 ** 30;
/** Errors that are not about the file. */
const notOfTheFile = ['crashed', 'deadline_exceeded', 'memory_exceeded'];
/** How many files pass between two that are whole and must have a result. */
const wholeEvery = 50;

/** Runs operations on damaged files, as workers do, in real engine processes. */
export async function fuzzDocuments(options: Options): Promise<Run> {
  const { seeds, files, operations = operationNames, keep = null, progress } = options;
  const work = mkdtempSync(join(tmpdir(), 'fuzz-documents-'));
  const engines = createEngines({ processes: 1, memoryBytes, tmpDir: work });
  const run: Run = { treated: [], files: 0, peakBytes: 0 };
  const whole = { name: 'whole.pdf', mime: 'application/pdf', bytes: await aliveSign() } as const;
  try {
    for (let at = 0; at < files; at++) {
      // Each file has dice of its own, so that it can be made again without those before it.
      const dice = new Dice(options.seed * 1_000_003 + at);
      const chosen = dice.pick(seeds);
      const bytes = damage(chosen.bytes, dice, dice.pick(seeds).bytes);
      const treated = await treat(engines, { ...chosen, bytes }, operations, work, at);
      run.peakBytes = Math.max(run.peakBytes, ...descendantsOf(process.pid).map(peakOf));
      run.treated.push(...treated);
      run.files += 1;
      if (keep && treated.some(({ fault }) => fault)) {
        writeFileSync(join(keep, `${options.seed}-${at}-${chosen.name}`), bytes);
      }
      if (at % wholeEvery === wholeEvery - 1) {
        const alive = await treat(engines, whole, ['normalize_for_llm'], work, at);
        run.treated.push(...alive.map((one) => ({ ...one, fault: faultOfWhole(one) })));
        progress?.(run);
      }
    }
    return run;
  } finally {
    await engines.close();
    rmSync(work, { recursive: true, force: true });
  }
}

/** A file that every engine reads. */
function aliveSign(): Promise<Buffer> {
  return bornDigitalPdf([['Minutes of the harbour board']]);
}

function faultOfWhole({ outcome, fault }: Treated): string | null {
  return outcome === 'result' ? fault : `a whole file has no result: ${outcome}`;
}

async function treat(
  engines: Engines,
  { name, mime, bytes }: SeedFile,
  operations: readonly OperationName[],
  work: string,
  at: number,
): Promise<Treated[]> {
  const folder = join(work, `file-${at}`);
  const path = join(work, `source-${at}`);
  writeFileSync(path, bytes);
  const step = openSteps(engines, { path, mime }, folder);
  const treated: Treated[] = [];
  try {
    for (const operation of operations) {
      const started = performance.now();
      let outcome = 'result';
      let fault: string | null = null;
      try {
        const done = await step(operation);
        const codes = [done.error, ...done.failed].flatMap((error) => error?.code ?? []);
        const unclear = codes.find((code) => notOfTheFile.includes(code));
        if (unclear) fault = unclear;
        outcome = done.error ? done.error.code : done.failed.length > 0 ? 'in part' : 'result';
        if (operation === 'redact_pii' && done.result?.verified === true) {
          fault ??= await leftIn(bytes, done.outputs, mime);
        }
      } catch (error) {
        outcome = 'thrown';
        fault = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      }
      const seconds = (performance.now() - started) / 1_000;
      treated.push({ file: `${at} ${name}`, operation, outcome, seconds, fault });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(path, { force: true });
  }
  return treated;
}

/** Whether an output that is called verified still says what the source says. */
async function leftIn(
  source: Buffer,
  outputs: readonly string[],
  mime: string,
): Promise<string | null> {
  const before = await wordsOf(source, mime);
  if (!before.includes(canary)) return null;
  for (const output of outputs) {
    if ((await wordsOf(readFileSync(output), mime)).includes(canary)) return 'verified, but left';
  }
  return null;
}

/** The processes that a process has started, and those that they have. */
function descendantsOf(pid: number): number[] {
  try {
    const own = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1');
    const children = own.split(' ').filter(Boolean).map(Number);
    return children.flatMap((child) => [child, ...descendantsOf(child)]);
  } catch {
    // It has ended.
    return [];
  }
}

/** The text of a file as another program would find it. */
async function wordsOf(bytes: Buffer, mime: string): Promise<string> {
  try {
    if (mime === 'application/pdf') return (await textOf(bytes)).join(' ');
    if (bytes.subarray(0, 2).toString('latin1') !== 'PK') return bytes.toString('utf8');
    return Object.values(unzipSync(bytes))
      .map((part) => strFromU8(part))
      .join(' ');
  } catch {
    return '';
  }
}
