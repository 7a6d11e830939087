import { hiddenValue } from '../contracts/hidden-value.ts';
import type { OpenSealed, SealText } from '../contracts/sealed.ts';
import type { SealedHeaders, SealedValue } from '../entities/webhook-endpoint.ts';

/** Headers as a request leaves them: a string is a value that it gave, the others are kept. */
export type ChangedHeaders = Record<string, string | SealedValue>;

/**
 * The headers with a merge patch (RFC 7396) applied to them: null takes one away, or all of them.
 * The hidden value, for one that is there, keeps it, so that what was read can be sent back.
 */
export function mergeHeaders(
  unseal: OpenSealed,
  endpointId: string,
  present: SealedHeaders,
  patch: Record<string, string | null> | null | undefined,
): ChangedHeaders {
  if (patch === undefined) return present;
  if (patch === null) return {};
  const merged = new Map<string, string | SealedValue>(Object.entries(present));
  for (const [name, value] of Object.entries(patch)) {
    const kept = Object.hasOwn(present, name) ? present[name] : undefined;
    if (value === null) merged.delete(name);
    else if (
      kept &&
      (value === hiddenValue || value === unseal(kept.cipher, ['webhook_header', endpointId, name]))
    )
      continue;
    else merged.set(name, value);
  }
  return Object.fromEntries(merged);
}

/** Headers as they are stored: their names as they are, their values sealed. */
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

/** Headers as they are sent. */
export function openHeaders(
  unseal: OpenSealed,
  endpointId: string,
  headers: SealedHeaders,
): Record<string, string> {
  return mapValues(headers, ({ cipher }, name) =>
    unseal(cipher, ['webhook_header', endpointId, name]),
  );
}

/** Headers as they are shown. */
export function hideHeaders(headers: SealedHeaders): Record<string, string> {
  return mapValues(headers, () => hiddenValue);
}

function mapValues<From, To>(
  headers: Record<string, From>,
  change: (value: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, change(value, name)]),
  );
}
