import { eventTypeNames } from '@scriptorium/contracts/events';
import { patternFault } from '@scriptorium/contracts/events/patterns';
import { hiddenValue } from '@scriptorium/contracts/helpers/hidden-value';
import {
  escapePointer,
  type Fault,
  Problem,
  validationFailed,
} from '@scriptorium/contracts/problems';
import type { SignatureKind } from '@scriptorium/contracts/wire/webhooks';
import { DestinationError, type Dialer, validateHeaders } from '../dialing/dial.ts';
import type { ChangedHeaders } from '../message.ts';
import { parseSecret, SigningError } from '../sign.ts';

/** The faults of event types: unknown types, and patterns that match none. */
export function typeFaults(patterns: readonly string[]): Fault[] {
  return patterns.flatMap((pattern, at) => {
    const detail = patternFault(pattern);
    return detail === null
      ? []
      : [
          {
            pointer: `/event_types/${at}`,
            code: 'unknown_event_type',
            detail,
            allowed: eventTypeNames,
          },
        ];
  });
}

/** The faults of headers: reserved or invalid ones, and hidden values without an existing header. */
export function headerFaults(headers: ChangedHeaders): Fault[] {
  const fault = (header: string, code: string, detail: string): Fault => ({
    pointer: `/headers${header === '' ? '' : `/${escapePointer(header)}`}`,
    code,
    detail,
  });
  const entries = Object.entries(headers);
  const hidden = entries.filter(([, value]) => value === hiddenValue);
  // Kept values were checked when they were set.
  const newValues = entries.map(([name, value]) => [
    name,
    typeof value === 'string' && value !== hiddenValue ? value : '',
  ]);
  return [
    ...validateHeaders(Object.fromEntries(newValues)).map(({ header, code, message }) =>
      fault(header, code, message),
    ),
    ...hidden.map(([name]) => {
      const header = name.slice(0, 64);
      return fault(
        header,
        'header_value_hidden',
        `${hiddenValue} keeps an existing value, but the webhook has no header '${header}'. Send the value itself.`,
      );
    }),
  ];
}

/** The fault of a secret that is invalid, or of a kind that the endpoint does not use. */
export function secretFaults(
  secret: string | undefined,
  signing: readonly SignatureKind[],
): Fault[] {
  if (secret === undefined) return [];
  const fault = (code: string, detail: string): Fault[] => [{ pointer: '/secret', code, detail }];
  try {
    const kind = parseSecret(secret).kind === 'hmac' ? 'v1' : 'v1a';
    if (signing.includes(kind)) return [];
    return fault(
      'secret_not_wanted',
      `The secret makes ${kind} signatures, but \`signing\` is ${signing}.`,
    );
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    return fault(error.code, error.message);
  }
}

/** The faults of a URL. The check may take seconds, so call it outside of transactions. */
export async function urlFaults(dialer: Pick<Dialer, 'check'>, url: string): Promise<Fault[]> {
  try {
    await dialer.check(url);
    return [];
  } catch (error) {
    if (!(error instanceof DestinationError)) throw error;
    return [{ pointer: '/url', code: error.code, detail: error.message }];
  }
}

/**
 * Rejects a body with all its faults.
 * @throws Problem 422
 */
export function rejectFaults(faults: Fault[]): void {
  const [fault] = faults;
  if (fault === undefined) return;
  // If the destination is the only fault, it has its own code, because the caller can fix it.
  if (faults.length === 1 && fault.code === 'destination_not_allowed') {
    throw new Problem('destination_not_allowed', fault.detail, { errors: faults });
  }
  throw validationFailed(faults);
}
