/**
 * Runs the adversary: script/adversary [--files N] [--seed S] [--from N] [--only TEXT] [--twins
 * none|some|all] [--out FOLDER] [--processes N]. Exits with 1 if the judge reads a planted value in
 * a verified file, or if too many honest files are not verified.
 */
import { parseArgs } from 'node:util';
import { stopServices } from '../../../test/support/services.ts';
import { readInteger } from '../../number-options.ts';
import { provideTools } from '../judge/tools.ts';
import { describe, maxUnverifiedShare, report } from '../report.ts';
import { runAdversary } from '../run.ts';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    only: { type: 'string', default: '' },
    twins: { type: 'string', default: 'some' },
    out: { type: 'string', default: '.data/adversary' },
    processes: { type: 'string', default: '2' },
  },
});
const seed = readInteger('--seed', values.seed, 0);
const files = readInteger('--files', values.files);
const from = readInteger('--from', values.from, 0);
const processes = readInteger('--processes', values.processes);
const twins = (['none', 'some', 'all'] as const).find((one) => one === values.twins);
if (!twins)
  throw new Error(`Unknown value '${values.twins}' of --twins. Expected none, some or all.`);
const { missing, isUnusable: isBlind } = await provideTools();
if (missing.length > 0) console.log(`missing judges: ${missing.join(', ')}`);
if (isBlind) {
  console.error('The judge needs poppler-utils and tesseract-ocr. Install them and start again.');
  process.exit(1);
}
try {
  let fileCount = 0;
  const verdicts = await runAdversary({
    seed,
    files,
    from,
    processes,
    only: (trick) => trick.includes(values.only),
    twins,
    keepFolder: values.out,
    progress: (verdict) => {
      fileCount += 1;
      if (verdict.leaks.length > 0) console.log(`LEFT ${describe(verdict)}`);
      else if (verdict.honest && !verdict.verified) {
        console.log(`UNVERIFIED file ${verdict.at}, ${verdict.trick}, honest: ${verdict.reason}`);
      }
      if (fileCount % 50 === 0) console.log(`${fileCount} of ${files} files`);
    },
  });
  for (const line of report(verdicts)) console.log(line);
  const honest = verdicts.filter((one) => one.honest);
  const unverified = honest.filter((one) => !one.verified).length;
  const isLeaking = verdicts.some(({ leaks: left, fault }) => left.length > 0 || fault !== null);
  if (isLeaking || unverified > maxUnverifiedShare * honest.length) process.exitCode = 1;
} finally {
  await stopServices();
}
