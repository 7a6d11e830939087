import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engines } from '@scriptorium/documents';
import type { CorpusFile, PlantedSecret } from '../../../../test/support/corpus/index.ts';
import type { Pair } from '../../../../test/support/corpus/pairs.ts';
import { findLeaks, type Leak } from '../../../../test/support/corpus/reading.ts';
import {
  patternOptions,
  type Redacted,
  redactFile,
  redactOptions,
} from '../../../../test/support/corpus/redact.ts';
import { compact } from '../../../../test/support/corpus/secrets.ts';
import { countLettersFound, readAll, wordsOf } from './judges.ts';

/** How the engines know the secrets: all values are given as patterns, or none. */
export type Arm = 'given' | 'detected';

/** The result for one file in one arm. */
export interface Verdict {
  file: CorpusFile;
  redacted: Redacted;
  /** Secrets that had to be removed, and that a tool still reads. */
  leaks: Leak[];
  /** Secrets that the engines did not find, although a reader of the page sees them. */
  missed: PlantedSecret[];
  /**
   * The number of letters that had to remain, and that did remain, as pdftotext reads both files.
   */
  letters: { expected: number; kept: number };
  pages: { burned: number; empty: number; all: number };
  /** The size of the output relative to the source. */
  growth: number | null;
  seconds: number;
}

/** Redacts a file of the corpus, and checks with all judges what they can still read. */
export async function judgeFile(
  engines: Engines,
  file: CorpusFile,
  sourcePath: string,
  arm: Arm,
  options: { folder: string; look: boolean; style: 'blackbox' | 'label' },
): Promise<Verdict> {
  const folder = join(options.folder, `${file.name}-${arm}`);
  await mkdir(folder, { recursive: true });
  const redactionOptions =
    arm === 'given'
      ? patternOptions(file.secrets, options.style)
      : redactOptions({ style: options.style });
  const start = performance.now();
  const redacted = await redactFile(
    engines,
    { path: sourcePath, mime: 'application/pdf' },
    redactionOptions,
    folder,
  );
  const verdict: Verdict = {
    file,
    redacted,
    leaks: [],
    missed: [],
    letters: { expected: 0, kept: 0 },
    pages: { burned: 0, empty: 0, all: redacted.pages },
    growth: null,
    seconds: (performance.now() - start) / 1000,
  };
  if (redacted.path !== null) {
    const readings = await readAll(redacted.path, join(folder, 'judges'), options.look);
    const leaks = findLeaks(readings, file.secrets);
    verdict.leaks = leaks.filter(({ secret }) => hadToBeRemoved(secret, redacted));
    const readSecrets = new Set(leaks.map(({ secret }) => secret));
    verdict.missed = [...readSecrets].filter((secret) => !hadToBeRemoved(secret, redacted));
    verdict.growth = statSync(redacted.path).size / file.pdf.length;
    for (const page of redacted.report?.pages ?? []) {
      if (page.treatment === 'burned') verdict.pages.burned += 1;
      else if (page.treatment === 'empty') verdict.pages.empty += 1;
      else {
        const expectedWords = file.keptWords[page.page - 1] ?? [];
        const before = countLettersFound(expectedWords, await wordsOf(sourcePath, page.page));
        const after = countLettersFound(
          expectedWords,
          await wordsOf(redacted.path, page.outputPage),
        );
        verdict.letters.expected += before;
        verdict.letters.kept += Math.min(before, after);
      }
    }
  }
  if (!process.env.KEEP) await rm(folder, { recursive: true, force: true });
  return verdict;
}

/** Whether a secret had to be removed: it was found, or is invisible to readers of the page. */
function hadToBeRemoved(secret: PlantedSecret, { planned }: Redacted): boolean {
  if (!secret.findable) return true;
  const value = compact(secret.value);
  return [...planned].some((known) => known.includes(value) || value.includes(known));
}

/** Whether two files that differ only in their secrets are identical once redacted. */
export async function sameBytes(
  engines: Engines,
  pair: Pair,
  folder: string,
): Promise<{ isIdentical: boolean; description: string }> {
  const outcomes = await Promise.all(
    pair.files.map(async ({ pdf, secrets }, side) => {
      const sideFolder = join(folder, `${pair.name}-${side}`);
      await mkdir(sideFolder, { recursive: true });
      const path = join(sideFolder, 'source.pdf');
      writeFileSync(path, pdf);
      const redactionOptions = patternOptions(secrets, 'blackbox');
      const redacted = await redactFile(
        engines,
        { path, mime: 'application/pdf' },
        redactionOptions,
        sideFolder,
      );
      const { refusal, report } = redacted;
      const bytes = redacted.path === null ? null : readFileSync(redacted.path);
      const hash = bytes === null ? null : createHash('sha256').update(bytes).digest('hex');
      const treatments = report?.pages.map(({ treatment }) => treatment).join(' ') ?? '';
      const found = redacted.planned.size;
      if (!process.env.KEEP) await rm(sideFolder, { recursive: true, force: true });
      return { hash, bytes: bytes?.length ?? 0, told: refusal ?? `${treatments}, ${found} found` };
    }),
  );
  const [a, b] = outcomes;
  return {
    isIdentical: a?.hash !== null && a?.hash === b?.hash,
    description: outcomes.map(({ bytes, told }) => `${bytes} bytes (${told})`).join(' against '),
  };
}
