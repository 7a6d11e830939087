import { Cluster, Redis as Single } from 'ioredis';
import { type RedisAddress, readRedisAddress } from '../addresses/redis.ts';
import type { Logger } from '../logger.ts';
import { lasting, unfitness } from './fitness.ts';

/** A connection to a single Redis, or to all nodes of a cluster. */
export type Redis = Single | Cluster;

/**
 * The prefix of all keys of this service. In a cluster they must all be in one slot, because
 * scripts and transactions use several of them; the braces ensure that.
 */
export function prefixOf(redis: Redis): string {
  return redis.isCluster ? '{scriptorium}' : 'scriptorium';
}

/**
 * The pause between attempts to connect. Random, so that processes do not all reconnect at the same
 * moment.
 */
const pause = (tries: number): number =>
  Math.min(1_000, 50 * 2 ** Math.min(tries, 5)) * (0.5 + Math.random() / 2);

/** After a failover the former primary rejects writes, so the connection must be made again. */
const reconnectOnError = (error: Error): 2 | false =>
  error.message.startsWith('READONLY') ? 2 : false;

/** How long commands wait. */
interface Patience {
  enableOfflineQueue?: boolean;
  maxRetriesPerRequest: number | null;
  commandTimeout?: number;
  connectTimeout?: number;
}

/**
 * Connects to Redis for adding hints and counting: commands fail at once while the connection is
 * down, so that no request hangs. Reconnects forever.
 * @throws AddressError
 */
export function connectFailFast(url: string, logger: Logger): Redis {
  return connect(url, logger, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 2_000,
    connectTimeout: 5_000,
  });
}

/**
 * Connects to Redis for BullMQ workers, which wait for it without a limit.
 * @throws AddressError
 */
export function connectPatient(url: string, logger: Logger): Redis {
  return connect(url, logger, { maxRetriesPerRequest: null });
}

function connect(url: string, logger: Logger, patience: Patience): Redis {
  const address = readRedisAddress(url);
  const redis =
    address.kind === 'cluster' ? openCluster(address, patience) : openSingle(address, patience);
  logTrouble(redis, logger);
  return redis;
}

function openSingle(
  address: Exclude<RedisAddress, { kind: 'cluster' }>,
  patience: Patience,
): Single {
  const { tls, db } = address;
  const place =
    address.kind === 'single'
      ? { ...address.host, ...(tls && { tls }) }
      : {
          sentinels: address.sentinels,
          name: address.primary,
          ...(address.sentinelLogin.username && {
            sentinelUsername: address.sentinelLogin.username,
          }),
          ...(address.sentinelLogin.password && {
            sentinelPassword: address.sentinelLogin.password,
          }),
          sentinelRetryStrategy: pause,
          ...(tls && { tls, sentinelTLS: tls, enableTLSForSentinelMode: true }),
        };
  const redis = new Single({
    ...patience,
    ...place,
    ...loginOf(address),
    db,
    retryStrategy: pause,
    reconnectOnError,
  });
  packTurns(redis);
  return redis;
}

/** The login of an address, without missing fields. */
function loginOf({ username, password }: RedisAddress) {
  return { ...(username && { username }), ...(password && { password }) };
}

function openCluster(
  address: Extract<RedisAddress, { kind: 'cluster' }>,
  { enableOfflineQueue, ...patience }: Patience,
): Cluster {
  const { nodes, tls } = address;
  const cluster = new Cluster(nodes, {
    ...(enableOfflineQueue !== undefined && { enableOfflineQueue }),
    clusterRetryStrategy: pause,
    // Certificates contain host names, so these must not be replaced by addresses.
    ...(tls && { dnsLookup: (host, done) => done(null, host) }),
    slotsRefreshTimeout: 2_000,
    slotsRefreshInterval: 10_000,
    redisOptions: {
      ...patience,
      reconnectOnError,
      ...loginOf(address),
      ...(tls && { tls }),
    },
  });
  cluster.on('+node', packTurns);
  return cluster;
}

/**
 * Sends the commands of one turn of the event loop as one packet: otherwise fifty workers that
 * finish together would write to the socket fifty times, which costs more than the commands.
 */
function packTurns(redis: Single): void {
  const send = redis.sendCommand.bind(redis);
  let corked: Single['stream'] | undefined;
  redis.sendCommand = (command, stream) => {
    const { stream: socket } = redis;
    if (!stream && socket && corked !== socket) {
      corked = socket;
      socket.cork();
      process.nextTick(() => {
        if (corked === socket) corked = undefined;
        socket.uncork();
      });
    }
    return send(command, stream);
  };
}

/**
 * Closes a connection, whatever the state of Redis, and rejects pending commands. Between two
 * attempts to connect, a disconnect rejects nothing, so one last attempt is made.
 */
export function endConnection(redis: Redis): void {
  if (redis.status === 'end') return;
  if (redis instanceof Cluster) redis.options.clusterRetryStrategy = () => null;
  else redis.options.retryStrategy = () => null;
  const between = redis.status === 'reconnecting';
  redis.disconnect();
  if (between) redis.connect().catch(() => undefined);
}

/** A connection, and all copies made of it now or later. */
export function withCopies(redis: Redis): Redis[] {
  const all = [redis];
  const keep = <Copy extends Redis>(copy: Copy): Copy => {
    all.push(copy);
    return copy;
  };
  if (redis instanceof Cluster) {
    const duplicate = redis.duplicate.bind(redis);
    redis.duplicate = ((...given: Parameters<typeof duplicate>) =>
      keep(duplicate(...given))) as typeof redis.duplicate;
  } else {
    const duplicate = redis.duplicate.bind(redis);
    redis.duplicate = ((...given: Parameters<typeof duplicate>) =>
      keep(duplicate(...given))) as typeof redis.duplicate;
  }
  return all;
}

/** Logs the loss of Redis once and its return once, not every attempt in between. */
function logTrouble(redis: Redis, logger: Logger): void {
  let down = false;
  let reported: string | null = null;
  redis.on('error', (error: NodeJS.ErrnoException & { lastNodeError?: Error }) => {
    const { message } = error.lastNodeError ?? error;
    if (down) return;
    down = true;
    if (lasting.test(message)) {
      logger.error({ reason: message }, 'redis: correct the login or certificates in REDIS_URL');
    } else logger.warn({ reason: error.code ?? message }, 'redis is unreachable');
  });
  redis.on('ready', () => {
    if (down) logger.info('redis is back');
    down = false;
    for (const server of redis instanceof Cluster ? redis.nodes('master') : [redis]) {
      unfitness(server).then(
        (fault) => {
          const reason = fault ? `REDIS_URL ${fault.reason}` : null;
          // A replica rejects all writes, which makes the connection start again.
          if (reason && reason !== reported) {
            logger.error({ fault: reason }, 'redis is not fit for hints');
          }
          reported = reason;
        },
        () => logger.warn('cannot read INFO of redis; its maxmemory-policy should be noeviction'),
      );
    }
  });
}
