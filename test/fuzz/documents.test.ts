import { expect } from 'chai';
import { fuzzDocuments } from './documents/run.ts';
import { ownSeeds } from './documents/seeds.ts';

describe('damaged documents', () => {
  it('have a result or a documented error, and no engine is lost', async () => {
    const run = await fuzzDocuments({
      seeds: await ownSeeds(),
      files: 50,
      seed: 3,
      treatments: ['normalize_for_llm', 'read_image', 'strip_image'],
    });
    expect(run.treated.filter(({ fault }) => fault !== null)).to.deep.equal([]);
    // Whatever is damaged, some of it is still read, and some is not.
    const outcomes = new Set(run.treated.map(({ outcome }) => outcome));
    expect(outcomes).to.include.keys('result', 'damaged');
  });

  it('are noticed if a verified redaction still says what was planted', async () => {
    const said = (await ownSeeds()).filter(({ name }) =>
      ['hand.pdf', 'letter.docx'].includes(name),
    );
    for (const seed of said) {
      const run = await fuzzDocuments({
        seeds: [seed],
        files: 1,
        seed: 1,
        treatments: ['ocr', 'redact_pii'],
        sabotage: true,
      });
      expect(run.reread, seed.name).to.equal(1);
      expect(run.treated.at(-1)?.fault, seed.name).to.match(/^verified, but left: /);
    }
  });
});
