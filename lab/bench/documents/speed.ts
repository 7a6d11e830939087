/**
 * Pages of born-digital PDFs per CPU second: the service from the page to Markdown, JSON and
 * chunks, compared with programs that write plain text.
 *
 * npx tsx lab/bench/documents/speed.ts <folder>... [--rounds 3]
 *
 * Uses all PDFs in the folders and their subfolders whose pages all have text, each with every side
 * in turn. The service uses one warm child, including the work of its parent; `ocr` has run before.
 * The others start a process per file. CPU is user and system, of all processes.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createEngines, EngineError, type Engines } from '@scriptorium/documents';
import { readInteger } from '../../number-options.ts';
import { cpuMs } from '../support/cpu.ts';
import { normalizePaged, type RecognisedFile, recognise } from './convert.ts';
import { callOptions, memoryBytes } from './limits.ts';
import { findPeers } from './peers.ts';

/** The files whose pages all have text, after `ocr`. Unreadable files are left out. */
async function findBornDigital(engines: Engines, files: readonly string[], work: string) {
  const found: RecognisedFile[] = [];
  const mime = 'application/pdf';
  for (const [index, path] of files.entries()) {
    try {
      const { pages } = await engines.inspect({ path, mime }, callOptions);
      if (pages.length === 0 || pages.some(({ characters }) => (characters ?? 0) < 50)) continue;
      found.push(await recognise(engines, path, mime, join(work, String(index))));
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
    }
  }
  return found;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

async function main(folders: readonly string[], rounds: number): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'bench-speed-'));
  const engines = createEngines({ processes: 1, memoryBytes, tmpDir: work });
  try {
    const files = folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.pdf'))
        .map((name) => join(folder, name)),
    );
    const sources = await findBornDigital(engines, files, work);
    const pages = sources.reduce((sum, source) => sum + source.pages.length, 0);
    console.log(`${sources.length} files, ${pages} pages`);
    const write = {
      markdown: join(work, 'out.md'),
      json: join(work, 'out.json'),
      chunks: join(work, 'out.jsonl'),
      chunkTokens: 800,
      overlapTokens: 80,
    };
    const sides = new Map<string, (source: RecognisedFile) => unknown>([
      ['ours', (source) => normalizePaged(engines, source, write, work)],
      ...findPeers()
        .filter(({ reads }) => reads('pdf'))
        .map(({ name, convert }): [string, (source: RecognisedFile) => unknown] => [
          name,
          ({ path }) => convert(path),
        ]),
    ]);
    const rates = new Map([...sides.keys()].map((name): [string, number[]] => [name, []]));
    // The first round is a warm-up.
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, convert] of sides) {
        const before = cpuMs(process.pid);
        for (const source of sources) await convert(source);
        const seconds = (cpuMs(process.pid) - before) / 1000;
        if (round > 0) rates.get(name)?.push(pages / seconds);
      }
    }
    for (const [name, values] of rates) {
      console.log(
        `speed, ${name}: ${median(values).toFixed(1)} pages a second of CPU ` +
          `[${Math.min(...values).toFixed(1)}–${Math.max(...values).toFixed(1)}]`,
      );
    }
  } finally {
    await engines.close();
    rmSync(work, { recursive: true, force: true });
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' } },
});
const folders = positionals.filter((folder) => existsSync(folder));
if (folders.length === 0) console.log('SKIPPED: the arguments must be folders of PDFs');
else await main(folders, readInteger('--rounds', values.rounds));
