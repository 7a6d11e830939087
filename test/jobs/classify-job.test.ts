import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { EngineError } from '@scriptorium/documents';
import { expect } from 'chai';
import { type Redactions, shareRedactions } from '../support/redactions.ts';
import { bornDigitalPdf, imageOf, scannedPdf } from '../support/samples.ts';

const invoice = [
  'INVOICE',
  'Invoice number: 2024-0117',
  'Invoice date: 17 March 2024',
  'Bill to: Harbour Supplies Ltd',
  'Description  Quantity  Unit price  Amount',
  'Rope, 20 m   3   12.50   37.50',
  'Subtotal 37.50',
  'VAT 20 % 7.50',
  'Total due 45.00',
  'Payment due within 30 days',
];

/** Through HTTP with the real engines; redaction is done by a double (test/support/redactor). */
describe('classify jobs', () => {
  let on: Redactions;
  before(async () => {
    on = await shareRedactions();
  });
  after(() => on.close());
  beforeEach(() => on.redactor.reset());

  let files = 0;
  /** A PDF with these pages; no two files are the same. */
  const pdf = async (...pages: string[][]): Promise<string> => {
    files += 1;
    return on.upload(await bornDigitalPdf([...pages, [`number ${files}`]]), `file ${files}.pdf`);
  };
  const classify = async (objectId: string, body: object = {}): Promise<JobRecord> => {
    const started = await on.api.call('POST', '/v1/documents/classify', {
      body: { source_object_id: objectId, ...body },
    });
    expect(started.status).to.equal(202);
    return on.untilFinished(started.json.id);
  };
  const operation = (job: JobRecord) => job.operations.find(({ op }) => op === 'classify')!;
  const labelsOf = (job: JobRecord) => operation(job).result!.labels as { label: string }[];
  const object = async (id: string) => on.api.call('GET', `/v1/objects/${id}`);
  const updates = async (id: string): Promise<unknown[]> => {
    const rows = await on.api.rows<{ data: object }>(
      `SELECT data FROM event WHERE resource_id = $1 AND type = 'dam.object.updated'`,
      [id],
    );
    return rows.map(({ data }) => data);
  };
  const policy = async (
    actions: string[],
    labels: string[],
    require_labels = false,
  ): Promise<() => Promise<unknown>> => {
    const made = await on.api.call('POST', '/v1/dam/security/policies', {
      body: {
        name: 'Not these',
        mode: 'enforce',
        scope: { type: 'project' },
        actions,
        rules: [{ type: 'deny_labels', labels, require_labels }],
      },
    });
    expect(made.status).to.equal(201);
    const path = `/v1/dam/security/policies/${made.json.id}`;
    return () => on.api.call('DELETE', path, { headers: { 'if-match': '*' } });
  };

  it('return the labels of a PDF with their signals, and label the object', async () => {
    const id = await pdf(invoice);
    const before = await object(id);
    expect(before.json.labels).to.deep.equal([]);
    const job = await classify(id);
    expect(job.error).to.equal(null);
    expect(job.state).to.equal('succeeded');
    expect(job.operations.map(({ op, implicit }) => [op, implicit])).to.deep.equal([
      ['ocr', true],
      ['classify', false],
    ]);
    expect(job.outputs).to.deep.equal([]);
    const { labels, signals } = operation(job).result as {
      labels: { label: string; score: number }[];
      signals: { name: string; weight: number }[];
    };
    expect(labels).to.have.length(3);
    expect(labels[0]!.label).to.equal('invoice');
    const scores = labels.map(({ score }) => score);
    expect(scores).to.deep.equal(scores.toSorted((a, b) => b - a));
    expect(signals.length).to.be.greaterThan(0);
    expect(signals[0]).to.have.all.keys('name', 'weight');
    const after = await object(id);
    expect(after.json.labels).to.deep.equal(labels);
    expect(after.json.version).to.equal(before.json.version + 1);
    expect(after.headers.get('etag')).to.not.equal(before.headers.get('etag'));
    expect(await updates(id)).to.deep.equal([{ changed: ['labels'] }]);
    const pages = (await on.pages(job.id)).filter(({ op }) => op === 'classify');
    expect(pages).to.have.length(2);
    expect((pages[0]!.result!.labels as { label: string }[])[0]!.label).to.equal('invoice');
  });

  it('change nothing if they find the same labels again', async () => {
    const id = await pdf(invoice);
    await classify(id);
    const { version } = (await object(id)).json;
    await classify(id);
    expect((await object(id)).json.version).to.equal(version);
    expect(await updates(id)).to.have.length(1);
  });

  it('return as many labels as requested, also for a picture', async () => {
    const job = await classify(await on.upload(await imageOf('png', invoice), 'scan.png'), {
      top_k: 1,
    });
    expect(job.state).to.equal('succeeded');
    expect(labelsOf(job).map(({ label }) => label)).to.deep.equal(['invoice']);
    const all = await classify(await pdf(invoice), { top_k: 12 });
    expect(labelsOf(all)).to.have.length(12);
    for (const top_k of [0, 13, 1.5, '3']) {
      const body = { source_object_id: job.source_object_id, top_k };
      const answer = await on.api.call('POST', '/v1/documents/classify', { body });
      expect([answer.status, answer.json.errors[0].pointer]).to.deep.equal([422, '/top_k']);
    }
  });

  it('classify a file without pages', async () => {
    const job = await classify(await on.upload(invoice.join('\n'), 'invoice.txt'));
    expect(job.operations.map(({ op }) => op)).to.deep.equal(['classify']);
    expect(job.state).to.equal('succeeded');
    expect(labelsOf(job)[0]!.label).to.equal('invoice');
    expect((await object(job.source_object_id)).json.labels[0].label).to.equal('invoice');
  });

  it('do not change the object’s labels after reading only a part or a redaction', async () => {
    const id = await pdf(invoice);
    const first = await classify(id, { pages: '2' });
    expect((await object(id)).json.labels).to.deep.equal(labelsOf(first));
    expect(labelsOf(first)[0]!.label).to.not.equal('invoice');
    const whole = await classify(id);
    expect((await object(id)).json.labels).to.deep.equal(labelsOf(whole));
    await classify(id, { pages: '2' });
    await on.run(id, [{ op: 'redact_pii' }, { op: 'classify', options: { top_k: 5 } }]);
    expect((await object(id)).json.labels).to.deep.equal(labelsOf(whole));
  });

  it('do not count for policies if a client may have distorted the text', async () => {
    const upsideDown = async () =>
      on.upload(await scannedPdf([invoice], { rotation: 180 }), 'upside down.pdf');
    const written = () => pdf(invoice);
    const [classifies, redacts] = [{ op: 'classify' }, { op: 'redact_pii' }];
    const ocr = (options: object) => ({ op: 'ocr', options });
    const spoilt: [() => Promise<string>, object[], object][] = [
      [upsideDown, [ocr({ rotate: false }), classifies], {}],
      [written, [classifies], { pages: '2' }],
      [written, [redacts, classifies], {}],
      [written, [ocr({ existing_text: 'redo' }), classifies], {}],
    ];
    for (const [make, operations, body] of spoilt) {
      const id = await make();
      const how = JSON.stringify(operations);
      const lift = await policy(['download'], ['invoice'], true);
      try {
        const job = await on.run(id, operations, body);
        expect(job.state, how).to.equal('succeeded');
        expect((await object(id)).json.labels, how).to.not.deep.equal([]);
        expect((await on.content(id)).status, how).to.equal(403);
      } finally {
        await lift();
      }
      const other = await policy(['download'], ['letter'], true);
      try {
        expect((await on.content(id)).status, how).to.equal(403);
        const whole = await classify(id);
        expect((await object(id)).json.labels, how).to.deep.equal(labelsOf(whole));
        expect((await on.content(id)).status, how).to.equal(200);
      } finally {
        await other();
      }
    }
  });

  it('do not change the labels if the pages that show them fail', async () => {
    const id = await pdf(invoice);
    const whole = await classify(id);
    const { engines } = on.workers.deps;
    on.workers.deps.engines = {
      ...engines,
      classifyPage: async (request, options) => {
        const found = await engines.classifyPage(request, options);
        if (found.labels[0]!.label !== 'invoice') return found;
        throw new EngineError('damaged', 'The page cannot be read.');
      },
    };
    try {
      const part = await classify(id);
      expect(part.state).to.equal('partially_succeeded');
      expect(labelsOf(part)[0]!.label).to.not.equal('invoice');
    } finally {
      on.workers.deps.engines = engines;
    }
    expect((await object(id)).json.labels).to.deep.equal(labelsOf(whole));
  });

  it('count for policies as soon as they end', async () => {
    const id = await pdf(invoice);
    const lift = [await policy(['download'], ['invoice'])];
    try {
      expect((await on.content(id)).status).to.equal(200);
      await classify(id);
      expect((await on.content(id)).status).to.equal(403);
    } finally {
      for (const each of lift) await each();
    }
    // Labels with a low score do not count.
    const { labels } = (await object(id)).json;
    expect(labels[2].score).to.be.lessThan(0.2);
    const hardly = await policy(['download'], [labels[2].label]);
    try {
      expect((await on.content(id)).status).to.equal(200);
    } finally {
      await hardly();
    }
  });

  it('fail if they continue with a document that must not be processed', async () => {
    const lift = await policy(['process'], ['invoice']);
    try {
      const id = await pdf(invoice);
      const job = await on.run(id, [{ op: 'classify' }, { op: 'normalize_for_llm' }]);
      expect(job.state).to.equal('failed');
      expect(job.error).to.include({ code: 'policy_denied' });
      expect(job.operations.map(({ op, state }) => [op, state])).to.deep.equal([
        ['ocr', 'succeeded'],
        ['classify', 'succeeded'],
        ['normalize_for_llm', 'failed'],
      ]);
      expect(job.outputs).to.deep.equal([]);
      const again = await on.api.call('POST', '/v1/documents/classify', {
        body: { source_object_id: id },
      });
      expect([again.status, again.json.code]).to.deep.equal([403, 'policy_denied']);
    } finally {
      await lift();
    }
  });

  it('run with all other operations in one job', async () => {
    const id = await pdf(invoice, ['Dear Mr Quill', 'thank you for your order']);
    const job = await on.run(id, [
      { op: 'ocr', options: { output: ['text'] } },
      { op: 'redact_pii' },
      { op: 'classify' },
      { op: 'normalize_for_llm' },
    ]);
    expect(job.state).to.equal('succeeded');
    expect(job.progress).to.include({ pages_total: 12, pages_completed: 12, percent: 100 });
    expect(job.operations.map(({ op, state }) => [op, state])).to.deep.equal([
      ['ocr', 'succeeded'],
      ['redact_pii', 'succeeded'],
      ['classify', 'succeeded'],
      ['normalize_for_llm', 'succeeded'],
    ]);
    expect(job.outputs.map(({ kind }) => kind)).to.deep.equal([
      'redacted_pdf',
      'chunks',
      'json',
      'markdown',
    ]);
    expect(labelsOf(job)[0]!.label).to.equal('invoice');
    expect((await object(id)).json.labels).to.deep.equal(labelsOf(job));
  });

  it('are described by the capabilities, with options and labels', async () => {
    const { operations } = (await on.api.call('GET', '/v1/capabilities')).json as {
      operations: {
        op: string;
        maturity: string;
        options: { properties: Record<string, { default: unknown }>; required?: string[] };
        outputs: string[];
        sources: string[];
        labels: { label: string; description: string }[] | null;
      }[];
    };
    const of = (wanted: string) => operations.find(({ op }) => op === wanted)!;
    expect(of('normalize_for_llm').options.properties.chunk_tokens!.default).to.equal(800);
    expect(of('normalize_for_llm').outputs).to.deep.equal([
      'markdown',
      'json',
      'chunks',
      'attachment',
    ]);
    expect(of('classify').options.properties.top_k!.default).to.equal(3);
    expect(of('classify').outputs).to.deep.equal([]);
    expect(of('classify').sources).to.include('text/csv').and.include('image/webp');
    expect(of('classify').labels!.map(({ label }) => label)).to.include('invoice');
    expect(of('ocr').labels).to.equal(null);
    for (const { options } of operations) {
      expect(options.required ?? []).to.deep.equal([]);
      for (const field of Object.values(options.properties))
        expect(field).to.have.property('default');
    }
  });
});
