import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { DocumentLabel } from '@scriptorium/contracts/documents/labels';
import type { PageView, ViewLine } from '@scriptorium/documents/classify/view';
import type { Random } from '../pii/random.ts';
import { Filler } from './filler.ts';
import {
  fragmentsOf,
  type Grammar,
  type Plan,
  parseGrammar,
  plans,
  type Split,
} from './grammar.ts';
import { bankStatement } from './kinds/bank-statement.ts';
import { contract } from './kinds/contract.ts';
import { cv } from './kinds/cv.ts';
import { email } from './kinds/email.ts';
import { form } from './kinds/form.ts';
import { identityDocument } from './kinds/identity-document.ts';
import { invoice } from './kinds/invoice.ts';
import { letter } from './kinds/letter.ts';
import { other } from './kinds/other.ts';
import { presentation } from './kinds/presentation.ts';
import { receipt } from './kinds/receipt.ts';
import { report } from './kinds/report.ts';
import { addOcrErrors, createLayout, shapeFor } from './layout.ts';
import type { Language } from './sentences.ts';

const grammars: Record<DocumentLabel, Grammar> = {
  invoice: parseGrammar(invoice),
  receipt: parseGrammar(receipt),
  contract: parseGrammar(contract),
  letter: parseGrammar(letter),
  form: parseGrammar(form),
  identity_document: parseGrammar(identityDocument),
  bank_statement: parseGrammar(bankStatement),
  cv: parseGrammar(cv),
  report: parseGrammar(report),
  email: parseGrammar(email),
  presentation: parseGrammar(presentation),
  other: parseGrammar(other),
};

/**
 * Packages whose README has no known kind; the first half is for training, the rest for evaluation.
 */
const packages =
  'parse5 pino bullmq sharp typeorm saxes fflate csv-parse ajv undici chai mocha ioredis pg prom-client tsx'.split(
    ' ',
  );
const require = createRequire(import.meta.url);
const readmes = new Map<string, string>();

function readReadme(name: string): string {
  const cached = readmes.get(name);
  if (cached !== undefined) return cached;
  const root = join(dirname(require.resolve('pdfjs-dist/package.json')), '..');
  const text = readFileSync(join(root, name, 'README.md'), 'utf8').slice(0, 30_000);
  readmes.set(name, text);
  return text;
}

/** The pages of one generated document, all with the same layout. */
export function generatePage(random: Random, label: DocumentLabel, split: Split): PageView {
  const language = random.weighted<Language>([
    [46, 'en'],
    [11, 'de'],
    [10, 'fr'],
    [10, 'es'],
    [8, 'it'],
    [8, 'nl'],
    [7, 'pt'],
  ]);
  const filler = new Filler(random, language);
  const layOut = createLayout(random, filler);
  const lines = layOut(chooseFragments(random, label, language, split));
  const { widthPt, heightPt } = shapeFor(random, label, lines.length);
  return { lines: addOcrErrors(random, lines), widthPt, heightPt };
}

function chooseFragments(
  random: Random,
  label: DocumentLabel,
  language: Language,
  split: Split,
): string[] {
  if (label === 'other') return otherText(random, language, split);
  if (label === 'presentation') {
    const slides = fragmentsOf(grammars.presentation, language, 'slides', split);
    const count = random.weighted([
      [5, 1],
      [2, 2],
      [3, random.int(3, 9)],
    ]);
    return sample(random, slides, count);
  }
  const choices = plans[label];
  const plan = choices[choices.length > 1 && random.chance(0.25) ? 1 : 0]!;
  return fragmentsOfPlan(random, plan, (section) =>
    fragmentsOf(grammars[label], language, section, split),
  );
}

function fragmentsOfPlan(
  random: Random,
  plan: Plan,
  fragmentsOfSection: (section: string) => readonly string[],
): string[] {
  const parts = plan.parts.filter(({ chance = 1 }) => random.chance(chance));
  if (plan.isShuffled || random.chance(0.08)) parts.sort(() => (random.chance(0.5) ? 1 : -1));
  return parts.flatMap(({ section, min: least, max: most }) =>
    sample(random, fragmentsOfSection(section), random.int(least, most)),
  );
}

/** Other languages have no sections: their texts can be of any kind. */
function otherText(random: Random, language: Language, split: Split): string[] {
  if (language === 'en' && random.chance(0.12)) {
    const half = packages.length / 2;
    const [from, to] =
      split === 'all'
        ? [0, packages.length]
        : split === 'kept'
          ? [half, packages.length]
          : [0, half];
    const text = readReadme(packages[random.int(from!, to! - 1)]!);
    const start = random.int(0, Math.max(0, text.length - 2_500));
    return text
      .slice(start, start + random.int(300, 2_500))
      .replaceAll(/[{}→⏎]/g, ' ')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => `~${line}`);
  }
  const sections = [...(grammars.other.get(language)?.keys() ?? [])];
  const candidates = fragmentsOf(grammars.other, language, random.pick(sections), split);
  const first = random.pick(candidates);
  const isLong = random.chance(0.35);
  return isLong ? [first, random.pick(candidates), first, random.pick(candidates)] : [first];
}

function sample<T>(random: Random, list: readonly T[], count: number): T[] {
  const remaining = [...list];
  const sampled: T[] = [];
  while (sampled.length < count && remaining.length > 0) {
    sampled.push(remaining.splice(random.int(0, remaining.length - 1), 1)[0]!);
  }
  return sampled.length === 0 || list === remaining
    ? sampled
    : sampled.sort((a, b) => (random.chance(0.3) ? list.indexOf(a) - list.indexOf(b) : 0));
}

export type Example = { label: DocumentLabel; view: PageView };

/** Generates documents of all kinds in turn, with more of `other`, which is the most varied. */
export function* generatePages(random: Random, count: number, split: Split): Generator<Example> {
  const labels = Object.keys(grammars) as DocumentLabel[];
  const labelSequence: DocumentLabel[] = [...labels, 'other'];
  for (let pageNumber = 0; pageNumber < count; pageNumber++) {
    const label = labelSequence[pageNumber % labelSequence.length]!;
    yield { label, view: generatePage(random, label, split) };
  }
}

export type { ViewLine };
