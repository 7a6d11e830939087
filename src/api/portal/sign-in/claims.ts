import { plainName } from '@scriptorium/contracts/helpers/plain-text';
import type { ProviderProfile } from '../../../access/people/sign-in.ts';
import { textFault } from '../../requests/json.ts';
import { signInFailed } from './sign-in-failed.ts';

/** The claims of an identity provider about a person. */
export type Claims = { iss: string; sub: string; iat: number } & Record<string, unknown>;

/** How far the provider's clock may be ahead. */
const maxClockAheadSeconds = 300;
/** OpenID Connect Core 1.0 §2 limits `sub` to 255 characters. */
const maxSubjectLength = 255;

/**
 * The person that claims describe.
 * @param now in milliseconds since 1970
 * @throws Problem 403 if they identify no one, or were issued in the future
 */
export function personOf(
  { roleClaim }: { roleClaim: string | null },
  claims: Claims,
  now: number,
): ProviderProfile {
  const { iss: issuer, sub: subject, iat, email, email_verified: isVerified } = claims;
  if (subject.trim() === '' || subject.length > maxSubjectLength || textFault(subject)) {
    throw signInFailed('The identity provider did not send a valid identifier for the person.');
  }
  if (iat > now / 1_000 + maxClockAheadSeconds) {
    throw signInFailed(
      'The clock of the identity provider is ahead: its token was issued in the future.',
    );
  }
  const groups = roleClaim === null ? [] : [claims[roleClaim]].flat();
  const isAddress = typeof email === 'string' && isVerified !== false && plainName(email) === email;
  return {
    issuer,
    subject,
    name: readName(claims),
    email: isAddress ? email.slice(0, 320) : null,
    groups: groups.filter(
      (one): one is string => typeof one === 'string' && textFault(one) === null,
    ),
  };
}

/**
 * Returns a name that is not an e-mail address: events store names, but must not store addresses.
 */
function readName(claims: Claims): string {
  const {
    name,
    given_name: given,
    family_name: family,
    nickname,
    preferred_username: user,
  } = claims;
  const fullName = [given, family].filter((one) => typeof one === 'string').join(' ');
  const names = [name, fullName, nickname, user].filter((one) => typeof one === 'string');
  // Also cleaned after truncation, which may split a surrogate pair.
  const cleanNames = names.map((one) => plainName(plainName(one.slice(0, 1_000)).slice(0, 200)));
  return cleanNames.find((one) => one !== '' && !one.includes('@')) ?? 'Unnamed person';
}

/**
 * Requires that the provider has web pages to which browsers can be redirected.
 * @throws Problem 403
 */
export function requireWebPages(
  issuer: string,
  { authorization_endpoint: signIn, end_session_endpoint: signOut }: ProviderPages,
): void {
  const protocols = issuer.startsWith('http:') ? ['http:', 'https:'] : ['https:'];
  const isPage = (url: string): boolean =>
    URL.canParse(url) && protocols.includes(new URL(url).protocol);
  if (signIn !== undefined && isPage(signIn) && (signOut === undefined || isPage(signOut))) return;
  throw signInFailed('The identity provider has no valid sign-in or sign-out page.');
}

interface ProviderPages {
  authorization_endpoint?: string | undefined;
  end_session_endpoint?: string | undefined;
}
