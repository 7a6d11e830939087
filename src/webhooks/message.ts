import type { OpenSealed, SealText } from '@scriptorium/contracts/documents/sealed';
import { hiddenValue } from '@scriptorium/contracts/helpers/hidden-value';
import type {
  SealedHeaders,
  SealedSecret,
  SealedValue,
} from '../entities/webhooks/webhook-endpoint.ts';
import { parseSecret, type SigningKey, signedHeaders } from './sign.ts';

/** The settings of an endpoint that apply to every message. */
export interface MessageSettings {
  headers: Record<string, string>;
  payload: 'full' | 'thin';
}

/**
 * Composes one signed message. All attempts have the identifier of the event; the time is the start of
 * the attempt, so that the message of a past attempt can be composed again.
 * @param message.body the body that was frozen when the event was numbered
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function composeMessage(
  settings: MessageSettings,
  message: {
    eventId: string;
    begunAt: Date;
    body: string;
    secrets: readonly (string | SigningKey)[];
    replayId?: string | null;
  },
): { headers: Record<string, string>; body: string } {
  const body = messageBody(settings.payload, message.body);
  return {
    headers: {
      ...settings.headers,
      ...signedHeaders({
        id: message.eventId,
        timestamp: Math.floor(message.begunAt.getTime() / 1_000),
        body,
        secrets: message.secrets,
        ...(message.replayId ? { replayId: message.replayId } : {}),
      }),
    },
    body,
  };
}

/** The frozen body, or the body without its data: the same bytes for every attempt. */
export function messageBody(payload: MessageSettings['payload'], body: string): string {
  if (payload === 'full') return body;
  const { data: _dropped, ...envelope } = JSON.parse(body) as Record<string, unknown>;
  return JSON.stringify(envelope);
}

/** Secrets that have not expired, in order: for each kind, newest first. */
export function liveSecrets(secrets: readonly SealedSecret[], now: number): SealedSecret[] {
  return secrets.filter((secret) => expiryMs(secret) > now);
}

/** The keys in an endpoint's sealed secrets, in order. */
export function openSecrets(
  unseal: OpenSealed,
  endpointId: string,
  ciphers: readonly string[],
): SigningKey[] {
  return ciphers.map((cipher) => parseSecret(unseal(cipher, ['webhook_secret', endpointId])));
}

/** When a secret expires, in ms since 1970. */
export function expiryMs({ expires_at: end }: SealedSecret): number {
  return end === null ? Number.POSITIVE_INFINITY : Date.parse(end);
}

/** Changed headers: a string is a new value, a sealed value is kept. */
export type ChangedHeaders = Record<string, string | SealedValue>;

/**
 * Applies a merge patch (RFC 7396) to headers: null removes one, or all of them. The hidden value
 * keeps an existing header, so that a response can be sent back unchanged.
 */
export function mergeHeaders(
  unseal: OpenSealed,
  endpointId: string,
  current: SealedHeaders,
  patch: Record<string, string | null> | null | undefined,
): ChangedHeaders {
  if (patch === undefined) return current;
  if (patch === null) return {};
  const merged = new Map<string, string | SealedValue>(Object.entries(current));
  for (const [name, value] of Object.entries(patch)) {
    const existing = Object.hasOwn(current, name) ? current[name] : undefined;
    if (value === null) merged.delete(name);
    else if (
      existing &&
      (value === hiddenValue ||
        value === unseal(existing.cipher, ['webhook_header', endpointId, name]))
    )
      continue;
    else merged.set(name, value);
  }
  return Object.fromEntries(merged);
}

/** Headers as stored: plain names, sealed values. */
export function sealHeaders(
  { seal }: { seal: { seal: SealText } },
  endpointId: string,
  headers: ChangedHeaders,
): SealedHeaders {
  return mapValues(headers, (value, name) =>
    typeof value === 'string'
      ? { cipher: seal.seal(value, ['webhook_header', endpointId, name]) }
      : value,
  );
}

/** Headers as sent. */
export function openHeaders(
  unseal: OpenSealed,
  endpointId: string,
  headers: SealedHeaders,
): Record<string, string> {
  return mapValues(headers, ({ cipher }, name) =>
    unseal(cipher, ['webhook_header', endpointId, name]),
  );
}

/** Headers as shown. */
export function hideHeaders(headers: SealedHeaders): Record<string, string> {
  return mapValues(headers, () => hiddenValue);
}

/** The headers of a message with the values of the endpoint's custom headers hidden. */
export function hideOwnHeaders(
  ownHeaders: SealedHeaders,
  headers: Record<string, string>,
): Record<string, string> {
  return mapValues(headers, (value, name) =>
    Object.hasOwn(ownHeaders, name) ? hiddenValue : value,
  );
}

function mapValues<From, To>(
  headers: Record<string, From>,
  change: (value: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, change(value, name)]),
  );
}
