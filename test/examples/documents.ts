import { invoice, minutes, rawFile } from './files.ts';
import type { Teller } from './teller.ts';

const ended = /^(succeeded|partially_succeeded|failed|cancelled)$/;

/** A job from start to end, on a document that is read immediately. */
export async function documents({ tell, ask, until }: Teller): Promise<void> {
  const made = await ask('uploadObject', 201, { headers: rawFile('minutes.md'), body: minutes });
  const job = await tell('createJob', 'Take out personal data, then make Markdown of it', 202, {
    headers: { 'idempotency-key': 'minutes-2026-03' },
    body: {
      source_object_id: made.json.id,
      operations: [
        { op: 'classify', options: { top_k: 1 } },
        { op: 'redact_pii', options: { entities: ['EMAIL_ADDRESS', 'PERSON'], style: 'label' } },
        { op: 'normalize_for_llm', options: { format: ['markdown'] } },
      ],
      metadata: { case: 7 },
    },
  });
  const params = { id: job.json.id };
  await until('getJob', { params }, ({ json }) => ended.test(json.state));
  await tell('getJob', 'A job that is done', 200, { params });
  await tell('getJob', 'Its changes as they happen, until it has ended', 200, {
    params,
    headers: { accept: 'text/event-stream' },
  });
  await tell('listJobPages', 'What was found on its pages', 200, {
    params,
    query: { op: 'redact_pii' },
  });
  await tell('getJobPageStates', 'Enough to draw all of its pages', 200, { params });
  await tell('cancelJob', 'Too late', 409, { params });
  await tell('listJobs', 'Jobs of an object that are done', 200, {
    query: { source_object_id: made.json.id, state: 'succeeded', include: 'total' },
  });
}

/** Examples of queued jobs. No worker runs here. */
export async function waitingJobs({ tell, ask }: Teller): Promise<void> {
  const upload = async (name: string, body: unknown) =>
    (await ask('uploadObject', 201, { headers: rawFile(name), body })).json.id as string;
  const [pdf, text] = [await upload('invoice.pdf', await invoice()), await upload('a.md', minutes)];
  await tell('createJob', 'An operation that there is not', 422, {
    body: { source_object_id: pdf, operations: [{ op: 'translate' }] },
  });
  await tell('createJob', 'Recognition must come first', 422, {
    body: { source_object_id: pdf, operations: [{ op: 'classify' }, { op: 'ocr' }] },
  });
  const jobs = [
    await tell('startOcr', 'A searchable PDF and its text', 202, {
      body: { source_object_id: pdf, languages: ['eng'], output: ['searchable_pdf', 'text'] },
    }),
    await tell('startRedaction', 'Black boxes over everything personal', 202, {
      body: { source_object_id: pdf, entities: 'all', style: 'blackbox', pages: '1' },
    }),
    await tell('startClassification', 'The best guess only', 202, {
      body: { source_object_id: text, top_k: 1 },
    }),
  ].map(({ json }) => json.id);
  const batch = await tell('createJobs', 'The same job for several objects', 202, {
    body: { source_object_ids: [pdf, text], operations: [{ op: 'classify' }] },
  });
  for (const { job } of batch.json.results) await ask('cancelJob', 202, { params: { id: job.id } });
  const params = { id: jobs.pop() };
  await tell('cancelJob', 'A job that has not begun', 202, { params });
  await tell('cancelJob', 'A job that was cancelled', 200, { params });
  const again = await tell('retryJob', 'All of it again, as a new job', 202, {
    params,
    body: { scope: 'all' },
  });
  for (const id of [again.json.id, ...jobs]) await ask('cancelJob', 202, { params: { id } });
}
