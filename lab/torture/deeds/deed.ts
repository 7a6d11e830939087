import type { Answer, Client } from '../client.ts';

/**
 * The state shared by deeds: the acting client, its random choices, and the address of the webhook
 * receivers.
 */
export interface Scene {
  client: Client;
  pick: (below: number) => number;
  /** The origin of the receiver. */
  receiver: string;
  /** A project whose resources the client must never see. */
  foreign: { objects(): string[] };
}

/** The resources of other projects. */
export function foreignTo({ project: own, ledger }: Client): Scene['foreign'] {
  return {
    objects: () =>
      [...ledger.objects.values()]
        .filter(({ project, state }) => project !== own.id && state !== 'purged')
        .map(({ id }) => id),
  };
}

export type Deed = (scene: Scene) => Promise<void>;

/** Records a response that is not among the allowed ones. */
export function expectStatus(client: Client, answer: Answer, ...expected: number[]): boolean {
  if (expected.includes(answer.status)) return true;
  const { entry } = answer;
  client.ledger.violations.push(
    `${entry.id} ${entry.what} returned ${answer.status} after ${entry.attempts} attempts, expected ${expected.join(' or ')}: ${answer.bytes.toString('utf8').slice(0, 300)}`,
  );
  return false;
}

/**
 * Whether a request without an Idempotency-Key took effect. An attempt after a lost response finds
 * that it has already taken effect.
 */
export function tookEffect(
  client: Client,
  answer: Answer,
  success: readonly number[],
  doneBefore: readonly number[],
): boolean {
  const isRepeated = answer.entry.attempts > 1;
  return expectStatus(client, answer, ...success, ...(isRepeated ? doneBefore : []));
}

export function idOf(answer: Answer): string {
  const { id } = answer.json;
  if (typeof id !== 'string') throw new Error(`No id in ${answer.bytes.toString('utf8')}.`);
  return id;
}
