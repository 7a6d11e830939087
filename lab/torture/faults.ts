import { execFile } from 'node:child_process';
import { statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import type { Line } from '../../test/support/line.ts';
import { receive } from './receive.ts';
import type { LinePart, World } from './world.ts';

const execute = promisify(execFile);

interface Scene {
  world: World;
  pick: (below: number) => number;
}

interface Fault {
  weight: number;
  /** The possible targets; each has one fault at a time. */
  targets(world: World): string[];
  /** How long it lasts, in milliseconds. */
  lasts: readonly [from: number, to: number];
  /** Starts the fault, and returns a function that ends it. Null if it could not start. */
  begin(scene: Scene, target: string): Promise<End | null>;
}

type End = () => unknown;

/** The lease of a task lasts 15 s, that of a delivery 30 s. */
const beyondTaskMs = 16_500;
const beyondDeliveryMs = 36_000;

const namesOf = (programs: readonly { name: string }[]) => programs.map(({ name }) => name);
const named = (world: World, name: string) =>
  world.programs.find((program) => program.name === name)!;

/** SIGSTOP of a program, and SIGCONT. */
function freeze(weight: number, targets: Fault['targets'], lasts: Fault['lasts']): Fault {
  return {
    ...{ weight, targets, lasts },
    async begin({ world }, target) {
      const program = named(world, target);
      program.freeze();
      return () => program.thaw();
    },
  };
}

/** A fault of a program's connection to a part. */
function onLine(
  weight: number,
  part: LinePart,
  lasts: Fault['lasts'],
  begin: (line: Line, pick: Scene['pick']) => End,
): Fault {
  return {
    ...{ weight, lasts },
    targets: ({ lines }) => [...lines[part].keys()].map((name) => `${part} ${name}`),
    begin: async ({ world, pick }, target) =>
      begin(world.lines[part].get(target.slice(part.length + 1))!, pick),
  };
}

const cut = (weight: number, part: LinePart) =>
  onLine(weight, part, [50, 3_000], (line) => {
    line.cut();
    return () => line.restore();
  });
const slow = (weight: number, part: LinePart) =>
  onLine(weight, part, [500, 4_000], (line, pick) => {
    line.slow(10 + pick(150));
    return () => line.slow(0);
  });

/** The receiver's response for a time. */
function onReceiver(
  weight: number,
  answer: (until: Promise<void>) => number | Promise<number>,
): Fault {
  return {
    weight,
    targets: () => ['receiver'],
    lasts: [300, 3_000],
    async begin({ world }) {
      let lift = (): void => undefined;
      const lifted = new Promise<void>((resolve) => {
        lift = resolve;
      });
      world.receiver.answer(() => answer(lifted));
      return () => {
        world.receiver.answer(receive);
        lift();
      };
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
    targets: ({ storage }) => (storage.isMounted ? ['storage'] : []),
    lasts: [300, 3_000],
    async begin({ world }) {
      const { folder } = world.storage;
      return (await begin(folder)) ? () => end(folder) : null;
    },
  };
}

const ballast = (folder: string) => join(folder, '.ballast');

const registry = {
  /** SIGKILL; the program is restarted. */
  kill: {
    // Not more often, because a restart takes more CPU than any other fault.
    weight: 6,
    targets: ({ programs }) => namesOf(programs),
    // The next one may come when it serves, while it starts, or before.
    lasts: [0, 6_000],
    begin: async ({ world }, target) => {
      await named(world, target).kill();
      return () => undefined;
    },
  },
  /** SIGSTOP for a moment. */
  freeze: freeze(5, ({ programs }) => namesOf(programs), [300, 3_000]),
  /** SIGSTOP of a worker for longer than a lease: its tasks go to other workers. */
  outlastLease: freeze(2, ({ workers }) => namesOf(workers), [beyondTaskMs, beyondTaskMs]),
  /** The same for deliveries. */
  outlastDelivery: freeze(1, ({ senders }) => senders, [beyondDeliveryMs, beyondDeliveryMs]),
  cutPostgres: cut(9, 'postgres'),
  slowPostgres: slow(4, 'postgres'),
  cutRedis: cut(6, 'redis'),
  slowRedis: slow(3, 'redis'),
  /** Answers are lost. */
  cutClients: cut(9, 'clients'),
  /** An immediate shutdown, and recovery from the log. */
  crashPostgres: {
    weight: 3,
    targets: ({ postgres }) => (postgres.crash ? ['postgres'] : []),
    lasts: [0, 1_000],
    async begin({ world }) {
      await world.postgres.crash?.();
      return () => world.postgres.restart();
    },
  },
  /** The primary is lost, and its synchronous standby is promoted. */
  promotePostgres: {
    weight: 3,
    targets: ({ postgres }) => (postgres.promote ? ['postgres'] : []),
    lasts: [0, 2_000],
    async begin({ world }) {
      await world.postgres.promote?.();
      return () => undefined;
    },
  },
  flushRedis: {
    weight: 4,
    targets: () => ['redis'],
    lasts: [0, 500],
    async begin({ world }) {
      const redis = new Redis(world.redis.url);
      await redis.flushall();
      redis.disconnect();
      return () => undefined;
    },
  },
  /** Killed, so data that was not yet in its file is lost. */
  restartRedis: {
    weight: 3,
    targets: () => ['redis'],
    lasts: [0, 2_000],
    async begin({ world }) {
      await world.redis.kill();
      return () => world.redis.restart();
    },
  },
  /** The storage's file system is full. */
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
    4,
    // Fails while a file is open for writing.
    async (folder) => {
      for (let tries = 0; tries < 20; tries += 1) {
        const done = await execute('mount', ['-o', 'remount,ro', folder]).then(
          () => true,
          () => false,
        );
        if (done) return true;
        await delay(20);
      }
      return false;
    },
    (folder) => execute('mount', ['-o', 'remount,rw', folder]),
  ),
  /** The clock of one worker is wrong by minutes or days. */
  jumpClock: {
    weight: 4,
    targets: ({ workers, setClock }) =>
      setClock ? workers.map(({ name }) => `clock ${name}`) : [],
    lasts: [1_500, 4_000],
    async begin({ world, pick }, target) {
      const worker = named(world, target.slice('clock '.length));
      const seconds = [-86_400, -3_600, -60, 60, 3_600, 86_400][pick(6)]!;
      await world.setClock?.(worker, seconds);
      return () => world.setClock?.(worker, 0);
    },
  },
  failReceiver: onReceiver(3, () => 500),
  /** Resolves once the fault is over. */
  hangReceiver: onReceiver(3, (until) => until.then(() => 204)),
  /** Answers late. */
  slowReceiver: onReceiver(3, () => delay(200, 204)),
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof registry;
export const faultNames = Object.keys(registry) as FaultName[];
export const faults: Readonly<Record<FaultName, Fault>> = registry;

export const faultWeights = Object.fromEntries(
  faultNames.map((name) => [name, registry[name].weight]),
) as Readonly<Record<FaultName, number>>;
