import { expect } from 'chai';
import {
  measureNesting,
  stripInvisibleText,
} from '../../../packages/documents/src/pdf/content-stream.ts';

const strip = (content: string, mode = 0): string =>
  Buffer.from(stripInvisibleText(Buffer.from(content, 'latin1'), mode).bytes).toString('latin1');

describe('content streams', () => {
  it('count q and Q, except in strings, names, comments and inline images', () => {
    const content = 'q q (Q \\) Q) Tj /Q gs % Q Q\n<51> Tj BI /W 1 ID Q Q q\nEI Q';
    expect(measureNesting(Buffer.from(content))).to.deep.equal({ lowest: 0, end: 1 });
    expect(measureNesting(Buffer.from('Q Q q'))).to.deep.equal({ lowest: -2, end: -1 });
  });

  it('lose text in render mode 3 and nothing else', () => {
    expect(strip('BT 3 Tr (gone) Tj 0 Tr (here) Tj ET')).to.equal('BT 3 Tr  0 Tr (here) Tj ET');
    expect(strip('BT 3 Tr [(a) -20 <62>] TJ ET 0 0 m S')).to.equal('BT 3 Tr  ET 0 0 m S');
  });

  it('restore the render mode at Q and inherit it from outside', () => {
    expect(strip('q 3 Tr Q BT (here) Tj ET')).to.contain('(here) Tj');
    expect(strip('3 Tr q BT (gone) Tj ET Q')).not.to.contain('gone');
    expect(strip('BT (gone) Tj ET', 3)).not.to.contain('gone');
  });

  it('keep the line move that some operators include', () => {
    expect(strip("BT 3 Tr (gone) ' 0 Tr (here) Tj ET")).to.equal('BT 3 Tr  T*  0 Tr (here) Tj ET');
  });

  it('report the render mode in which each form is drawn', () => {
    const { forms } = stripInvisibleText(Buffer.from('/A Do q 3 Tr /B Do Q'));
    expect([...forms]).to.deep.equal([
      ['A', 0],
      ['B', 3],
    ]);
  });

  it('survive arbitrary bytes', () => {
    for (let seed = 1; seed < 200; seed += 1) {
      const bytes = Buffer.from(
        Array.from({ length: 60 }, (_, at) =>
          '()<>[]/% \nqQTjBIDE3'.charCodeAt((seed * (at + 7) * 31) % 18),
        ),
      );
      expect(stripInvisibleText(bytes).bytes.length).to.be.at.most(bytes.length + 240);
    }
  });
});
