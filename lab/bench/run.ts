import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * `script/bench [name…]`: runs the benchmarks in order, each in a separate process, and prints a table at
 * the end. Benchmarks without their data or peer are skipped with a message.
 */
interface Benchmark {
  name: string;
  goal: string;
  arguments: string[];
  /** Why it cannot run here; null if it can. */
  skipReason: string | null;
}

const piiData =
  process.env.PII_DATA ?? resolve(import.meta.dirname, '../../../shared/data/pii/synth_dev.json');
const ocrData = process.env.OCR_DATA ?? resolve(import.meta.dirname, '../../../shared/data/ocr');

const corpusData =
  process.env.CORPUS_DATA ?? resolve(import.meta.dirname, '../../../shared/data/pdf-corpus');

const normalizeData =
  process.env.NORMALIZE_DATA ?? resolve(import.meta.dirname, '../../../shared/data/normalize');

/** The folder argument of a benchmark, and the message if it is missing. */
function fromFolder(folder: string, variable: string): Pick<Benchmark, 'arguments' | 'skipReason'> {
  const skipReason = existsSync(folder)
    ? null
    : `${folder} does not exist (set ${variable} to use another folder)`;
  return { arguments: [folder], skipReason };
}

const benchmarks: Benchmark[] = [
  { name: 'relay', goal: 'at least 0.4, better 0.5', arguments: [], skipReason: null },
  { name: 'relays', goal: 'as fast as before', arguments: [], skipReason: null },
  {
    name: 'api-write',
    goal: 'jobs to naive with key and log at least 1.3 at 8 connections and 1.5 at 32, to pgbench 0.22',
    arguments: [],
    skipReason: null,
  },
  { name: 'tasks', goal: 'at least 0.3 of BullMQ, better 0.6', arguments: [], skipReason: null },
  { name: 'relay-full', goal: 'at least 0.9', arguments: [], skipReason: null },
  {
    name: 'receipt',
    goal: 'together at most 3.3 (p50) and 3 (p99) of direct and 1.3 of naive, a fleet 6 of direct',
    arguments: [],
    skipReason: null,
  },
  {
    name: 'webhooks',
    goal: 'at least 0.26 of raw, from the first commit 0.18',
    arguments: [],
    skipReason: null,
  },
  {
    name: 'endpoints',
    goal: 'p99 of healthy endpoints below 1 s, none slower by more than 1.2',
    arguments: [],
    skipReason: null,
  },
  {
    name: 'integrity',
    goal: 'nothing skipped, duplicated or out of order',
    arguments: [],
    skipReason: null,
  },
  { name: 'flush', goal: 'nothing lost, at least 0.7', arguments: [], skipReason: null },
  {
    name: 'resumable',
    goal: 'the right hash, the API below 300 MiB',
    arguments: [],
    skipReason: null,
  },
  {
    name: 'library',
    goal: 'page p95 at most 50 ms, with total and facets 200 ms, ratio at most 1.5',
    arguments: [],
    skipReason: null,
  },
  {
    name: 'passages',
    goal: 'nDCG@10 above BM25, CPU of Postgres at most 100 ms a search',
    arguments: [],
    skipReason: null,
  },
  {
    name: 'embeddings',
    goal: 'recall@10 at least 0.95, at most 100 ms of CPU of Postgres among 100,000',
    arguments: [],
    skipReason: null,
  },
  {
    name: 'pii',
    goal: 'recall at least 0.99, 400 thousand characters a second',
    arguments: [],
    skipReason: null,
  },
  {
    name: 'pii-language',
    goal: 'at most 10 false spans in a thousand words of forms, headings, code and the like; 0.95 of names covered',
    arguments: [],
    skipReason: null,
  },
  {
    name: 'documents/ocr',
    goal: 'pages per CPU-second at least 1.3 with the fast model, 1.1 with npm’s',
    arguments: [ocrData],
    skipReason: existsSync(join(ocrData, 'manifest.json'))
      ? null
      : `${join(ocrData, 'manifest.json')} does not exist (set OCR_DATA to use another folder)`,
  },
  {
    name: 'documents/short',
    goal: 'a scan of three pages with 1.6 × less CPU than ocrmypdf, better 2 ×',
    arguments: [],
    skipReason: null,
  },
  {
    name: 'documents/packs',
    goal: 'built twice with equal sha256, refreshed in less than a tenth of the time, processes below 500 MB',
    arguments: [],
    skipReason: null,
  },
  {
    name: 'pii-score',
    goal: 'F2 of spans at least 0.62 at IoU 0.9 and 0.80 at 0.7, 200,000 characters a second',
    arguments: [piiData],
    skipReason: existsSync(piiData)
      ? null
      : `${piiData} does not exist (set PII_DATA to use another file)`,
  },
  {
    name: 'redaction',
    goal: '0 secrets left, 0 wrongly verified, 99.9 % of the rest kept, 5 % burned, size 1.3',
    arguments: existsSync(join(ocrData, 'manifest.json')) ? [ocrData] : [],
    skipReason: null,
  },
  {
    name: 'documents/classify',
    goal: 'macro-F1 at least 0.93, less than 5 ms a page',
    arguments: [],
    skipReason: null,
  },
  {
    name: 'documents/normalize',
    goal: 'F1 of words at least 0.98, of headings and cells of tables 0.85',
    ...fromFolder(normalizeData, 'NORMALIZE_DATA'),
  },
  {
    name: 'documents/speed',
    goal: '100 pages of born-digital PDFs a second of CPU',
    arguments: [normalizeData, corpusData].filter((folder) => existsSync(folder)),
    skipReason: fromFolder(normalizeData, 'NORMALIZE_DATA').skipReason,
  },
  {
    name: 'documents/corpus',
    goal: 'a result or a clear error for every file, within 60 s and 1 GB, no worker lost',
    ...fromFolder(corpusData, 'CORPUS_DATA'),
  },
];

