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
import { toMarkdown } from './convert.ts';
import { describeDifference } from './difference.ts';
import { type Example, findExamples } from './examples.ts';
import { memoryBytes } from './limits.ts';
import { findPeers, type Peer } from './peers.ts';
import { type Reading, readMarkdown } from './scores/read.ts';
import { type Scores, score } from './scores/scores.ts';

const measures = ['words', 'headings', 'levels', 'cells', 'neighbours', 'order'] as const;
type FileScores = { kind: string; scores: Scores };

/** The result of a failed conversion: empty, which scores 0. */
const emptyReading: Reading = { words: [], headings: [], tables: [] };

/**
 * The conversion of a file by another program; a file that the program rejects scores 0, as it does
 * for the service.
 */
function convertWithPeer(peer: Peer, path: string): Reading {
  try {
    return readMarkdown(peer.convert(path));
  } catch (error) {
    console.log(`${basename(path)}: ${peer.name} FAILED: ${reasonOf(error)}`);
    return emptyReading;
  }
}

/** The exit code of a program that failed, or why it was not run. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && 'status' in error && typeof error.status === 'number'
    ? `exit code ${error.status}`
    : String(error);

function scoreValue(scores: Scores, measure: (typeof measures)[number]): number | null {
  const value = scores[measure];
  return typeof value === 'number' || value === null ? value : value.f1;
}

const formatScore = (value: number | null): string =>
  (value === null ? '–' : value.toFixed(3)).padStart(11);

/** The mean over files. Files without headings or tables on either side are left out of those scores. */
function mean(lines: readonly FileScores[], measure: (typeof measures)[number]): number | null {
  const values = lines.flatMap(({ scores }) => scoreValue(scores, measure) ?? []);
  return values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length;
}

function report(
  name: string,
  lines: readonly FileScores[],
  reportedMeasures: readonly (typeof measures)[number][],
) {
  const kinds = [...new Set(lines.map(({ kind }) => kind))];
  for (const kind of kinds.length > 1 ? [...kinds, 'all'] : kinds) {
    const kindLines = lines.filter((line) => kind === 'all' || line.kind === kind);
    const figures = measures.map((measure) =>
      reportedMeasures.includes(measure)
        ? formatScore(mean(kindLines, measure))
        : formatScore(null),
    );
    console.log(`${`${name}, ${kind} (${kindLines.length})`.padEnd(40)}${figures.join('')}`);
  }
}

const header = `${''.padEnd(40)}${measures.map((measure) => measure.padStart(11)).join('')}`;

async function main(examples: readonly Example[], options: { show: boolean; markdown: boolean }) {
  const work = mkdtempSync(join(tmpdir(), 'bench-normalize-'));
  const engines = createEngines({ processes: 1, memoryBytes, tmpDir: work });
  const peers = findPeers();
  const serviceLines: FileScores[] = [];
  const peerLines = new Map<string, FileScores[]>();
  try {
    console.log(header);
    for (const { kind, name, path, mime, expected } of examples) {
      const expectedReading = readMarkdown(expected);
      const markdown = await toMarkdown(engines, path, mime, work).catch((error: unknown) => {
        if (!(error instanceof EngineError)) throw error;
        console.log(`${name}: FAILED: ${error.code}: ${error.message}`);
        return null;
      });
      const reading = markdown === null ? emptyReading : readMarkdown(markdown);
      const scores = score(expectedReading, reading);
      serviceLines.push({ kind, scores });
      const figures = measures.map((measure) => formatScore(scoreValue(scores, measure)));
      console.log(`${`${kind}/${name}`.padEnd(40)}${figures.join('')}`);
      if (options.show) console.log(`${describeDifference(expectedReading, reading)}\n`);
      if (options.markdown) console.log(markdown);
      for (const peer of peers.filter(({ reads }) => reads(kind))) {
        const lines = peerLines.get(peer.name) ?? [];
        peerLines.set(peer.name, lines);
        lines.push({ kind, scores: score(expectedReading, convertWithPeer(peer, path)) });
      }
    }
    console.log(`\n${header}`);
    report('ours', serviceLines, measures);
    for (const { name, wordsOnly } of peers) {
      report(name, peerLines.get(name) ?? [], wordsOnly ? ['words', 'order'] : measures);
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
  const nameFilter = values.show ?? values.markdown ?? values.only ?? '';
  const examples = findExamples(folder).filter(({ name }) => name.includes(nameFilter));
  await main(examples, {
    show: values.show !== undefined,
    markdown: values.markdown !== undefined,
  });
}
