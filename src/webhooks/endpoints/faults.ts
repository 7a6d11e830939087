import { eventTypeNames } from '../../contracts/events.ts';
import { hiddenValue } from '../../contracts/hidden-value.ts';
import { patternFault } from '../../contracts/patterns.ts';
import { escapePointer, type Fault, invalid, Problem } from '../../contracts/problems.ts';
import type { SignatureKind } from '../../contracts/wire/webhooks.ts';
import { DestinationError, type Dialer, validateHeaders } from '../dialing/dial.ts';
import type { ChangedHeaders } from '../headers.ts';
import { parseSecret, SigningError } from '../sign.ts';

/** Types that are none, or that wildcards do not reach. */
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

/** Headers that are ours, that HTTP does not have, or that have no value to be kept. */
export function headerFaults(headers: ChangedHeaders): Fault[] {
  const fault = (header: string, code: string, detail: string): Fault => ({
    pointer: `/headers${header === '' ? '' : `/${escapePointer(header)}`}`,
    code,
    detail,
  });
  const entries = Object.entries(headers);
  const hidden = entries.filter(([, value]) => value === hiddenValue);
  // What is kept was looked at when it was given.
  const given = entries.map(([name, value]) => [
    name,
    typeof value === 'string' && value !== hiddenValue ? value : '',
  ]);
  return [
    ...validateHeaders(Object.fromEntries(given)).map(({ header, code, message }) =>
      fault(header, code, message),
    ),
    ...hidden.map(([name]) => {
      const header = name.slice(0, 64);
      return fault(
        header,
        'header_value_hidden',
        `${hiddenValue} stands for a value that is kept and not shown, and there is none of ${header}; send the value itself.`,
      );
    }),
  ];
}

/** A secret that cannot be signed with, or is of a kind that the endpoint does not get. */
export function secretFaults(
  secret: string | undefined,
  signing: readonly SignatureKind[],
): Fault[] {
  if (secret === undefined) return [];
  const fault = (code: string, detail: string): Fault[] => [{ pointer: '/secret', code, detail }];
  try {
    const kind = parseSecret(secret).kind === 'hmac' ? 'v1' : 'v1a';
    if (signing.includes(kind)) return [];
    return fault('secret_not_wanted', `It makes ${kind} signatures; signing asks for ${signing}.`);
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    return fault(error.code, error.message);
  }
}

/** What the dialer has against a URL; it may take seconds, so no transaction is to be open. */
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
 * Refuses a body for its faults, all at once; one without any passes.
 * @throws Problem 422
 */
export function refuse(faults: Fault[]): void {
  const [fault] = faults;
  if (fault === undefined) return;
  // Alone, a forbidden destination has a code of its own: there is one thing to do about it.
  if (faults.length === 1 && fault.code === 'destination_not_allowed') {
    throw new Problem('destination_not_allowed', fault.detail, { errors: faults });
  }
  throw invalid(faults);
}
