import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { StartError } from './start-error.ts';

/** Who runs Postgres when we are root, which Postgres refuses to be. */
export interface Account {
  /** Owns the data folder and runs the server: a number without a name, so nobody else is it. */
  uid: number;
  gid: number;
  /** `initdb` looks its user up by name and fails without one; it runs as `nobody`. */
  named: { uid: number; gid: number };
}

/** Where data goes that must be reachable for the account, when the checkout is not. */
const sharedRoot = '/var/lib/scriptorium';
const firstUid = 64_737;

/**
 * The account for servers that refuse to run as root; undefined when we are not root and run them
 * ourselves. Creates no user: the machine stays as it was.
 */
export function findAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const nobody = users.find(([name]) => name === 'nobody');
  if (!nobody) {
    throw new StartError(
      'Running as root, Postgres needs the user `nobody` for its first start and this machine has none: run as an ordinary user.',
    );
  }
  const taken = new Set(users.map(([, , uid]) => Number(uid)));
  let uid = firstUid;
  while (taken.has(uid)) uid += 1;
  return { uid, gid: uid, named: { uid: Number(nobody[2]), gid: Number(nobody[3]) } };
}

/**
 * Turns a wanted folder into one the account can reach; its parent exists afterwards, it itself
 * perhaps not. Under root's home that is a folder of this checkout in /var/lib/scriptorium, and a
 * symlink stands where it was wanted. Never under /tmp, where another user could be there first.
 */
export function reachableFolder(wanted: string, account: Account | undefined): string {
  const path = resolve(wanted);
  mkdirSync(dirname(path), { recursive: true });
  const real = join(realpathSync(dirname(path)), basename(path));
  if (!account || isTraversable(dirname(real))) {
    // A link left from a time when the checkout lay elsewhere would lead to another one's data.
    if (isLink(real)) unlinkSync(real);
    return real;
  }
  const name = createHash('sha256').update(real).digest('hex').slice(0, 12);
  const target = join(sharedRoot, name, basename(real));
  makeTraversable(dirname(target));
  if (isLink(real)) unlinkSync(real);
  if (existsSync(real)) {
    throw new StartError(
      `As root, ${real} is not usable because Postgres runs as a user of its own that cannot reach it: move that folder away, or run as the user who owns it.`,
    );
  }
  symlinkSync(target, real);
  return target;
}

/** A folder for files that hold no data, shared by all checkouts of root, owned by root. */
export function sharedFolder(name: string): string {
  const path = join(sharedRoot, name);
  makeTraversable(path);
  return path;
}

/** Whether any user may pass through this folder and all above it. */
export function isTraversable(path: string): boolean {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

function makeTraversable(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o711 });
    for (const folder of [sharedRoot, path]) chmodSync(folder, 0o711);
  } catch (error) {
    throw new StartError(
      `As root, Postgres needs a folder that its own user can reach, and ${path} could not be made (${error instanceof Error ? error.message : error}): put the checkout where all users may enter, or run as an ordinary user.`,
    );
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
