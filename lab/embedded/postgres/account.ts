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
import { StartError } from '../start-error.ts';

/**
 * The accounts that run Postgres if this process is root, since Postgres refuses to run as root.
 */
export interface Account {
  /**
   * Owns the data folder and runs the server: an id without a name, so that no other user has it.
   */
  uid: number;
  gid: number;
  /** `initdb` looks up its user by name and fails without one; it runs as `nobody`. */
  named: { uid: number; gid: number };
}

/** The folder for data of an account that cannot access the checkout. */
const sharedRoot = '/var/lib/scriptorium';
const firstUid = 64_737;

/**
 * The account for servers that refuse to run as root; undefined if this process is not root and
 * runs them itself. Creates no user.
 */
export function findAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const unprivileged = users.find(([name]) => name === 'nobody');
  if (!unprivileged) {
    throw new StartError(
      'Embedded Postgres cannot run as root, and its first start needs the user `nobody`, which does not exist on this machine. Run as an ordinary user.',
    );
  }
  const usedIds = new Set(users.map(([, , uid]) => Number(uid)));
  let uid = firstUid;
  while (usedIds.has(uid)) uid += 1;
  return { uid, gid: uid, named: { uid: Number(unprivileged[2]), gid: Number(unprivileged[3]) } };
}

/**
 * Turns a folder into one that the account can reach. Its parent exists afterwards; the folder
 * itself may not. Under root's home that is a folder for this checkout in /var/lib/scriptorium,
 * with a symlink in the wanted place. Never under /tmp, where another user could create it first.
 */
export function reachableFolder(requested: string, account: Account | undefined): string {
  const path = resolve(requested);
  mkdirSync(dirname(path), { recursive: true });
  const real = join(realpathSync(dirname(path)), basename(path));
  if (!account || isTraversable(dirname(real))) {
    // A link from another location of the checkout would lead to the data of that checkout.
    if (isLink(real)) unlinkSync(real);
    return real;
  }
  const name = createHash('sha256').update(real).digest('hex').slice(0, 12);
  const target = join(sharedRoot, name, basename(real));
  makeTraversable(dirname(target));
  if (isLink(real)) unlinkSync(real);
  if (existsSync(real)) {
    throw new StartError(
      `As root, ${real} is not usable because Postgres runs as a separate user that cannot reach it. Move that folder away, or run as the user who owns it.`,
    );
  }
  symlinkSync(target, real);
  return target;
}

/** A folder for files without data, shared by all checkouts of root, owned by root. */
export function sharedFolder(name: string): string {
  const path = join(sharedRoot, name);
  makeTraversable(path);
  return path;
}

/** Whether any user may enter this folder and all its parents. */
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
      `As root, Postgres needs a folder that its own user can reach, but ${path} could not be created (${error instanceof Error ? error.message : error}). Put the checkout where all users have access, or run as an ordinary user.`,
    );
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
