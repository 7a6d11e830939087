import type { Sandbox } from '../box.ts';
import { findProgram, foldersOf } from '../programs.ts';
import type { FileView } from '../view.ts';

/** The file descriptor that the system call filter is read from. */
const filterDescriptor = 4;

export function findBubblewrap(): string | null {
  return findProgram('bwrap', [...foldersOf(), '/usr/bin', '/usr/local/bin']);
}

/**
 * Arguments of bubblewrap: namespaces of every type, no capabilities, a separate file tree without
 * /proc, and the end of the parent as its own.
 */
export function bubblewrapArgs(
  view: FileView,
  box: Pick<Sandbox, 'in' | 'out' | 'tmp'>,
  filter: boolean,
) {
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
