import { Redis } from 'ioredis';
import type { Logger } from '../logger.ts';

export type { Redis };

/** The prefix of every key that BullMQ creates. */
export const queuePrefix = 'scriptorium';

/**
 * Connects to Redis for adding hints and counting: while the connection is down a command fails at
 * once, so that no request hangs. Reconnects forever.
 */
export function connectFailFast(url: string, logger: Logger): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 2_000,
    connectTimeout: 5_000,
    retryStrategy: (tries) => Math.min(1_000, 50 * 2 ** Math.min(tries, 5)),
  });
  packTurns(redis);
  logTrouble(redis, logger);
  return redis;
}

/** Connects to Redis for BullMQ workers, which wait for it as long as it takes. */
export function connectPatient(url: string, logger: Logger): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: null,
    retryStrategy: (tries) => Math.min(1_000, 50 * 2 ** Math.min(tries, 5)),
  });
  packTurns(redis);
  logTrouble(redis, logger);
  return redis;
}

/**
 * Sends the commands of one turn of the event loop as one packet: fifty workers that finish
 * together would otherwise write to the socket fifty times, which costs more than the commands.
 */
function packTurns(redis: Redis): void {
  const send = redis.sendCommand.bind(redis);
  let corked: Redis['stream'] | undefined;
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
 * Closes a connection, whatever the state of Redis, so that whatever waits for it is rejected.
 * Between two attempts to connect a disconnect rejects nothing; then one last attempt is made.
 */
export function endConnection(redis: Redis): void {
  if (redis.status === 'end') return;
  redis.options.retryStrategy = () => null;
  const between = redis.status === 'reconnecting';
  redis.disconnect();
  if (between) redis.connect().catch(() => undefined);
}

/** Logs once that Redis is gone and once that it is back, not for every attempt in between. */
function logTrouble(redis: Redis, logger: Logger): void {
  let down = false;
  redis.on('error', (error: NodeJS.ErrnoException) => {
    if (!down) logger.warn({ reason: error.code ?? error.message }, 'redis is unreachable');
    down = true;
  });
  redis.on('ready', () => {
    if (down) logger.info('redis is back');
    down = false;
    redis.config('GET', 'maxmemory-policy').then(
      (answer) => {
        const policy = Array.isArray(answer)
          ? answer[1]
          : (answer as Record<string, string>)['maxmemory-policy'];
        if (policy !== 'noeviction') {
          logger.error({ policy }, 'redis may evict hints: set maxmemory-policy to noeviction');
        }
      },
      () => logger.warn('cannot read the maxmemory-policy of redis; it must be noeviction'),
    );
  });
}
