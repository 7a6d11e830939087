import { findProgram } from './programs.ts';

/** The limits of a child and all processes that it starts, in bytes unless stated otherwise. */
export type ResourceLimits = {
  /** Size of a single file. */
  fileBytes: number;
  /** Private memory of a single process, higher than the limit that the parent enforces. */
  dataBytes: number;
  /** Number of open files of a single process. */
  openFiles: number;
  /** Number of processes and threads. Only enforced if the child has its own user namespace. */
  processes: number;
};

/** Maximum size of a file that a child writes, in bytes. */
const maxFileBytes = 4 * 2 ** 30;
/** Maximum disk space of the files of a child, in bytes. */
export const maxDiskBytes = 8 * 2 ** 30;

/** Returns the limits of a child with this memory limit. */
export function limitsFor(memoryBytes: number): ResourceLimits {
  return {
    fileBytes: maxFileBytes,
    dataBytes: 2 * memoryBytes + 2 ** 30,
    openFiles: 1024,
    processes: 256,
  };
}

/**
 * Returns a command line that sets limits and then runs a program: `prlimit`, or a shell if it is
 * not installed. The system determines which limits take effect. Children run even if limits cannot
 * be set.
 */
export function withLimits(limits: ResourceLimits): string[] {
  const prlimit = findProgram('prlimit');
  const { fileBytes, dataBytes, openFiles } = limits;
  if (prlimit) {
    const bounds = ['--core=0', `--fsize=${fileBytes}`, `--data=${dataBytes}`];
    return [prlimit, ...bounds, `--nofile=${openFiles}`, '--'];
  }
  const script = 'ulimit -c 0; ulimit -f "$1"; ulimit -n "$2"; shift 2; exec "$@"';
  // The shell counts file sizes in blocks of 512 bytes.
  return ['/bin/sh', '-c', script, 'sh', String(fileBytes / 512), String(openFiles)];
}
