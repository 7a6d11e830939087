import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Costs, processKinds, workNames, workSummaries } from './costs.ts';

/** The measurements as tables in Markdown. */
export function formatTables({ measured, per, rates, mixed, ...costs }: Costs): string {
  const storedTexts = Object.entries(costs.stored_bytes).map(
    ([name, bytes]) => `${formatNumber(bytes)} per ${name}`,
  );
  return [
    ...formatProvisional(measured, rates),
    `Measured on ${measured.on} at ${measured.commit}: ${measured.cores} cores of ${measured.machine}, Node ${measured.node}, Postgres ${measured.postgres}, clients and receivers on the same cores. Medians of ${plural(measured.rounds, 'round')}; other programs kept ${measured.others} cores busy; one core hashed ${measured.calibration} thousand blocks of 64 KiB a second by SHA-256 (25 thousand on an idle machine).${measured.others > 0.2 ? ' On a busy machine operations cost up to three times as much, and a prediction is for the cores that were left: measure again on a quiet one.' : ''}`,
    '',
    'Rates by the number of processes, and those that the costs of one process predict for more than one:',
    '',
    ...table(
      [
        'Work',
        'Processes',
        'A second',
        'To one process',
        'Predicted',
        'Error',
        'Predicted limit',
        'What ended it',
      ],
      rates.map((row) => [
        row.work,
        String(row.processes),
        formatNumber(row.per_second),
        row.to_one,
        ...formatPredicted(row.predicted),
        row.ended,
      ]),
    ),
    '',
    `A mixed load, of which no cost was taken (${mixed.load}), ended by: ${mixed.ended}. ${formatMisses(mixed)}`,
    '',
    ...table(
      ['', 'Predicted', 'Measured', 'Error'],
      mixed.figures.map(({ what, predicted, measured: found, unit }) => [
        what,
        `${formatNumber(predicted)} ${unit}`,
        `${formatNumber(found)} ${unit}`,
        formatError(predicted / found - 1),
      ]),
    ),
    '',
    'Costs, in milliseconds of CPU by kind of process, with one of each kind:',
    '',
    ...table(
      ['One', ...processKinds, 'WAL bytes'],
      workNames.map((work) => [
        workSummaries[work],
        ...processKinds.map((kind) => formatNumber(per[work].cpu_ms[kind])),
        formatNumber(per[work].wal_bytes),
      ]),
    ),
    '',
    `Numbering an event holds the lock for ${formatNumber(costs.numbering_ms)} ms, creating a delivery for ${formatNumber(costs.fan_out_ms)} ms more. Tables and indexes take, in bytes: ${storedTexts.join(', ')}.`,
  ].join('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)];
}

const formatNumber = (value: number): string =>
  value.toLocaleString('en-GB', { maximumSignificantDigits: 3 });
export const plural = (count: number, noun: string, many = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : many}`;
const formatError = (error: number): string =>
  `${error < 0 ? '−' : '+'}${Math.abs(error * 100).toFixed(0)} %`;

type Predicted = Costs['rates'][number]['predicted'];
const formatPredicted = (predicted: Predicted): string[] =>
  predicted
    ? [formatNumber(predicted.per_second), formatError(predicted.error), predicted.limit]
    : ['–', '–', '–'];

/** The maximum errors of predictions, as a share of the measurement. */
const maxError = 0.25;

/** The predictions with larger errors. */
export function missesOf({ rates, mixed }: Pick<Costs, 'rates' | 'mixed'>): string[] {
  const errors = rates.map(({ work, processes, predicted }) => ({
    what: `${work} by ${plural(processes, 'process', 'processes')}`,
    error: predicted?.error ?? 0,
  }));
  return [...errors, ...errorsOfMixed(mixed)].flatMap(formatIfMissed);
}

const formatIfMissed = ({ what, error }: { what: string; error: number }): string[] =>
  Math.abs(error) >= maxError ? [`${what} ${formatError(error)}`] : [];

const errorsOfMixed = ({ figures }: Costs['mixed']) =>
  figures.map(({ what, predicted, measured }) => ({ what, error: predicted / measured - 1 }));

function formatMisses(mixed: Costs['mixed']): string {
  const misses = errorsOfMixed(mixed).flatMap(formatIfMissed);
  if (misses.length === 0) return 'All errors are below 25 %.';
  return `Not within 25 %: ${misses.join(', ')}.`;
}

/**
 * Why costs are not fit for planning: too few rounds, a busy machine, or only one process of a
 * kind.
 */
function formatProvisional({ rounds, others }: Costs['measured'], rates: Costs['rates']): string[] {
  const isAlone = rates.every(({ processes }) => processes === 1);
  const caveats = [
    ...(rounds < 2 ? ['measured once'] : []),
    ...(others > 0.2 ? ['on a busy machine'] : []),
    ...(isAlone ? ['with one process of each kind, so no prediction for more was checked'] : []),
  ];
  if (caveats.length === 0) return [];
  return [`**These costs are provisional:** ${caveats.join(', ')}.`, ''];
}

/** Replaces the last section of a page, from its heading on. */
export function replaceSection(page: string, heading: string, text: string): void {
  const path = resolve(page);
  const old = readFileSync(path, 'utf8');
  const at = old.indexOf(`${heading}\n`);
  if (at < 0) throw new Error(`${page} has no heading '${heading}'.`);
  const next = old.indexOf('\n## ', at);
  const rest = next < 0 ? '' : old.slice(next);
  writeFileSync(path, `${old.slice(0, at)}${heading}\n\n${text}\n${rest}`);
}
