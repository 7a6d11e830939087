import { findProgram } from './programs.ts';

/** The limits of a child and all that it starts, in bytes unless stated otherwise. */
export type ResourceLimits = {
  /** Size of a single file that it writes. */
  fileBytes: number;
  /** Private memory of a single process: more than the cap that the parent enforces. */
  dataBytes: number;
  /** Number of files that a single process may have open. */
  openFiles: number;
  /** Number of processes and threads; enforced only where the child has its own user namespace. */
  processes: number;
};

/** Maximum size of a file that a child may write, in bytes. */
const maxFileBytes = 4 * 2 ** 30;
/** Maximum disk space that the files of a child may use, in bytes. */
export const maxDiskBytes = 8 * 2 ** 30;

/** Returns the limits of a child with this memory cap. */
export function limitsFor(memoryBytes: number): ResourceLimits {
  return {
    fileBytes: maxFileBytes,
    dataBytes: 2 * memoryBytes + 2 ** 30,
    openFiles: 1024,
    processes: 256,
  };
}

/**
 * Returns a command line that sets limits and then runs a program: `prlimit`, or a shell where it
 * is missing. The system determines which limits take effect; children also run without them.
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
