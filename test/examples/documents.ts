import { invoice, minutes, rawFile } from './files.ts';
import type { Teller } from './teller.ts';

const ended = /^(succeeded|partially_succeeded|failed|cancelled)$/;

/** A job from start to end, on a document that is read immediately. */
export async function documents({ tell, ask, until }: Teller): Promise<void> {
  const made = await ask('uploadObject', 201, { headers: rawFile('minutes.md'), body: minutes });
  const job = await tell('createJob', 'Redact a document and convert it to Markdown', 202, {
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
  await tell('getJob', 'A finished job', 200, { params });
  await tell('getJob', 'Stream the changes of a job until it ends', 200, {
    params,
    headers: { accept: 'text/event-stream' },
  });
  await tell('listJobPages', 'The results of pages', 200, {
    params,
    query: { op: 'redact_pii' },
  });
  await tell('getJobPageStates', 'The states of all pages', 200, { params });
  await tell('cancelJob', 'A job that has finished', 409, { params });
  await tell('listJobs', 'Finished jobs of an object', 200, {
    query: { source_object_id: made.json.id, state: 'succeeded', include: 'total' },
  });
}

/** Examples of queued jobs. No worker runs here. */
export async function waitingJobs({ tell, ask }: Teller): Promise<void> {
  const upload = async (name: string, body: unknown) =>
    (await ask('uploadObject', 201, { headers: rawFile(name), body })).json.id as string;
  const [pdf, text] = [await upload('invoice.pdf', await invoice()), await upload('a.md', minutes)];
  await tell('createJob', 'An unknown operation', 422, {
    body: { source_object_id: pdf, operations: [{ op: 'translate' }] },
  });
  await tell('createJob', 'Recognition after another operation', 422, {
    body: { source_object_id: pdf, operations: [{ op: 'classify' }, { op: 'ocr' }] },
  });
  const jobs = [
    await tell('startOcr', 'A searchable PDF and its text', 202, {
      body: { source_object_id: pdf, languages: ['eng'], output: ['searchable_pdf', 'text'] },
    }),
    await tell('startRedaction', 'Redact all personal data with black boxes', 202, {
      body: { source_object_id: pdf, entities: 'all', style: 'blackbox', pages: '1' },
    }),
    await tell('startClassification', 'Return one label', 202, {
      body: { source_object_id: text, top_k: 1 },
    }),
  ].map(({ json }) => json.id);
  const batch = await tell('createJobs', 'The same operations for several objects', 202, {
    body: { source_object_ids: [pdf, text], operations: [{ op: 'classify' }] },
  });
  for (const { job } of batch.json.results) await ask('cancelJob', 202, { params: { id: job.id } });
  const params = { id: jobs.pop() };
  await tell('cancelJob', 'Cancel a queued job', 202, { params });
  await tell('cancelJob', 'Cancel a cancelled job again', 200, { params });
  const again = await tell('retryJob', 'Repeat all pages as a new job', 202, {
    params,
    body: { scope: 'all' },
  });
  for (const id of [again.json.id, ...jobs]) await ask('cancelJob', 202, { params: { id } });
}
