import { invoice, minutes, rawFile } from './files.ts';
import type { Teller } from './teller.ts';

/** A redaction and a classification that wait for people. */
export async function reviews(teller: Teller): Promise<void> {
  const { tell, ask } = teller;
  const body = await invoice();
  const made = await ask('uploadObject', 201, { headers: rawFile('review.pdf'), body });
  await ask('startRedaction', 202, {
    body: { source_object_id: made.json.id, review: 'required' },
  });
  const id = await openReview(teller, 'redact_pii');
  const params = { id };
  await tell('listReviews', 'Open reviews', 200, { query: { state: 'open' } });
  await tell('getReview', 'An open review', 200, { params });
  await tell('listReviewPages', 'Pages with the number of findings', 200, { params });
  const found = await tell('listFindings', 'The findings of a page', 200, {
    params,
    query: { page: '1', limit: '2' },
  });
  await tell('claimReview', 'Take a review', 200, { params });
  await tell('decideFindings', 'Reject a finding', 200, {
    params,
    body: {
      ids: [found.json.data[0].id],
      decision: 'reject',
      reason: 'The address of our own office.',
    },
  });
  const added = await tell('addFindings', 'Add an area', 201, {
    params,
    body: { page: 1, boxes: [[72, 72, 180, 90]], type: 'CUSTOM_NOTE' },
  });
  await tell('addFindings', 'A text that does not occur', 422, {
    params,
    body: { text: 'Windermere', everywhere: true, type: 'LOCATION' },
  });
  await tell('removeFinding', 'Delete a finding that was added', 200, {
    params: { id, finding_id: added.json.data[0].id },
  });
  const released = await tell('releaseReview', 'Let others review', 200, { params });
  const headers = { 'if-match': released.headers.get('etag')! };
  await tell('submitReview', 'With pending findings', 409, { params, headers, body: {} });
  const submitted = await tell('submitReview', 'Accept what is pending', 200, {
    params,
    headers,
    body: { pending: 'accept' },
  });
  await certified(teller, submitted.json.job_id);
  await text(teller);
  await rejected(teller);
  await tell('getReviewStats', 'How findings were decided', 200);
}

/** Fetches the certificate of a redaction after its job has finished. */
async function certified({ tell, until }: Teller, jobId: string): Promise<void> {
  const params = { id: jobId };
  await until('getJob', { params }, ({ json }) => json.finished_at !== null);
  await tell('getCertificate', 'The certificate of a reviewed redaction', 200, { params });
  await tell('listCertificateKeys', 'The key that verifies it', 200);
}

/** A redaction of a file without pages. */
async function text(teller: Teller): Promise<void> {
  const { tell, ask } = teller;
  const made = await ask('uploadObject', 201, {
    headers: rawFile('review.txt'),
    body: Buffer.from('Mara Quill brings the key of pier 4.\nCall her at +44 20 7946 0958.\n'),
  });
  await ask('startRedaction', 202, {
    body: { source_object_id: made.json.id, review: 'required' },
  });
  const params = { id: await openReview(teller, 'redact_pii') };
  await tell('listReviewText', 'The text of a file', 200, { params });
  await tell('listReviewPages', 'The text of a file in pieces', 200, { params });
  await tell('addFindings', 'Add a range of text', 201, {
    params,
    body: { page: 1, range: { start: 22, end: 35 }, type: 'CUSTOM_KEY' },
  });
  await ask('rejectReview', 200, { params, body: { reason: 'An example.' } });
}

async function rejected(teller: Teller): Promise<void> {
  const { tell, ask } = teller;
  const made = await ask('uploadObject', 201, { headers: rawFile('review.md'), body: minutes });
  await ask('startClassification', 202, {
    body: { source_object_id: made.json.id, review: 'required' },
  });
  await tell('rejectReview', 'Fail the operation', 200, {
    params: { id: await openReview(teller, 'classify') },
    body: { reason: 'The wrong document was uploaded.' },
  });
}

async function openReview({ until }: Teller, op: string): Promise<string> {
  const query = { state: 'open', op };
  const open = await until('listReviews', { query }, ({ json }) => json.data.length > 0);
  return open.json.data[0].id;
}
