import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Failure, FileResult } from './messages.ts';

export interface Report {
  /** Prints the result of a file, and what it printed itself if it failed. */
  add(result: FileResult, output: string): void;
  /** Records and prints a fault that belongs to no file. */
  addFault(fault: Failure): void;
  /** Prints the slowest files, all failures again, and the counts. Returns whether all passed. */
  finish(): boolean;
}

/** `folder` receives the time of each file (`times`) and the numbers of passed and failed tests (`counts`). */
export function createReport(folder: string): Report {
  const results: FileResult[] = [];
  const faults: Failure[] = [];
  const sumOf = (count: (result: FileResult) => number): number =>
    results.reduce((total, result) => total + count(result), 0);

  return {
    add(result, output) {
      results.push(result);
      const { file, passed, failures, milliseconds } = result;
      const failed = failures.length > 0 ? `, ${failures.length} FAILED` : '';
      console.log(`${formatSeconds(milliseconds).padStart(8)}  ${file}: ${passed} passed${failed}`);
      if (failures.length > 0) console.log(`${output}${failures.map(describeFailure).join('')}`);
    },
    addFault(fault) {
      faults.push(fault);
      console.log(describeFailure(fault));
    },
    finish() {
      const failed = results.filter(({ failures }) => failures.length > 0);
      const passed = sumOf((result) => result.passed);
      const failures = sumOf((result) => result.failures.length) + faults.length;
      const skipped = sumOf((result) => result.skipped);
      const times = [...results]
        .sort((a, b) => b.milliseconds - a.milliseconds)
        .map(({ milliseconds, file }) => `${formatSeconds(milliseconds).padStart(8)}  ${file}`);
      writeFileSync(join(folder, 'times'), `${times.join('\n')}\n`);
      writeFileSync(join(folder, 'counts'), `${passed} ${failures}\n`);
      console.log(`\nThe slowest of ${results.length} files:\n${times.slice(0, 15).join('\n')}\n`);
      for (const { file, failures } of failed) {
        console.log(`${file}\n${failures.map(describeFailure).join('')}`);
      }
      console.log(faults.map(describeFailure).join(''));
      const note = skipped > 0 ? `, ${skipped} skipped` : '';
      console.log(`${passed} passed, ${failures} failed${note}`);
      return failures === 0 && passed > 0;
    },
  };
}

function describeFailure({ title, text }: Failure): string {
  return `  ✖ ${title}\n${text.trimEnd().replace(/^/gm, '      ')}\n`;
}

function formatSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
