/**
 * Compares the service's Markdown with the expected result, and with that of other programs.
 *
 * npx tsx lab/bench/documents/normalize.ts <folder> [--only NAME] [--show NAME] [--markdown NAME]
 *
 * The folder contains a subfolder per file type, with `<source>.expected.md` beside each source.
 * `--only` selects files whose names contain NAME; `--show` also prints the missing and extra
 * parts; `--markdown` prints the service's result. The comparison is in `scores/`.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { createEngines, EngineError } from '@scriptorium/documents';
import { describeDifference } from './difference.ts';
import { type Example, findExamples } from './examples.ts';
import { memoryBytes } from './limits.ts';
import { toMarkdown } from './ours.ts';
import { findPeers, type Peer } from './peers.ts';
import { type Reading, readMarkdown } from './scores/read.ts';
import { type Scores, score } from './scores/scores.ts';

const measures = ['words', 'headings', 'levels', 'cells', 'neighbours', 'order'] as const;
type Line = { kind: string; scores: Scores };

/** The result of a failed conversion: empty, which scores 0. */
const nothing: Reading = { words: [], headings: [], tables: [] };

/**
 * The conversion of a file by another program; a file that the program rejects scores 0, as it does
 * for the service.
 */
function readingOf(peer: Peer, path: string): Reading {
  try {
    return readMarkdown(peer.convert(path));
  } catch (error) {
    console.log(`${basename(path)}: ${peer.name} FAILED: ${reasonOf(error)}`);
    return nothing;
  }
}

/** The exit code of a program that failed, or why it was not run. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && 'status' in error && typeof error.status === 'number'
    ? `exit code ${error.status}`
    : String(error);

function figure(scores: Scores, measure: (typeof measures)[number]): number | null {
  const value = scores[measure];
  return typeof value === 'number' || value === null ? value : value.f1;
}

const show = (value: number | null): string =>
  (value === null ? '–' : value.toFixed(3)).padStart(11);

/** The mean over files. Files without headings or tables on either side are left out of those scores. */
function mean(lines: readonly Line[], measure: (typeof measures)[number]): number | null {
  const values = lines.flatMap(({ scores }) => figure(scores, measure) ?? []);
  return values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length;
}

function report(name: string, lines: readonly Line[], shown: readonly (typeof measures)[number][]) {
  const kinds = [...new Set(lines.map(({ kind }) => kind))];
  for (const kind of kinds.length > 1 ? [...kinds, 'all'] : kinds) {
    const own = lines.filter((line) => kind === 'all' || line.kind === kind);
    const figures = measures.map((measure) =>
      shown.includes(measure) ? show(mean(own, measure)) : show(null),
    );
    console.log(`${`${name}, ${kind} (${own.length})`.padEnd(40)}${figures.join('')}`);
  }
}

const header = `${''.padEnd(40)}${measures.map((measure) => measure.padStart(11)).join('')}`;

async function main(examples: readonly Example[], options: { show: boolean; markdown: boolean }) {
  const work = mkdtempSync(join(tmpdir(), 'bench-normalize-'));
  const engines = createEngines({ processes: 1, memoryBytes, tmpDir: work });
  const peers = findPeers();
  const ours: Line[] = [];
  const theirs = new Map<string, Line[]>();
  try {
    console.log(header);
    for (const { kind, name, path, mime, expected } of examples) {
      const truth = readMarkdown(expected);
      const markdown = await toMarkdown(engines, path, mime, work).catch((error: unknown) => {
        if (!(error instanceof EngineError)) throw error;
        console.log(`${name}: FAILED: ${error.code}: ${error.message}`);
        return null;
      });
      const reading = markdown === null ? nothing : readMarkdown(markdown);
      const scores = score(truth, reading);
      ours.push({ kind, scores });
      const figures = measures.map((measure) => show(figure(scores, measure)));
      console.log(`${`${kind}/${name}`.padEnd(40)}${figures.join('')}`);
      if (options.show) console.log(`${describeDifference(truth, reading)}\n`);
      if (options.markdown) console.log(markdown);
      for (const peer of peers.filter(({ reads }) => reads(kind))) {
        const lines = theirs.get(peer.name) ?? [];
        theirs.set(peer.name, lines);
        lines.push({ kind, scores: score(truth, readingOf(peer, path)) });
      }
    }
    console.log(`\n${header}`);
    report('ours', ours, measures);
    for (const { name, wordsOnly } of peers) {
      report(name, theirs.get(name) ?? [], wordsOnly ? ['words', 'order'] : measures);
    }
  } finally {
    await engines.close();
    rmSync(work, { recursive: true, force: true });
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    show: { type: 'string' },
    markdown: { type: 'string' },
  },
});
const folder = positionals[0] ?? process.env.NORMALIZE_DATA;
if (!folder || !existsSync(folder)) {
  console.log('SKIPPED: the first argument must be a folder of sources with their .expected.md');
} else {
  const wanted = values.show ?? values.markdown ?? values.only ?? '';
  const examples = findExamples(folder).filter(({ name }) => name.includes(wanted));
  await main(examples, {
    show: values.show !== undefined,
    markdown: values.markdown !== undefined,
  });
}
