import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { fetchDebianPackages, hasDebianTools } from '../../src/embedded/debian.ts';
import { librariesIn } from '../../src/embedded/unpacked.ts';
import { checkout } from './run.ts';

export interface Chromium {
  path: string;
  /** What the program needs in its environment to find its libraries and fonts. */
  env: Record<string, string>;
}

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const packages = [
  'chromium-headless-shell',
  'chromium-common',
  'fontconfig-config',
  'fonts-liberation2',
  'fonts-dejavu-core',
];
const unpacked = join(checkout, '.data', 'packages', 'chromium');

/** The Chromium that tests use: `CHROMIUM_PATH`, one on PATH, or one that was fetched. */
export async function findChromium(): Promise<Chromium | null> {
  const path = chromiumOnMachine();
  if (path) return { path, env: {} };
  return chromiumIsFetched() ? describeFetched() : null;
}

/** Whether `findChromium` finds one; known at once, so that suites can be described by it. */
export function hasChromium(): boolean {
  return chromiumOnMachine() !== null || chromiumIsFetched();
}

/**
 * Makes sure that there is a Chromium, and returns it: without one on the machine, Debian's
 * headless one is unpacked into this clone, with its libraries and fonts. Nothing is installed
 * system-wide, and no root is needed. Null where the machine has no apt. Throws StartError when
 * the packages cannot be had.
 */
export async function provideChromium(log: (message: string) => void): Promise<Chromium | null> {
  const found = await findChromium();
  if (found && (await runs(found))) return found;
  if (chromiumOnMachine() || !(await hasDebianTools())) return null;
  await fetchDebianPackages({ packages, target: unpacked, log });
  await writeFontSettings();
  const fetched = await describeFetched();
  return (await runs(fetched)) ? fetched : null;
}

function chromiumOnMachine(): string | null {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of names) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // Not in this folder.
      }
    }
  }
  return null;
}

const binary = join(unpacked, 'usr', 'lib', 'chromium', 'chromium-headless-shell');
const fontSettings = join(unpacked, 'fonts.conf');

function chromiumIsFetched(): boolean {
  return existsSync(binary) && existsSync(fontSettings);
}

async function describeFetched(): Promise<Chromium> {
  return {
    path: binary,
    env: { ...(await librariesIn(unpacked)), FONTCONFIG_FILE: fontSettings },
  };
}

/** The fonts that came along, beside the machine's own where it has some. */
async function writeFontSettings(): Promise<void> {
  const cache = join(unpacked, 'font-cache');
  await mkdir(cache, { recursive: true });
  const settings = `<?xml version="1.0"?>
<fontconfig>
  <dir>${join(unpacked, 'usr', 'share', 'fonts')}</dir>
  <cachedir>${cache}</cachedir>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
</fontconfig>
`;
  await writeFile(fontSettings, settings);
}

async function runs({ path, env }: Chromium): Promise<boolean> {
  try {
    await promisify(execFile)(path, ['--version'], { env: { ...process.env, ...env } });
    return true;
  } catch {
    return false;
  }
}
