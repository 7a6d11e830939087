import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { extension } from '../lab/embedded/programs.ts';
import { readConfig } from '../src/config.ts';
import { createLogger } from '../src/logger.ts';
import { noTracing, type Tracing } from '../src/tracing.ts';
import { parseTraceParent } from '../src/tracing-export.ts';
import { openTracing } from '../src/tracing-open.ts';
import { type Collector, startCollector } from './support/collector.ts';
import { eventually } from './support/eventually.ts';
import { runFile } from './support/run.ts';

const trace = '0af7651916cd43dd8448eb211c80319c';
const span = 'b7ad6b7169203331';

describe('traces', () => {
  let collector: Collector;
  before(async () => {
    collector = await startCollector();
  });
  after(() => collector.close());

  const settings = (env: NodeJS.ProcessEnv) => readConfig(env, []).tracing;
  const lines: string[] = [];
  const logger = createLogger('info', 'test', { write: (line) => void lines.push(line) });
  const open = (env: NodeJS.ProcessEnv): Promise<Tracing> =>
    openTracing(settings(env), 'test', logger);

  it('go nowhere unless a collector is configured', () => {
    expect(settings({}).url).to.equal(null);
    const base = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/' };
    expect(settings(base).url).to.equal('http://c:4318/v1/traces');
    const whole = { ...base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://t/x' };
    expect(settings(whole).url).to.equal('http://t/x');
    expect(settings({ ...whole, OTEL_SDK_DISABLED: 'true' }).url).to.equal(null);
    expect(() => settings({ OTEL_TRACES_SAMPLER: 'some' })).to.throw('OTEL_TRACES_SAMPLER');
  });

  it('load nothing of OpenTelemetry then, and hand on the trace that others are in', async () => {
    const { stdout } = await runFile(
      resolve(import.meta.dirname, `support/programs/loaded-modules${extension}`),
    );
    expect(JSON.parse(stdout)).to.deep.equal({ off: 0, on: true });
    const parent = `00-${trace}-${span}-01`;
    const none = noTracing.start('x', { kind: 'server', parent });
    expect(none).to.include({ traceParent: parent, traceId: null });
  });

  for (const [text, flags] of [
    [`00-${trace}-${span}-01`, 1],
    [`00-${trace}-${span}-00`, 0],
    [`00-${trace}-${span}-ff`, 1],
    [`cc-${trace}-${span}-01-more`, 1],
    [`00-${trace}-${span}-01-more`, null],
    [`ff-${trace}-${span}-01`, null],
    [`00-${'0'.repeat(32)}-${span}-01`, null],
    [`00-${trace}-${'0'.repeat(16)}-01`, null],
    [`00-${trace.toUpperCase()}-${span}-01`, null],
    ['', null],
  ] as const) {
    it(`read '${text}' as ${flags === null ? 'none' : `one with the flags ${flags}`}`, () => {
      const found = parseTraceParent(text);
      expect(found && { ...found }).to.deep.equal(
        flags === null ? null : { traceId: trace, spanId: span, traceFlags: flags, isRemote: true },
      );
    });
  }

  it('go on from a parent, with what is known, and end in a failure by its kind', async () => {
    const tracing = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    const made = tracing.start('first', {
      kind: 'client',
      parent: `00-${trace}-${span}-01`,
      attributes: { known: 'a', number: 3, unknown: null },
    });
    expect(made.traceParent).to.match(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`));
    made.rename('second');
    made.fail('timeout');
    made.end();
    await tracing.stop();
    const [told] = collector.spans;
    expect(told).to.deep.include({
      service: 'scriptorium-test',
      traceId: trace,
      parentSpanId: span,
      name: 'second',
      kind: 3,
      failed: true,
      attributes: { known: 'a', number: 3, 'error.type': 'timeout' },
    });
  });

  it('are not recorded where the sampler decided so', async () => {
    const before = collector.spans.length;
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    for (const [more, parent] of [
      [{ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, `00-${trace}-${span}-00`],
      [{ OTEL_TRACES_SAMPLER: 'always_off' }, `00-${trace}-${span}-01`],
      [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }, null],
    ] as const) {
      const tracing = await open({ ...env, ...more });
      const made = tracing.start('x', { kind: 'server', parent });
      expect(made.traceParent).to.match(/-00$/);
      made.end();
      await tracing.stop();
    }
    expect(collector.spans).to.have.length(before);
  });

  it('are recorded although the caller records none', async () => {
    const before = collector.spans.length;
    const tracing = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    const made = tracing.start('x', { kind: 'server', parent: `00-${trace}-${span}-00` });
    expect(made.traceParent).to.match(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`));
    made.end();
    await tracing.stop();
    expect(collector.spans).to.have.length(before + 1);
  });

  describe('with a collector that is not well', () => {
    let server: Server;
    let asked = 0;
    afterEach(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    const listen = async (answer: number | null): Promise<string> => {
      asked = 0;
      server = createServer((request, response) => {
        asked += 1;
        request.resume();
        if (answer !== null) response.writeHead(answer).end();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    };
    const make = (tracing: Tracing, many: number): void => {
      for (let at = 0; at < many; at++) {
        tracing.start('x', { kind: 'server', parent: null }).end();
      }
    };

    it('say so once, however many batches it refuses', async () => {
      lines.length = 0;
      const tracing = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: await listen(400) });
      make(tracing, 2_000);
      await eventually(async () => asked >= 3);
      await tracing.stop();
      expect(lines.filter((line) => line.includes('could not send traces'))).to.have.length(1);
    });

    it('keep so many and no more, and let a process end', async () => {
      const tracing = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: await listen(null) });
      make(tracing, 20_000);
      await eventually(async () => asked >= 1);
      await tracing.stop();
      // One batch was under way, and what waited went all at once with the stop.
      expect(asked).to.be.within(1, 1 + 4_096 / 512);
    });
  });
});
