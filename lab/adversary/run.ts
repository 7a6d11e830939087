import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngines, type Engines } from '@scriptorium/documents';
import { openSteps } from '../bench/documents/steps.ts';
import { mapPool } from '../bench/support/redaction/tools.ts';
import { type AdversaryFile, makeFile, type Twins, tricks } from './generate.ts';
import { judge } from './judge/judge.ts';
import type { Sighting } from './judge/match.ts';

/** The outcome for a file. */
export interface Verdict extends Pick<AdversaryFile, 'at' | 'trick' | 'honest'> {
  verified: boolean;
  /** Why the output is missing or not verified; null if it is verified. */
  reason: string | null;
  planted: number;
  /** How many of the planted values the judge reads in the source; null if it was not checked. */
  readInSource: number | null;
  /** The values that the judge reads in a verified output. */
  leaks: Sighting[];
  /** Why the judge could not read it; null if it could. */
  fault: string | null;
}

interface Options {
  seed: number;
  files: number;
  from?: number;
  /** Names of the tricks to choose from. */
  only?: (trick: string) => boolean;
  /** Where to keep files in which something was left; null to keep none. */
  keepFolder?: string | null;
  processes?: number;
  /** Default: some. */
  twins?: Twins;
  /** Returns the source as its own redaction, to prove that the judge sees. */
  sabotage?: boolean;
  progress?: (verdict: Verdict) => void;
}

/** For every fifth file, the judge also reads the source, which shows that it can see. */
const sourceCheckInterval = 5;

/**
 * Redacts the adversary's files with the engines, and lets the judge examine each verified output.
 */
export async function runAdversary(options: Options): Promise<Verdict[]> {
  const {
    seed,
    files,
    from = 0,
    only,
    processes = 2,
    keepFolder: keep = null,
    twins,
    progress,
  } = options;
  const selectedTricks = only ? tricks.filter(({ name }) => only(name)) : tricks;
  const work = mkdtempSync(join(tmpdir(), 'adversary-'));
  const engines = createEngines({ processes, memoryBytes: 2 ** 30, tmpDir: work });
  try {
    const numbers = Array.from({ length: files }, (_, index) => from + index);
    return await mapPool(numbers, processes, async (at) => {
      const file = await makeFile(seed, at, { among: selectedTricks, twins });
      const folder = join(work, String(at));
      mkdirSync(folder, { recursive: true });
      try {
        const { verdict, output } = await judgeFile(
          engines,
          file,
          folder,
          options.sabotage ?? false,
        );
        if (keep && output && (verdict.leaks.length > 0 || verdict.fault))
          keepFiles(keep, `${seed}-${at}`, file, output);
        progress?.(verdict);
        return verdict;
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  } finally {
    await engines.close();
    rmSync(work, { recursive: true, force: true });
  }
}

async function judgeFile(
  engines: Engines,
  file: AdversaryFile,
  folder: string,
  sabotage: boolean,
): Promise<{ verdict: Verdict; output: string | null }> {
  const { at, trick, honest, mime, bytes, secrets } = file;
  const path = join(folder, 'source');
  writeFileSync(path, bytes);
  const verdict: Verdict = {
    at,
    trick,
    honest,
    verified: false,
    reason: null,
    planted: secrets.length,
    readInSource: null,
    leaks: [],
    fault: null,
  };
  const redacted = sabotage
    ? { output: path, reason: null }
    : await redact(engines, { path, mime }, join(folder, 'made'));
  verdict.reason = redacted.reason;
  const { output } = redacted;
  if (!output) return { verdict, output };
  verdict.verified = true;
  const scratch = join(folder, 'judge');
  try {
    verdict.leaks = await judge(output, mime, secrets, scratch);
    if (at % sourceCheckInterval === 0) {
      const inSource = sabotage ? verdict.leaks : await judge(path, mime, secrets, scratch);
      verdict.readInSource = inSource.length;
    }
  } catch (error) {
    verdict.fault = error instanceof Error ? error.message : String(error);
  }
  return { verdict, output };
}

/** The verified output, or the reason without one. */
async function redact(
  engines: Engines,
  source: Parameters<typeof openSteps>[1],
  folder: string,
): Promise<{ output: string | null; reason: string | null }> {
  const step = openSteps(engines, source, folder);
  await step('ocr');
  const { error, failed, result, outputs } = await step('redact_pii');
  const [output] = outputs;
  if (result?.verified === true && output) return { output, reason: null };
  return { output: null, reason: error?.code ?? failed[0]?.message ?? 'not verified' };
}

function keepFiles(
  folder: string,
  name: string,
  { mime, bytes }: AdversaryFile,
  output: string,
): void {
  mkdirSync(folder, { recursive: true });
  const extension = mime.split(/[/.+]/).at(-1);
  writeFileSync(join(folder, `${name}.source.${extension}`), bytes);
  copyFileSync(output, join(folder, `${name}.output`));
}
