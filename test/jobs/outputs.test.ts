import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { inProject } from '../../src/db/transaction.ts';
import { setQuota } from '../../src/policies/quotas.ts';
import { docx, paragraph, run } from '../support/office.ts';
import { openRedactions, type Redactions, withEngines } from '../support/redactions.ts';
import { bornDigitalPdf, scannedPdf } from '../support/samples.ts';
import { postRaw } from '../support/uploads.ts';

/** What is promised of a job's outputs, whatever its operation. */
describe('outputs of jobs', () => {
  let on: Redactions;
  let owner: Database;
  before(async () => {
    on = await openRedactions();
    owner = await openDatabase(on.api.database.ownerUrl, { poolSize: 1 });
  });
  after(async () => {
    await owner.destroy();
    await on.close();
  });

  it('are stored although the project has reached its quotas', async () => {
    const source = await on.upload('The crane is repaired.', 'minutes.txt');
    const used = (await on.api.call('GET', '/v1/usage')).json;
    const names = ['objects', 'storage_bytes'] as const;
    const limit = (most: (name: (typeof names)[number]) => number | null) =>
      inProject(owner, on.api.projectId, async (tx) => {
        for (const name of names) await setQuota(tx, on.api.projectId, name, most(name));
      });
    await limit((name) => used[name].used);
    try {
      const job = await on.run(source, [{ op: 'normalize_for_llm' }]);
      expect([job.state, job.outputs.length]).to.deep.equal(['succeeded', 3]);
      const upload = await postRaw(on.api, 'One more.', 'more.txt');
      expect([upload.status, upload.json.code]).to.deep.equal([403, 'quota_exceeded']);
    } finally {
      await limit(() => null);
    }
  });

  it('come with a warning that names the kinds of content that was not read', async () => {
    const embedded = docx(paragraph(run('The crane is closed.')), {
      rels: { rId7: ['oleObject', 'embeddings/a.bin'], rId8: ['package', 'embeddings/b.xlsx'] },
      parts: { 'word/embeddings/a.bin': { body: 'x' }, 'word/embeddings/b.xlsx': { body: 'y' } },
    });
    const isNamed = (job: JobRecord): void => {
      expect(job.state).to.equal('succeeded');
      expect(job.warnings.map(({ code }) => code)).to.deep.equal(['content_not_read']);
      expect(job.warnings[0]!.message).to.include('not in the outputs: oleObject, package.');
    };
    const source = await on.upload(Buffer.from(embedded), 'report.docx');
    isNamed(await on.run(source, [{ op: 'normalize_for_llm' }]));
    const minutes = await on.upload('The crane is closed.', 'closed.txt');
    const redactInKind = on.workers.deps.engines.redactInKind;
    const replaced = () => ({
      redactInKind: async (...given: Parameters<typeof redactInKind>) => ({
        ...(await redactInKind(...given)),
        dropped: ['oleObject', 'package'],
      }),
    });
    isNamed(await withEngines(on, replaced, () => on.run(minutes, [{ op: 'redact_pii' }])));
  });

  it('come with a warning that names the pages whose writing was mostly not read', async () => {
    const { engines } = on.workers.deps;
    const shares = [0.4, 0.6, 0.9];
    on.workers.deps.engines = {
      ...engines,
      recognisePage: async (request, options) => ({
        ...(await engines.recognisePage(request, options)),
        unreadShare: shares[request.page - 1]!,
      }),
    };
    try {
      const source = await on.upload(await scannedPdf([['One'], ['Two'], ['Three']]), 'notes.pdf');
      const job = await on.run(source, [{ op: 'ocr' }]);
      expect(job.state).to.equal('succeeded');
      expect(job.warnings.map(({ code }) => code)).to.deep.equal(['writing_not_read']);
      expect(job.warnings[0]!.message).to.include('on page 2, 3 could not be read');
    } finally {
      on.workers.deps.engines = engines;
    }
  });

  it('are PDF/A on request, with a warning about what it does not allow', async () => {
    const source = await on.upload(
      await bornDigitalPdf([['The ferry leaves at nine']]),
      'fare.pdf',
    );
    const job = await on.run(source, [{ op: 'ocr', options: { pdfa: true } }]);
    expect(job.state).to.equal('succeeded');
    // Its font is not embedded.
    expect(job.warnings.map(({ code }) => code)).to.deep.equal(['rasterised_for_pdfa']);
    const { bytes } = await on.content(job.outputs[0]!.object_id);
    expect(bytes.toString('latin1')).to.include('pdfaid:part');
  });
});
