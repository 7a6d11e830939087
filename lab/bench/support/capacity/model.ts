import {
  type ProcessKind,
  processKinds,
  type StoredKind,
  storedKinds,
  type UnitCosts,
  type Work,
  workNames,
} from './costs.ts';

/** The amount of each kind of work; missing ones are 0. */
export type Amounts = Partial<Record<Work, number>>;

/** CPU milliseconds by kind of process. */
export type Cpu = Record<ProcessKind, number>;

/** The cost of amounts of work. */
export function costOf(costs: UnitCosts, amounts: Amounts) {
  const sum = (of: (work: Work) => number): number =>
    workNames.reduce((total, work) => total + (amounts[work] ?? 0) * of(work), 0);
  const cpu = Object.fromEntries(
    processKinds.map((kind) => [kind, sum((work) => costs.per[work].cpu_ms[kind])]),
  ) as Cpu;
  return {
    cpu,
    clientMs: sum((work) => costs.per[work].client_ms),
    walBytes: sum((work) => costs.per[work].wal_bytes),
  };
}

/**
 * Returns how long numbering and fanning out hold the lock that excludes all other numbering, in
 * milliseconds.
 */
function lockMs({ numbering_ms: number, fan_out_ms: fanOut }: UnitCosts, amounts: Amounts): number {
  return (amounts.number ?? 0) * number + (amounts.fan_out ?? 0) * fanOut;
}

/** Kinds of processes with a single Node thread: one core each, however many the machine has. */
export const singleThreadedKinds = [
  'api',
  'relay',
  'webhooks',
] as const satisfies readonly ProcessKind[];

export interface Limit {
  what: string;
  perSecond: number;
}

/**
 * The limits on the rate of some work on one machine that runs everything, including clients; the
 * lowest one applies.
 * @param amounts the work of one operation
 * @param processes the number of processes of each single-threaded kind; 1 if missing
 */
export function limitsOnOneMachine(
  costs: UnitCosts,
  amounts: Amounts,
  { cores, processes }: { cores: number; processes: Partial<Record<ProcessKind, number>> },
): Limit[] {
  const { cpu, clientMs } = costOf(costs, amounts);
  const all = processKinds.reduce((sum, kind) => sum + cpu[kind], clientMs);
  const perSecond = (ms: number, parallel = 1): number => (1_000 * parallel) / ms;
  const limits = [
    { what: 'the cores', perSecond: perSecond(all, cores) },
    // Only one relay numbers at a time, so more of them are not faster.
    { what: 'the relay', perSecond: perSecond(cpu.relay) },
    {
      what: 'the numbering lock',
      perSecond: perSecond(lockMs(costs, amounts)),
    },
    { what: 'the API processes', perSecond: perSecond(cpu.api, processes.api) },
    { what: 'the senders', perSecond: perSecond(cpu.webhooks, processes.webhooks) },
  ];
  return limits.sort((one, other) => one.perSecond - other.perSecond);
}

/** A load to plan for. Rates are per second. */
export interface Load {
  reads: number;
  writes: number;
  events: number;
  deliveries: number;
  /** Pages per day, by operation. */
  pages: Record<'ocr' | 'normalize' | 'redact' | 'classify', number>;
  kept: Record<StoredKind, number>;
}

/** The capacity of machines and servers. */
export interface Machines {
  /** Cores of a machine for this service's processes. */
  cores: number;
  /** The share of every resource to plan for; the rest is reserved for peaks and failures. */
  use: number;
  /** The cores of the machine of one Postgres. */
  postgresCores: number;
  /** The WAL in megabytes per second that its disk and its standbys can sustain. */
  walMegabytes: number;
  connections: number;
  diskTerabytes: number;
}

export interface ProcessDemand {
  kind: ProcessKind;
  cores: number;
  processes: number;
  /** To Postgres. */
  connections: number;
}

/** A resource of one Postgres, and the amount that a load needs. */
export interface ResourceUse {
  what: string;
  needed: number;
  available: number;
  unit: string;
  /** The needed share of the usable amount. More than 1 means that it is exceeded. */
  share: number;
}

export interface Plan {
  processes: ProcessDemand[];
  machines: number;
  postgres: { cores: number; walMegabytes: number; connections: number; diskTerabytes: number };
  /** Sorted by use, so that the first one is exceeded first. */
  uses: ResourceUse[];
  /** The number of Postgres clusters, each with a share of the projects. */
  clusters: number;
}

/**
 * Connections of a process with the default POOL_SIZE; the API has two for sessions, a relay 12
 * more.
 */
