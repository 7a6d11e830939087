/**
 * Measures pages per CPU second and character error, compared with OCRmyPDF if that is on PATH.
 *
 *   npx tsx lab/bench/documents/ocr.ts <folder> [rounds] [best]
 *
 * The folder contains pages (`.jpg`, `.png`) with their text beside them (`.txt`), and a
 * `manifest.json` whose entries may have a `rotation`; rotated pages are left out. All pages are
 * combined into one PDF, which both sides read in turn. CPU seconds (user and system, including
 * children) are stable; wall times depend on other load. `best` uses only the npm model.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createEngines } from '@scriptorium/documents';
import { PDFDocument } from 'pdf-lib';
import sharp from 'sharp';
import { textOf } from '../../../test/support/samples.ts';
import { readInteger } from '../../number-options.ts';
import { characterError, hasCommand, measureCommand, npmModelFolder } from './recognition.ts';

const callOptions = { deadlineMs: 120_000, isolation: 'bench' };

/**
 * The service's side, in a separate process, so that the CPU time of it and its children can be
 * measured.
 */
async function recogniseFile(path: string, outPath: string, tessdata: string[]): Promise<void> {
  const tmpDir = dirname(outPath);
  const processes = availableParallelism();
  const engines = createEngines({ processes, tessdata, memoryBytes: 2 ** 30, tmpDir });
  const mime = 'application/pdf';
  const { pages } = await engines.inspect({ path, mime }, callOptions);
  const results = await Promise.all(
    pages.map(({ number }) => engines.recognisePage({ path, mime, page: number }, callOptions)),
  );
  const pagesFile = `${outPath}.ndjson`;
  writeFileSync(pagesFile, results.map((result) => `${JSON.stringify(result)}\n`).join(''));
  await engines.assembleSearchablePdf({ path, mime, pagesFile, outPath }, callOptions);
  await engines.close();
}

type Page = { name: string; image: string; text: string; dpi: number };

function listPages(folder: string): Page[] {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const facts = JSON.stringify(manifest);
  return readdirSync(folder)
    .filter((name) => /\.(jpe?g|png)$/.test(name) && !/rot\d+\./.test(name))
    .sort()
    .flatMap((name) => {
      const text = join(folder, name.replace(/\.\w+$/, '.txt'));
      const entry = new RegExp(`\\{[^{}]*${name.replace(/\.\w+$/, '')}[^{}]*\\}`).exec(facts)?.[0];
      const dpi = Number(/"dpi":\s*(\d+)/.exec(entry ?? '')?.[1] ?? 0);
      return existsSync(text) ? [{ name, image: join(folder, name), text, dpi }] : [];
    });
}

async function buildPdf(pages: readonly Page[]): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  for (const { image, dpi } of pages) {
    const bytes = readFileSync(image);
    const embedded = image.endsWith('png')
      ? await document.embedPng(bytes)
      : await document.embedJpg(bytes);
    const resolution = dpi || (await sharp(bytes).metadata()).density || 200;
    const width = (embedded.width / resolution) * 72;
    const height = (embedded.height / resolution) * 72;
    document.addPage([width, height]).drawImage(embedded, { x: 0, y: 0, width, height });
  }
  return document.save();
}

/**
 * The character error of each page of a PDF, in content order (from PDFium) and, if pdftotext is on
 * PATH, in its layout order.
 */
async function characterErrors(
  pdf: string,
  pages: readonly Page[],
  order: 'content' | 'places',
): Promise<number[]> {
  const texts =
    order === 'places' && hasCommand('pdftotext')
      ? execFileSync('pdftotext', [pdf, '-'], { encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\f')
      : await textOf(readFileSync(pdf));
  return pages.map(({ text }, index) => {
    return characterError(readFileSync(text, 'utf8'), texts[index] ?? '');
  });
}

const median = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function main(folder: string, rounds: number, best: boolean): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'bench-ocr-'));
  try {
    const pages = listPages(folder);
    const input = join(work, 'in.pdf');
    writeFileSync(input, await buildPdf(pages));
    const ours: { cpu: number; wall: number }[] = [];
    const theirs: { cpu: number; wall: number }[] = [];
    const hasOcrmypdf = hasCommand('ocrmypdf');
    if (!hasOcrmypdf) console.log('ocrmypdf is not on PATH: only our side is measured');
    const script = fileURLToPath(import.meta.url);
    const serviceArgs = ['--import', 'tsx', script, '--ours', input, join(work, 'ours.pdf')];
    if (best) serviceArgs.push(npmModelFolder());
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await measureCommand(process.execPath, serviceArgs));
      if (!hasOcrmypdf) continue;
      const args = ['-q', '-O0', '-j2', '--output-type', 'pdf', input, join(work, 'theirs.pdf')];
      theirs.push(await measureCommand('ocrmypdf', args));
    }
    const report = async (name: string, runs: { cpu: number; wall: number }[], file: string) => {
      const cpu = median(runs.map((run) => run.cpu));
      const wall = median(runs.map((run) => run.wall));
      const contentErrors = await characterErrors(file, pages, 'content');
      const layoutErrors = await characterErrors(file, pages, 'places');
      const clean = contentErrors.filter((_, index) => pages[index]?.name.startsWith('p'));
      const mean = (list: number[]) => (100 * list.reduce((a, b) => a + b, 0)) / (list.length || 1);
      console.log(
        `${name}: ${(pages.length / cpu).toFixed(3)} pages per CPU-second ` +
          `(${runs.map((run) => run.cpu.toFixed(1)).join(' ')}), ${wall.toFixed(1)} s wall, ` +
          `error ${mean(contentErrors).toFixed(2)} % of all, ${mean(clean).toFixed(3)} % of pages p*; ` +
          `in the order of pdftotext ${mean(layoutErrors).toFixed(2)} %`,
      );
      console.log(
        `  ${pages.map((p, i) => `${p.name} ${(100 * (contentErrors[i] ?? 0)).toFixed(2)}`).join(', ')}`,
      );
      return cpu;
    };
    const serviceCpu = await report('ours', ours, join(work, 'ours.pdf'));
    if (hasOcrmypdf) {
      const peerCpu = await report('ocrmypdf -O0 -j2', theirs, join(work, 'theirs.pdf'));
      console.log(`ratio of pages per CPU-second: ${(peerCpu / serviceCpu).toFixed(2)}`);
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const [first, second, third, fourth] = process.argv.slice(2);
if (first === '--ours' && second && third) {
  await recogniseFile(second, third, fourth ? [fourth] : []);
} else if (first && existsSync(first)) {
  await main(first, readInteger('The number of rounds', second ?? '3'), third === 'best');
} else {
  console.log('lab/bench/documents/ocr: no folder of pages given; skipped');
}
