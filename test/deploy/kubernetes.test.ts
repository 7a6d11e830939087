import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
import { expect } from 'chai';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { parseAllDocuments } from 'yaml';
import { workerKinds } from '../../src/workers/index.ts';
import { checkout } from '../support/run.ts';

type Fields = { [name: string]: unknown };

interface Manifest extends Fields {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
}

/** The schemas of Kubernetes and of KEDA. */
const models: Record<string, new (data: never) => { validate(): void }> = {
  'apps/v1 Deployment': Deployment,
  'batch/v1 Job': Job,
  'keda.sh/v1alpha1 ScaledObject': ScaledObject,
  'networking.k8s.io/v1 Ingress': Ingress,
  'networking.k8s.io/v1 NetworkPolicy': NetworkPolicy,
  'policy/v1 PodDisruptionBudget': PodDisruptionBudget,
  'v1 ConfigMap': ConfigMap,
  'v1 Namespace': Namespace,
  'v1 Service': Service,
  'v1 ServiceAccount': ServiceAccount,
};

const folder = 'deploy/kubernetes';
const files = [
  ...['settings', 'migrate', 'api', 'workers', 'network-policies'].map((name) => `base/${name}`),
  'autoscaling/scaled-objects',
  'example/namespace',
  'example/ingress',
];
const patches = ['example/settings', 'example/data'];