const requestedNames = process.argv.slice(2);
const unknown = requestedNames.filter(
  (name) => !benchmarks.some((benchmark) => benchmark.name === name),
);
if (unknown.length > 0) {
  console.error(
    `Unknown benchmark '${unknown.join("', '")}'. Expected one of: ${benchmarks.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}

const table: string[] = [];
for (const benchmark of benchmarks.filter(
  ({ name }) => requestedNames.length === 0 || requestedNames.includes(name),
)) {
  if (benchmark.skipReason) {
    table.push(`${benchmark.name.padEnd(20)} SKIPPED: ${benchmark.skipReason}`);
    console.log(`== ${benchmark.name}: SKIPPED: ${benchmark.skipReason}`);
    continue;
  }
  console.log(`== ${benchmark.name} (goal: ${benchmark.goal})`);
  const { code, lines } = await run(benchmark);
  const reportedLines = lines.filter((line) =>
    /^(ratio|calibration|a scan|thumbnail|first request|page alone|with total|skipped|living|recall|false hits|speed|spans, types|detector|wrong|ours,|pdftotext|pandoc)/i.test(
      line,
    ),
  );
  if (code !== 0) {
    process.exitCode = 1;
    reportedLines.push(`FAILED with exit code ${code}`);
  }
  const [first, ...rest] = reportedLines.length > 0 ? reportedLines : lines.slice(-3);
  table.push(`${benchmark.name.padEnd(20)} ${first ?? ''}   [goal: ${benchmark.goal}]`);
  table.push(...rest.map((line) => `${' '.repeat(21)}${line}`));
}
console.log(`\n${table.join('\n')}`);

async function run(benchmark: Benchmark): Promise<{ code: number | null; lines: string[] }> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', join(import.meta.dirname, `${benchmark.name}.ts`), ...benchmark.arguments],
    { cwd: resolve(import.meta.dirname, '../..'), stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk;
    process.stdout.write(chunk);
  });
  const [code] = await once(child, 'close');
  return { code, lines: text.split('\n').filter((line) => line.trim() !== '') };
}
