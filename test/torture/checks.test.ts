import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import type { ActionContext } from '../../lab/torture/actions/action.ts';
import { actions } from '../../lab/torture/actions/index.ts';
import { subscribeTo } from '../../lab/torture/actions/webhooks.ts';
import type { CheckInput } from '../../lab/torture/check/check-input.ts';
import { checkCounters, findWrongDownloadCounts } from '../../lab/torture/check/counters.ts';
import { checkDeliveries } from '../../lab/torture/check/deliveries.ts';
import { checkEffects } from '../../lab/torture/check/effects.ts';
import { checkFeed } from '../../lab/torture/check/feed.ts';
import { checkRows } from '../../lab/torture/check/rows.ts';
import { checkWork } from '../../lab/torture/check/work.ts';
import { type Client, createClient } from '../../lab/torture/client.ts';
import { type KnownEndpoint, type KnownProject, Ledger } from '../../lab/torture/ledger.ts';
import { findForeignText } from '../../lab/torture/projects.ts';
import { untilQuiet } from '../../lab/torture/quiet.ts';
import { startReaders } from '../../lab/torture/readers.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { openRelay } from '../support/relay.ts';

describe('the checks of the torture', () => {
  let api: TestApi;
  let owner: Database;
  let receiver: Receiver;
  let project: KnownProject;
  let ledger: Ledger;
  let client: Client;
  let scene: ActionContext;
  let given: CheckInput;

  before(async () => {
    api = await startApi();
    owner = await openDatabase(api.database.superuserUrl, { poolSize: 1 });
    receiver = await startReceiver();
    project = { id: api.projectId, key: api.key, name: 'north' };
    ledger = new Ledger(1);
    const over = new AbortController().signal;
    client = createClient(0, project, ledger, {
      urls: [api.url],
      recoveryMs: 60_000,
      abortSignal: over,
    });
    const pick = () => 1;
    const { origin } = new URL(receiver.url);
    scene = { client, pick, receiver: origin, foreign: { objects: () => [] } };
    given = {
      world: {
        owner,
        receiver,
        rows: api.rows,
        projects: [project],
        storage: { folder: api.storageRoot },
      },
      ledger,
      readers: [],
      downloadsSince: 0,
    };
    await subscribeTo(scene, ['*'], origin);
    await actions.upload(scene);
    await actions.upload({ ...scene, pick: () => 0 });
    await actions.startJob({ ...scene, pick: () => 0 });
    await api.deps.downloadCounts.flush();
    expect(ledger.violations).to.deep.equal([]);
  });

  after(async () => {
    await receiver.close();
    await owner.destroy();
    await api.close();
  });

  const only = <T>(map: ReadonlyMap<string, T>): T => [...map.values()][0]!;

  /** Sends all events to an endpoint as a sender does. */
  async function deliver({ path, secrets }: KnownEndpoint): Promise<void> {
    const events = await api.rows<{ id: string; body: string }>(
      `SELECT id, body FROM event WHERE category = 'domain' ORDER BY ordinal`,
    );
    for (const { id, body } of events) {
      const now = new Date();
      await fetch(new URL(path, receiver.url), {
        method: 'POST',
        headers: {
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
          'webhook-signature': new Webhook(secrets[0]!.secret).sign(id, now, body),
        },
        body,
      });
    }
  }

  it('take an event as received once it was accepted and its delivery has succeeded', async () => {
    const endpoint = only(ledger.endpoints);
    const relay = await openRelay(api);
    await relay.run();
    await relay.close();
    receiver.respondWith(500);
    await deliver(endpoint);
    const rejected = (await checkDeliveries(given)).filter((fault) => fault.includes(endpoint.id));
    expect(rejected).to.have.length.greaterThan(2);
    for (const fault of rejected) expect(fault).to.include('did not receive');
    receiver.respondWith(204);
    await deliver(endpoint);
    const unsettled = (await checkDeliveries(given)).filter((fault) => fault.includes(endpoint.id));
    expect(unsettled).to.have.length(rejected.length);
    for (const fault of unsettled) expect(fault).to.include('and no delivery succeeded');
  });

  it('find what an endpoint receives although it is paused or deleted, or signed as long ago', async () => {
    const endpoint = only(ledger.endpoints);
    const withEndpoint = (changed: Partial<KnownEndpoint>): Ledger => {
      const other = new Ledger(1);
      other.endpoints.set(endpoint.id, { ...endpoint, ...changed });
      return Object.assign(other, { entryOf: (id: string) => ledger.entryOf(id) });
    };
    const faults = async (changed: Partial<KnownEndpoint>): Promise<string[]> => {
      const found = await checkDeliveries({ ...given, ledger: withEndpoint(changed) });
      return found.filter((fault) => fault.includes(', requested '));
    };
    expect(await faults({})).to.deep.equal([]);
    const paused = await faults({ pauses: [{ from: endpoint.createdAt - 1, to: null }] });
    expect(paused[0]).to.include('while it is paused');
    const secrets = [{ ...endpoint.secrets[0]!, replacedAt: endpoint.createdAt - 3_600_000 }];
    const outdated = await checkDeliveries({ ...given, ledger: withEndpoint({ secrets }) });
    expect(outdated.join()).to.include('without a valid signature');
    const deleted = await faults({ deletedAt: endpoint.createdAt - 1 });
    expect(deleted[0]).to.include('after it was deleted');
  });

  it('find jobs, webhooks and images that are missing or not as the model has them', async () => {
    const image = [...ledger.objects.values()].find(({ isImage }) => isImage)!;
    expect(await checkRows(given)).to.deep.equal([
      `image of ${image.id} is [unread not drawn], expected [read drawn]`,
    ]);
    const [job, endpoint] = [only(ledger.jobs), only(ledger.endpoints)];
    const other = new Ledger(1);
    for (const [id, one] of ledger.objects) other.objects.set(id, one);
    other.jobs.set('job_lost', { ...job, id: 'job_lost' });
    other.endpoints.set(endpoint.id, { ...endpoint, state: 'paused' });
    const faults = await checkRows({ ...given, ledger: other });
    expect(faults).to.include(
      `job job_lost is [missing], expected [of ${job.sourceId} in ${project.id}]`,
    );
    expect(faults.join('\n'))
      .to.include(`job ${job.id} is stored, expected by no request`)
      .and.match(/webhook whk_\w+ is \[prj_\w+ enabled .*expected \[prj_\w+ paused /);
  });

  it('find a job that succeeded although its cancellation was accepted', async () => {
    const job = only(ledger.jobs);
    await api.rows(`UPDATE job SET state = 'succeeded', finished_at = now() WHERE id = $1`, [
      job.id,
    ]);
    const odd = async () =>
      (await checkWork(given)).filter((fault) => fault.includes('was not expected to end so'));
    expect(await odd()).to.deep.equal([]);
    job.isCancelled = true;
    expect(await odd()).to.have.length(1);
    job.isCancelled = false;
  });

  it('find a counter of facets that is wrong although the sum is right', async () => {
    expect(await checkCounters(given)).to.deep.equal([]);
    await api.rows(
      `INSERT INTO object_count_delta (project_id, facet, value, delta)
       VALUES ($1, 'state', 'available', -1), ($1, 'state', 'trashed', 1)`,
      [project.id],
    );
    const faults = await checkCounters(given);
    expect(faults).to.have.length(2);
    expect(faults.join()).to.include('object_count of state trashed says 1, there are 0');
  });

  it('find downloads that no event reports, and events that were acknowledged in vain', async () => {
    const object = [...ledger.objects.values()].find(
      ({ downloadedAt: received }) => received.length > 0,
    )!;
    await actions.download({ ...scene, pick: () => 0 });
    await api.deps.downloadCounts.flush();
    expect((await checkCounters(given)).join()).not.to.include('what is pending');
    await api.rows('UPDATE object_download SET count = count + 1 WHERE object_id = $1', [
      object.id,
    ]);
    expect((await checkCounters(given)).join()).to.match(/obj_\w+ has \d downloads, events and/);
    await actions.acknowledge(scene);
    const unpublished = async () =>
      (await checkFeed(given)).filter((fault) => fault.includes('was acknowledged')).length;
    expect(ledger.acknowledged.size).to.be.greaterThan(0);
    expect(await unpublished()).to.equal(0);
    await api.rows('UPDATE event SET published_at = NULL');
    expect(await unpublished()).to.equal(ledger.acknowledged.size);
  });

  it('find downloads that were received and not counted, except before a server was killed', async () => {
    const object = [...ledger.objects.values()].find(
      ({ downloadedAt: received }) => received.length > 0,
    )!;
    const at = object.downloadedAt.at(-1);
    await api.rows('DELETE FROM object_download WHERE object_id = $1', [object.id]);
    const faults = await findWrongDownloadCounts({ ...given, downloadsSince: at! - 1 }, 0);
    expect(faults.join()).to.match(new RegExp(`${object.id} has 0 downloads, received \\d times`));
    const since = await findWrongDownloadCounts({ ...given, downloadsSince: at! }, 0);
    expect(since.join()).not.to.include('downloads, received');
  });

  it('find an effect that a worker records and no client has asked for', async () => {
    const effects = async () => (await checkEffects(given)).length;
    expect(await effects()).to.equal(0);
    const relay = await openRelay(api);
    const resourceId = only(ledger.objects).id;
    await relay.record(project.id, { type: 'dam.object.trashed', resourceId, data: {} });
    await relay.close();
    expect(await effects()).to.equal(1);
  });

  it('see no rest while a task is left, whenever it is due', async () => {
    const left = await untilQuiet({ rows: api.rows }, [], { quietMs: 0, stillMs: 0 });
    expect(left.join()).to.include('task image.read pending');
    await api.rows(`UPDATE task SET due_at = now() + interval '1 hour'`);
    const later = await untilQuiet({ rows: api.rows }, [], { quietMs: 0, stillMs: 0 });
    expect(later.join()).to.include('task image.read pending').and.not.include('project.tidy');
  });

  it('find what belongs to another project in any text', () => {
    const south = { id: api.other.projectId, name: 'south' };
    const body = `{"project_id":"${project.id}","text":"# x\\nagain-north-1-20.md"}`;
    expect(findForeignText(body, project)).to.equal(undefined);
    expect(findForeignText(body, south)).to.equal(project.id);
    expect(findForeignText('Line 0 of north-1-20', south)).to.equal('north-1-20');
  });

  it('find answers to readers that are neither expected nor ask for patience', async () => {
    const server = createServer((_, response) => {
      response.writeHead(401).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const south = { id: api.other.projectId, key: api.other.key, name: 'south' };
    const readers = startReaders([`http://127.0.0.1:${port}`], [project, south]);
    try {
      await eventually(async () => readers.every(({ violations }) => violations.length > 0));
      for (const { violations } of readers)
        expect(violations[0]).to.match(/^\/v1\/events.* returned 401/);
    } finally {
      await Promise.all(readers.map((reader) => reader.stop()));
      await new Promise((resolve) => server.close(resolve));
    }
  });
});
