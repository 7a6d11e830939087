import { expect } from 'chai';
import { Judge, write } from './redacted.ts';

describe('checks of clean files', () => {
  const judge = new Judge();
  before(() => judge.open());
  after(() => judge.close());

  it('pass a page that was redacted', async () => {
    const checks = await judge.checks(await write());
    expect(checks.filter(({ passed }) => !passed)).to.deep.equal([]);
    expect(checks.map(({ name }) => name)).to.deep.equal([
      'structure',
      'streams',
      'picture_metadata',
      'text_pdfium',
      'text_pdfjs',
      'occlusion',
      'pictures',
      'ocr_regions',
    ]);
  });
});
