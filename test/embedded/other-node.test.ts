import { expect } from 'chai';
import { runDemo } from '../support/demo.ts';
import { findOtherNode } from '../support/other-node.ts';

describe('another version of Node', () => {
  it('runs the demo (skipped without one: set OTHER_NODE to its path)', async function () {
    const other = await findOtherNode();
    if (!other) this.skip();
    const { code, stderr } = await runDemo(other.path);
    expect(code, `on ${other.version}: ${stderr}`).to.equal(0);
    expect(stderr)
      .to.match(/^Verified {2}yes;/m)
      .and.to.match(/^Webhooks .+ 0 rejected:/m);
  });
});
