import 'reflect-metadata';
import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import { newId } from '@scriptorium/contracts/ids';
import { Ajv } from 'ajv';
import { Queue } from 'bullmq';
import Koa, { type Context, type Next } from 'koa';
import { koaBody } from 'koa-body';
import { pino } from 'pino';
import {
  NaiveJob,
  NaiveKey,
  NaiveOperation,
  NamedJob,
  NamedOperation,
  openNaiveDatabase,
} from './entities.ts';

/**
 * A typical handwritten service: a Koa handler that saves a job and its operation in a transaction
 * with TypeORM, and adds a BullMQ job after the commit. `/bare` does only that. `/checked` also
 * looks up the key, validates the body and logs each request. `/named` also assigns the
 * identifiers, which `save` selects before inserting. A crash between commit and `add` loses the
 * work, and a request that is sent twice creates two jobs.
 */
interface NewJob {
  source_object_id: string;
  operations: { op: string; options: Record<string, unknown> }[];
  metadata: Record<string, unknown>;
}

const database = await openNaiveDatabase(process.env.DATABASE_URL!);
const queue = new Queue('documents', {
  connection: { url: process.env.REDIS_URL! },
  prefix: 'naive',
  defaultJobOptions: { removeOnComplete: true },
});
const logger = pino({ name: 'naive' });
const keys = database.getRepository(NaiveKey);
const jobs = database.getRepository(NaiveJob);

const isNewJob = new Ajv().compile<NewJob>({
  type: 'object',
  required: ['source_object_id', 'operations'],
  additionalProperties: false,
  properties: {
    source_object_id: { type: 'string', pattern: '^obj_[0-9a-z]{26}$' },
    operations: {
      type: 'array',
      minItems: 1,
      maxItems: 10,
      items: {
        type: 'object',
        required: ['op'],
        additionalProperties: false,
        properties: {
          op: { enum: ['ocr', 'redact_pii', 'normalize_for_llm', 'classify'] },
          options: { type: 'object' },
        },
      },
    },
    metadata: { type: 'object', maxProperties: 50, additionalProperties: { type: 'string' } },
  },
});

async function createJob(owner: string, newJob: NewJob): Promise<NaiveJob> {
  const job = await database.transaction(async (manager) => {
    const saved = await manager.save(
      manager.create(NaiveJob, {
        owner,
        sourceObjectId: newJob.source_object_id,
        metadata: newJob.metadata,
      }),
    );
    const [{ op, options }] = newJob.operations as [NewJob['operations'][number]];
    await manager.save(manager.create(NaiveOperation, { job: saved, op, options }));
    return saved;
  });
  await queue.add('job', { job_id: job.id });
  return job;
}

/** The same, with assigned identifiers that sort by time, like those of this service. */
async function createNamedJob(owner: string, newJob: NewJob): Promise<NamedJob> {
  const job = await database.transaction(async (manager) => {
    const saved = await manager.save(
      manager.create(NamedJob, {
        id: newId('job'),
        owner,
        sourceObjectId: newJob.source_object_id,
        metadata: newJob.metadata,
      }),
    );
    const [{ op, options }] = newJob.operations as [NewJob['operations'][number]];
    await manager.save(manager.create(NamedOperation, { jobId: saved.id, index: 0, op, options }));
    return saved;
  });
  await queue.add('job', { job_id: job.id });
  return job;
}

async function log(ctx: Context, next: Next): Promise<void> {
  const start = performance.now();
  await next();
  const ms = Math.round(performance.now() - start);
  logger.info({ method: ctx.method, path: ctx.path, status: ctx.status, ms }, 'request');
}

async function authenticate(ctx: Context, next: Next): Promise<void> {
  const secret = ctx.get('Authorization').replace(/^Bearer /, '');
  const secretSha256 = createHash('sha256').update(secret).digest('hex');
  const key = await keys.findOneBy({ secretSha256 });
  if (!key) ctx.throw(401, 'The API key is invalid.');
  ctx.state.owner = key.owner;
  await next();
}

const router = new Router();
router.post('/bare/jobs', async (ctx) => {
  ctx.status = 202;
  ctx.body = await createJob('anyone', ctx.request.body as unknown as NewJob);
});
router.get('/bare/jobs/:id', async (ctx) => {
  const job = await jobs.findOneBy({ id: ctx.params.id! });
  if (!job) ctx.throw(404, 'There is no such job.');
  ctx.body = job;
});
const checked = { '/checked/jobs': createJob, '/named/jobs': createNamedJob };
for (const [path, create] of Object.entries(checked)) {
  router.post(path, log, authenticate, async (ctx) => {
    const body: unknown = ctx.request.body;
    if (!isNewJob(body)) return ctx.throw(422, JSON.stringify(isNewJob.errors));
    ctx.status = 202;
    ctx.body = await create(ctx.state.owner, body);
  });
}
router.get('/checked/jobs/:id', log, authenticate, async (ctx) => {
  const job = await jobs.findOneBy({ id: ctx.params.id!, owner: ctx.state.owner });
  if (!job) ctx.throw(404, 'There is no such job.');
  ctx.body = job;
});

const app = new Koa();
app.use(koaBody());
app.use(router.routes());
app.silent = true;
const server = app.listen(0, '127.0.0.1', () => {
  process.send!({ port: (server.address() as AddressInfo).port });
});
process.on('disconnect', () => process.exit());
