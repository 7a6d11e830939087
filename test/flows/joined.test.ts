import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { expect } from 'chai';
import { type CollectedSpan, type Collector, startCollector } from '../support/collector.ts';
import { eventually } from '../support/eventually.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { scannedPdf } from '../support/samples.ts';
import { openService, type Program, type TestService } from '../support/service.ts';

type Line = Record<string, unknown>;

const pages = 3;
const requestId = 'the-one-request_42';
const clientTrace = '0af7651916cd43dd8448eb211c80319c';
const clientSpan = 'b7ad6b7169203331';
/** What must be in no log line and no span. */
const secrets = ['Ms-Private', 'private-name', 'token=hidden'];

/**
 * One job, started by one request, across several processes: its request ID finds everything that
 * was done for it in their logs, and a single trace contains all of it.
 */
describe('one request in logs and traces', () => {
  let service: TestService;
  let receiver: Receiver;
  let collector: Collector;
  let programs: Record<'server' | 'relay' | 'ocr' | 'webhooks', Program>;
  let job: JobRecord;
  before(async () => {
    [service, receiver, collector] = await Promise.all([
      openService(),
      startReceiver(),
      startCollector(),
    ]);
    const env = {
      LOG_LEVEL: 'debug',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    };
    programs = {
      relay: service.startWorker('relay', env),
      ocr: service.startWorker('ocr', env),
      webhooks: service.startWorker('webhooks', env),
      server: await service.startServer(env),
    };
    const hook = await service.call('POST', '/v1/webhooks', {
      url: `${receiver.url}?token=hidden`,
      event_types: ['documents.job.*'],
      secret: receiver.secret,
    });
    expect(hook.status).to.equal(201);
    const pdf = await scannedPdf(
      Array.from({ length: pages }, (_, at) => [`Dear Ms-Private, this is page ${at + 1}`]),
    );
    const object = await service.upload(pdf, 'private-name.pdf');
    const started = await service.call(
      'POST',
      '/v1/documents/ocr',
      { source_object_id: object.id, output: ['text'] },
      { 'X-Request-Id': requestId, traceparent: `00-${clientTrace}-${clientSpan}-01` },
    );
    expect(started.status).to.equal(202);
    job = (await started.json()) as JobRecord;
    expect((await service.untilFinished(job.id)).state).to.equal('succeeded');
    await eventually(async () => succeeded().length > 0);
    // In order: a process that stops sends its spans.
    for (const name of ['server', 'ocr', 'webhooks', 'relay'] as const) {
      expect(await programs[name].stop(), name).to.equal(0);
    }
  });
  after(async () => {
    await service.close();
    await receiver.close();
    await collector.close();
  });

  const succeeded = () =>
    receiver.requests.filter(
      ({ body }) => JSON.parse(body.toString()).type === 'documents.job.succeeded',
    );
  /** A process's log lines about the request. */
  const linesOf = (name: keyof typeof programs): Line[] =>
    programs[name]
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line): Line => JSON.parse(line))
      .filter((line) => line.request_id === requestId);

  it('is logged by the server with its project, key and trace', () => {
    const [line, ...more] = linesOf('server');
    expect(more).to.deep.equal([]);
    expect(line).to.include({
      msg: 'request',
      operation: 'startOcr',
      status: 202,
      project_id: service.projectId,
      trace_id: clientTrace,
    });
  });

  it('is logged by the worker for each task and page range', () => {
    const lines = linesOf('ocr').filter(({ msg }) => msg === 'finished a task');
    const kinds = lines.map(({ kind }) => kind);
    expect(kinds[0]).to.equal('operation.open');
    expect(kinds.at(-1)).to.equal('operation.assemble');
    for (const line of lines) {
      expect(line).to.include({
        job_id: job.id,
        object_id: job.source_object_id,
        project_id: service.projectId,
        op: 'ocr',
        attempt: 1,
        trace_id: clientTrace,
      });
      expect(line.task_id).to.match(/^tsk_/);
      expect(line.ms).to.be.a('number');
    }
    const ranges = lines
      .filter(({ kind }) => kind === 'operation.pages')
      .map((line) => [line.first_page, line.last_page]);
    expect(ranges.sort()).to.deep.equal([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
  });

  it('is logged by the relay for each event and task', () => {
    const lines = linesOf('relay');
    const of = (text: string) => lines.filter(({ msg }) => msg === text);
    const types = of('an event was numbered').map(({ event_type }) => event_type);
    expect(types).to.include.members([
      'documents.job.created',
      'documents.job.started',
      'documents.job.progressed',
      'documents.job.succeeded',
    ]);
    expect(of('a task was handed over')).to.have.length(pages + 2);
    for (const line of lines) expect(line).to.include({ project_id: service.projectId });
  });

  it('is in the log of every delivery attempt, and in the delivered event', () => {
    const lines = linesOf('webhooks').filter(
      ({ event_type }) => event_type === 'documents.job.succeeded',
    );
    expect(lines).to.have.length(1);
    expect(lines[0]).to.include({
      msg: 'a delivery was attempted',
      job_id: job.id,
      attempt: 1,
      outcome: 'succeeded',
      status: 204,
      error: null,
    });
    expect(JSON.parse(succeeded()[0]!.body.toString()).request_id).to.equal(requestId);
  });

  it('is one trace from request to delivery, in which every span has its parent', () => {
    const spans = collector.spans.filter(({ traceId }) => traceId === clientTrace);
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    const orphans = spans.filter(
      ({ parentSpanId }) => parentSpanId !== clientSpan && !byId.has(parentSpanId),
    );
    expect(orphans).to.deep.equal([]);
    const named = (name: string): CollectedSpan[] => spans.filter((span) => span.name === name);
    const [request] = named('POST /v1/documents/ocr');
    expect(request).to.deep.include({
      service: 'scriptorium-server',
      kind: 2,
      parentSpanId: clientSpan,
    });
    expect(request?.attributes).to.include({
      'http.request.method': 'POST',
      'http.route': '/v1/documents/ocr',
      'http.response.status_code': 202,
      'scriptorium.request_id': requestId,
    });
    expect(named('process operation.pages')).to.have.length(pages);
    for (const span of named('process operation.pages')) {
      expect(span.kind).to.equal(5);
      expect(span.attributes).to.include({
        'messaging.system': 'bullmq',
        'messaging.operation.type': 'process',
        'messaging.destination.name': 'ocr',
        'scriptorium.job_id': job.id,
      });
      expect(byId.get(span.parentSpanId)?.name).to.equal('process operation.open');
    }
    for (const name of ['number', 'hand over']) {
      expect(named(name).length).to.be.greaterThan(2);
      expect(named(name)[0]).to.include({ kind: 4, failed: false });
    }
    const end = spans.find(
      ({ name, attributes }) =>
        name === 'deliver' && attributes['scriptorium.event_type'] === 'documents.job.succeeded',
    );
    expect(end?.kind).to.equal(3);
    expect(end?.attributes).to.include({ 'http.response.status_code': 204 });
    const path = [];
    for (let at = end; at; at = byId.get(at.parentSpanId)) path.push(at.name);
    expect(path.slice(0, 2)).to.deep.equal(['deliver', 'process operation.assemble']);
    expect(path.slice(-2)).to.deep.equal(['process operation.open', 'POST /v1/documents/ocr']);
  });

  it('reveals no names, words or full URLs, and sends receivers no trace', () => {
    const told = [...collector.bodies, ...Object.values(programs).map((each) => each.output())];
    for (const text of told) for (const secret of secrets) expect(text).to.not.include(secret);
    for (const { headers } of receiver.requests) {
      expect(headers).to.not.have.property('traceparent');
    }
  });
});
