import { readFileSync } from 'node:fs';
import type { Finding } from '../finding.ts';
import { beginOf, insideOf, LABELS, OUTSIDE, taggedTypes, typeOf } from './labels.ts';
import { Model } from './model.ts';
import { PAD } from './segment.ts';
import { readWeights } from './weights.ts';

/** How much likelier than a finding its absence has to be: what is missed costs more than what is not. */
const CAUTION = 0.5;

let shipped: Model | undefined;

/**
 * The tagger of names, titles, organisations, places, addresses and nationalities. Findings come in
 * order and do not overlap; one of an address may span lines. Work grows with the text's length only.
 * Throws an `Error` when the file of weights is damaged.
 */
export function createTagger(): (text: string) => Finding[] {
  shipped ??= new Model(readWeights(readFileSync(new URL('./weights.bin', import.meta.url))));
  return taggerOf(shipped);
}

/** A tagger with a model of its own. */
export function taggerOf(model: Model, caution = CAUTION): (text: string) => Finding[] {
  return (text) => {
    const findings: Finding[] = [];
    for (let from = 0; from < text.length; ) {
      from = model.label(text, from, caution);
      collect(model, findings);
    }
    return findings;
  };
}

function collect({ segment, chain }: Model, findings: Finding[]): void {
  for (let token = 0; token < segment.count; ) {
    const label = chain.labels[token]!;
    if (label === OUTSIDE) {
      token++;
      continue;
    }
    const type = typeOf(label);
    const start = token;
    let score = 0;
    do {
      const row = token * LABELS;
      score += chain.likely[row + beginOf(type)]! + chain.likely[row + insideOf(type)]!;
      token++;
    } while (token < segment.count && chain.labels[token] === insideOf(type));
    findings.push({
      type: taggedTypes[type]!,
      start: segment.start[PAD + start]!,
      end: segment.end[PAD + token - 1]!,
      score: Math.min(1, score / (token - start)),
    });
  }
}
