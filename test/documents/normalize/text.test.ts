import { expect } from 'chai';
import { readText } from '../../../packages/documents/src/normalize/kinds/text.ts';
import { markdownOf } from '../../../packages/documents/src/normalize/write/markdown.ts';

const read = (text: string) => readText(Buffer.from(text));
const markdown = (text: string): string => [...markdownOf(read(text).blocks)].join('').trimEnd();

const line = 'These words fill the width of the page as far as it goes and';

describe('normalised plain text', () => {
  it('joins lines that fill the width and keeps the lines of an address', () => {
    expect(markdown(`${line}\n${line}\nend.\n\nAnn Smith\n1 Road\nTown`)).to.equal(
      `${line} ${line} end.\n\nAnn Smith  \n1 Road  \nTown`,
    );
  });

  it('has headings if they are underlined or in capitals', () => {
    expect(markdown('Report\n======\nText.\n\nPart\n----\n\nSCOPE AND TERMS\n\nMore.')).to.equal(
      '# Report\n\nText.\n\n## Part\n\n## SCOPE AND TERMS\n\nMore.',
    );
    expect(read('Report\n======\nText.').title).to.equal('Report');
  });

  it('has lists, nested by indentation', () => {
    expect(
      markdown('We need:\n- milk\n  - fresh\n- bread\n  and butter\n\n1) first\n2) second'),
    ).to.equal('We need:\n\n- milk\n    - fresh\n- bread and butter\n\n1) first\n2) second');
    expect(markdown('[x] no list\n\n* [x] done\n* [ ] open')).to.equal(
      '[x] no list\n\n- [x] done\n- [ ] open',
    );
  });

  it('keeps text laid out with spaces, and quotations', () => {
    expect(markdown('Item      Price\nMilk      1.20\nBread     3.10\n\n> he said\n> so')).to.equal(
      '```\nItem      Price\nMilk      1.20\nBread     3.10\n```\n\n> he said  \n> so',
    );
  });

  it('uses the subject of an e-mail as its title', () => {
    const mail =
      'From: ann@example.com\nTo: bob@example.com\nSubject: The plan\n\nDear Bob,\n\nyes.';
    expect(read(mail).title).to.equal('The plan');
    expect(markdown(mail)).to.equal(
      'From: ann@example.com  \nTo: bob@example.com  \nSubject: The plan\n\nDear Bob,\n\nyes.',
    );
  });

  it('is rejected if the file is binary', () => {
    expect(() => readText(Buffer.from([0x89, 0x50, 0, 0, 0, 0, 0xff]))).to.throw('not text');
  });

  it('takes linear time on hostile text', () => {
    for (const unit of ['-', '- \n', ' ', '\t', '> ', '=', '\n', '   x']) {
      expect(read(`x${unit.repeat(100_000)}`).blocks, unit).to.be.an('array');
    }
  });
});
