import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bornDigitalPdf } from '../../../test/support/samples.ts';
import { peakOf } from '../../bench/documents/watch.ts';
import { Dice } from '../dice.ts';
import { cpuOfChildren, descendantsOf } from './cost.ts';
import { damage } from './damage.ts';
import { type Reads, readersOf } from './reread.ts';
import type { SeedFile } from './seeds.ts';
import {
  errorsOfFiles,
  openTreatments,
  openWorkshop,
  type TreatmentName,
  takes,
  treatmentNames,
  type Workshop,
} from './treatments.ts';

/** One treatment of one damaged file. */
interface Treated {
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
  treated: Treated[];
  files: number;
  /**
   * How many verified outputs other programs read again, searching for the values that they could
   * read in the source.
   */
  reread: number;
  /** The outcomes of reading them, by program. */
  reads: Reads;
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
const wholeEvery = 50;

/** Treats damaged files in real engine processes, as workers do. */
export async function fuzzDocuments(options: Options): Promise<Run> {
  const { seeds, files, from = 0, treatments = treatmentNames, keep = null, progress } = options;
  const work = mkdtempSync(join(tmpdir(), 'fuzz-documents-'));
  const shop = openWorkshop(memoryBytes);
  const run: Run = { treated: [], files: 0, reread: 0, reads: new Map(), peakBytes: 0 };
  const whole: SeedFile = {
    name: 'whole.pdf',
    mime: 'application/pdf',
    isDocument: true,
    planted: [],
    bytes: await bornDigitalPdf([['Minutes of the harbour board']]),
  };
  let wholes = 0;
  const tryWhole = async (at: number): Promise<void> => {
    const alive = await treat(shop, run, whole, ['normalize_for_llm'], work, at, false);
    run.treated.push(...alive.map((one) => ({ ...one, fault: faultOfWhole(one) })));
    wholes += 1;
  };
  try {
    for (let at = from; at < from + files; at++) {
      // Each file has its own random choices, so that it can be created again without the previous
      // ones.
      const dice = new Dice(options.seed * 1_000_003 + at);
      const chosen = dice.pick(seeds);
      const bytes = options.sabotage
        ? chosen.bytes
        : damage(chosen.bytes, dice, dice.pick(seeds).bytes);
      const file = { ...chosen, bytes };
      const treated = await treat(shop, run, file, treatments, work, at, options.sabotage ?? false);
      run.peakBytes = Math.max(run.peakBytes, ...descendantsOf(process.pid).map(peakOf));
      run.treated.push(...treated);
      run.files += 1;
      if (keep && treated.some(({ fault }) => fault)) {
        writeFileSync(join(keep, `${options.seed}-${at}-${chosen.name}`), bytes);
      }
      if (at % wholeEvery === wholeEvery - 1) {
        await tryWhole(at);
        progress?.(run);
      }
    }
    if (wholes === 0) await tryWhole(from + files);
    return run;
  } finally {
    await shop.engines.close();
    await shop.imaging.close();
    rmSync(work, { recursive: true, force: true });
  }
}

function faultOfWhole({ outcome, fault }: Treated): string | null {
  return outcome === 'result' ? fault : `a whole file has no result: ${outcome}`;
}

async function treat(
  shop: Workshop,
  run: Run,
  file: SeedFile,
  treatments: readonly TreatmentName[],
  work: string,
  at: number,
  sabotage: boolean,
): Promise<Treated[]> {
  const folder = join(work, `file-${at}`);
  const path = join(work, `source-${at}`);
  writeFileSync(path, file.bytes);
  const step = openTreatments(shop, file, path, folder);
  const treated: Treated[] = [];
  try {
    for (const treatment of treatments) {
      if (!takes(treatment, file.mime, file.isDocument)) continue;
      const [started, cpu] = [performance.now(), cpuOfChildren()];
      let outcome = 'thrown';
      let fault: string | null = null;
      let verified: readonly string[] = [];
      try {
        const ended = await step(treatment);
        outcome = ended.outcome;
        const odd = ended.codes.find((code) => !errorsOfFiles.includes(code));
        if (odd) fault = odd;
        if (treatment === 'redact_pii' && ended.verified) verified = ended.outputs;
      } catch (error) {
        fault = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      }
      const seconds = (performance.now() - started) / 1_000;
      const cpuSeconds = cpuOfChildren() - cpu;
      if (cpuSeconds > maxCpuSeconds) fault ??= `${cpuSeconds.toFixed(0)} s of CPU`;
      if (verified.length > 0) {
        fault ??= await leftIn(sabotage ? [path] : verified, { ...file, path }, run);
      }
      const name = `${at} ${file.name}`;
      treated.push({ file: name, treatment, outcome, seconds, cpuSeconds, fault });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(path, { force: true });
  }
  return treated;
}

/**
 * Whether verified outputs still contain planted values, according to any program. Values that no
 * program can read in the source prove nothing.
 */
async function leftIn(
  outputs: readonly string[],
  source: Pick<SeedFile, 'mime' | 'planted'> & { path: string },
  run: Run,
): Promise<string | null> {
  const readable = await readersOf(source.planted, source, new Map());
  if (readable.size === 0) return null;
  run.reread += 1;
  for (const path of outputs) {
    const left = await readersOf([...readable.keys()], { path, mime: source.mime }, run.reads);
    for (const [value, readers] of left)
      return `verified, but left ${value}: ${readers.join(', ')}`;
  }
  return null;
}
