import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse, parseAllDocuments } from 'yaml';
import { settingNames } from '../../src/config.ts';
import { checkout } from '../support/run.ts';

/** What the derived settings of `readConfig` are made of. */
const derived: Record<string, RegExp> = {
  tracing: /^OTEL_/,
  corsOrigins: /^CORS_ORIGINS$/,
  embeddings: /^EMBEDDINGS_/,
  signIn: /^OIDC_/,
  recogniser: /^RECOGNISER_/,
  webhookAllowCidrs: /^WEBHOOK_ALLOW_CIDRS$/,
  webhookDenyCidrs: /^WEBHOOK_DENY_CIDRS$/,
  workers: /^WORKERS$/,
};
/** Read by OpenTelemetry itself, or by the AWS SDK, or before the settings. */
const others = [
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'SETTINGS_FD',
];
/** What the image sets, and what is for development only. */
const ofImage = ['HOST', 'PORT', 'LOCAL_SIGN_IN_TOKEN'];
/** The settings that only some workers need. */
const ofEngines = /^(OCR|IMAGING|ENGINE|TESSDATA)_/;
const ofWebhooks = /^WEBHOOK_/;
const ofRedaction = /^RECOGNISER_/;
const ofEmbeddings = /^EMBEDDINGS_/;

interface Service {
  command?: string[];
  environment?: Record<string, string>;
}

interface Container {
  name: string;
  command?: string[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  env?: { name: string; value?: string }[];
}

const read = (path: string): Promise<string> => readFile(join(checkout, path), 'utf8');

/** The settings that an entry file reads. */
async function settingsOf(entry: string): Promise<string[]> {
  const text = await read(`src/${entry}.ts`);
  const fields = new Set([...text.matchAll(/\bconfig\.(\w+)/g)].map(([, name]) => name!));
  return settingNames.filter(
    (name) => fields.has(name) || [...fields].some((field) => derived[field]?.test(name)),
  );
}

describe('settings of deployments', () => {
  let services: Record<string, Service>;
  let compose: string;
  before(async () => {
    compose = await read('docker-compose.yml');
    services = parse(compose, { merge: true }).services;
  });

  /** The settings that a process of Compose should get, and does not. */
  const missing = (wanted: readonly string[], names: readonly string[]): string[] =>
    wanted.filter(
      (name) =>
        !ofImage.includes(name) &&
        !names.some((service) => services[service]?.environment?.[name] !== undefined),
    );

  it('reach the API with Compose', async () => {
    const wanted = await settingsOf('server');
    expect(wanted).to.include.members(['CORS_ORIGINS', 'OIDC_NAME', 'OTEL_TRACES_SAMPLER']);
    expect(missing(wanted, ['api'])).to.deep.equal([]);
  });

  it('reach each worker with Compose', async () => {
    const wanted = await settingsOf('worker');
    const workers = Object.entries(services).filter(([, { environment }]) => environment?.WORKERS);
    expect(workers).to.have.length(8);
    for (const [name, { environment }] of workers) {
      const needs = wanted.filter(
        (setting) =>
          (environment?.ENGINE_SCRATCH_PATH !== undefined || !ofEngines.test(setting)) &&
          (name === 'webhooks' || !ofWebhooks.test(setting)) &&
          (name === 'redact' || !ofRedaction.test(setting)) &&
          (name === 'maintenance' || !ofEmbeddings.test(setting)),
      );
      expect(missing(needs, [name]), name).to.deep.equal([]);
    }
    const engines = ['ocr', 'redact', 'normalize', 'classify', 'imaging'];
    for (const name of engines) {
      expect(services[name]?.environment, name).to.include.keys('ENGINE_SCRATCH_PATH');
    }
  });

  it('reach the command line with Compose', async () => {
    const text = await read('src/admin.ts');
    const wanted = settingNames.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
    expect(missing(wanted, ['admin', 'migrate'])).to.deep.equal([]);
  });

  it('keep what the image sets, if they are not given', () => {
    for (const [name, { environment }] of Object.entries(services)) {
      expect(environment?.TESSDATA_PATH, name).not.to.match(/^\$\{TESSDATA_PATH:-\}$/);
      expect(environment?.HOST ?? environment?.PORT, name).to.equal(undefined);
    }
  });

  it('are all named in .env.example', async () => {
    const example = await read('.env.example');
    const named = new Set(
      [...example.matchAll(/^(?:# )?([A-Z][A-Z_]+)=/gm)].map(([, name]) => name!),
    );
    const taken = new Set([...compose.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name!));
    expect([...named].sort()).to.deep.equal([...taken].sort());
  });

  it('reach every process on Kubernetes through the ConfigMap', async () => {
    const files = ['api', 'workers'].map((name) => read(`deploy/kubernetes/base/${name}.yaml`));
    const documents = (await Promise.all(files)).flatMap((text) =>
      parseAllDocuments(text).flatMap((document) => {
        const one = document.toJS();
        return one.kind === 'List' ? one.items : [one];
      }),
    );
    const containers: Container[] = documents
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap(({ spec }) => spec.template.spec.containers);
    expect(containers).to.have.length(9);
    for (const { envFrom = [], env = [] } of containers) {
      expect(envFrom[0]?.configMapRef?.name).to.equal('scriptorium');
      // A value here would hide that of the ConfigMap.
      const fixed = env.filter(({ value }) => value !== undefined).map(({ name }) => name);
      expect(['WORKERS']).to.include.members(fixed);
    }
  });

  it('reach every process with systemd through its files', async () => {
    for (const [unit, files] of [
      ['scriptorium-api.service', ['common', 'api']],
      ['scriptorium-worker@.service', ['common', 'worker', 'worker-%i']],
    ] as const) {
      const text = await read(`deploy/systemd/${unit}`);
      const named = [...text.matchAll(/^EnvironmentFile=-?\/etc\/scriptorium\/(.+)\.env$/gm)];
      expect(named.map(([, name]) => name)).to.deep.equal(files);
      const fixed = [...text.matchAll(/^Environment=(\w+)/gm)].map(([, name]) => name!);
      expect(['NODE_ENV', 'WORKERS', 'HOST']).to.include.members(fixed);
    }
  });

  it('are exactly those in the tables of configuration.md', async () => {
    const page = await read('docs/configuration.md');
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    const named = rows.flatMap((row) =>
      [...row.split('|')[1]!.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name]) => name!),
    );
    expect([...new Set(named)].sort()).to.deep.equal(
      [...new Set([...settingNames, ...others])].sort(),
    );
  });
});
