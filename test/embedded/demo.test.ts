import { expect } from 'chai';
import { runDemo } from '../support/demo.ts';

describe('the demo', () => {
  it('leads to a verified redaction and a verified webhook', async () => {
    const { code, stderr } = await runDemo(process.execPath);
    expect(code, stderr).to.equal(0);
    expect(stderr)
      .to.match(/^Verified {2}yes;/m)
      .and.to.match(/^Webhooks .+ 0 rejected:/m);
  });
});
