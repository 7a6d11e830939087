import { expect } from 'chai';
import { measureLetterGroups } from '../../../packages/documents/src/ink/letter-groups.ts';
import { type Mark, renderSheet } from '../../support/handwriting.ts';

/** Renders a word alone on a strip of paper. */
async function renderWord(mark: Mark) {
  const sheet = await renderSheet([mark], { width: 100, height: 24 });
  const { data, info } = await sheet
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const grey = Uint8Array.from({ length: width * height }, (_, at) => data[at * channels]!);
  return { data: grey, width, height };
}

describe('the letters of a word', () => {
  it('are separate in print, including light print on a dark background', async () => {
    const word = await renderWord({ kind: 'print', text: 'minimum', at: [10, 16], size: 14 });
    expect(measureLetterGroups(word).groups).to.be.at.least(7);
    const light = { ...word, data: word.data.map((tone) => 255 - tone) };
    expect(measureLetterGroups(light)).to.deep.equal(measureLetterGroups(word));
  });

  it('are joined by hand', async () => {
    const hand = { size: 7, slant: 0.2, jitter: 0.15, pen: 1.2, isJoined: true };
    const word = await renderWord({ kind: 'hand', text: 'minimum', at: [10, 16], hand });
    expect(measureLetterGroups(word).groups).to.be.at.most(2);
  });

  it('are not found on empty paper', () => {
    const paper = { data: new Uint8Array(600).fill(230), width: 30, height: 20 };
    expect(measureLetterGroups(paper)).to.deep.equal({ groups: 0, widest: 0 });
  });
});
