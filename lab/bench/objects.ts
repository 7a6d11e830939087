import { integerFromEnv } from '../number-options.ts';
import { calibrate, median, percentile } from './support/figures.ts';
import { inventVocabulary } from './support/library/seed.ts';
import { requireSetting } from './support/library/settings.ts';

/**
 * The requests of the portal's Browse and map, one after the other, on the library that script/seed
 * created in a running script/server: pages in each order, at the beginning and in the middle;
 * totals, facets and months, without filters and with each; and places. Reads SERVICE_URL,
 * PROJECT_ID and API_KEY; ROUNDS, MIDDLE (the number of pages of 200 before the middle one) and
 * ONLY (part of the names) are optional.
 */
const rounds = integerFromEnv('ROUNDS', 20);
const pagesBeforeMiddle = integerFromEnv('MIDDLE', 200);
const nameFilter = process.env.ONLY ?? '';
const serviceUrl = requireSetting('SERVICE_URL');
const headers = {
  Authorization: `Bearer ${requireSetting('API_KEY')}`,
  'X-Service-Project-ID': requireSetting('PROJECT_ID'),
};

interface ListResponse {
  data: { id: string }[];
  next_cursor: string | null;
  total: number | null;
}

const get = async (path: string): Promise<{ milliseconds: number; body: ListResponse }> => {
  const start = performance.now();
  const response = await fetch(`${serviceUrl}/v1/${path}`, { headers });
  const text = await response.text();
  const milliseconds = performance.now() - start;
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return { milliseconds, body: JSON.parse(text) as ListResponse };
};

const timesByName = new Map<string, number[]>();

async function measure(name: string, path: string, count = ''): Promise<void> {
  if (!name.includes(nameFilter)) return;
  await get(path);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push((await get(path)).milliseconds);
  timesByName.set(name, times);
  const figures = [median(times), percentile(times, 0.95), Math.max(...times)];
  console.log(
    `${name.padEnd(48)} ${count.padStart(8)} ${figures.map((ms) => ms.toFixed(1).padStart(8)).join('')}`,
  );
}

/** The page after `pages` others. */
async function pathAfter(path: string, pages: number): Promise<string> {
  let next = path;
  for (let page = 0; page < pages; page++) {
    const { next_cursor: cursor } = (await get(next)).body;
    if (cursor === null) break;
    next = `${path}&cursor=${cursor}`;
  }
  return next;
}

const { words, tags } = inventVocabulary();
const listPath = 'objects?originals=true&limit=200&include=derived_count';
const box = '-20,30,60,70';
const filters: Record<'objects' | 'images', Record<string, string>> = {
  objects: {
    everything: '',
    originals: '&originals=true',
    'PDFs, originals': '&originals=true&mime=application/pdf',
    'images, originals': '&originals=true&mime=image/*',
    'text, originals': '&originals=true&mime=text/*,message/rfc822,application/json',
    'Office, originals': '&originals=true&mime=application/rtf',
    'a frequent tag, originals': `&originals=true&tag=${tags[0]}`,
    'a rare tag, originals': `&originals=true&tag=${tags[300]}`,
    'a frequent word, originals': `&originals=true&q=${words[5]}`,
    'a rare word, originals': `&originals=true&q=${words[900]}`,
    'before a month, originals': '&originals=true&created_before=2025-04-01T00:00:00Z',
    'of a month, originals':
      '&originals=true&created_after=2025-03-01T00:00:00Z&created_before=2025-04-01T00:00:00Z',
    'a part of the world, originals': `&originals=true&bbox=${box}`,
    'trash, originals': '&originals=true&state=trashed',
    'made by jobs': '&source=job',
    'searchable PDFs': '&kind=searchable_pdf',
  },
  images: {
    everything: '',
    'a frequent tag': `&tag=${tags[0]}`,
    'a rare word': `&q=${words[900]}`,
    'a part of the world': `&bbox=${box}`,
    'before a month': '&created_before=2025-04-01T00:00:00Z',
  },
};

console.log(`calibration ${(await calibrate()).toFixed(1)}, ${rounds} rounds`);
console.log(`${'milliseconds'.padEnd(48)} ${'matches'.padStart(8)}  median     p95   worst`);
for (const sort of ['-created_at', 'created_at', 'filename', '-filename', 'bytes', '-mime']) {
  const path = `${listPath}&sort=${sort}`;
  await measure(`objects by ${sort}, the first page`, path);
  if (nameFilter === '' || 'middle'.includes(nameFilter)) {
    await measure(`objects by ${sort}, in the middle`, await pathAfter(path, pagesBeforeMiddle));
  }
}
const page = (await get(listPath)).body.data;
const objectIds = page.map(({ id }) => id).join(',');
await measure('pictures of a page of objects', `images?limit=200&object_id=${objectIds}`);
for (const [list, listFilters] of Object.entries(filters)) {
  for (const [name, filter] of Object.entries(listFilters)) {
    const { total } = (await get(`${list}?limit=1${filter}&include=total`)).body;
    const count = String(total);
    await measure(`${list}: ${name}: page`, `${list}?limit=200${filter}`, count);
    await measure(
      `${list}: ${name}: total, facets`,
      `${list}?limit=1${filter}&include=total,facets`,
      count,
    );
    await measure(`${list}: ${name}: months`, `${list}?limit=1${filter}&include=months`, count);
  }
}
for (const [name, q] of Object.entries({
  'a frequent word': words[5]!,
  'a rare word': words[900]!,
  'two words': `${words[3]} ${words[60]}`,
  'a tag': tags[3]!,
  'a misspelt word': `${words[900]}x`,
  nothing: 'zzzzqqq',
})) {
  const path = `search?originals=true&q=${encodeURIComponent(q)}`;
  await measure(`search: ${name}: page`, `${path}&limit=50`);
  await measure(`search: ${name}: palette`, `${path}&limit=5`);
}
for (const zoom of [0, 3, 6, 9]) {
  await measure(`places at zoom ${zoom}`, `images/places?zoom=${zoom}`);
  await measure(`places at zoom ${zoom}, a part`, `images/places?zoom=${zoom}&bbox=${box}`);
}
const allTimes = [...timesByName.values()].flat();
console.log(
  `all: median ${median(allTimes).toFixed(1)}, p95 ${percentile(allTimes, 0.95).toFixed(1)}, worst ${Math.max(...allTimes).toFixed(1)} ms`,
);
const slow = [...timesByName].filter(([, times]) => percentile(times, 0.95) > 50);
console.log(`p95 over 50 ms: ${slow.length} of ${timesByName.size}`);
