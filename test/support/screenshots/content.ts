import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import type { ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import type { ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import sharp from 'sharp';
import { checkout } from '../run.ts';

/** The identifiers used in the addresses of screens. */
export interface Content {
  object: string;
  picture: string;
  job: string;
  review: string;
  webhook: string;
  policy: string;
  collection: string;
}

export type Call = <T>(
  method: string,
  path: string,
  init?: { body?: unknown; bytes?: Buffer; headers?: Record<string, string> },
) => Promise<T>;

/** Fills a project with sample data through the API. */
export async function createContent(call: Call): Promise<Content> {
  const upload = (bytes: Buffer, filename: string, type: string) =>
    call<ObjectRecord>('POST', '/v1/objects', {
      bytes,
      headers: { 'Content-Type': type, 'X-Filename': filename },
    });
  const json = <T>(path: string, body: unknown) => call<T>('POST', path, { body });

  const scan = await upload(
    await readFile(join(checkout, 'examples', 'scan.pdf')),
    'scan.pdf',
    'application/pdf',
  );
  const titles = ['Harbour', 'Morning fog', 'Market', 'Lighthouse', 'Old town', 'Dunes', 'Ferry'];
  for (let at = 0; at < 42; at++) {
    const name = `${titles[at % titles.length]!.toLowerCase().replace(' ', '-')}-${at}.jpg`;
    await upload(await drawPicture(at), name, 'image/jpeg');
  }
  const images = await eventually(async () => {
    const { data } = await call<{ data: { id: string; processing: boolean }[] }>(
      'GET',
      '/v1/images?limit=100',
    );
    return data.every(({ processing }) => !processing) && data;
  });
  await Promise.all(
    images.map(({ id }, at) =>
      call('PATCH', '/v1/images', {
        body: {
          id,
          title: titles[at % titles.length],
          rating: (at % 5) + 1,
          tags: [['sea', 'north'], ['town'], ['sea', 'sand', '2026']][at % 3],
        },
      }),
    ),
  );
  const members = images
    .slice(0, 12)
    .map(({ id }) => ({ resource_type: 'image', resource_id: id }));
  const brochure = await json<{ id: string }>('/v1/collections', { name: 'Brochure', members });
  await json('/v1/collections', {
    name: 'Cover',
    parent_id: brochure.id,
    members: members.slice(3, 6),
  });
  await json('/v1/collections', { name: 'By the sea', kind: 'smart', query: { tag: ['sea'] } });
  const webhook = await json<{ id: string }>('/v1/webhooks', {
    url: 'http://127.0.0.1:9/hooks',
    event_types: ['documents.job.*'],
    description: 'An unreachable receiver',
  });
  const policy = await json<{ id: string }>('/v1/dam/security/policies', {
    name: 'Letters only redacted',
    mode: 'audit',
    scope: { type: 'tag', tags: ['letters'] },
    actions: ['read', 'download', 'sign'],
    rules: [{ type: 'require_redaction', entities: 'personal', fallback: 'serve_redacted' }],
  });
  await json('/v1/keys', { name: 'Website, read only', scopes: ['objects:read', 'images:read'] });
  const job = await json<JobRecord>('/v1/documents/jobs', {
    source_object_id: scan.id,
    operations: [
      { op: 'ocr' },
      { op: 'redact_pii' },
      { op: 'classify' },
      { op: 'normalize_for_llm' },
    ],
  });
  await eventually(async () => {
    const { finished_at } = await call<JobRecord>('GET', `/v1/documents/jobs/${job.id}`);
    return finished_at !== null;
  });
  const reviewed = await json<JobRecord>('/v1/documents/redact', {
    source_object_id: scan.id,
    review: 'required',
  });
  const review = await eventually(async () => {
    const path = `/v1/documents/reviews?job_id=${reviewed.id}`;
    const { data } = await call<{ data: ReviewRecord[] }>('GET', path);
    return data[0] ?? false;
  });
  const trashed = images.at(-1)!;
  await call('DELETE', `/v1/images/${trashed.id}`);
  return {
    object: scan.id,
    picture: images[0]!.id,
    job: job.id,
    review: review.id,
    webhook: webhook.id,
    policy: policy.id,
    collection: brochure.id,
  };
}

/** Draws a landscape with sky, sea and sun, in varying colours. */
async function drawPicture(at: number): Promise<Buffer> {
  const hue = (at * 47) % 360;
  const [width, height] = [
    [1200, 800],
    [800, 1200],
    [1000, 1000],
  ][at % 3]!;
  const horizon = height! * (0.45 + (at % 5) * 0.06);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="hsl(${hue},55%,72%)"/>
    <stop offset="1" stop-color="hsl(${(hue + 40) % 360},65%,88%)"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#s)"/>
    <circle cx="${width! * 0.7}" cy="${horizon * 0.6}" r="${width! / 14}" fill="hsl(45,90%,85%)"/>
    <rect y="${horizon}" width="100%" height="100%" fill="hsl(${(hue + 190) % 360},40%,38%)"/>
    <path d="M0 ${horizon} L${width! * 0.3} ${horizon * 0.7} L${width! * 0.55} ${horizon} Z" fill="hsl(${hue},25%,30%)"/>
  </svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 82 }).toBuffer();
}

/** Polls until the result is not false. */
async function eventually<T>(poll: () => Promise<T | false>): Promise<T> {
  for (let left = 600; left > 0; left--) {
    const result = await poll();
    if (result !== false) return result;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('Timed out after two minutes.');
}
