import { Redis } from 'ioredis';
import type { Logger } from '../logger.ts';

export type { Redis };

/** The prefix of every key that BullMQ makes. */
export const queuePrefix = 'scriptorium';

/**
 * Connects to Redis for adding hints and counting: a command fails at once while the connection is
 * down, and never hangs a request. Reconnects for ever.
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
 * Sends the commands of one turn of the event loop as one packet: fifty workers that finish together
 * would cost fifty writes to the socket, which are dearer than the commands.
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
 * Ends a connection whether or not Redis is there, so that whoever waits on it is told. Between two
 * tries at connecting a disconnect tells nobody: there one more try is made, and is the last.
 */
export function endConnection(redis: Redis): void {
  if (redis.status === 'end') return;
  redis.options.retryStrategy = () => null;
  const between = redis.status === 'reconnecting';
  redis.disconnect();
  if (between) redis.connect().catch(() => undefined);
}

/** Says once that Redis is gone and once that it is back, not for every try in between. */
function logTrouble(redis: Redis, logger: Logger): void {
  let down = false;
  redis.on('error', (error: NodeJS.ErrnoException) => {
    if (!down) logger.warn({ reason: error.code ?? error.message }, 'redis is out of reach');
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
      () => logger.warn('redis does not say its maxmemory-policy; it must be noeviction'),
    );
  });
}
