import { expectDemo } from '../support/demo.ts';
import { findOtherNode } from '../support/other-node.ts';

describe('another version of Node', () => {
  it('runs the demo (skipped without one: set OTHER_NODE to its path)', async function () {
    const other = await findOtherNode();
    if (!other) this.skip();
    await expectDemo(other.path);
  });
});
