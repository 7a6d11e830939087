import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { channelIn, hearChannel, type InDatabase } from './channels.ts';
import type { Redis } from './connection.ts';

/**
 * A relay calls a sender in another process: a message on a channel of that sender, naming endpoints
 * that something waits for. A hint in a queue says the same in three more trips to Redis. Redis answers
 * how many hear a call; whether one follows it shows in Postgres (`workers/calling`).
 */

/** Senders call themselves this often, and announce themselves when they hear it. */
const announceMs = 1_000;
/** A sender that was silent for this long is not called: it may hang. */
const silenceMs = 2_500;
/** What a sender calls itself with. */
const ownCall = '';

/** A Redis that does not answer is waited for so long by a sender that stops. */
const farewellMs = 1_000;

const announcements = 'senders';
const channelOf = (sender: string): string => `sender:${sender}`;

interface Publisher extends InDatabase {
  publish(channel: string, message: string): Promise<number>;
}

/**
 * Answers calls until it is stopped.
 * @param redis fails fast; announces this sender
 * @param ear a connection that waits for Redis; nothing else may use it
 * @param called is given the endpoints
 */
export function answerCalls(
  redis: Publisher,
  ear: Redis,
  sender: string,
  called: (endpointIds: string[]) => void,
): { stop(): Promise<void> } {
  const announce = (sign: '+' | '-'): void => {
    // Who is not heard is not called: hints reach it.
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
  // A connection may be dead and not know it: only a sender that hears says that it is there.
  const timer = setInterval(() => {
    redis.publish(channelIn(redis, channelOf(sender)), ownCall).catch(() => undefined);
  }, announceMs);
  return {
    async stop() {
      clearInterval(timer);
      announce('-');
      // What was said before is heard before the answer to this.
      if (ear.status === 'ready') await unlessAway(ear, ear.unsubscribe());
      heard.close();
    },
  };
}

/**
 * Waits for an answer of Redis, but neither for a Redis that goes away meanwhile, after which the
 * connection would ask again for ever, nor long for one that hangs.
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
export interface Caller {
  /**
   * Calls one of the senders that were heard of lately, each in its turn.
   * @returns the sender whose connection has it; null when there is none
   */
  call(endpointIds: readonly string[]): Promise<string | null>;
  /** Does not call a sender again until it announces itself. */
  passOver(sender: string): void;
  close(): void;
}

/**
 * Makes the caller of a relay.
 * @param redis fails fast
 * @param ear a connection that waits for Redis; nothing else may use it
 */
export function createCaller(redis: Publisher, ear: Redis): Caller {
  /** When each sender was last heard of; whose turn is next stands first. */
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
        if (hears === 0) continue;
        // Its next turn comes after all others.
        senders.set(sender, seen);
        return sender;
      }
      return null;
    },
    passOver: (sender) => void senders.delete(sender),
    close: () => heard.close(),
  };
}
