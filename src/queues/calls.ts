import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { channelIn, hearChannel, type InDatabase } from './channels.ts';
import type { Redis } from './connection.ts';

/**
 * A relay calls a sender in another process with a message on a channel of that sender, which names
 * endpoints with something due. A hint in a queue would take three more trips to Redis. Redis
 * answers how many connections received a call; whether a sender acts on it shows in Postgres
 * (`workers/relay/calling`).
 */

/** Senders call themselves this often, and announce themselves when they receive it. */
const announceMs = 1_000;
/** A sender silent for this long is not called: it may hang. */
const silenceMs = 2_500;
/** What a sender calls itself with. */
const ownCall = '';

/** How long a stopping sender waits for Redis. */
const farewellMs = 1_000;

const announcements = 'senders';
const channelOf = (sender: string): string => `sender:${sender}`;

interface Publisher extends InDatabase {
  isCluster?: boolean;
  publish(channel: string, message: string): Promise<number>;
}

/**
 * Answers calls until it is stopped.
 * @param redis fails fast; announces this sender
 * @param ear a connection that waits for Redis; must not be used for anything else
 * @param called receives the endpoints
 */
export function answerCalls(
  redis: Publisher,
  ear: Redis,
  sender: string,
  called: (endpointIds: string[]) => void,
): { stop(): Promise<void> } {
  const announce = (sign: '+' | '-'): void => {
    // A sender that cannot announce itself is not called: it gets hints.
    redis.publish(channelIn(redis, announcements), sign + sender).catch(() => undefined);
  };
  const heard = hearChannel(
    ear,
    channelOf(sender),
    (message) => {
      if (message === ownCall) announce('+');
      else called(message.split(' '));
    },
    () => announce('+'),
  );
  // A connection may be dead without an error: only a sender that receives its own call announces
  // itself.
  const timer = setInterval(() => {
    redis.publish(channelIn(redis, channelOf(sender)), ownCall).catch(() => undefined);
  }, announceMs);
  return {
    async stop() {
      clearInterval(timer);
      announce('-');
      // Earlier messages are received before the answer to this.
      if (ear.status === 'ready') await unlessAway(ear, ear.unsubscribe());
      heard.close();
    },
  };
}

/**
 * Waits for an answer from Redis. Gives up when Redis disconnects, because the connection would retry
 * forever, and when it hangs.
 */
async function unlessAway(redis: Redis, answer: Promise<unknown>): Promise<void> {
  const away = new AbortController();
  await Promise.race([
    answer.catch(() => undefined),
    once(redis, 'close', { signal: away.signal }).catch(() => undefined),
    delay(farewellMs, undefined, { signal: away.signal }).catch(() => undefined),
  ]);
  away.abort();
}

/** Calls the senders of other processes. */
export interface SenderCaller {
  /**
   * Calls one of the senders heard recently, in turn.
   * @returns the sender whose connection received it; null without such a sender
   */
  call(endpointIds: readonly string[]): Promise<string | null>;
  /** Does not call a sender again until it announces itself. */
  passOver(sender: string): void;
  close(): void;
}

/**
 * Creates the caller of a relay.
 * @param redis fails fast
 * @param ear a connection that waits for Redis; must not be used for anything else
 */
export function createCaller(redis: Publisher, ear: Redis): SenderCaller {
  /** When each sender was last heard; the next one to call is first. */
  const senders = new Map<string, number>();
  const heard = hearChannel(ear, announcements, (message) => {
    const sender = message.slice(1);
    if (message.startsWith('-')) senders.delete(sender);
    else senders.set(sender, performance.now());
  });
  return {
    async call(endpointIds) {
      for (const [sender, seen] of [...senders]) {
        senders.delete(sender);
        if (performance.now() - seen > silenceMs) continue;
        const hears = await redis.publish(
          channelIn(redis, channelOf(sender)),
          endpointIds.join(' '),
        );
        // In a cluster, Redis counts only the listeners at one of its nodes.
        if (hears === 0 && !redis.isCluster) continue;
        // Moves it to the end of the order.
        senders.set(sender, seen);
        return sender;
      }
      return null;
    },
    passOver: (sender) => void senders.delete(sender),
    close: () => heard.close(),
  };
}
