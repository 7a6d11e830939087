import { readFileSync } from 'node:fs';
import type { Finding } from '../finding.ts';
import { insideOf, LABELS, OUTSIDE, taggedTypes, typeOf } from './labels.ts';
import { Model } from './model.ts';
import { PAD } from './segment.ts';
import { readWeights } from './weights.ts';

/** How much likelier than a finding its absence has to be: what is missed costs more than what is not. */
const CAUTION = 1.5;
/**
 * How much likelier it is that a text has personal data when somebody has it redacted than when it is one
 * of those that were learned from, of which most words are nobody's: odds are multiplied by this. Of two
 * documents, one a letter or a form and one without anybody, 0.5 is then about where half is right.
 */
const ODDS = 2;

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
      score += 1 - chain.likely[row + OUTSIDE]!;
      token++;
    } while (token < segment.count && chain.labels[token] === insideOf(type));
    findings.push({
      type: taggedTypes[type]!,
      start: segment.start[PAD + start]!,
      end: segment.end[PAD + token - 1]!,
      score: confidence(score / (token - start)),
    });
  }
}

/** The share of the words' likelihood of being personal, whatever the type, under the odds above. */
function confidence(likely: number): number {
  return (ODDS * likely) / (1 + (ODDS - 1) * likely);
}
