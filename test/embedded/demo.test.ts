import { expectDemo } from '../support/demo.ts';

describe('the demo', () => {
  it('leads to a verified redaction and a verified webhook', () => expectDemo(process.execPath));
});
