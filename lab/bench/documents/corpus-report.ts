import { basename } from 'node:path';
import type { Outcome } from './steps.ts';
import type { ResourceUsage } from './watch.ts';

/** One operation on one file. */
export type CorpusResult = ResourceUsage & {
  file: string;
  operation: string;
  /** Null if an internal error was thrown. */
  outcome: Outcome | null;
  fault: string | null;
  /** Not started, because an earlier operation failed. */
  skipped: boolean;
  /** Wall time, which depends on other load on the machine. */
  seconds: number;
};

const maxSeconds = 60;
const maxBytes = 2 ** 30;
/** Errors that are not about the file: an engine that crashed, timed out or ran out of memory. */
const engineFailureCodes: readonly string[] = ['crashed', 'deadline_exceeded', 'memory_exceeded'];

/** The outcome, in one word. */
function stateOf({ outcome, skipped }: CorpusResult): string {
  if (skipped) return 'skipped';
  if (!outcome) return 'FAULT';
  if (outcome.error) return 'refused';
  if (outcome.failed.length === 0) return 'result';
  return outcome.failed.length < outcome.pages ? 'in part' : 'no page';
}

/** The defects of a line: none for a result or a clear error within bounds. */
function defectsOf(line: CorpusResult): string[] {
  const { outcome, fault, seconds, cpuSeconds, peakBytes } = line;
  const codes = [outcome?.error, ...(outcome?.failed ?? [])].flatMap((error) => error?.code ?? []);
  return [
    ...(fault ? [fault] : []),
    ...engineFailureCodes.filter((code) => codes.includes(code)),
    ...(Math.min(seconds, cpuSeconds) > maxSeconds ? [`${cpuSeconds.toFixed(0)} s of CPU`] : []),
    ...(peakBytes > maxBytes ? [`${(peakBytes / 2 ** 20).toFixed(0)} MiB`] : []),
  ];
}

function messagesOf({ outcome }: CorpusResult): string {
  const errors = [outcome?.error, ...(outcome?.failed ?? [])].flatMap((error) => error ?? []);
  const texts = new Set(errors.map(({ code, message }) => `${code}: ${message}`));
  return [...texts].join(' / ');
}

export const report = {
  header(): void {
    console.log(
      `${'file'.padEnd(14)}${'operation'.padEnd(18)}${'state'.padEnd(9)}${'pages'.padStart(6)}` +
        `${'wall s'.padStart(8)}${'CPU s'.padStart(8)}${'MiB'.padStart(7)}`,
    );
  },

  line(line: CorpusResult | undefined): void {
    if (!line) return;
    const faults = defectsOf(line);
    console.log(
      `${basename(line.file).slice(0, 12).padEnd(14)}${line.operation.padEnd(18)}` +
        `${stateOf(line).padEnd(9)}${String(line.outcome?.pages ?? 0).padStart(6)}` +
        `${line.seconds.toFixed(1).padStart(8)}${line.cpuSeconds.toFixed(1).padStart(8)}` +
        `${(line.peakBytes / 2 ** 20).toFixed(0).padStart(7)}  ` +
        `${faults.length > 0 ? `WRONG: ${faults.join(', ')} ` : ''}${messagesOf(line)}`,
    );
  },

  /** Prints the summary; returns false if anything is wrong. */
  summary(lines: readonly CorpusResult[]): boolean {
    console.log('');
    for (const operation of new Set(lines.map((line) => line.operation))) {
      const operationLines = lines.filter((line) => line.operation === operation);
      const states = new Map<string, number>();
      for (const line of operationLines)
        states.set(stateOf(line), (states.get(stateOf(line)) ?? 0) + 1);
      const max = (value: (line: CorpusResult) => number) => Math.max(...operationLines.map(value));
      console.log(
        `${operation}: ${operationLines.length} files: ` +
          `${[...states].map(([state, count]) => `${count} ${state}`).join(', ')}; at most ` +
          `${max(({ seconds }) => seconds).toFixed(1)} s, ` +
          `${max(({ cpuSeconds }) => cpuSeconds).toFixed(1)} s of CPU, ` +
          `${max(({ peakBytes }) => peakBytes / 2 ** 20).toFixed(0)} MiB`,
      );
    }
    const defectiveLines = lines.filter((line) => defectsOf(line).length > 0);
    console.log(`wrong: ${defectiveLines.length}`);
    for (const line of defectiveLines) report.line(line);
    return defectiveLines.length === 0;
  },
};
