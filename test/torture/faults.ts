import { execFile } from 'node:child_process';
import { statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { receive } from './receive.ts';
import type { World } from './world.ts';

const execute = promisify(execFile);

interface Scene {
  world: World;
  pick: (below: number) => number;
  /** Waits while a fault lasts; heals early when the run ends. */
  last(milliseconds: number): Promise<void>;
}

interface Fault {
  weight: number;
  /** What it takes hold of: one fault of each at a time. */
  target(scene: Scene): string;
  /** Begins the fault and ends it. False if this machine cannot have it. */
  strike(scene: Scene, target: string): Promise<boolean>;
}

/** A lease lasts 15 s. */
const beyondLeaseMs = 16_500;

const anyProgram = ({ world, pick }: Scene) => world.programs[pick(world.programs.length)]!.name;
const named = (world: World, name: string) =>
  world.programs.find((program) => program.name === name)!;

/** A fault of one of the lines, for a time. */
function onLine(
  weight: number,
  lines: readonly (keyof World['lines'])[],
  [from, to]: readonly [number, number],
  begin: (line: World['lines']['api'], pick: Scene['pick']) => void,
  end: (line: World['lines']['api']) => void,
): Fault {
  return {
    weight,
    target: ({ pick }) => `line ${lines[pick(lines.length)]}`,
    async strike({ world, pick, last }, target) {
      const line = world.lines[target.split(' ')[1] as keyof World['lines']];
      begin(line, pick);
      await last(from + pick(to - from));
      end(line);
      return true;
    },
  };
}

const cut = (weight: number, lines: readonly (keyof World['lines'])[]) =>
  onLine(
    weight,
    lines,
    [50, 3_000],
    (line) => line.cut(),
    (line) => line.restore(),
  );
const slow = (weight: number, lines: readonly (keyof World['lines'])[]) =>
  onLine(
    weight,
    lines,
    [500, 4_000],
    (line, pick) => line.slow(10 + pick(150)),
    (line) => line.slow(0),
  );

/** What the receiver answers, for a time. */
function onReceiver(
  weight: number,
  answer: (until: Promise<void>) => number | Promise<number>,
): Fault {
  return {
    weight,
    target: () => 'receiver',
    async strike({ world, pick, last }) {
      let lift = (): void => undefined;
      const lifted = new Promise<void>((resolve) => {
        lift = resolve;
      });
      world.receiver.answer(() => answer(lifted));
      await last(500 + pick(4_000));
      world.receiver.answer(receive);
      lift();
      return true;
    },
  };
}

function onStorage(
  weight: number,
  begin: (folder: string) => Promise<boolean>,
  end: (folder: string) => Promise<unknown>,
): Fault {
  return {
    weight,
    target: () => 'storage',
    async strike({ world, pick, last }) {
      const { folder, isMounted } = world.storage;
      if (!isMounted || !(await begin(folder))) return false;
      await last(300 + pick(4_000));
      await end(folder);
      return true;
    },
  };
}

const ballast = (folder: string) => join(folder, '.ballast');

const registry = {
  /** SIGKILL; the program starts again. */
  kill: {
    weight: 12,
    target: anyProgram,
    strike: async ({ world }, target) => {
      await named(world, target).kill();
      return true;
    },
  },
  /** SIGSTOP for a moment. */
  freeze: {
    weight: 4,
    target: anyProgram,
    async strike({ world, pick, last }, target) {
      const program = named(world, target);
      program.freeze();
      await last(300 + pick(3_000));
      program.thaw();
      return true;
    },
  },
  /** SIGSTOP of a worker for longer than a lease: what it held goes to others. */
  outlastLease: {
    weight: 2,
    target: ({ world, pick }) => world.workers[pick(world.workers.length)]!.name,
    async strike({ world, last }, target) {
      const program = named(world, target);
      program.freeze();
      await last(beyondLeaseMs);
      program.thaw();
      return true;
    },
  },
  cutPostgres: cut(8, ['api', 'workers']),
  slowPostgres: slow(3, ['api', 'workers']),
  cutRedis: cut(5, ['redis']),
  slowRedis: slow(2, ['redis']),
  /** Answers are lost. */
  cutClients: cut(8, ['clients']),
  /** An immediate shutdown, recovery from the log. */
  crashPostgres: {
    weight: 3,
    target: () => 'postgres',
    async strike({ world, pick, last }) {
      await world.postgres.crash();
      await last(pick(1_000));
      await world.postgres.restart();
      return true;
    },
  },
  flushRedis: {
    weight: 4,
    target: () => 'redis',
    async strike({ world }) {
      const redis = new Redis(world.redis.url);
      await redis.flushall();
      redis.disconnect();
      return true;
    },
  },
  /** Killed, so what its file had not yet is lost. */
  restartRedis: {
    weight: 3,
    target: () => 'redis',
    async strike({ world, pick, last }) {
      await world.redis.kill();
      await last(pick(2_000));
      await world.redis.restart();
      return true;
    },
  },
  /** No byte is left in the file system of the storage. */
  fillStorage: onStorage(
    4,
    async (folder) => {
      for (;;) {
        const { bavail, bsize } = await statfs(folder);
        if (bavail === 0) return true;
        const part = `${ballast(folder)}-${bavail}`;
        await writeFile(part, Buffer.alloc(bavail * bsize)).catch(() => undefined);
      }
    },
    (folder) => execute('sh', ['-c', `rm -f ${ballast(folder)}-*`]),
  ),
  /** Every write fails with EROFS, as after an error of the disk. */
  freezeStorage: onStorage(
    3,
    // Fails while a file is open for writing.
    (folder) =>
      execute('mount', ['-o', 'remount,ro', folder]).then(
        () => true,
        () => false,
      ),
    (folder) => execute('mount', ['-o', 'remount,rw', folder]),
  ),
  /** The clock of one worker is minutes or days off. */
  jumpClock: {
    weight: 4,
    target: ({ world, pick }) => `clock ${world.workers[pick(world.workers.length)]!.name}`,
    async strike({ world, pick, last }, target) {
      if (!world.setClock) return false;
      const worker = named(world, target.split(' ')[1]!);
      const seconds = [-86_400, -3_600, -60, 60, 3_600, 86_400][pick(6)]!;
      await world.setClock(worker, seconds);
      await last(2_000 + pick(4_000));
      await world.setClock(worker, 0);
      return true;
    },
  },
  failReceiver: onReceiver(3, () => 500),
  /** Answers once the fault is over. */
  hangReceiver: onReceiver(3, (until) => until.then(() => 204)),
  /** Answers late. */
  slowReceiver: onReceiver(2, () => delay(200, 204)),
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof registry;
export const faultNames = Object.keys(registry) as FaultName[];

export const faultWeights = Object.fromEntries(
  faultNames.map((name) => [name, registry[name].weight]),
) as Readonly<Record<FaultName, number>>;

/** Faults of a run: begun one by one, each over after its time. */
export interface Striking {
  strike(name: FaultName, pick: (below: number) => number): void;
  /** Ends all of them. */
  heal(): Promise<void>;
  /** How many of each have begun. */
  counts: Partial<Record<FaultName, number>>;
  errors: string[];
}

export function createStriking(world: World): Striking {
  const busy = new Set<string>();
  const open = new Set<Promise<void>>();
  const healing = new AbortController();
  const counts: Striking['counts'] = {};
  const errors: string[] = [];
  const last = (milliseconds: number) =>
    delay(milliseconds, undefined, { signal: healing.signal }).catch(() => undefined);
  return {
    counts,
    errors,
    strike(name, pick) {
      const fault: Fault = registry[name];
      const scene: Scene = { world, pick, last };
      const target = fault.target(scene);
      if (busy.has(target)) return;
      busy.add(target);
      const struck = fault
        .strike(scene, target)
        .then((begun) => {
          if (begun) counts[name] = (counts[name] ?? 0) + 1;
        })
        .catch((error: unknown) => void errors.push(`${name}: ${String(error)}`))
        .finally(() => {
          busy.delete(target);
          open.delete(struck);
        });
      open.add(struck);
    },
    async heal() {
      healing.abort();
      await Promise.all(open);
    },
  };
}
