import { readFileSync } from 'node:fs';
import type { PiiFinding } from '../finding.ts';
import { isInCode, isYears } from './codes.ts';
import { insideOf, LABELS, OUTSIDE, taggedTypes, typeOf } from './labels.ts';
import { Model } from './model.ts';
import { PAD } from './segment.ts';
import { readTaggerWeights } from './weights.ts';

/**
 * How much more likely the absence of a finding must be than its presence: a miss costs more than a
 * false alarm.
 */
const CAUTION = 1.5;
/**
 * How much more likely personal data is in texts to be redacted than in those of the training, most
 * of whose words are not personal: odds are multiplied by this. If one of two documents is a letter
 * or form and the other has no personal data, a confidence of 0.5 is then correct about half of the
 * time.
 */
const ODDS = 2;

let shipped: Model | undefined;

/**
 * The tagger of names, titles, organisations, places, addresses and nationalities. Findings are in
 * order and do not overlap; an address may span lines. Takes time linear in the text. Throws an
 * `Error` if the file of weights is damaged.
 */
export function createTagger(): (text: string) => PiiFinding[] {
  shipped ??= new Model(readTaggerWeights(readFileSync(new URL('./weights.bin', import.meta.url))));
  return taggerOf(shipped);
}

/** Creates a tagger with its own model. */
function taggerOf(model: Model, caution = CAUTION): (text: string) => PiiFinding[] {
  return (text) => {
    const findings: PiiFinding[] = [];
    for (let from = 0; from < text.length; ) {
      from = model.label(text, from, caution);
      collect(model, text, findings);
    }
    return findings;
  };
}

function collect({ segment, chain }: Model, text: string, findings: PiiFinding[]): void {
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
    const found: PiiFinding = {
      type: taggedTypes[type]!,
      start: segment.start[PAD + start]!,
      end: segment.end[PAD + token - 1]!,
      score: confidence(score / (token - start)),
    };
    if (!isOther(text, found)) findings.push(found);
  }
}

/** Whether what was found is years or a code. Postcodes and numbers of houses look like codes. */
function isOther(text: string, { type, start, end }: PiiFinding): boolean {
  return type === 'ADDRESS' ? isYears(text.slice(start, end)) : isInCode(text, start, end);
}

/**
 * The mean probability that the words are personal data, whatever the type, with the odds above.
 */
function confidence(likely: number): number {
  return (ODDS * likely) / (1 + (ODDS - 1) * likely);
}
