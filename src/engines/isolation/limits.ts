import { findProgram } from './programs.ts';

/** What a child may use at most, with all that it starts; bytes. */
export type ResourceLimits = {
  /** Of a single file that it writes. */
  fileBytes: number;
  /** Memory of its own that a single process may take: what is above the cap that is watched for. */
  dataBytes: number;
  /** Files that a single process may have open. */
  openFiles: number;
  /** Processes and threads; counted only where the child has a user namespace of its own. */
  processes: number;
};

/** The biggest file a child may write, in bytes. */
export const mostFileBytes = 4 * 2 ** 30;
/** The most that the files of a child may take on the disk. */
export const mostDiskBytes = 8 * 2 ** 30;

/** The limits of a child that may take so much memory. */
export function limitsFor(memoryBytes: number): ResourceLimits {
  return {
    fileBytes: mostFileBytes,
    dataBytes: 2 * memoryBytes + 2 ** 30,
    openFiles: 1024,
    processes: 256,
  };
}

/**
 * Arguments that set limits and become another program: of `prlimit`, and where there is none, of a
 * shell. Which limits hold depends on the system; none of them is needed to run.
 */
export function withLimits(limits: ResourceLimits): string[] {
  const prlimit = findProgram('prlimit');
  const { fileBytes, dataBytes, openFiles } = limits;
  if (prlimit) {
    const bounds = ['--core=0', `--fsize=${fileBytes}`, `--data=${dataBytes}`];
    return [prlimit, ...bounds, `--nofile=${openFiles}`, '--'];
  }
  const script = 'ulimit -c 0; ulimit -f "$1"; ulimit -n "$2"; shift 2; exec "$@"';
  // The shell counts files in blocks of 512 bytes.
  return ['/bin/sh', '-c', script, 'sh', String(fileBytes / 512), String(openFiles)];
}
