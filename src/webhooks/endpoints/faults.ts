import { eventTypeNames } from '../../contracts/events.ts';
import { patternFault } from '../../contracts/patterns.ts';
import { type Fault, invalid, Problem } from '../../contracts/problems.ts';
import { DestinationError, type Dialer, validateHeaders } from '../dialing/dial.ts';
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

/** Headers that are ours, or that HTTP does not have. */
export function headerFaults(headers: Record<string, string>): Fault[] {
  return validateHeaders(headers).map(({ header, code, message }) => ({
    pointer: `/headers${header === '' ? '' : `/${header.replaceAll('~', '~0').replaceAll('/', '~1')}`}`,
    code,
    detail: message,
  }));
}

/** A secret that cannot be signed with. */
export function secretFaults(secret: string): Fault[] {
  try {
    if (parseSecret(secret).kind === 'hmac') return [];
    return [
      {
        pointer: '/secret',
        code: 'secret_prefix_unknown',
        detail: 'The secret must start with whsec_.',
      },
    ];
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    return [{ pointer: '/secret', code: error.code, detail: error.message }];
  }
}

/** Asks the dialer about a URL, and throws all faults of the body together. */
export async function checkUrl(
  dialer: Pick<Dialer, 'check'>,
  url: string,
  faults: Fault[],
): Promise<void> {
  let refused: DestinationError | undefined;
  try {
    await dialer.check(url);
  } catch (error) {
    if (!(error instanceof DestinationError)) throw error;
    refused = error;
    faults.push({ pointer: '/url', code: error.code, detail: error.message });
  }
  if (faults.length === 0) return;
  // Alone, a forbidden destination has a code of its own: there is one thing to do about it.
  if (faults.length === 1 && refused?.code === 'destination_not_allowed') {
    throw new Problem('destination_not_allowed', refused.message, { errors: faults });
  }
  throw invalid(faults);
}
