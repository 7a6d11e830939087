import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { expect } from 'chai';
import type { Tenant } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { docx, paragraph, run } from '../support/office.ts';
import { type Redactions, shareRedactions } from '../support/redactions.ts';
import { bornDigitalPdf, imageOf, textOf } from '../support/samples.ts';

/** Through HTTP, with a double that keeps the engines' promises (test/support/redactor). */
describe('redact_pii jobs', () => {
  let on: Redactions;
  let clerk: Tenant;
  before(async () => {
    on = await shareRedactions();
    clerk = await on.api.issue(['documents:read', 'documents:write', 'objects:read']);
  });
  after(() => on.close());
  beforeEach(() => on.redactor.reset());

  let letters = 0;
  /** A letter with one line per page; no two files are the same. */
  const letter = async (...pages: string[]): Promise<string> => {
    letters += 1;
    const lines = pages.map((line) => [line]);
    lines[0]!.push(`no ${letters}`);
    return on.upload(await bornDigitalPdf(lines), `letter ${letters}.pdf`);
  };
  const redaction = (job: JobRecord) => job.operations.find(({ op }) => op === 'redact_pii')!;
  const start = (body: object, tenant: Partial<Tenant> = {}) =>
    on.api.call('POST', '/v1/documents/redact', {
      body,
      ...(tenant.key ? { key: tenant.key } : {}),
    });
  const outputText = async (job: JobRecord): Promise<string[]> =>
    textOf((await on.content(job.outputs[0]!.object_id)).bytes);
  const failedEvents = async (jobId: string): Promise<number[]> => {
    const rows = await on.api.rows<{ data: { page: number } }>(
      `SELECT data FROM event WHERE resource_id = $1 AND type = 'documents.job_page.failed'`,
      [jobId],
    );
    return rows.map(({ data }) => data.page);
  };

  describe('on creation', () => {
    it('add an ocr operation before the redaction if there are pages to recognise', async () => {
      const answer = await start({ source_object_id: await letter('Dear Mr Quill') });
      expect(answer.status).to.equal(202);
      const [ocr, redact] = (answer.json as JobRecord).operations;
      expect(ocr).to.deep.include({ op: 'ocr', index: 0, implicit: true });
      expect(redact).to.deep.include({ op: 'redact_pii', index: 1, implicit: false });
      expect(redact!.options).to.deep.equal({
        box: 'to_edge',
        entities: 'personal',
        keep: [],
        min_confidence: 0.4,
        style: 'blackbox',
        text_layer: true,
        mail_recipients: 'redact',
        custom_patterns: [],
        allow_list: [],
        keep_unredacted: false,
        review: 'none',
        review_below: 0.8,
        reviewers: 'anyone',
        review_expires_in: 1_209_600,
      });
      const read = await on.api.call('GET', `/v1/documents/jobs/${answer.json.id}`);
      expect(read.json.operations.map((one: { implicit: boolean }) => one.implicit)).to.deep.equal([
        true,
        false,
      ]);
      await on.untilFinished(answer.json.id);
    });

    it('add none if one was requested or the file has no pages', async () => {
      const ops = (job: JobRecord) => job.operations.map(({ op, implicit }) => [op, implicit]);
      const asked = await on.run(await letter('Mr Quill'), [{ op: 'ocr' }, { op: 'redact_pii' }]);
      expect(ops(asked)).to.deep.equal([
        ['ocr', false],
        ['redact_pii', false],
      ]);
      const text = await on.redact(await on.upload('for Mr Quill', 'a.txt'));
      expect(ops(text)).to.deep.equal([['redact_pii', false]]);
    });

    it('report faults in options, each with its pointer', async () => {
      const source_object_id = await letter('Mr Quill');
      const faults = (answer: { status: number; json: { errors: object[] } }) => {
        expect(answer.status).to.equal(422);
        return answer.json.errors;
      };
      const [unknown] = faults(await start({ source_object_id, entities: ['EMAIL', 'PERSON'] }));
      expect(unknown).to.include({ pointer: '/entities/0', code: 'not_allowed' });
      expect((unknown as { allowed: string[] }).allowed).to.include.members(['EMAIL_ADDRESS']);
      const patterns = [
        { name: 'GOOD', pattern: 'a+' },
        { name: 'AHEAD', pattern: '(?=a)b' },
        { name: 'BACK', pattern: '(a)\\1' },
      ];
      const wrong = ['invalid_pattern', 'invalid_pattern'];
      const inline = faults(await start({ source_object_id, custom_patterns: patterns }));
      expect(inline).to.have.length(2);
      expect(inline.map((one) => (one as { code: string }).code)).to.deep.equal(wrong);
      expect(inline[0]).to.include({ pointer: '/custom_patterns/1/pattern' });
      const operations = [
        { op: 'ocr' },
        { op: 'redact_pii', options: { custom_patterns: patterns } },
      ];
      const nested = await on.api.call('POST', '/v1/documents/jobs', {
        body: { source_object_id, operations },
      });
      expect(faults(nested)[1]).to.include({
        pointer: '/operations/1/options/custom_patterns/2/pattern',
      });
    });

    it('reject pages for a file without pages, and types an operation cannot read', async () => {
      const text = await on.upload('plain words', 'plain.txt');
      const paged = await start({ source_object_id: text, pages: '1' });
      expect([paged.status, paged.json.errors[0].code]).to.deep.equal([
        422,
        'pages_not_applicable',
      ]);
      const both = await on.api.call('POST', '/v1/documents/jobs', {
        body: { source_object_id: text, operations: [{ op: 'ocr' }, { op: 'redact_pii' }] },
      });
      expect(both.json.errors[0]).to.include({ code: 'unsupported_source' });
      expect(both.json.errors[0].allowed).to.include('application/pdf').and.not.include('text/csv');
      const program = await on.upload('\u0000\u0001\u0002', 'a.bin');
      const strange = await start({ source_object_id: program });
      expect(strange.json.errors[0].allowed).to.include.members(['application/pdf', 'text/csv']);
      const encrypted = await on.upload(
        Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(512)]),
        'letter.docx',
      );
      const refused = await start({ source_object_id: encrypted });
      expect(refused.json.errors[0].detail).to.include('an Office file with a password');
    });

    it('say that the redacted copy of a signed file has no signature', async () => {
      const letter = paragraph(run('Mr Quill of quill@example.org'));
      const parts = { '_xmlsignatures/origin.sigs': { body: '' } };
      const origin: [string, string] = ['digital-signature/origin', '_xmlsignatures/origin.sigs'];
      const signed = docx(letter, { root: { rId9: origin }, parts });
      for (const [file, codes] of [
        [signed, ['signature_invalidated']],
        [docx(letter), []],
      ] as const) {
        const job = await on.run(await on.upload(Buffer.from(file), 'letter.docx'), [
          { op: 'redact_pii' },
        ]);
        expect([job.state, job.warnings.map(({ code }) => code)]).to.deep.equal([
          'succeeded',
          codes,
        ]);
      }
    });

    it('keep unredacted outputs only for callers that may read personal data', async () => {
      const source = await letter('Mr Quill of quill@example.org');
      const operations = [
        { op: 'ocr', options: { output: ['text'] } },
        { op: 'redact_pii', options: { keep_unredacted: true } },
      ];
      const body = { source_object_id: source, operations };
      const rejected = await on.api.call('POST', '/v1/documents/jobs', { body, key: clerk.key });
      expect([rejected.status, rejected.json.code]).to.deep.equal([403, 'insufficient_scope']);
      const kept = await on.run(source, operations);
      expect(kept.outputs.map(({ kind }) => kind)).to.deep.equal(['text', 'redacted_pdf']);
      const retry = await on.api.call('POST', `/v1/documents/jobs/${kept.id}/retry`, {
        body: { scope: 'all' },
        key: clerk.key,
      });
      expect(retry.status).to.equal(403);
      const usual = await on.run(source, [operations[0]!, { op: 'redact_pii' }]);
      expect(usual.outputs.map(({ kind }) => kind)).to.deep.equal(['redacted_pdf']);
    });
  });

  it('create a file without the findings, and report only their number', async () => {
    const source = await letter('Dear Mr Quill write to quill@example.org', 'Yours Mr Inkwell');
    const job = await on.redact(source);
    expect(job.error).to.equal(null);
    expect(job.state).to.equal('succeeded');
    expect(redaction(job).result).to.deep.include({
      entities_by_type: { EMAIL_ADDRESS: 1, PERSON: 2 },
      regions: 3,
      verified: true,
      pages_burned: 0,
      pages_empty: 0,
    });
    const checks = redaction(job).result!.checks as { name: string; passed: boolean }[];
    expect(checks.map(({ name, passed }) => [name, passed])).to.deep.equal([
      ['structure', true],
      ['text', true],
    ]);
    expect(job.outputs.map(({ kind, mime }) => [kind, mime])).to.deep.equal([
      ['redacted_pdf', 'application/pdf'],
    ]);
    const object = (await on.api.call('GET', `/v1/objects/${job.outputs[0]!.object_id}`)).json;
    expect(object).to.include({ derived_from: source, state: 'available' });
    expect(object.filename).to.match(/^letter \d+\.redacted\.pdf$/);
    const texts = await outputText(job);
    expect(texts.join(' '))
      .to.include('[PERSON]')
      .and.not.match(/Quill|Inkwell|quill@/);
    expect(JSON.stringify(job)).to.not.match(/Quill|Inkwell|quill@/);
  });

  it('remove what was found on one page from the other pages as well', async () => {
    const job = await on.redact(await letter('Dear Mr Quill', 'a page between', 'Quill again'));
    expect(redaction(job).result!.entities_by_type).to.deep.equal({ PERSON: 2 });
    expect((await outputText(job))[2])
      .to.include('[PERSON]')
      .and.not.include('Quill');
    const pages = await on.pages(job.id);
    const third = pages.find(({ op, page }) => op === 'redact_pii' && page === 3)!;
    expect(third.text).to.include('[PERSON] again');
    expect(third.entities!.map(({ value }) => value)).to.deep.equal(['Quill']);
  });

  it('name the output after the source, without values that were removed', async () => {
    const pdf = await bornDigitalPdf([['Dear Mr Quillfeather']]);
    for (const [file, wanted] of [
      [await on.upload(pdf, 'to quillfeather.pdf'), 'to PERSON.redacted.pdf'],
      [await on.upload('for Mr Quillfeather', 'Quillfeather.txt'), 'PERSON.redacted.txt'],
    ] as const) {
      const { outputs } = await on.redact(file);
      const made = await on.api.call('GET', `/v1/objects/${outputs[0]!.object_id}`);
      expect(made.json.filename).to.equal(wanted);
    }
  });

  it('copy only the selected pages to the output', async () => {
    const source = await letter('Mr Quill', 'second', 'third Mr Inkwell', 'fourth');
    const job = await on.redact(source, { pages: '2-3' });
    const texts = await outputText(job);
    expect(texts).to.have.length(2);
    expect(texts[0]).to.include('second');
    expect(texts[1]).to.include('third Mr [PERSON]');
    const [fact] = await on.api.rows<{ all_pages: boolean }>(
      'SELECT all_pages FROM redaction_fact WHERE object_id = $1',
      [job.outputs[0]!.object_id],
    );
    expect(fact!.all_pages).to.equal(false);
  });

  it('keep the type of a picture, and write a PDF for a TIFF', async () => {
    // The engines' tests cover the contents; this test covers what the job makes of them.
    const kinds: unknown[] = [];
    for (const kind of ['png', 'tiff'] as const) {
      const job = await on.redact(await on.upload(await imageOf(kind, ['Mr Quill']), `a.${kind}`));
      kinds.push(job.outputs.map(({ kind: made, mime }) => [made, mime]));
    }
    expect(kinds).to.deep.equal([
      [['redacted_file', 'image/png']],
      [['redacted_pdf', 'application/pdf']],
    ]);
  });

  describe('on a file without pages', () => {
    it('redact it in its own format, and store its page at the end', async () => {
      const job = await on.redact(await on.upload('Dear Mr Quill of a@b.example', 'mail.txt'));
      expect(job.state).to.equal('succeeded');
      expect(job.outputs.map(({ kind, mime }) => [kind, mime])).to.deep.equal([
        ['redacted_file', 'text/plain'],
      ]);
      const { bytes } = await on.content(job.outputs[0]!.object_id);
      expect(bytes.toString()).to.equal('Dear Mr [PERSON] of [EMAIL_ADDRESS]');
      const [page] = await on.pages(job.id);
      expect(page!.text).to.equal('Dear Mr [PERSON] of [EMAIL_ADDRESS]');
      expect(page!.entities).to.deep.equal([
        { type: 'PERSON', score: 0.9, value: 'Quill', boxes: [] },
        { type: 'EMAIL_ADDRESS', score: 0.9, value: 'a@b.example', boxes: [] },
      ]);
    });

    it('warn about replaced pictures', async () => {
      const warned = [];
      for (const text of ['Dear Mr Quill the third', 'Dear Mr Quill (picture) and (picture)']) {
        const job = await on.redact(await on.upload(text, 'mail.txt'));
        expect(job.state).to.equal('succeeded');
        warned.push(job.warnings.map(({ code, message }) => [code, message.slice(0, 15)]));
      }
      expect(warned).to.deep.equal([[], [['pictures_replaced', '2 pictures were']]]);
    });

    it('warn about languages that names are not found in', async () => {
      const job = await on.redact(await on.upload('Dear Mr Quill (Russian)', 'mail.txt'));
      expect(job.state).to.equal('succeeded');
      expect(job.warnings.map(({ code }) => code)).to.deep.equal(['language_not_covered']);
      expect(job.warnings[0]!.message).to.match(
        /^Page 1: names, .* are not detected in Russian\. /,
      );
    });

    it('fail without an output if the check fails', async () => {
      on.redactor.faults.failsFileCheck = true;
      const job = await on.redact(await on.upload('Dear Mr Quill the second', 'mail.txt'));
      expect(job.state).to.equal('failed');
      expect(job.error).to.include({ code: 'redaction_not_verified', retryable: false });
      expect(job.outputs).to.deep.equal([]);
      const [page] = await on.pages(job.id);
      expect([page!.text, page!.entities]).to.deep.equal([null, null]);
    });
  });

  describe('page results', () => {
    it('omit values and original text for callers that may not read personal data', async () => {
      const job = await on.redact(await letter('Dear Mr Quill', 'nothing'));
      const [read, , found] = await on.pages(job.id, clerk);
      expect([read!.op, read!.text]).to.deep.equal(['ocr', null]);
      expect(found!.text).to.match(/^Dear Mr \[PERSON\] no \d+$/);
      expect(found!.entities).to.have.length(1);
      expect(found!.entities![0]).to.have.all.keys('type', 'score', 'boxes');
      expect(found!.entities![0]!.boxes[0]).to.have.length(4);
      expect(found!.result).to.deep.include({ entities_by_type: { PERSON: 1 }, regions: 1 });
      const [seen, , known] = await on.pages(job.id);
      expect(seen!.text).to.include('Dear Mr Quill');
      expect(seen!.entities).to.equal(null);
      expect(known!.entities![0]!.value).to.equal('Quill');
    });

    it('expire with the results and with the source', async () => {
      const [first, second] = [await letter('Mr Quill'), await letter('Mr Inkwell')];
      const [expired, purged] = [await on.redact(first), await on.redact(second)];
      await on.api.rows(`UPDATE job SET finished_at = now() - interval '31 days' WHERE id = $1`, [
        expired.id,
      ]);
      await eventually(async () => {
        await on.api.rows(`UPDATE task SET due_at = now() WHERE kind = 'project.tidy'`);
        return (await on.pages(expired.id)).every(({ entities }) => entities === null);
      });
      expect((await on.pages(expired.id)).map(({ text }) => text)).to.deep.equal([null, null]);
      await on.api.call('DELETE', `/v1/objects/${second}`);
      await on.api.rows(`UPDATE object SET trashed_at = now() - interval '31 days' WHERE id = $1`, [
        second,
      ]);
      await eventually(async () => {
        await on.api.rows(`UPDATE task SET due_at = now() WHERE kind = 'object.purge'`);
        return (await on.api.call('GET', `/v1/objects/${second}`)).status === 404;
      });
      const rows = await on.api.rows<{ kept: boolean }>(
        `SELECT words IS NOT NULL OR text IS NOT NULL OR result IS NOT NULL AS kept
         FROM job_page WHERE job_id = $1`,
        [purged.id],
      );
      expect(rows.map(({ kept }) => kept)).to.deep.equal([false, false]);
      expect((await on.content(purged.outputs[0]!.object_id)).status).to.equal(200);
    });
  });

  describe('with failing pages', () => {
    it('leave a page empty that could not be searched, and are not verified', async () => {
      on.redactor.faults.unsearchablePages = [2];
      const job = await on.redact(await letter('Mr Quill', 'Mr Inkwell', 'end'));
      expect(job.state).to.equal('partially_succeeded');
      expect(redaction(job)).to.deep.include({ state: 'partially_succeeded' });
      expect(redaction(job).progress).to.include({ pages_succeeded: 2, pages_failed: 1 });
      expect(redaction(job).result).to.include({ verified: false, pages_empty: 1 });
      const texts = await outputText(job);
      expect(texts[1]).to.include('could not be redacted').and.not.include('Inkwell');
      expect(
        await on.api.rows('SELECT FROM redaction_fact WHERE object_id = $1', [
          job.outputs[0]!.object_id,
        ]),
      ).to.have.length(0);
    });

    it('skip a page that failed earlier, and leave it empty', async () => {
      const source = await letter('Mr Quill', 'Mr Inkwell');
      const { engines } = on.workers.deps;
      on.workers.deps.engines = {
        ...engines,
        recognisePage: (request, options) =>
          request.page === 2
            ? engines.recognisePage({ ...request, languages: ['xxx'] }, options)
            : engines.recognisePage(request, options),
      };
      let job: JobRecord;
      try {
        job = await on.redact(source);
      } finally {
        on.workers.deps.engines = engines;
      }
      expect(job.state).to.equal('partially_succeeded');
      expect(redaction(job)).to.deep.include({ state: 'partially_succeeded' });
      expect(redaction(job).progress).to.include({ pages_succeeded: 1, pages_skipped: 1 });
      expect(redaction(job).result).to.include({ verified: false, pages_empty: 1 });
      const skipped = (await on.pages(job.id)).find(
        ({ op, page }) => op === 'redact_pii' && page === 2,
      )!;
      expect([skipped.state, skipped.error!.code]).to.deep.equal(['skipped', 'failed_before']);
      expect((await outputText(job))[1]).to.not.include('Inkwell');
      const retry = await on.api.call('POST', `/v1/documents/jobs/${job.id}/retry`, { body: {} });
      const again = await on.untilFinished(retry.json.id);
      expect(again.state).to.equal('succeeded');
      expect(redaction(again).result).to.include({ verified: true });
      // Each page once per job.
      expect(on.redactor.calls.findPage).to.equal(2);
    });

    it('empty a page that shows findings even as a picture, and check all pages each time', async () => {
      on.redactor.faults.leakingPages = [1];
      const job = await on.redact(await letter('Mr Quill', 'Mr Inkwell'));
      expect(on.redactor.calls).to.include({ redactPages: 3, checkPage: 6, checkFile: 3 });
      expect(job.state).to.equal('partially_succeeded');
      expect(job.progress).to.include({ pages_failed: 1, percent: 100 });
      expect(redaction(job).progress).to.include({ pages_succeeded: 1, pages_failed: 1 });
      expect(redaction(job).result).to.deep.include({
        verified: false,
        entities_by_type: { PERSON: 1 },
        pages_empty: 1,
      });
      const texts = await outputText(job);
      expect(texts[0]).to.not.include('Quill');
      expect(texts[1]).to.include('[PERSON]');
      const failed = (await on.pages(job.id)).find(({ state }) => state === 'failed')!;
      expect([failed.page, failed.error!.code]).to.deep.equal([1, 'page_not_redacted']);
      expect([failed.text, failed.entities]).to.deep.equal([null, null]);
      expect(await failedEvents(job.id)).to.deep.equal([1]);
    });

    it('replace a page that cannot be proven in place by a picture, and say so', async () => {
      on.redactor.faults.leakingInPlacePages = [2];
      const job = await on.redact(await letter('Mr Quill', 'Mr Inkwell'));
      expect(job.state).to.equal('succeeded');
      expect(redaction(job).result).to.include({ verified: true, pages_burned: 1, pages_empty: 0 });
      expect(job.warnings.map(({ code }) => code)).to.deep.equal(['text_not_kept']);
      expect(job.warnings[0]!.message).to.match(/ replaces page 2\.$/);
    });

    it('treat a page that cannot be checked as one that failed its check', async () => {
      on.redactor.faults.uncheckablePages = [2];
      const job = await on.redact(await letter('Mr Quill', 'Mr Inkwell'));
      expect(job.state).to.equal('partially_succeeded');
      expect(redaction(job).result).to.include({ verified: false, pages_empty: 1 });
      expect(await failedEvents(job.id)).to.deep.equal([2]);
    });

    it('retry only those pages, with the sealed results of the others', async () => {
      on.redactor.faults.unsearchablePages = [2];
      const job = await on.redact(await letter('Mr Quill', 'Mr Inkwell'));
      on.redactor.reset();
      const retry = await on.api.call('POST', `/v1/documents/jobs/${job.id}/retry`, { body: {} });
      const again = await on.untilFinished(retry.json.id);
      expect(again).to.include({ state: 'succeeded', retry_of: job.id });
      expect(again.operations.map(({ op, implicit }) => [op, implicit])).to.deep.equal([
        ['ocr', true],
        ['redact_pii', false],
      ]);
      expect(on.redactor.calls.findPage).to.equal(1);
      expect(redaction(again).result).to.deep.include({
        verified: true,
        entities_by_type: { PERSON: 2 },
      });
      const values = (await on.pages(again.id)).flatMap(({ entities }) => entities ?? []);
      expect(values.map(({ value }) => value)).to.deep.equal(['Quill', 'Inkwell']);
    });
  });

  describe('create no output', () => {
    const failedWith = (job: JobRecord): unknown[] => [
      job.state,
      redaction(job).state,
      job.error?.code,
      job.outputs,
    ];
    const unverified = ['failed', 'failed', 'redaction_not_verified', []];

    it('if the file as a whole fails its check', async () => {
      on.redactor.faults.failsFileCheck = true;
      const job = await on.redact(await letter('Mr Quill', 'end'));
      expect(failedWith(job)).to.deep.equal(unverified);
      expect(job.error!.message).to.include('structure');
      const pages = await on.pages(job.id);
      expect(pages.find(({ op }) => op === 'redact_pii')!.text).to.equal(null);
    });

    it('if a page gets lost between operations', async () => {
      on.redactor.faults.losesLastPage = true;
      const job = await on.redact(await letter('Mr Quill', 'Mr Inkwell'));
      expect(failedWith(job)).to.deep.equal(unverified);
      expect(on.redactor.calls.redactPages).to.equal(0);
    });

    it('if every page would be empty', async () => {
      on.redactor.faults.leakingPages = [1, 2];
      const job = await on.redact(await letter('Mr Quill', 'Mr Inkwell'));
      expect(failedWith(job)).to.deep.equal(unverified);
      on.redactor.reset();
      on.redactor.faults.unsearchablePages = [1];
      const none = await on.redact(await letter('Mr Quill'));
      expect(failedWith(none)).to.deep.equal(['failed', 'failed', 'all_pages_failed', []]);
    });

    it('if nothing was checked', async () => {
      on.redactor.faults.skipsChecks = true;
      const job = await on.redact(await letter('Mr Quill', 'end'));
      expect(failedWith(job)).to.deep.equal(unverified);
    });

    it('if they are cancelled while the output is written, which stops at once', async () => {
      on.redactor.faults.waitsForAbort = true;
      const started = await start({ source_object_id: await letter('Mr Quill', 'end') });
      await eventually(async () => on.redactor.calls.redactPages === 1);
      const path = `/v1/documents/jobs/${started.json.id}`;
      const { progress } = (await on.api.call('GET', path)).json;
      expect(progress).to.include({ percent: 99, pages_completed: 4, eta_seconds: null });
      expect((await on.api.call('POST', `${path}/cancel`)).json.state).to.equal('cancelling');
      const job = await on.untilFinished(started.json.id);
      expect(failedWith(job)).to.deep.equal(['cancelled', 'cancelled', undefined, []]);
      expect(await on.api.rows('SELECT FROM task WHERE resource_id = $1', [job.id])).to.have.length(
        0,
      );
      expect(
        await on.api.rows('SELECT FROM object WHERE source_job_id = $1', [job.id]),
      ).to.have.length(0);
      const shown = (await on.pages(job.id)).find(({ op }) => op === 'redact_pii')!;
      expect(shown.text).to.equal(null);
    });
  });
});
