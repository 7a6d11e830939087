/**
 * Measures document classification: macro-F1, calibration error, CPU per page without text extraction,
 * and the time to load the weights.
 *
 *   npx tsx lab/bench/documents/classify.ts [folder…]
 *
 * Uses the handwritten documents in test/support/classify and, in a folder, text files named after
 * their label (`invoice-3.txt`). `MISSED=1` shows misclassified documents.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentLabelNames } from '@scriptorium/contracts/documents/labels';
import { classifyView, loadWeights } from '@scriptorium/documents/classify';
import { viewText } from '@scriptorium/documents/classify/view';
import { handwrittenDocuments } from '../../../test/support/classify/handmade.ts';
import { calibrationError, f1Of, macroF1, type Prediction } from '../../training/classify/score.ts';

type Document = { label: string; text: string };

function readLabelledFiles(folder: string): Document[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .map((name) => ({
      label: documentLabelNames.find((label) => name.startsWith(label)) ?? '',
      text: readFileSync(join(folder, name), 'utf8'),
    }))
    .filter(({ label }) => label !== '');
}

/** CPU of this process in ms. */
function measureCpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const rounds = 10;

function judge(name: string, documents: readonly Document[]): void {
  if (documents.length === 0) {
    console.log(`${name}: skipped, no files named after a label`);
    return;
  }
  const views = documents.map(({ text }) => viewText(text));
  const guesses = documents.map(({ label, text }, index): Prediction => {
    const { labels, signals } = classifyView(views[index]!);
    const { label: guessed, score } = labels[0]!;
    if (guessed !== label && process.env.MISSED) {
      const names = signals.map((signal) => signal.name).join(' ');
      console.log(
        `  ${label} → ${guessed} ${score}: ${text.slice(0, 40).replace(/\s+/g, ' ')} (${names})`,
      );
    }
    return { label, predicted: guessed, score };
  });
  for (const label of documentLabelNames) {
    if (guesses.some((guess) => guess.label === label)) {
      console.log(`  ${label.padEnd(18)} ${f1Of(label, guesses).toFixed(3)}`);
    }
  }
  const cpu = measureCpuMs(() => {
    for (let round = 0; round < rounds; round++) views.forEach(classifyView);
  });
  console.log(
    `${name}, ${documents.length} documents: macro-F1 ${macroF1(guesses).toFixed(3)}, calibration error ${calibrationError(guesses).toFixed(3)}, ${(cpu / rounds / views.length).toFixed(2)} ms of CPU a page`,
  );
}

console.log(`weights read in ${measureCpuMs(() => loadWeights()).toFixed(0)} ms of CPU`);
judge('handwritten', handwrittenDocuments());
for (const folder of process.argv.slice(2)) judge(folder, readLabelledFiles(folder));
