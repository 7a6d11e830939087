import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createSeal } from '../../src/access/seal.ts';
import {
  openPage,
  type PageContext,
  type PageSeal,
  sealPage,
  secrecyOf,
} from '../../src/jobs/sealing/page-content.ts';

describe('sealed page content', () => {
  const key = () => randomBytes(32).toString('base64');
  const under = (keys: string): PageSeal => {
    const { seal, open } = createSeal(keys);
    return { seal, unseal: open };
  };
  const place: PageContext = {
    projectId: 'prj_1',
    sourceObjectId: 'obj_1',
    op: 'ocr',
    page: 3,
  };
  const content = { text: 'plain text', words: Buffer.from([0, 255, 128, 10, 13]) };

  it('is everything before a redaction, only words in the redaction, and nothing after it', () => {
    const [ocr, redact, later] = [{ op: 'ocr' }, { op: 'redact_pii' }, { op: 'ocr' }] as const;
    const job = [ocr, redact, later];
    expect([0, 1, 2].map((index) => secrecyOf(job, index))).to.deep.equal(['all', 'words', 'none']);
    expect(secrecyOf([ocr], 0)).to.equal('none');
  });

  for (const secrecy of ['none', 'words', 'all'] as const) {
    it(`opens to the original content: ${secrecy}`, () => {
      const seal = under(key());
      for (const one of [
        content,
        { text: null, words: content.words },
        { text: '', words: null },
      ]) {
        const stored = sealPage(seal, place, one, secrecy);
        expect(stored.sealed).to.equal(secrecy !== 'none');
        expect(openPage(seal, place, stored)).to.deep.equal(one);
        if (secrecy === 'none') expect(stored.words).to.equal(one.words);
        else expect(stored.words!.includes(content.words)).to.equal(false);
        expect(stored.text).to.equal(secrecy === 'all' ? null : one.text);
      }
    });
  }

  it('opens under a retired key and under no other', () => {
    const [old, next] = [key(), key()];
    const stored = sealPage(under(old), place, content, 'all');
    expect(openPage(under(`${next},${old}`), place, stored)).to.deep.equal(content);
    expect(() => openPage(under(next), place, stored)).to.throw('SECRET_KEY');
    const at = stored.words!.length - 2;
    stored.words!.writeUInt8(stored.words!.readUInt8(at) === 65 ? 66 : 65, at);
    expect(() => openPage(under(old), place, stored)).to.throw();
  });

  it('does not open as another page', () => {
    const seal = under(key());
    const stored = sealPage(seal, place, content, 'words');
    for (const other of [{ page: 4 }, { op: 'redact_pii' }, { projectId: 'prj_2' }] as const) {
      expect(() => openPage(seal, { ...place, ...other }, stored)).to.throw();
    }
  });

  it('is empty if the results of a page have expired', () => {
    const expired = { text: null, words: null, sealed: true };
    expect(openPage(under(key()), place, expired)).to.deep.equal({ text: null, words: null });
  });
});