const connectionsOf: Record<ProcessKind, number> = {
  api: 18,
  relay: 28,
  webhooks: 16,
  ocr: 16,
  normalize: 16,
  redact: 16,
  classify: 16,
  postgres: 0,
  redis: 0,
};
const secondsPerDay = 86_400;
/**
 * Rows and indexes that retention, updates and vacuum leave behind, and WAL: twice the kept data.
 */
const diskFactor = 2;

/** Machines for a load. */
export function plan(costs: UnitCosts, load: Load, machines: Machines): Plan {
  const numbering: Amounts = { number: load.events, fan_out: load.deliveries };
  const { cpu, walBytes } = costOf(costs, {
    ...numbering,
    read: load.reads,
    write: load.writes,
    deliver: load.deliveries,
    ...Object.fromEntries(
      Object.entries(load.pages).map(([kind, perDay]) => [kind, perDay / secondsPerDay]),
    ),
  });
  const coresOf = (kind: ProcessKind): number => cpu[kind] / 1_000;
  const oneThreadKinds: readonly ProcessKind[] = singleThreadedKinds;
  const processes = processKinds
    .filter((kind) => kind !== 'postgres' && kind !== 'redis')
    .map((kind): ProcessDemand => {
      const cores = coresOf(kind);
      // Workers of documents use all cores of their machine; the others use one each.
      const coresPerProcess = (oneThreadKinds.includes(kind) ? 1 : machines.cores) * machines.use;
      // A second one takes over when the first fails.
      const min = oneThreadKinds.includes(kind) && cores > 0 ? 2 : 0;
      const count = Math.max(min, Math.ceil(cores / coresPerProcess));
      return { kind, cores, processes: count, connections: count * connectionsOf[kind] };
    })
    .filter(({ cores }) => cores > 0);
  const sum = (of: (demand: ProcessDemand) => number): number =>
    processes.reduce((total, demand) => total + of(demand), 0);
  const bytes = storedKinds.reduce(
    (total, name) => total + load.kept[name] * costs.stored_bytes[name],
    0,
  );
  const postgres = {
    cores: coresOf('postgres'),
    walMegabytes: walBytes / 1e6,
    connections: sum(({ connections }) => connections),
    diskTerabytes: (bytes * diskFactor) / 1e12,
  };
  const use = (what: string, unit: string, needed: number, available: number): ResourceUse => ({
    what,
    unit,
    needed,
    available,
    share: needed / (available * machines.use),
  });
  const uses = [
    use('CPU of Postgres', 'cores', postgres.cores, machines.postgresCores),
    use('WAL of Postgres', 'MB/s', postgres.walMegabytes, machines.walMegabytes),
    use('the lock of numbering', 's a second', lockMs(costs, numbering) / 1_000, 1),
    use('the relay that numbers', 'cores', costOf(costs, numbering).cpu.relay / 1_000, 1),
    use('connections to Postgres', 'connections', postgres.connections, machines.connections),
    use('disk of Postgres', 'TB', postgres.diskTerabytes, machines.diskTerabytes),
    use('Redis', 'cores', coresOf('redis'), 1),
  ].sort((one, other) => other.share - one.share);
  // A pooler saves connections, so these do not require another cluster.
  const dividableUses = uses.filter(({ unit }) => unit !== 'connections');
  return {
    processes,
    postgres,
    uses,
    machines: Math.ceil(sum(({ cores }) => cores) / (machines.cores * machines.use)),
    clusters: Math.max(1, Math.ceil(Math.max(...dividableUses.map(({ share }) => share)))),
  };
}

/** Returns how many times a load one cluster sustains, and the resource that limits it. */
export function maxOf(
  costs: UnitCosts,
  load: Load,
  machines: Machines,
): { times: number; gives: ResourceUse } {
  const firstLimit = (times: number): ResourceUse =>
    plan(costs, multiplyLoad(load, times), machines).uses[0]!;
  let [sustained, exceeded] = [0, 1];
  while (firstLimit(exceeded).share <= 1 && exceeded < 2 ** 30)
    [sustained, exceeded] = [exceeded, exceeded * 2];
  for (let step = 0; step < 20; step++) {
    const middle = (sustained + exceeded) / 2;
    if (firstLimit(middle).share <= 1) sustained = middle;
    else exceeded = middle;
  }
  return { times: sustained, gives: firstLimit(exceeded) };
}

function multiplyLoad({ pages, kept, ...rates }: Load, times: number): Load {
  const multiplyAll = <Name extends string>(amounts: Record<Name, number>) =>
    Object.fromEntries(
      Object.entries<number>(amounts).map(([name, amount]) => [name, amount * times]),
    ) as Record<Name, number>;
  return { ...multiplyAll(rates), pages: multiplyAll(pages), kept: multiplyAll(kept) };
}
