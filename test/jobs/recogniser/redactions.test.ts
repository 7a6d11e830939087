import type { PolicyRule } from '@scriptorium/contracts/rules';
import type { Certificate } from '@scriptorium/contracts/wire/certificates';
import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { expect } from 'chai';
import { docx, paragraph, run, xlsx } from '../../support/office.ts';
import { addPolicy } from '../../support/policies.ts';
import { requirePython } from '../../support/python.ts';
import { startRecogniser, type TestRecogniser } from '../../support/recogniser.ts';
import { type Reviews, shareReviews } from '../../support/reviews.ts';
import { bornDigitalPdf, scannedPdf, textOf } from '../../support/samples.ts';

/** Through HTTP, with the engines of the service and a recogniser in Python. */
describe('redactions with an external recogniser', () => {
  let on: Reviews;
  let service: TestRecogniser;
  before(async function () {
    await requirePython(this);
    [on, service] = [await shareReviews(), await startRecogniser()];
    on.workers.deps.recogniser = service.connect();
  });
  after(async () => {
    if (on) on.workers.deps.recogniser = null;
    await service?.close();
  });
  beforeEach(async () => {
    await on.api.rows('DELETE FROM policy');
    await service.setMode('works');
  });

  const permit = (rule: Partial<PolicyRule & { type: 'external' }> = {}, mode = 'enforce') =>
    addPolicy(on.api, {
      mode,
      actions: ['process'],
      rules: [{ type: 'external', text: 'allowed', ...rule }],
    });
  let number = 0;
  /** A file whose bytes no other test has. */
  const letter = async (...lines: string[]): Promise<string> => {
    number += 1;
    return on.upload(`${lines.join('\n')}\nReference no. ${number}\n`, `letter ${number}.txt`);
  };
  const pdf = async (...pages: string[][]): Promise<string> => {
    number += 1;
    pages[0]!.push(`copy ${number}`);
    return on.upload(await bornDigitalPdf(pages), `letter ${number}.pdf`);
  };
  const redaction = (job: JobRecord) => job.operations.find(({ op }) => op === 'redact_pii')!;
  const bytesOf = async (job: JobRecord): Promise<Buffer> =>
    (await on.content(job.outputs[0]!.object_id)).bytes;
  const checkOf = (job: JobRecord) =>
    (redaction(job).result!.checks as { name: string; passed: boolean; detail: string }[]).find(
      ({ name }) => name === 'external_recogniser',
    );
  const hasRedactionFact = async (job: JobRecord): Promise<boolean> =>
    (
      await on.api.rows('SELECT 1 FROM redaction_fact WHERE object_id = $1', [
        job.outputs[0]!.object_id,
      ])
    ).length > 0;
  const redact = (id: string, body: object = {}) => on.redact(id, { style: 'label', ...body });

  it('send no text unless a policy allows it', async () => {
    const [text, paged] = [await letter('Project Bluebird 😀'), await pdf(['Project Bluebird'])];
    const expectNothingSent = async (): Promise<void> => {
      for (const id of [text, paged]) {
        const job = await redact(id);
        expect(job.state).to.equal('succeeded');
        expect([checkOf(job), redaction(job).result!.verified]).to.deep.equal([undefined, true]);
      }
      expect(await service.requests()).to.deep.equal([]);
    };
    await expectNothingSent();
    await permit();
    await permit({ text: 'denied' });
    await expectNothingSent();
    await on.api.rows('DELETE FROM policy');
    await permit({}, 'audit');
    await expectNothingSent();
  });

  it('remove its findings from pages in addition to those of the service', async () => {
    await permit();
    const id = await pdf(
      ['Dear Mara Kleinhoevel,', 'Project Bluebird starts in May.', 'mara@example.org'],
      ['The file of Bluebird is closed.', 'Nothing else is on this page.'],
    );
    const job = await redact(id);
    expect(job.state, JSON.stringify(job)).to.equal('succeeded');
    const text = (await textOf(await bytesOf(job))).join('\n');
    expect(text).to.not.match(/bluebird|kleinhoevel|mara@/i);
    expect(text).to.include('starts in May').and.include('is closed');
    const { result } = redaction(job);
    expect(result).to.deep.include({ verified: true });
    expect(result!.entities_by_type).to.deep.include({ CUSTOM_CODENAME: 2, EMAIL_ADDRESS: 1 });
    expect(checkOf(job)).to.deep.include({
      passed: true,
      detail: 'An external recogniser also searched the text of 2 pages.',
    });
    expect(await hasRedactionFact(job)).to.equal(true);
    const { json } = await on.api.call('GET', `/v1/documents/jobs/${job.id}/certificate`);
    const { certificate } = json as Certificate;
    expect(certificate.result.checks.map(({ name }) => name)).to.include('external_recogniser');
    expect(JSON.stringify(certificate)).to.not.include('127.0.0.1');
  });

  it('remove its findings from scans', async () => {
    await permit();
    number += 1;
    const scan = await scannedPdf([[`The project is called Bluebird ${number} here.`]]);
    const job = await redact(await on.upload(scan, `scan ${number}.pdf`));
    expect(job.state, JSON.stringify(job)).to.equal('succeeded');
    expect(redaction(job).result!.entities_by_type).to.have.property('CUSTOM_CODENAME', 1);
    expect((await textOf(await bytesOf(job))).join()).to.not.match(/bluebird/i);
  });

  it('remove its findings from files without pages, after emoji and in every sheet', async () => {
    await permit();
    const text = await redact(
      await letter('😀 🇩🇪 Bluebird', 'Harbour Works wrote to otto@example.org: 😀😀'),
    );
    expect((await bytesOf(text)).toString()).to.match(
      /^😀 🇩🇪 \[CUSTOM_CODENAME\]\n.*\[EMAIL_ADDRESS\]: \[CUSTOM_EMOJI\]\n/,
    );
    expect(redaction(text).result).to.deep.include({ verified: true });
    expect(checkOf(text)).to.deep.include({ passed: true });
    number += 1;
    const word = docx(
      paragraph(run('Project Blue'), run('bird, and the left knee'), run(` of case ${number}`)),
    );
    const office = await redact(await on.upload(Buffer.from(word), `file ${number}.docx`));
    expect(redaction(office).result!.entities_by_type).to.deep.equal({
      CUSTOM_BODY_PART: 1,
      CUSTOM_CODENAME: 1,
    });
    expect((await service.requests()).every(({ text: sent }) => sent.length > 0)).to.equal(true);
  });

  it('remove only the requested types, and nothing that is on the list of allowed values', async () => {
    await permit();
    const id = await letter('Harbour Works and Bluebird');
    const job = await redact(id, { entities: ['EMAIL_ADDRESS'] });
    expect((await bytesOf(job)).toString()).to.match(/^Harbour Works and \[CUSTOM_CODENAME\]/);
    const allowed = await redact(id, { entities: ['ORGANIZATION'], allow_list: ['bluebird'] });
    expect((await bytesOf(allowed)).toString()).to.match(/^\[ORGANIZATION\] and Bluebird/);
  });

  it('fail if it is unavailable and the policy does not say otherwise', async () => {
    await permit();
    await service.setMode('down');
    for (const id of [await letter('Bluebird, mara@example.org'), await pdf(['Bluebird'])]) {
      const job = await redact(id);
      expect(job.state).to.equal('failed');
      const page = (await on.pages(job.id)).find(({ op }) => op === 'redact_pii')!;
      expect(page.error).to.deep.include({ code: 'recogniser_unavailable', retryable: true });
      expect(job.outputs).to.deep.equal([]);
      expect(JSON.stringify(job)).to.not.match(/bluebird|127\.0\.0\.1|secret detail/i);
    }
    await service.setMode('works');
    const failed = await redact(await letter('Bluebird once'));
    expect(failed.state).to.equal('succeeded');
  });

  it('search all sheets of a workbook, or make no output', async () => {
    await permit();
    number += 1;
    const cell = (text: string) => ({
      rows: `<row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>`,
    });
    const book = xlsx({ One: cell(`Case ${number}`), Two: cell('Bluebird') });
    const id = await on.upload(Buffer.from(book), `book ${number}.xlsx`);
    const job = await redact(id);
    expect(redaction(job).result!.entities_by_type).to.deep.equal({ CUSTOM_CODENAME: 1 });
    await service.setMode('down');
    const failed = await redact(id);
    expect([failed.state, failed.outputs]).to.deep.equal(['failed', []]);
    expect(redaction(failed).error).to.deep.include({ code: 'recogniser_unavailable' });
  });

  it('warn if it is unavailable and the policy allows it, and are not verified', async () => {
    await permit({ if_unavailable: 'warn' });
    await service.setMode('outside');
    const letterId = await letter('Bluebird, mara@example.org');
    for (const id of [letterId, await pdf(['Bluebird, mara@example.org'])]) {
      const job = await redact(id);
      expect(job.state, JSON.stringify(job)).to.equal('succeeded');
      expect(redaction(job).result!.verified).to.equal(false);
      expect(redaction(job).result!.entities_by_type).to.have.property('EMAIL_ADDRESS', 1);
      expect(job.warnings.map(({ code }) => code)).to.include('recogniser_unavailable');
      expect(checkOf(job)).to.deep.include({ passed: false });
      expect(await hasRedactionFact(job)).to.equal(false);
    }
  });

  it('show its findings to reviewers, and remove what they accept', async () => {
    await permit();
    for (const id of [await letter('Bluebird 😀 and Bluebird'), await pdf(['About Bluebird.'])]) {
      const review = await on.awaitReview(id, { style: 'label' });
      const found = await on.findings(review.id);
      expect(found.map(({ type, text }) => [type, text])).to.deep.include([
        'CUSTOM_CODENAME',
        'Bluebird',
      ]);
      await service.setMode('down');
      const submitted = await on.submit(review.id, { pending: 'accept' });
      expect(submitted.status, submitted.text).to.equal(200);
      const job = await on.untilFinished(review.job_id);
      expect(job.state, JSON.stringify(job)).to.equal('succeeded');
      expect(redaction(job).result!.entities_by_type).to.have.property('CUSTOM_CODENAME');
      expect(checkOf(job)).to.deep.include({ passed: true });
      await service.setMode('works');
    }
  });
});
