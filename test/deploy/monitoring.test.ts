import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { findFreePort } from '../../lab/embedded/processes/ports.ts';
import { eventually } from '../support/eventually.ts';
import { checkout } from '../support/run.ts';
import { openService, type TestService } from '../support/service.ts';

/** Prometheus's own metric for whether a scrape succeeded. */
const ofPrometheus = ['up'];

/** PromQL keywords that look like metric names. */
const words = ['and', 'or', 'unless', 'offset', 'bool', 'inf', 'nan'];

/** The metrics in a PromQL expression, with the label values it selects. */
function selectorsOf(expression: string): { name: string; labels: [string, string][] }[] {
  const bare = expression
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, '')
    .replace(/\b\d+(?:\.\d+)?(?:ms|[smhdwy])?\b/g, '');
  return [...bare.matchAll(/([a-zA-Z_:][\w:]*)(\s*\()?(?:\{([^}]*)\})?/g)]
    .filter(([, name, call]) => call === undefined && !words.includes(name!.toLowerCase()))
    .map(([, name, , matchers]) => ({
      name: name!,
      labels: [...(matchers ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(
        ([, label, value]): [string, string] => [label!, value!],
      ),
    }));
}

/** The metrics of a process: their types and samples. */
function readExposition(text: string): Map<string, { type: string; samples: string[] }> {
  const found = new Map<string, { type: string; samples: string[] }>();
  for (const [, name, type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    for (const suffix of suffixes) {
      const sample = new RegExp(`^${name}${suffix}(?:\\{.*\\})? .*$`, 'gm');
      found.set(`${name}${suffix}`, { type: type!, samples: text.match(sample) ?? [] });
    }
  }
  return found;
}

describe('alerts and dashboards in deploy/', () => {
  let service: TestService;
  let shown: Map<string, { type: string; samples: string[] }>;
  let alerts: { name: string; text: string; expression: string }[];
  let panels: { title: string; targets?: { expr: string }[] }[];
  let manual: string;

  before(async () => {
    const file = (path: string) => readFile(join(checkout, path), 'utf8');
    const rules = await file('deploy/prometheus/alerts.yml');
    alerts = rules
      .split(/^ {6}- alert: /m)
      .slice(1)
      .map((text) => ({
        name: text.slice(0, text.indexOf('\n')),
        text,
        expression: /^ {8}expr: (.*)$/m.exec(text)?.[1] ?? '',
      }));
    panels = JSON.parse(await file('deploy/grafana/scriptorium.json')).panels;
    manual = await file('docs/monitoring.md');

    service = await openService();
    const ports = [await findFreePort(), await findFreePort()];
    await service.startServer({ METRICS_PORT: String(ports[0]) });
    service.startWorker('relay,webhooks', { METRICS_PORT: String(ports[1]) });
    const texts = await Promise.all(
      ports.map((port) =>
        eventually(async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
      ),
    );
    shown = readExposition(texts.join('\n'));
  });
  after(() => service.close());

  it('have an expression for each alert, and queries in the panels', () => {
    expect(alerts).to.have.length.of.at.least(10);
    for (const { name, expression } of alerts) expect(expression, name).not.to.equal('');
    const queries = panels.flatMap(({ targets }) => targets ?? []);
    expect(queries).to.have.length.of.at.least(20);
    // Tests the parser of expressions itself.
    const tried = 'sum by (le) (rate(a_bucket{x=~"5..",y="z"}[5m])) > 2 and max(b offset 1h)';
    expect(selectorsOf(tried)).to.deep.equal([
      { name: 'a_bucket', labels: [['y', 'z']] },
      { name: 'b', labels: [] },
    ]);
  });

  it('refer only to metrics of a running API and worker', () => {
    const expressions = [
      ...alerts.map(({ name, expression }) => [name, expression] as const),
      ...panels.flatMap(({ title, targets }) =>
        (targets ?? []).map(({ expr }) => [title, expr] as const),
      ),
    ];
    const unknown = expressions.flatMap(([where, expression]) =>
      selectorsOf(expression)
        .filter(({ name }) => !shown.has(name) && !ofPrometheus.includes(name))
        .map(({ name }) => `${where}: ${name}`),
    );
    expect(unknown).to.deep.equal([]);
    // Gauges always have all of their label values, so a wrong one can be detected.
    const wrong = expressions.flatMap(([where, expression]) =>
      selectorsOf(expression).flatMap(({ name, labels }) => {
        const metric = shown.get(name);
        if (metric?.type !== 'gauge') return [];
        return labels
          .filter(
            ([label, value]) => !metric.samples.some((s) => s.includes(`${label}="${value}"`)),
          )
          .map(([label, value]) => `${where}: ${name}{${label}="${value}"}`);
      }),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('have a runbook section for each alert, with instructions', () => {
    const sections = new Map(
      manual
        .split(/^### /m)
        .slice(1)
        .map((text) => [text.slice(0, text.indexOf('\n')), text] as const),
    );
    for (const { name, text } of alerts) {
      expect(text, name).to.include(`runbook: docs/monitoring.md#${name.toLowerCase()}\n`);
      expect(sections.get(name)?.length, name).to.be.above(100);
    }
    expect([...sections.keys()].sort()).to.deep.equal(alerts.map(({ name }) => name).sort());
  });
});
