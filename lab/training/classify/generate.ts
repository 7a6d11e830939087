import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { DocumentLabel } from '@scriptorium/contracts/documents/labels';
import type { PageView, ViewLine } from '@scriptorium/documents/classify/view';
import type { Random } from '../pii/random.ts';
import { Filler } from './fill.ts';
import { fragmentsOf, type Grammar, type Plan, parse, plans, type Split } from './grammar.ts';
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
import { misread, setLines, shapeFor } from './layout.ts';
import type { Language } from './sentences.ts';

const grammars: Record<DocumentLabel, Grammar> = {
  invoice: parse(invoice),
  receipt: parse(receipt),
  contract: parse(contract),
  letter: parse(letter),
  form: parse(form),
  identity_document: parse(identityDocument),
  bank_statement: parse(bankStatement),
  cv: parse(cv),
  report: parse(report),
  email: parse(email),
  presentation: parse(presentation),
  other: parse(other),
};

/**
 * Packages whose README has no known kind; the first half is for training, the rest for evaluation.
 */
const packages =
  'parse5 pino bullmq sharp typeorm saxes fflate csv-parse ajv undici chai mocha ioredis pg prom-client tsx'.split(
    ' ',
  );
const require = createRequire(import.meta.url);
const readMes = new Map<string, string>();

function readMe(name: string): string {
  const known = readMes.get(name);
  if (known !== undefined) return known;
  const root = join(dirname(require.resolve('pdfjs-dist/package.json')), '..');
  const text = readFileSync(join(root, name, 'README.md'), 'utf8').slice(0, 30_000);
  readMes.set(name, text);
  return text;
}

/** The pages of one generated document, all with the same layout. */
export function makePage(random: Random, label: DocumentLabel, split: Split): PageView {
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
  const set = setLines(random, filler);
  const lines = set(fragments(random, label, language, split));
  const { widthPt, heightPt } = shapeFor(random, label, lines.length);
  return { lines: misread(random, lines), widthPt, heightPt };
}

function fragments(
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
  return planned(random, plan, (section) => fragmentsOf(grammars[label], language, section, split));
}

function planned(
  random: Random,
  plan: Plan,
  fragmentsOfSection: (section: string) => readonly string[],
): string[] {
  const parts = plan.parts.filter(({ chance = 1 }) => random.chance(chance));
  if (plan.shuffled || random.chance(0.08)) parts.sort(() => (random.chance(0.5) ? 1 : -1));
  return parts.flatMap(({ section, least, most }) =>
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
    const text = readMe(packages[random.int(from!, to! - 1)]!);
    const start = random.int(0, Math.max(0, text.length - 2_500));
    return text
      .slice(start, start + random.int(300, 2_500))
      .replaceAll(/[{}→⏎]/g, ' ')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => `~${line}`);
  }
  const sections = [...(grammars.other.get(language)?.keys() ?? [])];
  const all = fragmentsOf(grammars.other, language, random.pick(sections), split);
  const first = random.pick(all);
  const long = random.chance(0.35);
  return long ? [first, random.pick(all), first, random.pick(all)] : [first];
}

function sample<T>(random: Random, list: readonly T[], count: number): T[] {
  const rest = [...list];
  const taken: T[] = [];
  while (taken.length < count && rest.length > 0) {
    taken.push(rest.splice(random.int(0, rest.length - 1), 1)[0]!);
  }
  return taken.length === 0 || list === rest
    ? taken
    : taken.sort((a, b) => (random.chance(0.3) ? list.indexOf(a) - list.indexOf(b) : 0));
}

export type Example = { label: DocumentLabel; view: PageView };

/** Generates documents of all kinds in turn, with more of `other`, which is the most varied. */
export function* makePages(random: Random, count: number, split: Split): Generator<Example> {
  const labels = Object.keys(grammars) as DocumentLabel[];
  const turn: DocumentLabel[] = [...labels, 'other'];
  for (let made = 0; made < count; made++) {
    const label = turn[made % turn.length]!;
    yield { label, view: makePage(random, label, split) };
  }
}

export type { ViewLine };
