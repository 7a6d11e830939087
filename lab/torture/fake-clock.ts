import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { nullWhenMissing } from '../../src/storage/files.ts';
import { checkout } from '../../test/support/run.ts';
import { fetchDebianPackages, hasDebianTools } from '../embedded/debian.ts';

/** libfaketime, which gives a process its own clock. */
interface FakeClock {
  /** The environment of a process whose clock follows the content of a file, such as `+3600`. */
  environment(file: string): Record<string, string>;
}

const folder = join(checkout, '.data', 'packages', 'faketime');

/** Downloads libfaketime from Debian's packages, unless it is installed. */
export async function fetchFakeClock(): Promise<void> {
  if (existsSync(folder) || !(await hasDebianTools())) return;
  await fetchDebianPackages({ packages: ['libfaketime'], target: folder }).catch(() => undefined);
}

/** Null if it is not installed; then no clock is changed. */
export async function findFakeClock(): Promise<FakeClock | null> {
  const files = await readdir(folder, { recursive: true }).catch(nullWhenMissing);
  // The other variant is not thread-safe.
  const library = files?.find((name) => name.endsWith('libfaketimeMT.so.1'));
  if (library === undefined) return null;
  return {
    environment: (file) => ({
      LD_PRELOAD: join(folder, library),
      FAKETIME_TIMESTAMP_FILE: file,
      // Reads the file again once a second.
      FAKETIME_CACHE_DURATION: '1',
      // Timers are not affected, as when an operator sets the clock.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    }),
  };
}
