import { chownSync, constants, createWriteStream, mkdirSync, rmSync, type Stats } from 'node:fs';
import { chmod, chown, copyFile, link, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { EngineError } from '../errors.ts';
import { measureDisk } from './disk-use.ts';
import { maxDiskBytes } from './limits.ts';
import { removeFolder } from './programs.ts';

/** The input and output files of a task, by their paths outside the box. */
export type TaskFiles = { reads: readonly string[]; writes: readonly string[] };

/** The folder of a child: inputs in `in`, outputs in `out`, TMPDIR in `tmp`. */
export type Box = {
  path: string;
  in: string;
  out: string;
  tmp: string;
  /** The account that the child runs as, if it differs from the account of this process. */
  owner?: Account;
  /** Adds the files of a task, and removes the files of the previous task. */
  pack(files: TaskFiles): Promise<void>;
  /** Returns `value` with the paths of the task's files replaced by their paths in the box. */
  toInsidePaths(value: unknown): unknown;
  toOutsidePaths(value: unknown): unknown;
  /** Copies the outputs of the child to their destinations. */
  unpack(): Promise<void>;
  /**
   * Whether the child, including its processes, exceeds the disk space or number of files of its
   * box.
   */
  isOverfull(maxBytes: number, processes?: Processes): Promise<boolean>;
  remove(): Promise<void>;
};

/** The processes of a child. */
type Processes = {
  pids(): readonly number[];
  /** Runs `work` while the processes are stopped. Returns null if they do not stop. */
  whileStopped?<T>(work: () => Promise<T>): Promise<T | null>;
};

/** Number of measurements after which a child is stopped once. */
const measurementsPerStop = 5;

type Account = { uid: number; gid: number };
type PackedFile = { path: string; identity: string };

/**
 * Creates a box. If the child runs as another account (`owner`), inputs are copied. Otherwise they
 * are hard links, which the child accesses through a read-only mount, or copies if they are on
 * another disk.
 */
export function createBox(path: string, owner?: Account): Box {
  const folders = { in: join(path, 'in'), out: join(path, 'out'), tmp: join(path, 'tmp') };
  makeFolders(path, folders, owner);
  const packed = new Map<string, PackedFile>();
  let measurements = 0;
  const outputs = new Map<string, string>();
  let count = 0;
  let unpacking = Promise.resolve();

  async function addInput(from: string, stats: Stats): Promise<string> {
    count += 1;
    const to = join(folders.in, String(count));
    if (owner) {
      await copyFile(from, to, constants.COPYFILE_FICLONE);
      // Readable through the group only: the owner of a file could make it writable and fill the
      // disk.
      await chown(to, process.getuid?.() ?? 0, owner.gid);
      await chmod(to, 0o440);
      return to;
    }
    try {
      await link(from, to);
    } catch {
      await copyFile(from, to, constants.COPYFILE_FICLONE);
    }
    // The file may have been replaced between the check and the link.
    if ((await stat(to)).size !== stats.size) throw changedFileError();
    return to;
  }

  async function pack({ reads, writes }: TaskFiles): Promise<void> {
    const inputs = new Set(reads);
    for (const [from, { path: oldPath }] of packed) {
      if (inputs.has(from)) continue;
      packed.delete(from);
      await rm(oldPath, { force: true });
    }
    for (const from of inputs) {
      const stats = await stat(from);
      const identity = `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeMs}`;
      const previous = packed.get(from);
      if (previous?.identity === identity) continue;
      if (previous) await rm(previous.path, { force: true });
      packed.set(from, { path: await addInput(from, stats), identity });
    }
    await dropOutputs();
    for (const to of writes) {
      count += 1;
      outputs.set(to, join(folders.out, String(count)));
    }
  }

  function toInsidePaths(value: unknown): unknown {
    const names = new Map([...packed].map(([from, { path: to }]) => [from, to]));
    return replacePaths(value, new Map([...names, ...outputs]));
  }

  function toOutsidePaths(value: unknown): unknown {
    return replacePaths(value, new Map([...outputs].map(([to, inBox]) => [inBox, to])));
  }

  async function copyOutputs(): Promise<void> {
    try {
      let remainingBytes = maxDiskBytes;
      for (const [to, inBox] of outputs)
        remainingBytes -= await copyOutput(inBox, to, remainingBytes);
    } finally {
      await dropOutputs();
    }
  }

  /**
   * Removes outputs that were not copied, or only in part. They would fill the box with each retry.
   */
  async function dropOutputs(): Promise<void> {
    // Files that a child has made impossible to remove count towards its limits, and are removed
    // with its box.
    for (const inBox of outputs.values())
      await rm(inBox, { recursive: true, force: true }).catch(() => undefined);
    outputs.clear();
  }

  function unpack(): Promise<void> {
    unpacking = copyOutputs();
    return unpacking;
  }

  /**
   * Measures the files of the child. A running child can move files so that the measurement does
   * not find them. The child is therefore stopped if files were moved during a measurement, and
   * also at intervals.
   */
  async function isOverfull(maxBytes: number, processes?: Processes): Promise<boolean> {
    const measure = () => measureDisk([folders.out, folders.tmp], maxBytes, processes?.pids());
    measurements += 1;
    const use = await measure();
    if (use === 'exceeded' || !processes?.whileStopped) return use === 'exceeded';
    if (use === 'within' && measurements % measurementsPerStop !== 0) return false;
    return (await processes.whileStopped(measure)) !== 'within';
  }

  async function remove(): Promise<void> {
    await unpacking.catch(() => undefined);
    await removeFolder(path);
  }

  const ownerField = owner ? { owner } : {};
  return {
    path,
    ...folders,
    ...ownerField,
    pack,
    toInsidePaths,
    toOutsidePaths,
    unpack,
    isOverfull,
    remove,
  };
}

/** Creates all folders of a box, or none if the disk is full. */
function makeFolders(path: string, folders: Pick<Box, 'in' | 'out' | 'tmp'>, owner?: Account) {
  mkdirSync(path, { mode: 0o711 });
  try {
    for (const folder of Object.values(folders)) mkdirSync(folder, { mode: 0o755 });
    if (!owner) return;
    for (const folder of [folders.out, folders.tmp]) chownSync(folder, owner.uid, owner.gid);
  } catch (error) {
    rmSync(path, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Copies a file that a child may still have open. Does not follow links or wait for pipes. Returns
 * the size of the file.
 * @throws EngineError `too_large` if the file is larger than `maxBytes`: copying would fill its
 * holes.
 */
async function copyOutput(from: string, to: string, maxBytes: number): Promise<number> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(from, flags).catch((error: unknown) => {
    // A link is not a valid output.
    if (codeOf(error) === 'ENOENT') return null;
    throw codeOf(error) === 'ELOOP' ? invalidOutputError() : error;
  });
  if (!file) {
    // The child wrote no file. An older file must not be mistaken for its output.
    await rm(to, { force: true });
    return 0;
  }
  let size: number;
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw invalidOutputError();
    size = stats.size;
    if (size > maxBytes) throw tooLargeError();
    if (size === 0) {
      await pipeline([], createWriteStream(to));
      return 0;
    }
    const bytes = file.createReadStream({ autoClose: false, end: size - 1 });
    await pipeline(bytes, createWriteStream(to, { mode: 0o600 }));
  } finally {
    await file.close();
  }
  await rm(from, { force: true });
  return size;
}

/** Returns the error of a task whose files exceed the disk limit. */
export function tooLargeError(): EngineError {
  return new EngineError('too_large', 'The file needs more disk space than is allowed.');
}

function invalidOutputError(): EngineError {
  return new EngineError('crashed', 'The engine failed on this file.');
}

function changedFileError(): EngineError {
  return new EngineError('machine_fault', 'The file changed while it was opened.');
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Returns a copy of plain data in which known paths are replaced. */
function replacePaths(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (names.size === 0) return value;
  if (typeof value === 'string') return names.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => replacePaths(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, replacePaths(item, names)]),
  );
}
