import { readFileSync } from 'node:fs';
import { documentLabelNames } from '@scriptorium/contracts/documents/labels';
import { classifyView, loadWeights } from '@scriptorium/documents/classify';
import type { PageClassification } from '@scriptorium/documents/classify/calls';
import { combinePages } from '@scriptorium/documents/classify/combine';
import { featureNames } from '@scriptorium/documents/classify/features';
import { isCheckedZone, isZone } from '@scriptorium/documents/classify/features/mrz';
import { classifyFeatures } from '@scriptorium/documents/classify/regression';
import { viewText } from '@scriptorium/documents/classify/view';
import { readWeights, writeWeights } from '@scriptorium/documents/classify/weights';
import { expect } from 'chai';
import { generatePages } from '../../../lab/training/classify/generate.ts';
import { fragmentsOf, parseGrammar, type Split } from '../../../lab/training/classify/grammar.ts';
import { contract } from '../../../lab/training/classify/kinds/contract.ts';
import { invoice } from '../../../lab/training/classify/kinds/invoice.ts';
import { other } from '../../../lab/training/classify/kinds/other.ts';
import { report } from '../../../lab/training/classify/kinds/report.ts';
import {
  calibrate,
  trainingExampleOf,
  trainWeights,
} from '../../../lab/training/classify/learn.ts';
import {
  calibrationError,
  macroF1,
  type Prediction,
} from '../../../lab/training/classify/score.ts';
import { Random } from '../../../lab/training/pii/random.ts';
import { handwrittenDocuments } from '../../support/classify/handmade.ts';

const guess = (label: string, { labels }: PageClassification): Prediction => ({
  label,
  predicted: labels[0]!.label,
  score: labels[0]!.score,
});

describe('document classification', () => {
  it('recognises documents written by hand that it was not trained on', () => {
    const guesses = handwrittenDocuments().map(({ label, text }) =>
      guess(label, classifyView(viewText(text))),
    );
    expect(new Set(guesses.map(({ label }) => label)).size).to.equal(documentLabelNames.length);
    expect(macroF1(guesses)).to.be.at.least(0.9);
    expect(calibrationError(guesses)).to.be.at.most(0.15);
  });

  it('is accurate and calibrated on generated pages', () => {
    const pages = [...generatePages(new Random(77), 300, 'all')];
    const guesses = pages.map(({ label, view }) => guess(label, classifyView(view)));
    expect(macroF1(guesses)).to.be.at.least(0.93);
    expect(calibrationError(guesses)).to.be.at.most(0.08);
  });

  it('returns only known signal names, for generated and handwritten pages', () => {
    const known = new Set([...featureNames, 'wording', 'no_text']);
    for (const { text } of handwrittenDocuments()) {
      for (const { name } of classifyView(viewText(text)).signals) expect(known).to.include(name);
    }
  });

  it('is not turned into a report by a contract’s middle pages', () => {
    const [first] = handwrittenDocuments().filter(({ label }) => label === 'contract');
    const page = classifyView(viewText(first!.text));
    const middle: PageClassification = {
      labels: documentLabelNames
        .map((label) => ({
          label,
          score: label === 'report' ? 0.5 : label === 'contract' ? 0.3 : 0.02,
        }))
        .sort((a, b) => b.score - a.score),
      signals: [{ name: 'share:long_lines', weight: 1 }],
      words: 400,
    };
    const { labels, signals } = combinePages([page, ...Array.from({ length: 30 }, () => middle)]);
    expect(labels[0]!.label).to.equal('contract');
    expect(signals.map(({ name }) => name)).not.to.include('share:long_lines');
  });

  it('ignores pages without words when it classifies the document', () => {
    const page = classifyView(viewText(handwrittenDocuments()[0]!.text));
    const empty = classifyView(viewText(''));
    expect(empty.words).to.equal(0);
    const { labels, signals } = page;
    expect(combinePages([empty, page, empty])).to.deep.equal({ labels, signals });
  });

  it('is not certain on the evidence of one or two words', () => {
    for (const text of ['Test', 'Grapefruit', '7', 'Invoice', 'Lorem ipsum']) {
      expect(classifyView(viewText(text)).labels[0]!.score, text).to.be.at.most(0.6);
    }
  });

  it('verifies the check digits of a machine-readable zone', () => {
    const [first, second] = [
      'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<',
      'L898902C36UTO7408122F1204159ZE184226B<<<<<10',
    ];
    expect(isZone(first!)).to.equal(true);
    expect(isCheckedZone(second!)).to.equal(true);
    expect(isCheckedZone(second!.replace('7408122', '7408132'))).to.equal(false);
    expect(isZone('AN ORDINARY LINE OF CAPITALS AND SO ON')).to.equal(false);
  });
});

describe('training the classifier', () => {
  const lessons = (split: 'learned' | 'kept') =>
    [...generatePages(new Random(5), 120, split)].map((page) => trainingExampleOf(page));

  it('gives the same weights for the same seed', () => {
    const [one, two] = [
      trainWeights(lessons('learned'), new Random(1), 2),
      trainWeights(lessons('learned'), new Random(1), 2),
    ];
    expect(writeWeights(one).equals(writeWeights(two))).to.equal(true);
    const other = trainWeights(lessons('learned'), new Random(2), 2);
    expect(writeWeights(one).equals(writeWeights(other))).to.equal(false);
  });

  it('generalises from learned templates to held-out ones', () => {
    const kept = lessons('kept');
    const weights = trainWeights(lessons('learned'), new Random(1), 6);
    weights.temperature = calibrate(kept, weights);
    expect(weights.temperature).to.be.within(0.1, 4);
    const blind = trainWeights(
      lessons('learned').map((lesson) => ({ ...lesson, label: 0 })),
      new Random(1),
      2,
    );
    expect(accuracy(kept, weights)).to.be.at.least(0.6);
    expect(accuracy(kept, blind)).to.be.at.most(0.2);
  });

  it('holds out templates that share no fragment with the learned ones', () => {
    for (const text of [invoice, contract, report, other]) {
      const grammar = parseGrammar(text);
      for (const [language, sections] of grammar) {
        for (const section of sections.keys()) {
          const of = (split: Split) => fragmentsOf(grammar, language, section, split);
          const learned = new Set(of('learned'));
          expect(of('kept').filter((fragment) => learned.has(fragment))).to.deep.equal([]);
          expect([...of('learned'), ...of('kept')]).to.have.members(of('all'));
          expect(learned.size).to.be.greaterThan(0);
        }
      }
    }
  });

  it('accepts the shipped weights and rejects damaged, older or foreign ones', () => {
    const file = readFileSync(
      new URL('../../../packages/documents/src/classify/weights.bin', import.meta.url),
    );
    expect(file.length).to.be.at.most(1.5 * 2 ** 20);
    expect(loadWeights().temperature).to.be.within(0.3, 3);
    const damaged = Buffer.from(file);
    damaged[damaged.length - 1]! ^= 1;
    expect(() => readWeights(damaged)).to.throw('damaged');
    const older = Buffer.from(file);
    older[16]! ^= 1;
    expect(() => readWeights(older)).to.throw('other features');
    expect(() => readWeights(Buffer.from('no weights'))).to.throw('does not contain weights');
  });
});

function accuracy(
  kept: readonly ReturnType<typeof trainingExampleOf>[],
  weights: ReturnType<typeof trainWeights>,
): number {
  const right = kept.filter(({ label, features }) => {
    return classifyFeatures(features, weights).labels[0]!.label === documentLabelNames[label];
  });
  return right.length / kept.length;
}
