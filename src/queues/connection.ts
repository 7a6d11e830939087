import { Cluster, Redis as SingleRedis } from 'ioredis';
import { type RedisAddress, readRedisAddress } from '../addresses/redis.ts';
import type { Logger } from '../logger.ts';
import { findUnfitness, permanentErrors } from './fitness.ts';

/** A connection to a single Redis, or to all nodes of a cluster. */
export type Redis = SingleRedis | Cluster;

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
const reconnectDelay = (attempts: number): number =>
  Math.min(1_000, 50 * 2 ** Math.min(attempts, 5)) * (0.5 + Math.random() / 2);

/** Reconnects after a failover, when the former primary rejects writes. */
const reconnectOnError = (error: Error): 2 | false =>
  error.message.startsWith('READONLY') ? 2 : false;

/** How long commands wait for the connection and for the response. */
interface CommandOptions {
  enableOfflineQueue?: boolean;
  maxRetriesPerRequest: number | null;
  commandTimeout?: number;
  connectTimeout?: number;
}

/**
 * Connects to Redis for adding hints and counting. Commands fail immediately while the connection is
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
export function connectForWorkers(url: string, logger: Logger): Redis {
  return connect(url, logger, { maxRetriesPerRequest: null });
}

function connect(url: string, logger: Logger, commandOptions: CommandOptions): Redis {
  const address = readRedisAddress(url);
  const redis =
    address.kind === 'cluster'
      ? openCluster(address, commandOptions)
      : openSingle(address, commandOptions);
  logConnectionState(redis, logger);
  return redis;
}

function openSingle(
  address: Exclude<RedisAddress, { kind: 'cluster' }>,
  commandOptions: CommandOptions,
): SingleRedis {
  const { tls, db } = address;
  const serverOptions =
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
          sentinelRetryStrategy: reconnectDelay,
          ...(tls && { tls, sentinelTLS: tls, enableTLSForSentinelMode: true }),
        };
  const redis = new SingleRedis({
    ...commandOptions,
    ...serverOptions,
    ...loginOf(address),
    db,
    retryStrategy: reconnectDelay,
    reconnectOnError,
  });
  batchCommands(redis);
  return redis;
}

/** The login of an address, without missing fields. */
function loginOf({ username, password }: RedisAddress) {
  return { ...(username && { username }), ...(password && { password }) };
}

function openCluster(
  address: Extract<RedisAddress, { kind: 'cluster' }>,
  { enableOfflineQueue, ...commandOptions }: CommandOptions,
): Cluster {
  const { nodes, tls } = address;
  const cluster = new Cluster(nodes, {
    ...(enableOfflineQueue !== undefined && { enableOfflineQueue }),
    clusterRetryStrategy: reconnectDelay,
    // Certificates contain host names, so these must not be replaced by addresses.
    ...(tls && { dnsLookup: (host, done) => done(null, host) }),
    slotsRefreshTimeout: 2_000,
    slotsRefreshInterval: 10_000,
    redisOptions: {
      ...commandOptions,
      reconnectOnError,
      ...loginOf(address),
      ...(tls && { tls }),
    },
  });
  cluster.on('+node', batchCommands);
  return cluster;
}

/**
 * Sends the commands of one turn of the event loop as one packet: otherwise fifty workers that
 * finish together would write to the socket fifty times, which costs more than the commands.
 */
function batchCommands(redis: SingleRedis): void {
  const send = redis.sendCommand.bind(redis);
  let corked: SingleRedis['stream'] | undefined;
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
 * Closes a connection, whether or not Redis is reachable, and rejects pending commands. Between two
 * attempts to connect, a disconnect rejects nothing; one last attempt then does.
 */
export function endConnection(redis: Redis): void {
  if (redis.status === 'end') return;
  if (redis instanceof Cluster) redis.options.clusterRetryStrategy = () => null;
  else redis.options.retryStrategy = () => null;
  const isBetweenAttempts = redis.status === 'reconnecting';
  redis.disconnect();
  if (isBetweenAttempts) redis.connect().catch(() => undefined);
}

/** Tracks a connection and all copies made of it later. */
export function trackCopies(redis: Redis): Redis[] {
  const connections = [redis];
  const track = <Copy extends Redis>(copy: Copy): Copy => {
    connections.push(copy);
    return copy;
  };
  if (redis instanceof Cluster) {
    const duplicate = redis.duplicate.bind(redis);
    redis.duplicate = ((...options: Parameters<typeof duplicate>) =>
      track(duplicate(...options))) as typeof redis.duplicate;
  } else {
    const duplicate = redis.duplicate.bind(redis);
    redis.duplicate = ((...options: Parameters<typeof duplicate>) =>
      track(duplicate(...options))) as typeof redis.duplicate;
  }
  return connections;
}

/** Logs when Redis becomes unreachable and reachable, but not the attempts in between. */
function logConnectionState(redis: Redis, logger: Logger): void {
  let isDown = false;
  let reported: string | null = null;
  redis.on('error', (error: NodeJS.ErrnoException & { lastNodeError?: Error }) => {
    const { message } = error.lastNodeError ?? error;
    if (isDown) return;
    isDown = true;
    if (permanentErrors.test(message)) {
      logger.error({ reason: message }, 'redis: correct the login or certificates in REDIS_URL');
    } else logger.warn({ reason: error.code ?? message }, 'redis is unreachable');
  });
  redis.on('ready', () => {
    if (isDown) logger.info('redis is back');
    isDown = false;
    for (const server of redis instanceof Cluster ? redis.nodes('master') : [redis]) {
      findUnfitness(server).then(
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
