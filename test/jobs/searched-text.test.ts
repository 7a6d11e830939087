import { expect } from 'chai';
import { recogniseOnce } from '../support/engines.ts';
import { addPolicy } from '../support/policies.ts';
import { type Redactions, shareRedactions } from '../support/redactions.ts';
import { scannedPdf } from '../support/samples.ts';

describe('the search text of an object', () => {
  let on: Redactions;
  let source: string;
  before(async () => {
    on = await shareRedactions('real');
    // Six jobs read these three pages.
    on.workers.deps.engines = recogniseOnce(on.workers.deps.engines);
    const pdf = await scannedPdf([
      ['The aardvark sleeps in the shade'],
      ['Contact: john.zephyr@example.com', 'about the buffalo on page two'],
      ['The crocodile swims in the river'],
    ]);
    source = await on.upload(pdf, 'scan.pdf');
  });
  after(() => on.close());

  const run = async (op: string, body: object = {}): Promise<void> => {
    expect((await on.run(source, [{ op }], body)).error).to.equal(null);
  };
  const finds = async (q: string): Promise<boolean> => {
    const { json } = await on.api.call('GET', `/v1/objects?q=${q}`);
    return json.data.some(({ id }: { id: string }) => id === source);
  };
  const everything = ['aardvark', 'buffalo', 'zephyr', 'crocodile'];
  const found = async (): Promise<string[]> => {
    const hits: string[] = [];
    for (const word of everything) if (await finds(word)) hits.push(word);
    return hits;
  };

  it('is the text of a redaction as long as no other job has read the object', async () => {
    await run('redact_pii', { pages: '2-3' });
    expect(await found()).to.deep.equal(['buffalo', 'crocodile']);
  });

  it('is all text that was read, whatever jobs follow', async () => {
    await run('ocr');
    expect(await found()).to.deep.equal(everything);
    await run('ocr', { pages: '2' });
    expect(await found()).to.deep.equal(everything);
    await run('redact_pii');
    expect(await found()).to.deep.equal(everything);
    await run('classify', { pages: '1' });
    expect(await found()).to.deep.equal(everything);
  });

  it('is only the text of the redaction once a policy requires one', async () => {
    await addPolicy(on.api, {
      actions: ['read'],
      rules: [{ type: 'require_redaction', entities: ['EMAIL_ADDRESS'] }],
    });
    expect(await finds('zephyr')).to.equal(false);
    expect(await finds('crocodile')).to.equal(true);
  });
});
