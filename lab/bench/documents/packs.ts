/**
 * Builds packs through an API and a worker of all queues as deployed: a pack of small mixed
 * documents, of which two are broken and one is withheld by a policy, is built, built again and
 * refreshed after one change; first with text only, then with blocks and pictures of the pages. CPU
 * is user and system, of the API, the worker and all engine processes. SETS=text skips the
 * pictures.
 *
 * npx tsx lab/bench/documents/packs.ts
 */

import type { PackRecord } from '@scriptorium/contracts/wire/packs';
import { docx, paragraph, run } from '../../../test/support/office.ts';
import { bornDigitalPdf } from '../../../test/support/samples.ts';
import { integerFromEnv } from '../../number-options.ts';
import { createApiClient } from '../support/api/client.ts';
import { createTenants } from '../support/api/tenants.ts';
import { openBench } from '../support/bench.ts';
import { cpuMs } from '../support/cpu.ts';
import {
  buildPrograms,
  freePort,
  serverEnvironment,
  startBuilt,
  untilReady,
  workerEnvironment,
} from '../support/programs.ts';
import { peakBytesOf, watchChildren } from './watch.ts';

const count = integerFromEnv('DOCUMENTS', 500);
const selectedSets = process.env.SETS?.split(',');

const topics = ['berths', 'tariffs', 'cranes', 'pilots', 'waste', 'tides', 'storage', 'customs'];

/** Paragraphs that no other document has. */
function paragraphsOf(seed: number): string[] {
  return topics.map((topic, at) => {
    const number = seed * 31 + at * 7;
    return `Rule ${number} of ${topic}: from ${(number % 12) + 1} o'clock on, section ${at + 1} of pier ${seed % 40} is reserved. Boats that need it longer ask the harbour office and pay ${number % 900} crowns for each hour that has begun.`;
  });
}

/** The functions that create documents, used in turn. */
const kinds: Record<string, (seed: number) => Promise<Uint8Array> | Uint8Array> = {
  txt: (seed) => Buffer.from(paragraphsOf(seed).join('\n\n')),
  md: (seed) => Buffer.from(`# Rules ${seed}\n\n${paragraphsOf(seed).join('\n\n')}\n`),
  html: (seed) => {
    const body = paragraphsOf(seed).map((text) => `<p>${text}</p>`);
    return Buffer.from(`<!doctype html><html><body><h1>${seed}</h1>${body.join('')}</body></html>`);
  },
  docx: (seed) =>
    docx(
      paragraphsOf(seed)
        .map((text) => paragraph(run(text)))
        .join(''),
    ),
  pdf: (seed) =>
    bornDigitalPdf(
      [0, 1].map((page) => paragraphsOf(seed + page).flatMap((text) => firstLines(text))),
    ),
};

/** The number of lines that fit on an A5 page. */
function firstLines(text: string): string[] {
  return (text.match(/.{1,48}(?:\s|$)/g) ?? []).slice(0, 3);
}

buildPrograms();
const bench = await openBench();
const port = await freePort();
const environment = { ...serverEnvironment(bench, port), LOG_LEVEL: 'warn' };
const server = startBuilt('server', environment);
const secretKey = environment.SECRET_KEY;
const worker = startBuilt('worker', workerEnvironment(bench, { secretKey, queues: 'all' }));

try {
  await untilReady(port);
  const [tenant] = await createTenants(bench, 1, 1);
  const credentials = { projectId: tenant!.projectId, secret: tenant!.secrets[0]! };
  const api = createApiClient(port, credentials);
  const names = Object.keys(kinds);
  const upload = async (seed: number, at: number): Promise<string> => {
    const name = names[at % names.length]!;
    const number = String(at).padStart(5, '0');
    return (await api.upload(await kinds[name]!(seed), `${number}.${name}`)).id;
  };
  const ids: string[] = [];
  for (let at = 0; at < count - 3; at++) ids.push(await upload(at, at));
  for (const end of ['one', 'two']) {
    const broken = Buffer.from(`%PDF-1.7\n${end} without pages`);
    ids.push((await api.upload(broken, `broken-${end}.pdf`)).id);
  }
  const secret = await upload(count, count);
  ids.push(secret);
  await api.send('PATCH', `/objects/${secret}`, { tags: ['secret'] });
  await api.send('POST', '/dam/security/policies', {
    name: 'Secret',
    mode: 'enforce',
    scope: { type: 'tag', tags: ['secret'] },
    actions: ['process'],
    rules: [{ type: 'allowed_mime_types', include: ['image/*'] }],
  });

  const build = async (
    title: string,
    body: object,
  ): Promise<{ pack: PackRecord; seconds: number }> => {
    const usedCpuMs = () => cpuMs(server.pid) + cpuMs(worker.pid);
    const cpu = usedCpuMs();
    const start = performance.now();
    const engines = watchChildren(worker.pid);
    const pack = await api.buildPack({ name: 'Harbour', ...body }).finally(engines);
    const s = (performance.now() - start) / 1_000;
    const { state, progress, output } = pack;
    const { documents_completed: whole, documents_failed: failed } = progress;
    console.log(
      `  ${title}: ${s.toFixed(1)} s, CPU ${((usedCpuMs() - cpu) / 1_000).toFixed(1)} s; ${state}, ${whole} packed, ${failed} failed, ${progress.documents_withheld} withheld, ${progress.documents_reused} reused, ${((output?.bytes ?? 0) / 2 ** 20).toFixed(1)} MiB`,
    );
    const peaks = {
      API: peakBytesOf(server.pid),
      worker: peakBytesOf(worker.pid),
      engine: engines().peakBytes,
    };
    const peakTexts = Object.entries(peaks).map(
      ([who, peak]) => `${who} ${(peak / 2 ** 20).toFixed(0)}`,
    );
    console.log(`    peak memory in MiB: ${peakTexts.join(', ')}`);
    return { pack, seconds: s };
  };
  const sets = {
    text: { chunk_tokens: 400 },
    everything: { chunk_tokens: 500, include: ['markdown', 'chunks', 'blocks', 'pages'] },
  };
  for (const [at, [name, options]] of Object.entries(sets).entries()) {
    if (selectedSets && !selectedSets.includes(name)) continue;
    console.log(`${count} documents, ${name}`);
    const source = { object_ids: ids };
    const first = await build('built', { source, options });
    const second = await build('built again', { source, options });
    ids[0] = await upload(count + 1 + at, 0);
    const refreshes = first.pack.id;
    const third = await build('refreshed', { source: { object_ids: ids }, options, refreshes });
    const same = first.pack.output?.sha256 === second.pack.output?.sha256;
    console.log(
      `  ${same ? 'equal' : 'DIFFERENT'} sha256; refreshed in ${(third.seconds / first.seconds).toFixed(3)} of the time`,
    );
  }
} finally {
  await worker.stop();
  await server.stop();
  await bench.close();
}
