import type { Client, ClientResponse } from '../client.ts';

/**
 * The state shared by deeds: the acting client, its random choices, and the address of the webhook
 * receivers.
 */
export interface ActionContext {
  client: Client;
  pick: (below: number) => number;
  /** The origin of the receiver. */
  receiver: string;
  /** A project whose resources the client must never see. */
  foreign: { objects(): string[] };
}

/** The resources of other projects. */
export function foreignResources({
  project: ownProject,
  ledger,
}: Client): ActionContext['foreign'] {
  return {
    objects: () =>
      [...ledger.objects.values()]
        .filter(({ project, state }) => project !== ownProject.id && state !== 'purged')
        .map(({ id }) => id),
  };
}

export type ClientAction = (scene: ActionContext) => Promise<void>;

/** Records a response that is not among the allowed ones. */
export function expectStatus(
  client: Client,
  response: ClientResponse,
  ...expected: number[]
): boolean {
  if (expected.includes(response.status)) return true;
  const { entry } = response;
  client.ledger.violations.push(
    `${entry.id} ${entry.what} returned ${response.status} after ${entry.attempts} attempts, expected ${expected.join(' or ')}: ${response.bytes.toString('utf8').slice(0, 300)}`,
  );
  return false;
}

/**
 * Whether a request without an Idempotency-Key took effect. An attempt after a lost response finds
 * that it has already taken effect.
 */
export function hasTakenEffect(
  client: Client,
  response: ClientResponse,
  success: readonly number[],
  repeatedStatuses: readonly number[],
): boolean {
  const isRepeated = response.entry.attempts > 1;
  return expectStatus(client, response, ...success, ...(isRepeated ? repeatedStatuses : []));
}

export function idOf(response: ClientResponse): string {
  const { id } = response.json;
  if (typeof id !== 'string') throw new Error(`No id in ${response.bytes.toString('utf8')}.`);
  return id;
}
