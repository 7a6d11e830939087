import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { EngineError } from '@scriptorium/documents';
import { expect } from 'chai';
import { type Redactions, shareRedactions } from '../support/redactions.ts';
import { bornDigitalPdf } from '../support/samples.ts';

/** Through HTTP with the real engines; redaction is done by a double (test/support/redactor). */
describe('normalize_for_llm jobs', () => {
  let on: Redactions;
  before(async () => {
    on = await shareRedactions();
  });
  after(() => on.close());
  beforeEach(() => on.redactor.reset());

  let letters = 0;
  /** A letter with one line per page; no two files are the same. */
  const letter = async (...pages: string[]): Promise<string> => {
    letters += 1;
    const lines = pages.map((line) => [line]);
    lines[0]!.push(`number ${letters} of all`);
    return on.upload(await bornDigitalPdf(lines), `letter ${letters}.pdf`);
  };
  const normalize = { op: 'normalize_for_llm' };
  const markdown = { ...normalize, options: { format: ['markdown'] } };
  const operation = (job: JobRecord, op = 'normalize_for_llm') =>
    job.operations.find((one) => one.op === op)!;
  const outputs = async (job: JobRecord): Promise<Record<string, string>> => {
    const texts: Record<string, string> = {};
    for (const { object_id, kind } of job.outputs) {
      texts[kind] = (await on.content(object_id)).bytes.toString('utf8');
    }
    return texts;
  };
  const object = async (id: string) => (await on.api.call('GET', `/v1/objects/${id}`)).json;

  it('create Markdown, JSON and chunks from a PDF, named after it', async () => {
    const source = await letter('The ferry leaves at nine', 'and comes back at noon');
    const job = await on.run(source, [normalize]);
    expect(job.error).to.equal(null);
    expect(job.state).to.equal('succeeded');
    expect(job.operations.map(({ op, implicit }) => [op, implicit])).to.deep.equal([
      ['ocr', true],
      ['normalize_for_llm', false],
    ]);
    expect(operation(job).options).to.deep.equal({
      format: ['markdown', 'json', 'chunks'],
      chunk_tokens: 800,
      overlap_tokens: 80,
    });
    expect(operation(job).progress).to.include({
      pages_total: 2,
      pages_succeeded: 2,
      percent: 100,
    });
    const made = await Promise.all(job.outputs.map(({ object_id }) => object(object_id)));
    expect(
      job.outputs.map(({ kind }, at) => [kind, made[at].mime, made[at].filename]),
    ).to.deep.equal([
      ['chunks', 'application/x-ndjson', `letter ${letters}.chunks.jsonl`],
      ['json', 'application/json', `letter ${letters}.json`],
      ['markdown', 'text/markdown', `letter ${letters}.md`],
    ]);
    for (const one of made) expect(one).to.include({ derived_from: source, state: 'available' });
    const texts = await outputs(job);
    for (const text of Object.values(texts)) {
      expect(text).to.include('The ferry leaves at nine').and.include('and comes back at noon');
    }
    const chunks = texts
      .chunks!.trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const result = operation(job).result!;
    expect(result.chunks).to.equal(chunks.length);
    expect(result.tokens).to.be.greaterThan(9);
    expect(result.pages).to.equal(2);
    const document = JSON.parse(texts.json!);
    expect(document.pages.map(({ page }: { page: number }) => page)).to.deep.equal([1, 2]);
    const pages = (await on.pages(job.id)).filter(({ op }) => op === 'normalize_for_llm');
    expect(pages.map(({ page, state, text }) => [page, state, text])).to.deep.equal([
      [1, 'succeeded', null],
      [2, 'succeeded', null],
    ]);
  });

  it('create only the requested outputs', async () => {
    const job = await on.run(await letter('A line'), [markdown]);
    expect(job.outputs.map(({ kind }) => kind)).to.deep.equal(['markdown']);
  });

  it('reject an overlap that leaves no new content for a chunk', async () => {
    const source_object_id = await letter('A line');
    const start = async (options: object) => {
      const operations = [{ op: 'normalize_for_llm', options }];
      const body = { source_object_id, operations };
      return on.api.call('POST', '/v1/documents/jobs', { body });
    };
    const answer = await start({ chunk_tokens: 50 });
    expect([answer.status, answer.json.code]).to.deep.equal([422, 'validation_failed']);
    expect(answer.json.errors).to.have.length(1);
    expect(answer.json.errors[0]).to.include({
      pointer: '/operations/0/options/overlap_tokens',
      code: 'too_large',
    });
    for (const wrong of [
      { chunk_tokens: 0 },
      { chunk_tokens: 1.5 },
      { overlap_tokens: -1 },
      { format: [] },
      { format: ['html'] },
      { format: ['json', 'json'] },
      { chunks: true },
    ]) {
      expect((await start(wrong)).status, JSON.stringify(wrong)).to.equal(422);
    }
    const least = await start({ chunk_tokens: 32, overlap_tokens: 31 });
    expect(least.status).to.equal(202);
    await on.untilFinished(least.json.id);
  });

  it('process the selected pages and keep their numbers', async () => {
    const source = await letter('first', 'second', 'third', 'fourth');
    const job = await on.run(source, [normalize], { pages: '2-3' });
    const { json, markdown: text } = await outputs(job);
    expect(JSON.parse(json!).pages.map(({ page }: { page: number }) => page)).to.deep.equal([2, 3]);
    expect(text)
      .to.include('second')
      .and.include('third')
      .and.not.match(/first|fourth/);
  });

  it('continue without a failed page and retry only that page', async () => {
    const { engines } = on.workers.deps;
    const read: number[] = [];
    let broken = 2;
    on.workers.deps.engines = {
      ...engines,
      readPageLayout: async (request, options) => {
        read.push(request.page);
        if (request.page === broken) throw new EngineError('damaged', 'The page cannot be read.');
        return engines.readPageLayout(request, options);
      },
    };
    try {
      const job = await on.run(await letter('first', 'second', 'third'), [markdown]);
      expect(job.state).to.equal('partially_succeeded');
      expect(operation(job)).to.include({ state: 'partially_succeeded' });
      expect((await outputs(job)).markdown)
        .to.include('third')
        .and.not.include('second');
      broken = 0;
      const retry = await on.api.call('POST', `/v1/documents/jobs/${job.id}/retry`, { body: {} });
      const again = await on.untilFinished(retry.json.id);
      expect(again.state).to.equal('succeeded');
      expect(read.toSorted()).to.deep.equal([1, 2, 2, 3]);
      expect((await outputs(again)).markdown).to.match(/first[\s\S]*second[\s\S]*third/);
    } finally {
      on.workers.deps.engines = engines;
    }
  });

  it('warn if much of a page is not in the Markdown, and if nothing is stored', async () => {
    const { engines } = on.workers.deps;
    on.workers.deps.engines = {
      ...engines,
      readPageLayout: async (request, options) => {
        const layout = await engines.readPageLayout(request, options);
        return request.page === 2 ? { ...layout, letters: 2 * layout.letters } : layout;
      },
    };
    const warned = [];
    try {
      for (const operations of [[normalize], [normalize, { op: 'redact_pii' }]]) {
        const job = await on.run(await letter('The ferry leaves', 'at nine'), operations);
        expect(job.error).to.equal(null);
        warned.push(job.warnings.map(({ code, message }) => [code, message.slice(0, 41)]));
      }
    } finally {
      on.workers.deps.engines = engines;
    }
    expect(warned).to.deep.equal([
      [['text_left_out', 'Less than 90% of the text of page 2 is in']],
      [['outputs_withheld', 'The outputs of normalize_for_llm were not']],
    ]);
  });

  it('create the same outputs from a file without pages', async () => {
    const source = await on.upload('# Harbour\n\nThe ferry leaves *at nine*.\n', 'notes.md');
    const job = await on.run(source, [normalize]);
    expect(job.error).to.equal(null);
    expect(job.operations.map(({ op }) => op)).to.deep.equal(['normalize_for_llm']);
    expect(operation(job).progress).to.include({ pages_total: 1, pages_succeeded: 1 });
    const names = [];
    for (const { object_id } of job.outputs) names.push((await object(object_id)).filename);
    expect(names).to.deep.equal(['notes.chunks.jsonl', 'notes.json', 'notes.md']);
    const texts = await outputs(job);
    expect(texts.markdown).to.match(/^# Harbour\s+The ferry leaves \*at nine\*\.\s*$/);
    const [chunk] = texts.chunks!.split('\n');
    expect(JSON.parse(chunk!)).to.be.an('object');
    const rejected = await on.api.call('POST', '/v1/documents/jobs', {
      body: { source_object_id: source, operations: [normalize], pages: '1' },
    });
    expect(rejected.json.errors[0].code).to.equal('pages_not_applicable');
  });

  it('fail with a reason for a file of another type than stored', async () => {
    const start = Buffer.from('PK\u0003\u0004 word/document.xml [Content_Types].xml');
    const source = await on.upload(Buffer.concat([start, Buffer.alloc(64)]), 'broken.docx');
    await on.api.rows('UPDATE object SET mime = $2 WHERE id = $1', [
      source,
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ]);
    const job = await on.run(source, [normalize]);
    expect([job.state, job.error!.code, job.outputs]).to.deep.equal(['failed', 'damaged', []]);
  });

  describe('after a redaction', () => {
    const redact = { op: 'redact_pii' };

    it('read only the redaction, and derive outputs from it', async () => {
      const source = await letter('unasked', 'Dear Mr Quill', 'of quill@example.org', 'unasked');
      const files: { path: string; pages: number[] }[] = [];
      const { engines } = on.workers.deps;
      on.workers.deps.engines = {
        ...engines,
        readPageLayout: (request, options) => {
          files.push({ path: request.path, pages: [request.page, request.number] });
          return engines.readPageLayout(request, options);
        },
      };
      let job: JobRecord;
      try {
        job = await on.run(source, [redact, normalize], { pages: '2-3' });
      } finally {
        on.workers.deps.engines = engines;
      }
      expect(job.state).to.equal('succeeded');
      const redacted = job.outputs.find(({ kind }) => kind === 'redacted_pdf')!;
      const { sha256 } = await object(redacted.object_id);
      expect(files.map(({ pages }) => pages)).to.deep.equal([
        [1, 2],
        [2, 3],
      ]);
      for (const { path } of files) expect(path).to.include(sha256);
      const made = job.outputs.filter(({ operation_index }) => operation_index === 2);
      expect(made).to.have.length(3);
      for (const { object_id } of made) {
        const one = await object(object_id);
        expect(one.derived_from).to.equal(redacted.object_id);
        expect(one.filename).to.match(/^letter \d+\.redacted\.(md|json|chunks\.jsonl)$/);
      }
      const { redacted_pdf: _pdf, ...texts } = await outputs(job);
      for (const text of Object.values(texts)) {
        expect(text).to.include('[PERSON]').and.include('[EMAIL_ADDRESS]');
        expect(text).to.not.match(/quill|unasked/i);
      }
      const pages = JSON.parse(texts.json!).pages.map(({ page }: { page: number }) => page);
      expect(pages).to.deep.equal([2, 3]);
    });

    it('omit pages that could not be redacted', async () => {
      on.redactor.faults.leakingPages = [1];
      const job = await on.run(await letter('Mr Quill', 'Mr Inkwell'), [redact, markdown]);
      expect(job.state).to.equal('partially_succeeded');
      expect(operation(job)).to.include({ state: 'partially_succeeded' });
      expect(operation(job).progress).to.include({ pages_succeeded: 1, pages_skipped: 1 });
      expect((await outputs(job)).markdown)
        .to.include('[PERSON]')
        .and.not.match(/Quill|number/);
    });

    it('do not run if the redaction fails', async () => {
      on.redactor.faults.failsFileCheck = true;
      const job = await on.run(await letter('Mr Quill', 'end'), [redact, normalize]);
      expect([job.state, operation(job).state, job.outputs]).to.deep.equal([
        'failed',
        'skipped',
        [],
      ]);
    });

    it('read the document again in a retry, which may have removed more', async () => {
      on.redactor.faults.unsearchablePages = [2];
      const source = await letter('Inkwell was here', 'Dear Mr Inkwell');
      const job = await on.run(source, [redact, markdown]);
      expect((await outputs(job)).markdown).to.include('Inkwell was here');
      on.redactor.reset();
      const retry = await on.api.call('POST', `/v1/documents/jobs/${job.id}/retry`, { body: {} });
      const again = await on.untilFinished(retry.json.id);
      expect(again.state).to.equal('succeeded');
      expect((await outputs(again)).markdown).to.include('[PERSON] was here');
      expect((await outputs(again)).markdown).to.not.include('Inkwell');
    });

    it('create outputs that may be downloaded where a redaction is required', async () => {
      const source = await letter('Dear Mr Quill');
      const plain = await on.run(source, [markdown]);
      const job = await on.run(source, [redact, markdown]);
      const policy = await on.api.call('POST', '/v1/dam/security/policies', {
        body: {
          name: 'Redacted only',
          mode: 'enforce',
          scope: { type: 'project' },
          actions: ['download'],
          rules: [{ type: 'require_redaction', entities: 'personal' }],
        },
      });
      const status = async ({ outputs: made }: JobRecord) =>
        (await on.content(made.find(({ kind }) => kind === 'markdown')!.object_id)).status;
      expect([await status(plain), await status(job)]).to.deep.equal([403, 200]);
      await on.api.call('DELETE', `/v1/dam/security/policies/${policy.json.id}`, {
        headers: { 'if-match': '*' },
      });
    });

    it('create no objects from earlier operations by default', async () => {
      const source = await letter('Dear Mr Quill');
      const quiet = await on.run(source, [markdown, redact]);
      expect(quiet.outputs.map(({ kind }) => kind)).to.deep.equal(['redacted_pdf']);
      expect(operation(quiet).result).to.include({ pages: 1 });
      const stored = await on.api.rows<{ sealed: boolean }>(
        `SELECT sealed FROM job_page WHERE job_id = $1 AND operation_index = 1`,
        [quiet.id],
      );
      expect(stored).to.deep.equal([{ sealed: true }]);
      const kept = await on.run(source, [
        markdown,
        { ...redact, options: { keep_unredacted: true } },
      ]);
      expect(kept.outputs.map(({ kind }) => kind)).to.deep.equal(['markdown', 'redacted_pdf']);
    });
  });
});
