import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Redactions, shareRedactions } from '../support/redactions.ts';
import { checkout, run } from '../support/run.ts';
import { scannedPdf, textOf } from '../support/samples.ts';

describe('the example of an agent', () => {
  let on: Redactions;
  let folder: string;
  before(async () => {
    on = await shareRedactions('real');
    folder = await mkdtemp(join(tmpdir(), 'agent-'));
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
    await on.close();
  });

  it('uploads, recognises, redacts, finds a passage, cites it and opens its page', async () => {
    const scan = await scannedPdf([
      ['Dear Mara Kleinhoevel,', 'please write to mara@example.org.'],
      ['The wombat ferry leaves at high tide.', 'Bring a coat.'],
    ]);
    await writeFile(join(folder, 'ferry.pdf'), scan);
    const scopes = ['objects:read', 'objects:write', 'documents:read', 'documents:write'] as const;
    const { key, projectId } = await on.api.issue([...scopes]);
    const args = [join(checkout, 'examples/agent/agent.mjs'), 'ferry.pdf', 'wombat ferry'];
    const env = { SERVICE_URL: on.api.url, PROJECT_ID: projectId, API_KEY: key };
    const { code, stdout, stderr } = await run(process.execPath, args, {
      cwd: folder,
      env: { ...process.env, ...env },
    });
    expect(code, stderr).to.equal(0);
    const found = JSON.parse(stdout);
    expect(found.source).to.include({ page: 2 });
    expect(found.excerpt).to.match(/ferry/i);
    expect(found.isOnPage).to.equal(true);
    expect((await readFile(join(folder, 'page.png'))).subarray(1, 4).toString()).to.equal('PNG');
    const output = (await textOf((await on.content(found.redacted[0])).bytes)).join('\n');
    expect(output)
      .to.match(/ferry/i)
      .and.not.match(/kleinhoevel|mara@/i);
  });
});
