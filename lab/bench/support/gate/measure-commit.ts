import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { linkPackages } from '../../../embedded/link-packages.ts';
import { checkout } from '../programs.ts';
import { type Baseline, readBaseline } from './baseline.ts';

/**
 * Measures sets of hot paths as they were at an earlier commit, on this machine. Ratios differ
 * between machines, by a third where Postgres is compared with a peer that does not use Postgres,
 * so figures recorded on another machine cannot distinguish a slower path from a slower machine.
 * @throws Error if the commit does not exist here, or its measurement fails
 */
export function measureCommit(commit: string, sets: readonly string[]): Baseline {
  const parent = join(checkout, '.data/gate');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, `${commit}-`));
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: checkout, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    git('worktree', 'add', '--detach', folder, commit);
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
  try {
    linkPackages(folder);
    mkdirSync(join(folder, '.data'));
    for (const name of ['packages', 'tessdata']) {
      symlinkSync(join(checkout, '.data', name), join(folder, '.data', name));
    }
    // Until 0.3.0, the benchmarks were in the root.
    const bench = existsSync(join(folder, 'lab')) ? 'lab/bench' : 'bench';
    const gate = ['--import', 'tsx', `${bench}/gate.ts`, '--record', '--anyway', ...sets];
    // Another commit is measured with its own benchmarks, whatever the options of this one.
    const { BUILD: _, ...env } = process.env;
    execFileSync(process.execPath, gate, { cwd: folder, env, stdio: ['ignore', 2, 2] });
    return readBaseline(join(folder, bench, 'baseline.json'));
  } finally {
    git('worktree', 'remove', '--force', folder);
  }
}