/** The documents of a file, those of lists included, with merges and aliases resolved. */
async function read(name: string): Promise<Manifest[]> {
  const text = await readFile(join(checkout, folder, `${name}.yaml`), 'utf8');
  return parseAllDocuments(text).flatMap((document) => {
    expect(document.errors, name).to.deep.equal([]);
    const one = document.toJS() as Manifest & { items?: Manifest[] };
    return one.kind === 'List' ? one.items! : [one];
  });
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** A copy that notes which of its fields were read: a schema reads those that it knows. */
function watched(value: Fields, path: string, unread: Set<string>): Fields {
  const copy: Fields = Array.isArray(value) ? ([] as unknown as Fields) : {};
  for (const [name, inner] of Object.entries(value)) {
    const own = `${path}/${name}`;
    const kept = isFields(inner) ? watched(inner, own, unread) : inner;
    unread.add(own);
    Object.defineProperty(copy, name, {
      enumerable: true,
      configurable: true,
      get: () => {
        unread.delete(own);
        return kept;
      },
    });
  }
  return copy;
}

/** What the schema of a manifest objects to, and the fields that it does not have. */
function faultsOf(manifest: Manifest): string[] {
  const { apiVersion, kind } = manifest;
  const Model = models[`${apiVersion} ${kind}`];
  if (!Model) return [`No schema of ${apiVersion} ${kind}.`];
  const unread = new Set<string>();
  const faults: string[] = [];
  try {
    const model = new Model(manifest as never);
    // Its constructor has read all fields.
    Object.defineProperties(model, Object.getOwnPropertyDescriptors(watched(manifest, '', unread)));
    model.validate();
  } catch (error) {
    faults.push(String(error));
  }
  return [...faults, ...[...unread].map((field) => `${field} is not in the schema.`)];
}

describe('deploy/kubernetes', () => {
  let manifests: Manifest[];
  before(async () => {
    manifests = (await Promise.all(files.map(read))).flat();
  });

  const named = (kind: string, name: string): Fields => {
    const found = manifests.find((one) => one.kind === kind && one.metadata.name === name);
    if (!found) throw new Error(`There is no ${kind} ${name}.`);
    return found;
  };
  /** A value by its path, such as `spec.template`. */
  const at = (value: unknown, path: string): unknown =>
    path
      .split('.')
      .reduce<unknown>((inner, name) => (isFields(inner) ? inner[name] : undefined), value);
  const podOf = (name: string): unknown => at(named('Deployment', name), 'spec.template.spec');
  const containerOf = (name: string): unknown => at(podOf(name), 'containers.0');
  const processes = ['api', ...Object.keys(workerKinds)];

  it('conforms to the schemas of Kubernetes and KEDA', () => {
    expect(manifests.length).to.be.greaterThan(25);
    for (const one of manifests) {
      expect(faultsOf(one), `${one.kind} ${one.metadata.name}`).to.deep.equal([]);
    }
  });

  it('is validated by schemas that find faults', () => {
    const api = named('Deployment', 'api') as Manifest;
    const spoilt = (spec: Fields) =>
      faultsOf({ ...api, spec: { ...(api.spec as Fields), ...spec } });
    expect(spoilt({ replicas: 'two' }).join()).to.include('/spec/replicas');
    expect(spoilt({ selector: undefined }).join()).to.include('selector');
    expect(spoilt({ replica: 2 })).to.deep.equal(['/spec/replica is not in the schema.']);
  });

  it('lists every file in its kustomizations, and patches what exists', async () => {
    const [base, autoscaling, example] = await Promise.all(
      ['base', 'autoscaling', 'example'].map((name) => read(`${name}/kustomization`)),
    );
    const listed = [
      ...(at(base, '0.resources') as string[]).map((file) => `base/${file}`),
      ...(at(autoscaling, '0.resources') as string[]).map((file) => `autoscaling/${file}`),
      ...(at(example, '0.resources') as string[])
        .filter((file) => file !== '../base')
        .map((file) => `example/${file}`),
    ];
    expect(listed.sort()).to.deep.equal(files.map((name) => `${name}.yaml`).sort());
    const patched = at(example, '0.patches') as { path: string }[];
    expect(patched.map(({ path }) => `example/${path}`).sort()).to.deep.equal(
      patches.map((name) => `${name}.yaml`).sort(),
    );
    for (const patch of (await Promise.all(patches.map(read))).flat()) {
      expect(named(patch.kind, patch.metadata.name)).to.be.an('object');
    }
  });

  it('has a deployment for each kind of process, and none else', () => {
    const deployed = manifests.filter(({ kind }) => kind === 'Deployment');
    expect(deployed.map(({ metadata }) => metadata.name).sort()).to.deep.equal(processes.sort());
    for (const kind of Object.keys(workerKinds)) {
      const env = at(containerOf(kind), 'env') as { name: string; value?: string }[];
      expect(env.find(({ name }) => name === 'WORKERS')?.value).to.equal(kind);
    }
  });

  it('runs every process without root, capabilities and a writable root file system', () => {
    for (const name of processes) {
      expect(at(podOf(name), 'securityContext.runAsNonRoot'), name).to.equal(true);
      expect(at(podOf(name), 'automountServiceAccountToken'), name).to.equal(false);
      expect(at(containerOf(name), 'securityContext'), name).to.deep.include({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(at(containerOf(name), 'resources.limits.memory'), name).to.be.a('string');
      expect(at(containerOf(name), 'livenessProbe.httpGet.path'), name).to.equal('/healthz');
      expect(at(podOf(name), 'terminationGracePeriodSeconds'), name).to.be.at.least(30);
    }
  });

  it('gives each process only the secrets it needs', () => {
    const secretsOf = (name: string): string[] => {
      const env = at(containerOf(name), 'env') as { name: string; value?: string }[];
      return env.filter(({ value }) => value === undefined).map((one) => one.name);
    };
    expect(secretsOf('api')).to.deep.equal([
      'DATABASE_URL',
      'DATABASE_SESSION_URL',
      'REDIS_URL',
      'SECRET_KEY',
      'SIGNING_KEY',
      'OPERATOR_PASSWORD',
    ]);
    const optional = (at(containerOf('api'), 'env') as Fields[]).filter((one) =>
      at(one, 'valueFrom.secretKeyRef.optional'),
    );
    expect(optional.map(({ name }) => name)).to.deep.equal(['DATABASE_SESSION_URL']);
    const database = ['DATABASE_WORKER_URL', 'REDIS_URL'];
    const sealing = [...database, 'SECRET_KEY'];
    expect(
      Object.fromEntries(Object.keys(workerKinds).map((kind) => [kind, secretsOf(kind)])),
    ).to.deep.equal({
      relay: [...database, 'DATABASE_RELAY_URL'],
      webhooks: sealing,
      ocr: sealing,
      redact: sealing,
      normalize: sealing,
      classify: sealing,
      imaging: database,
      maintenance: sealing,
    });
  });

  it('lets only the API, the sender of webhooks and the maintenance worker out', () => {
    expect(at(named('NetworkPolicy', 'deny'), 'spec.policyTypes')).to.deep.equal([
      'Ingress',
      'Egress',
    ]);
    const out = manifests.filter(
      (one) => one.kind === 'NetworkPolicy' && JSON.stringify(one).includes('0.0.0.0/0'),
    );
    expect(out.map(({ metadata }) => metadata.name)).to.deep.equal(['outside']);
    expect(at(out[0], 'spec.podSelector.matchExpressions.0.values')).to.deep.equal([
      'api',
      'webhooks',
      'maintenance',
    ]);
  });

  it('is applied in parts that bring along what they refer to', async () => {
    const page = await readFile(join(checkout, 'docs/kubernetes.md'), 'utf8');
    const selectors = [...page.matchAll(/kubectl apply [^\n]*--selector (\S+)=(\S+)/g)];
    expect(selectors).to.have.length(1);
    const created = [...page.matchAll(/create secret generic (\S+)/g)].map(([, name]) => name);
    for (const [, label, value] of selectors) {
      const chosen = manifests.filter(({ metadata }) => metadata.labels?.[label!] === value);
      expect(chosen.map(({ kind }) => kind)).to.include('Job');
      const text = JSON.stringify(chosen);
      const names = (field: string): string[] =>
        [...text.matchAll(new RegExp(`"${field}":(?:"([^"]+)"|\\{"name":"([^"]+)")`, 'g'))].map(
          ([, plain, inner]) => plain ?? inner!,
        );
      const has = (kind: string) =>
        chosen.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name);
      expect(has('ServiceAccount')).to.include.members(names('serviceAccountName'));
      expect(has('ConfigMap')).to.include.members([
        ...names('configMapRef'),
        ...names('configMapKeyRef'),
      ]);
      expect(has('PersistentVolumeClaim')).to.include.members(names('claimName'));
      expect(created).to.include.members([...names('secretRef'), ...names('secretKeyRef')]);
    }
  });

  it('scales deployments and counts metrics that exist', async () => {
    const metrics = await readFile(join(checkout, 'src/api/operator/metrics.ts'), 'utf8');
    for (const one of manifests.filter(({ kind }) => kind === 'ScaledObject')) {
      expect(named('Deployment', String(at(one, 'spec.scaleTargetRef.name')))).to.be.an('object');
      for (const trigger of at(one, 'spec.triggers') as { metadata: { query: string } }[]) {
        const [, metric, queue] =
          /^max\((\w+)(?:\{queue="(\w+)"\})?\)$/.exec(trigger.metadata.query) ?? [];
        expect(metrics).to.include(`name: '${metric}'`);
        if (queue) expect(workerKinds).to.have.property(queue);
      }
    }
  });
});
