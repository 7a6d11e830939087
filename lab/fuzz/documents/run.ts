import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bornDigitalPdf } from '../../../test/support/samples.ts';
import { peakBytesOf } from '../../bench/documents/watch.ts';
import { Dice } from '../dice.ts';
import { childCpuSeconds, descendantsOf } from './child-cpu.ts';
import { damage } from './damage.ts';
import { type ReadCounts, readersOf } from './reread.ts';
import type { SeedFile } from './seeds.ts';
import {
  accepts,
  type EngineSet,
  fileErrorCodes,
  openEngineSet,
  openTreatments,
  type TreatmentName,
  treatmentNames,
} from './treatments.ts';

/** One treatment of one damaged file. */
interface TreatmentResult {
  file: string;
  treatment: TreatmentName;
  /** `result`, `in part`, or the code of the error. */
  outcome: string;
  seconds: number;
  cpuSeconds: number;
  /** Unexpected behaviour; null for a result or a documented error. */
  fault: string | null;
}

export interface Run {
  results: TreatmentResult[];
  files: number;
  /**
   * How many verified outputs other programs read again, searching for the values that they could
   * read in the source.
   */
  reread: number;
  /** The outcomes of reading them, by program. */
  readCounts: ReadCounts;
  /** The peak resident memory of an engine process, in bytes. */
  peakBytes: number;
}

interface Options {
  seeds: readonly SeedFile[];
  files: number;
  seed: number;
  /** The number of files that an earlier run with this seed has processed. */
  from?: number;
  treatments?: readonly TreatmentName[];
  /** Where faulty files are kept; null to keep none. */
  keep?: string | null;
  /** Returns the source as its own redaction, to prove that the run notices. */
  sabotage?: boolean;
  progress?: (run: Run) => void;
}

/** The memory limit of an engine process, as in workers. */
const memoryBytes = 2 ** 30;
/** The maximum CPU time for any treatment of these small files. */
const maxCpuSeconds = 60;
/** The number of files between two undamaged ones, which must have a result. */
const wholeFileInterval = 50;

/** Treats damaged files in real engine processes, as workers do. */
export async function fuzzDocuments(options: Options): Promise<Run> {
  const { seeds, files, from = 0, treatments = treatmentNames, keep = null, progress } = options;
  const work = mkdtempSync(join(tmpdir(), 'fuzz-documents-'));
  const engineSet = openEngineSet(memoryBytes);
  const run: Run = { results: [], files: 0, reread: 0, readCounts: new Map(), peakBytes: 0 };
  const wholeFile: SeedFile = {
    name: 'whole.pdf',
    mime: 'application/pdf',
    isDocument: true,
    planted: [],
    bytes: await bornDigitalPdf([['Minutes of the harbour board']]),
  };
  let wholeFileCount = 0;
  const treatWholeFile = async (at: number): Promise<void> => {
    const wholeResults = await treat(
      engineSet,
      run,
      wholeFile,
      ['normalize_for_llm'],
      work,
      at,
      false,
    );
    run.results.push(...wholeResults.map((one) => ({ ...one, fault: faultOfWholeFile(one) })));
    wholeFileCount += 1;
  };
  try {
    for (let at = from; at < from + files; at++) {
      // Each file has its own random choices, so that it can be created again without the previous
      // ones.
      const dice = new Dice(options.seed * 1_000_003 + at);
      const seedFile = dice.pick(seeds);
      const bytes = options.sabotage
        ? seedFile.bytes
        : damage(seedFile.bytes, dice, dice.pick(seeds).bytes);
      const file = { ...seedFile, bytes };
      const results = await treat(
        engineSet,
        run,
        file,
        treatments,
        work,
        at,
        options.sabotage ?? false,
      );
      run.peakBytes = Math.max(run.peakBytes, ...descendantsOf(process.pid).map(peakBytesOf));
      run.results.push(...results);
      run.files += 1;
      if (keep && results.some(({ fault }) => fault)) {
        writeFileSync(join(keep, `${options.seed}-${at}-${seedFile.name}`), bytes);
      }
      if (at % wholeFileInterval === wholeFileInterval - 1) {
        await treatWholeFile(at);
        progress?.(run);
      }
    }
    if (wholeFileCount === 0) await treatWholeFile(from + files);
    return run;
  } finally {
    await engineSet.engines.close();
    await engineSet.imaging.close();
    rmSync(work, { recursive: true, force: true });
  }
}

function faultOfWholeFile({ outcome, fault }: TreatmentResult): string | null {
  return outcome === 'result' ? fault : `a whole file has no result: ${outcome}`;
}

async function treat(
  engineSet: EngineSet,
  run: Run,
  file: SeedFile,
  treatments: readonly TreatmentName[],
  work: string,
  at: number,
  sabotage: boolean,
): Promise<TreatmentResult[]> {
  const folder = join(work, `file-${at}`);
  const path = join(work, `source-${at}`);
  writeFileSync(path, file.bytes);
  const step = openTreatments(engineSet, file, path, folder);
  const results: TreatmentResult[] = [];
  try {
    for (const treatment of treatments) {
      if (!accepts(treatment, file.mime, file.isDocument)) continue;
      const [started, cpu] = [performance.now(), childCpuSeconds()];
      let outcome = 'thrown';
      let fault: string | null = null;
      let verified: readonly string[] = [];
      try {
        const result = await step(treatment);
        outcome = result.outcome;
        const unexpectedCode = result.codes.find((code) => !fileErrorCodes.includes(code));
        if (unexpectedCode) fault = unexpectedCode;
        if (treatment === 'redact_pii' && result.verified) verified = result.outputs;
      } catch (error) {
        fault = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      }
      const seconds = (performance.now() - started) / 1_000;
      const cpuSeconds = childCpuSeconds() - cpu;
      if (cpuSeconds > maxCpuSeconds) fault ??= `${cpuSeconds.toFixed(0)} s of CPU`;
      if (verified.length > 0) {
        fault ??= await findRemaining(sabotage ? [path] : verified, { ...file, path }, run);
      }
      const name = `${at} ${file.name}`;
      results.push({ file: name, treatment, outcome, seconds, cpuSeconds, fault });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(path, { force: true });
  }
  return results;
}

/**
 * Whether verified outputs still contain planted values, according to any program. Values that no
 * program can read in the source prove nothing.
 */
async function findRemaining(
  outputs: readonly string[],
  source: Pick<SeedFile, 'mime' | 'planted'> & { path: string },
  run: Run,
): Promise<string | null> {
  const readable = await readersOf(source.planted, source, new Map());
  if (readable.size === 0) return null;
  run.reread += 1;
  for (const path of outputs) {
    const remaining = await readersOf(
      [...readable.keys()],
      { path, mime: source.mime },
      run.readCounts,
    );
    for (const [value, readers] of remaining)
      return `verified, but left ${value}: ${readers.join(', ')}`;
  }
  return null;
}
