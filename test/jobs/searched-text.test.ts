import { Readable } from 'node:stream';
import { expect } from 'chai';
import { newId } from '../../src/contracts/ids.ts';
import { isTerminal } from '../../src/contracts/jobs.ts';
import type { OperationName } from '../../src/contracts/operations.ts';
import { inProject, prepared } from '../../src/db/transaction.ts';
import { createJob } from '../../src/jobs/creating/create.ts';
import { completeOptions } from '../../src/jobs/creating/options.ts';
import { readJob } from '../../src/jobs/reading/jobs.ts';
import { openSearch } from '../../src/library/objects/conditions.ts';
import { listObjects } from '../../src/library/objects/list.ts';
import { eventually } from '../support/eventually.ts';
import { type Ground, openGround, originOf } from '../support/outbox.ts';
import { scannedPdf } from '../support/samples.ts';
import { startPrivateRedis, type TestRedis } from '../support/services.ts';
import { prepareWorkers, type TestWorkers } from '../support/workers.ts';

describe('the search text of an object', () => {
  let ground: Ground;
  let server: TestRedis;
  let workers: TestWorkers;
  let project: string;
  let source: string;
  before(async () => {
    ground = await openGround();
    server = await startPrivateRedis();
    workers = await prepareWorkers(ground, server.url);
    workers.start('relay', 'ocr', 'redact', 'classify');
    project = await ground.project();
    source = await upload(
      await scannedPdf([
        ['The aardvark sleeps in the shade'],
        ['Contact: john.zephyr@example.com', 'about the buffalo on page two'],
        ['The crocodile swims in the river'],
      ]),
    );
  });
  after(async () => {
    await workers.stop();
    await server.remove();
    await ground.close();
  });

  const upload = async (bytes: Buffer): Promise<string> => {
    const received = await workers.deps.storage.receive(project, Readable.from([bytes]), {
      maxBytes: 1e9,
    });
    await received.commit();
    const id = newId('object');
    await inProject(ground.api, project, (tx) =>
      prepared(
        tx,
        `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind)
         VALUES ($1, $2, 'available', 'scan.pdf', 'application/pdf', $3, $4, 'upload')`,
        [id, project, received.bytes, received.sha256],
      ),
    );
    return id;
  };
  const run = async (
    op: OperationName,
    pages: string | null = null,
    options: Record<string, unknown> = {},
  ) => {
    const { id } = await inProject(ground.api, project, (tx) =>
      createJob(tx, originOf(project), {
        sourceObjectId: source,
        operations: [{ op, options: completeOptions(op, options) }],
        mayReadPii: false,
        seal: (text: string) => text,
        pages,
        metadata: {},
      }),
    );
    const job = await eventually(async () => {
      const found = await inProject(ground.api, project, (tx) =>
        readJob(tx, project, id, {
          ...{ unseal: (sealed: string) => sealed, mayReadPii: false },
        }),
      );
      return found && isTerminal(found.state) ? found : null;
    });
    expect(job.error).to.equal(null);
    return job;
  };
  const finds = async (q: string): Promise<boolean> => {
    const page = { sort: 'created_at', after: null, limit: 50 } as const;
    const found = await inProject(ground.api, project, async (tx) =>
      listObjects(tx, await openSearch(tx, { projectId: project, address: null }, { q }), page),
    );
    return found.some(({ id }) => id === source);
  };
  const everything = ['aardvark', 'buffalo', 'zephyr', 'crocodile'];
  const found = async (): Promise<string[]> => {
    const hits: string[] = [];
    for (const word of everything) if (await finds(word)) hits.push(word);
    return hits;
  };

  it('is the text of a redaction as long as no other job has read the object', async () => {
    await run('redact_pii', '2-3');
    expect(await found()).to.deep.equal(['buffalo', 'crocodile']);
  });

  it('is all text that was read, whatever jobs follow', async () => {
    await run('ocr');
    expect(await found()).to.deep.equal(everything);
    await run('ocr', '2');
    expect(await found()).to.deep.equal(everything);
    await run('redact_pii');
    expect(await found()).to.deep.equal(everything);
    await run('classify', '1');
    expect(await found()).to.deep.equal(everything);
  });

  it('is only the text of the redaction once a policy requires one', async () => {
    await inProject(ground.api, project, (tx) =>
      prepared(
        tx,
        `INSERT INTO policy (id, project_id, name, mode, scope_type, actions, rules)
         VALUES ($2, $1, 'P', 'enforce', 'project', '{read}', '[{"type": "require_redaction", "entities": ["EMAIL_ADDRESS"]}]')`,
        [project, newId('policy')],
      ),
    );
    const email = await finds('zephyr');
    expect(email).to.equal(false);
    expect(await finds('crocodile')).to.equal(true);
  });
});
