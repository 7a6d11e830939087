import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from './programs.ts';

/** Gives the sources of another commit the packages of this checkout, and their own workspaces. */
export function linkPackages(folder: string): void {
  const target = join(folder, 'node_modules');
  mkdirSync(join(target, '@scriptorium'), { recursive: true });
  const installed = join(checkout, 'node_modules');
  for (const name of readdirSync(installed)) {
    if (name !== '@scriptorium') symlinkSync(join(installed, name), join(target, name));
  }
  // Commits up to 0.3.0 have no workspaces.
  const packages = join(folder, 'packages');
  for (const name of existsSync(packages) ? readdirSync(packages) : []) {
    symlinkSync(join(packages, name), join(target, '@scriptorium', name));
  }
}
