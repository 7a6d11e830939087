import type { Box } from './box.ts';
import { findProgram, foldersOf } from './programs.ts';
import type { View } from './view.ts';

/** The file descriptor that the filter of system calls is read from. */
export const filterDescriptor = 4;

export function findBubblewrap(): string | null {
  return findProgram('bwrap', [...foldersOf(), '/usr/bin', '/usr/local/bin']);
}

/**
 * Arguments of bubblewrap: namespaces of everything, no capability, a tree of its own without /proc,
 * and an end with its parent.
 */
export function bubblewrapArgs(view: View, box: Pick<Box, 'in' | 'out' | 'tmp'>, filter: boolean) {
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts'],
    ...['--unshare-cgroup-try', '--die-with-parent', '--cap-drop', 'ALL'],
    ...['--hostname', 'engine', '--dev', '/dev', '--remount-ro', '/dev'],
    ...view.links.flatMap(([path, target]) => ['--symlink', target, path]),
    ...view.paths.flatMap((path) => ['--ro-bind', path, path]),
    ...['--ro-bind', box.in, box.in, '--bind', box.out, box.out, '--bind', box.tmp, box.tmp],
    ...['--remount-ro', '/', '--chdir', '/'],
    ...(filter ? ['--seccomp', String(filterDescriptor)] : []),
    '--',
  ];
}
