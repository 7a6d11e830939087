/**
 * Redacts a generated corpus and searches for remaining secrets with independent tools.
 *
 * npx tsx lab/bench/redaction.ts [folder of scans]
 *
 * `FILES` limits the files per family, `ONLY` selects families and kinds of pairs, `ARMS` selects
 * arms (judges, given, detected, pairs, scans), `LOOK=0` skips tesseract, `PAIRS` is the number of
 * pairs of each kind, `SEED` generates another corpus, and `KEEP=folder` keeps all files.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngines, type Engines } from '@scriptorium/documents';
import { type CorpusFile, makeCorpus } from '../../test/support/corpus/index.ts';
import { makePairs } from '../../test/support/corpus/pairs.ts';
import { findLeaks } from '../../test/support/corpus/reading.ts';
import { integerFromEnv } from '../number-options.ts';
import { calibrate } from './support/figures.ts';
import { type Arm, judgeFile, sameBytes } from './support/redaction/arms.ts';
import { drawBlackBoxes } from './support/redaction/black-boxes.ts';
import { readAll } from './support/redaction/judges.ts';
import { report } from './support/redaction/report.ts';
import { redactScans } from './support/redaction/scans.ts';
import { hasTool, mapPool, missingTools } from './support/redaction/tools.ts';

const processes = 2;
const maxFilesPerFamily = integerFromEnv('FILES', Number.POSITIVE_INFINITY);
const selectedNames = process.env.ONLY?.split(',');
const arms = (process.env.ARMS ?? 'judges,given,detected,pairs,scans').split(',');
const usesTesseract = process.env.LOOK !== '0';
const seed = integerFromEnv('SEED', 1, 0);

const folder = process.env.KEEP ?? mkdtempSync(join(tmpdir(), 'bench-redaction-'));
mkdirSync(folder, { recursive: true });
const engines = createEngines({ processes, memoryBytes: 2 ** 30, tmpDir: folder });
try {
  for (const tool of missingTools()) console.log(`SKIPPED: ${tool}, which is not on PATH`);
  if (!usesTesseract) console.log('SKIPPED: tesseract, because LOOK=0');
  const files = await writeCorpus();
  const secrets = files.reduce((sum, file) => sum + file.secrets.length, 0);
  console.log(`corpus: ${files.length} files, ${secrets} secrets, seed ${seed}`);
  if (arms.includes('judges')) await checkJudges(files);
  for (const arm of ['given', 'detected'] as const) {
    if (arms.includes(arm)) await judgeEngines(engines, files, arm);
  }
  if (arms.includes('pairs')) await judgePairs(engines);
  const scans = process.argv[2];
  if (arms.includes('scans')) {
    if (scans) await redactScans(engines, scans, join(folder, 'scans'));
    else console.log('SKIPPED: scans: no folder of scans given');
  }
  console.log(`calibration: ${(await calibrate()).toFixed(1)}`);
} finally {
  await engines.close();
  if (!process.env.KEEP) rmSync(folder, { recursive: true, force: true });
}

/** Generates the corpus, with some files encrypted. */
async function writeCorpus(): Promise<CorpusFile[]> {
  const files: CorpusFile[] = [];
  const isSelected = (family: string): boolean =>
    selectedNames === undefined || selectedNames.includes(family);
  for await (const file of makeCorpus({ seed, max: maxFilesPerFamily, only: isSelected })) {
    if (file.ownerPassword !== null && !hasTool('qpdf')) {
      console.log(`SKIPPED: ${file.name}: qpdf is not on PATH`);
      continue;
    }
    writeFileSync(pathOf(file), file.pdf);
    if (file.ownerPassword !== null) {
      const plain = `${pathOf(file)}.plain`;
      writeFileSync(plain, file.pdf);
      const bits = files.length % 2 ? '128' : '256';
      const keyOptions = bits === '128' ? ['--use-aes=y'] : [];
      execFileSync('qpdf', [
        '--encrypt',
        '',
        file.ownerPassword,
        bits,
        ...keyOptions,
        '--',
        plain,
        pathOf(file),
      ]);
    }
    files.push(file);
  }
  return files;
}

function pathOf(file: CorpusFile): string {
  return join(folder, `${file.name}.pdf`);
}

/** Checks that the judges detect secrets in unredacted files, and in files with boxes over text. */
async function checkJudges(files: readonly CorpusFile[]): Promise<void> {
  let undetected = 0;
  let missedUnderBoxes = 0;
  let coveredSecrets = 0;
  await mapPool(files, processes, async (file, index) => {
    const scratch = join(folder, `judges-${index}`);
    const detected = new Set(
      findLeaks(await readAll(pathOf(file), scratch, usesTesseract), file.secrets).map(
        ({ secret }) => secret,
      ),
    );
    for (const secret of file.secrets) {
      if (detected.has(secret)) continue;
      undetected += 1;
      console.log(`  no tool detects ${file.name}: ${secret.channel}: ${secret.value}`);
    }
    if (file.family !== 'plain' && file.family !== 'cid') return;
    const path = join(folder, `${file.name}.black.pdf`);
    writeFileSync(path, await drawBlackBoxes(file.pdf));
    const leaks = findLeaks(await readAll(path, scratch, false), file.secrets);
    coveredSecrets += file.secrets.length;
    missedUnderBoxes += file.secrets.length - new Set(leaks.map(({ secret }) => secret)).size;
  });
  const all = files.reduce((sum, file) => sum + file.secrets.length, 0);
  console.log(`ratio judges: ${all - undetected} of ${all} secrets detected before redaction`);
  console.log(
    `ratio judges: ${coveredSecrets - missedUnderBoxes} of ${coveredSecrets} secrets detected under boxes drawn over them`,
  );
  if (usesTesseract && undetected + missedUnderBoxes > 0) process.exitCode = 1;
}

async function judgeEngines(
  engines: Engines,
  files: readonly CorpusFile[],
  arm: Arm,
): Promise<void> {
  const start = performance.now();
  const verdicts = await mapPool(files, processes, (file, index) =>
    judgeFile(engines, file, pathOf(file), arm, {
      folder,
      look: usesTesseract,
      style: index % 2 ? 'label' : 'blackbox',
    }),
  );
  const clean = report(arm, verdicts, processes, (performance.now() - start) / 1000);
  if (!clean) process.exitCode = 1;
}

async function judgePairs(engines: Engines): Promise<void> {
  const counts = { text: [0, 0], picture: [0, 0] };
  for await (const pair of makePairs(integerFromEnv('PAIRS', 10, 0), selectedNames)) {
    const { isIdentical: same, description: why } = await sameBytes(engines, pair, folder);
    const count = counts[pair.isPicture ? 'picture' : 'text'];
    count[0]! += same ? 1 : 0;
    count[1]! += 1;
    if (!same) console.log(`  differ ${pair.name}: ${why}`);
  }
  console.log(
    `ratio pairs that differ only in a secret: ${counts.text.join(' of ')} give the same bytes; of pictures ${counts.picture.join(' of ')}`,
  );
  if (counts.text[0] !== counts.text[1]) process.exitCode = 1;
}
