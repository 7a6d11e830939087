import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

function normalise(text: string): string {
  return text.normalize('NFKC').replace(/\s+/g, ' ').trim();
}

function editDistance(a: string, b: string): number {
  let row = Uint32Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = new Uint32Array(b.length + 1);
    next[0] = i;
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The edit distance per character of the true text, with white space collapsed. */
export function characterError(truth: string, found: string): number {
  const wanted = normalise(truth);
  return editDistance(wanted, normalise(found)) / wanted.length;
}

export function hasCommand(command: string): boolean {
  return spawnSync(command, ['-v'], { stdio: 'ignore' }).error === undefined;
}

/** A folder with only npm's English model, which takes precedence over the system's. */
export function npmModelFolder(): string {
  const require = createRequire(import.meta.url);
  return join(dirname(require.resolve('@tesseract.js-data/eng/package.json')), '4.0.0_best_int');
}

/** The CPU seconds of all finished children, from /proc. */
function childSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

/** Runs a command; returns CPU seconds, including children, and wall time. */
export async function measureCommand(
  command: string,
  args: readonly string[],
): Promise<{ cpu: number; wall: number }> {
  const cpu = childSeconds();
  const start = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${command} exited with code ${code}.`);
  return { cpu: childSeconds() - cpu, wall: (performance.now() - start) / 1000 };
}
