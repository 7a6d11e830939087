/**
 * Numbers of system calls, on x64 and arm64, that reading a document never needs. Sockets are among
 * them: a child uses the one that it was given.
 */
const denied: readonly (readonly [x64: number, arm64: number])[] = [
  // ptrace, process_vm_readv, process_vm_writev, kcmp, pidfd_getfd
  [101, 117],
  [310, 270],
  [311, 271],
  [312, 272],
  [438, 438],
  // socket, connect, bind, listen, accept, accept4
  [41, 198],
  [42, 203],
  [49, 200],
  [50, 201],
  [43, 202],
  [288, 242],
  // mount, umount2, pivot_root, chroot, unshare, setns
  [165, 40],
  [166, 39],
  [155, 41],
  [161, 51],
  [272, 97],
  [308, 268],
  // open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, mount_setattr
  [428, 428],
  [429, 429],
  [430, 430],
  [431, 431],
  [432, 432],
  [433, 433],
  [442, 442],
  // add_key, request_key, keyctl, bpf, perf_event_open, userfaultfd
  [248, 217],
  [249, 218],
  [250, 219],
  [321, 280],
  [298, 241],
  [323, 282],
  // memfd_create, shmget: memory that is not attributed to a process
  [319, 279],
  [29, 194],
  // open_by_handle_at, name_to_handle_at, kexec_load, kexec_file_load
  [304, 265],
  [303, 264],
  [246, 104],
  [320, 294],
  // init_module, finit_module, delete_module, acct, swapon, swapoff, reboot, syslog
  [175, 105],
  [313, 273],
  [176, 106],
  [163, 89],
  [167, 224],
  [168, 225],
  [169, 142],
  [103, 116],
];
/** clone3, whose flags a filter cannot see, and io_uring; older calls replace both. */
const missing = [435, 425, 426, 427];

const machines = {
  x64: { audit: 0xc000003e, clone: 56 },
  arm64: { audit: 0xc00000b7, clone: 220 },
} as const;

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const newNamespaces = 0x7e020000;
/** BPF instructions: load a word; jump if equal, at least, or a bit is set; return. */
const [load, equal, atLeast, anyBit, give] = [0x20, 0x15, 0x35, 0x45, 0x06];
const allow = 0x7fff0000;
const killProcess = 0x80000000;
const refuse = (errno: number) => 0x00050000 + errno;
const [eperm, enosys] = [1, 38];

/**
 * A system call filter in the kernel's format; null on architectures whose numbers are not listed
 * here. Refused calls fail with EPERM, so that programs can do without them.
 */
export function seccompFilter(arch: string = process.arch): Buffer | null {
  if (arch !== 'x64' && arch !== 'arm64') return null;
  const { audit, clone } = machines[arch];
  const steps: [code: number, yes: number, no: number, value: number][] = [];
  const returnWhen = (code: number, value: number, answer: number): void => {
    steps.push([code, 0, 1, value], [give, 0, 0, answer]);
  };
  // struct seccomp_data: the number at 0, the architecture at 4, the first argument at 16.
  steps.push([load, 0, 0, 4], [equal, 1, 0, audit], [give, 0, 0, killProcess], [load, 0, 0, 0]);
  // The x32 calls of x64 are the same calls with other numbers.
  if (arch === 'x64') returnWhen(atLeast, 0x40000000, refuse(eperm));
  for (const [x64, arm64] of denied) {
    returnWhen(equal, arch === 'x64' ? x64 : arm64, refuse(eperm));
  }
  for (const number of missing) returnWhen(equal, number, refuse(enosys));
  steps.push([equal, 0, 3, clone], [load, 0, 0, 16], [anyBit, 0, 1, newNamespaces]);
  steps.push([give, 0, 0, refuse(eperm)], [give, 0, 0, allow]);
  const filter = Buffer.alloc(steps.length * 8);
  steps.forEach(([code, yes, no, value], at) => {
    filter.writeUInt16LE(code, at * 8);
    filter.writeUInt8(yes, at * 8 + 2);
    filter.writeUInt8(no, at * 8 + 3);
    filter.writeUInt32LE(value, at * 8 + 4);
  });
  return filter;
}
