import { execFile } from 'node:child_process';
import { statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import type { TcpProxy } from '../../test/support/tcp-proxy.ts';
import { respondIfOnTime } from './receive.ts';
import type { ProxyPart, World } from './world.ts';

const execute = promisify(execFile);

interface FaultContext {
  world: World;
  pick: (below: number) => number;
}

interface Fault {
  weight: number;
  /** The possible targets; each has one fault at a time. */
  targets(world: World): string[];
  /** How long it lasts, in milliseconds. */
  durationMs: readonly [from: number, to: number];
  /** Starts the fault, and returns a function that ends it. Null if it could not start. */
  begin(scene: FaultContext, target: string): Promise<EndFault | null>;
}

type EndFault = () => unknown;

/** The lease of a task lasts 15 s, that of a delivery 30 s. */
const beyondTaskMs = 16_500;
const beyondDeliveryMs = 36_000;

const namesOf = (programs: readonly { name: string }[]) => programs.map(({ name }) => name);
const findProgram = (world: World, name: string) =>
  world.programs.find((program) => program.name === name)!;

/** SIGSTOP of a program, and SIGCONT. */
function freezeFault(weight: number, targets: Fault['targets'], lasts: Fault['durationMs']): Fault {
  return {
    weight,
    targets,
    durationMs: lasts,
    async begin({ world }, target) {
      const program = findProgram(world, target);
      program.freeze();
      return () => program.thaw();
    },
  };
}

/** A fault of a program's connection to a part. */
function proxyFault(
  weight: number,
  part: ProxyPart,
  lasts: Fault['durationMs'],
  begin: (proxy: TcpProxy, pick: FaultContext['pick']) => EndFault,
): Fault {
  return {
    weight,
    durationMs: lasts,
    targets: ({ proxies: lines }) => [...lines[part].keys()].map((name) => `${part} ${name}`),
    begin: async ({ world, pick }, target) =>
      begin(world.proxies[part].get(target.slice(part.length + 1))!, pick),
  };
}

const cutFault = (weight: number, part: ProxyPart) =>
  proxyFault(weight, part, [50, 3_000], (proxy) => {
    proxy.cut();
    return () => proxy.restore();
  });
const slowFault = (weight: number, part: ProxyPart) =>
  proxyFault(weight, part, [500, 4_000], (proxy, pick) => {
    proxy.slow(10 + pick(150));
    return () => proxy.slow(0);
  });

/** The receiver's response for a time. */
function receiverFault(
  weight: number,
  respond: (until: Promise<void>) => number | Promise<number>,
): Fault {
  return {
    weight,
    targets: () => ['receiver'],
    durationMs: [300, 3_000],
    async begin({ world }) {
      let end = (): void => undefined;
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      world.receiver.respondWith(() => respond(ended));
      return () => {
        world.receiver.respondWith(respondIfOnTime);
        end();
      };
    },
  };
}

function storageFault(
  weight: number,
  begin: (folder: string) => Promise<boolean>,
  end: (folder: string) => Promise<unknown>,
): Fault {
  return {
    weight,
    targets: ({ storage }) => (storage.isMounted ? ['storage'] : []),
    durationMs: [300, 3_000],
    async begin({ world }) {
      const { folder } = world.storage;
      return (await begin(folder)) ? () => end(folder) : null;
    },
  };
}

const ballastPath = (folder: string) => join(folder, '.ballast');

const registry = {
  /** SIGKILL; the program is restarted. */
  kill: {
    // Not more often, because a restart takes more CPU than any other fault.
    weight: 6,
    targets: ({ programs }) => namesOf(programs),
    // The next one may come when it serves, while it starts, or before.
    durationMs: [0, 6_000],
    begin: async ({ world }, target) => {
      await findProgram(world, target).kill();
      return () => undefined;
    },
  },
  /** SIGSTOP for a moment. */
  freeze: freezeFault(5, ({ programs }) => namesOf(programs), [300, 3_000]),
  /** SIGSTOP of a worker for longer than a lease: its tasks go to other workers. */
  outlastLease: freezeFault(2, ({ workers }) => namesOf(workers), [beyondTaskMs, beyondTaskMs]),
  /** The same for deliveries. */
  outlastDelivery: freezeFault(1, ({ senders }) => senders, [beyondDeliveryMs, beyondDeliveryMs]),
  cutPostgres: cutFault(9, 'postgres'),
  slowPostgres: slowFault(4, 'postgres'),
  cutRedis: cutFault(6, 'redis'),
  slowRedis: slowFault(3, 'redis'),
  /** Answers are lost. */
  cutClients: cutFault(9, 'clients'),
  /** An immediate shutdown, and recovery from the log. */
  crashPostgres: {
    weight: 3,
    targets: ({ postgres }) => (postgres.crash ? ['postgres'] : []),
    durationMs: [0, 1_000],
    async begin({ world }) {
      await world.postgres.crash?.();
      return () => world.postgres.restart();
    },
  },
  /** The primary is lost, and its synchronous standby is promoted. */
  promotePostgres: {
    weight: 3,
    targets: ({ postgres }) => (postgres.promote ? ['postgres'] : []),
    durationMs: [0, 2_000],
    async begin({ world }) {
      await world.postgres.promote?.();
      return () => undefined;
    },
  },
  flushRedis: {
    weight: 4,
    targets: () => ['redis'],
    durationMs: [0, 500],
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
    durationMs: [0, 2_000],
    async begin({ world }) {
      await world.redis.kill();
      return () => world.redis.restart();
    },
  },
  /** The storage's file system is full. */
  fillStorage: storageFault(
    4,
    async (folder) => {
      for (;;) {
        const { bavail, bsize } = await statfs(folder);
        if (bavail === 0) return true;
        const part = `${ballastPath(folder)}-${bavail}`;
        await writeFile(part, Buffer.alloc(bavail * bsize)).catch(() => undefined);
      }
    },
    (folder) => execute('sh', ['-c', `rm -f ${ballastPath(folder)}-*`]),
  ),
  /** Every write fails with EROFS, as after an error of the disk. */
  freezeStorage: storageFault(
    4,
    // Fails while a file is open for writing.
    async (folder) => {
      for (let attempts = 0; attempts < 20; attempts += 1) {
        const isRemounted = await execute('mount', ['-o', 'remount,ro', folder]).then(
          () => true,
          () => false,
        );
        if (isRemounted) return true;
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
    durationMs: [1_500, 4_000],
    async begin({ world, pick }, target) {
      const worker = findProgram(world, target.slice('clock '.length));
      const seconds = [-86_400, -3_600, -60, 60, 3_600, 86_400][pick(6)]!;
      await world.setClock?.(worker, seconds);
      return () => world.setClock?.(worker, 0);
    },
  },
  failReceiver: receiverFault(3, () => 500),
  /** Resolves once the fault is over. */
  hangReceiver: receiverFault(3, (until) => until.then(() => 204)),
  /** Answers late. */
  slowReceiver: receiverFault(3, () => delay(200, 204)),
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof registry;
export const faultNames = Object.keys(registry) as FaultName[];
export const faults: Readonly<Record<FaultName, Fault>> = registry;

export const faultWeights = Object.fromEntries(
  faultNames.map((name) => [name, registry[name].weight]),
) as Readonly<Record<FaultName, number>>;
