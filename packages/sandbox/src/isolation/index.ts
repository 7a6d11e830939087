import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMachineError } from '../errors.ts';
import { findBubblewrap } from './kinds/bubblewrap.ts';
import {
  type IsolationKind,
  type IsolationMode,
  isolationKinds,
  usesNamespaces,
} from './kinds/index.ts';
import { permissionFlag } from './kinds/permissions.ts';
import { seccompFilter } from './kinds/seccomp.ts';
import { findUnshare } from './kinds/unshare.ts';
import { boxFor, runToCompletion } from './launch.ts';
import { limitsFor } from './limits.ts';
import { outputOf } from './programs.ts';
import { sandboxFolder } from './view.ts';

export {
  type IsolationKind,
  type IsolationMode,
  isolationKinds,
} from './kinds/index.ts';

/** The isolation of children on this machine. */
export type Isolation = {
  kind: IsolationKind;
  /**
   * Whether children run in namespaces, in which other files, processes and networks do not exist.
   */
  byKernel: boolean;
  /** The measures in force, for operators. */
  inForce: readonly string[];
};

/** Reports what a program in a box can still access. Runs once at startup. */
const probeScript = `
const { statSync, readdirSync } = require('node:fs');
const sees = (path) => { try { return statSync(path) !== undefined; } catch { return false; } };
const reads = (path) => { try { return readdirSync(path).length > 0; } catch { return false; } };
process.stdout.write(JSON.stringify({
  code: reads(process.env.PROBE_CODE),
  outside: ['/etc/passwd', '/proc/1', '/bin/sh', process.env.PROBE_FILE].some(sees),
  uid: process.getuid(),
}));
`;

const isolations = new Map<IsolationMode, Isolation>();

/**
 * Returns the strongest isolation that works on this machine. The result is cached. `off` uses
 * plain processes.
 * @throws Error if the mode is `required` and the kernel does not support isolation.
 */
export function findIsolation(mode: IsolationMode = 'auto'): Isolation {
  const cached = isolations.get(mode);
  if (cached) return cached;
  const kinds = mode === 'off' ? (['process'] as const) : isolationKinds;
  const kind = kinds.find((one) => works(one)) ?? 'process';
  if (mode === 'required' && !usesNamespaces(kind)) {
    throw new Error(
      'ENGINE_ISOLATION is "required", but processes cannot create user namespaces on this machine. Allow them (in a container, in its seccomp profile), install bubblewrap or util-linux, or set ENGINE_ISOLATION to "auto".',
    );
  }
  const isolation = describe(kind);
  isolations.set(mode, isolation);
  return isolation;
}

/** Returns the isolation of a kind; null if it does not work on this machine. */
export function isolationOf(kind: IsolationKind): Isolation | null {
  return works(kind) ? describe(kind) : null;
}

function describe(kind: IsolationKind): Isolation {
  return { kind, byKernel: usesNamespaces(kind), inForce: measuresOf(kind) };
}

const worksByKind = new Map<IsolationKind, boolean>();

function works(kind: IsolationKind): boolean {
  const cached = worksByKind.get(kind);
  if (cached !== undefined) return cached;
  const result = kind === 'process' || (isAvailable(kind) && isEffective(kind));
  worksByKind.set(kind, result);
  return result;
}

function isAvailable(kind: IsolationKind): boolean {
  if (kind === 'account') return process.platform !== 'win32' && process.getuid?.() === 0;
  if (process.platform !== 'linux') return false;
  if (kind === 'unshare') return findUnshare() !== null;
  const bubblewrap = findBubblewrap();
  return bubblewrap !== null && outputOf(bubblewrap, ['--version']) !== null;
}

/**
 * Whether a program that is started with this isolation runs and has no access beyond its box.
 * @throws the error of the system if it has no space for the probe or cannot create a process.
 */
function isEffective(kind: IsolationKind): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'isolation-'));
  try {
    const box = boxFor(kind, folder, 0);
    const module = join(box.in, 'probe.cjs');
    const secret = join(folder, 'secret');
    writeFileSync(module, probeScript);
    writeFileSync(secret, '', { mode: 0o600 });
    const report = runToCompletion(
      kind,
      {
        module,
        nodeArgs: [],
        reads: [],
        programs: [],
        limits: limitsFor(2 ** 30),
        env: { PROBE_FILE: secret, PROBE_CODE: sandboxFolder },
      },
      box,
    );
    return report !== null && showsIsolation(kind, report);
  } catch (error) {
    // A full disk is not evidence against the kind, and must not lead to a weaker isolation.
    if (isMachineError(error)) throw error;
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether the report of the probe shows the isolation of `kind`. */
function showsIsolation(kind: IsolationKind, report: string): boolean {
  const { code, outside, uid }: Record<string, unknown> = JSON.parse(report);
  if (code !== true) return false;
  return kind === 'account' ? uid !== process.getuid?.() : outside === false;
}

const namespaceMeasures = [
  'user, process, network and IPC namespaces',
  'a read-only view of code, libraries and input',
  'no capabilities',
];

function measuresOf(kind: IsolationKind): string[] {
  const rules = permissionFlag === null ? [] : ["Node's permission model"];
  switch (kind) {
    case 'bubblewrap': {
      const filter = seccompFilter() === null ? [] : ['a system call filter'];
      return [...namespaceMeasures, ...filter, 'resource limits'];
    }
    case 'unshare':
      return [...namespaceMeasures, 'resource limits'];
    case 'account':
      return ['a separate account', ...rules, 'resource limits'];
    case 'process':
      return [...rules, 'resource limits'];
  }
}
