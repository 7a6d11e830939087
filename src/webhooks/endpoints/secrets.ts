import type { SealText } from '@scriptorium/contracts/documents/sealed';
import { type SignatureKind, signatureKinds } from '@scriptorium/contracts/wire/webhooks';
import { prepared, type Tx } from '../../db/transaction.ts';
import type { SealedSecret } from '../../entities/webhooks/webhook-endpoint.ts';
import { endOf, liveSecrets } from '../message.ts';
import { newKeyPair, newSecret, parseSecret } from '../sign.ts';

/** Seals values that must not be readable in the database. */
export interface Sealing {
  seal: { seal: SealText };
}

/** Maximum number of secrets of each kind; the newest are kept. */
const maxPerKind = 10;

/** New secrets; `shown` is the HMAC secret, which is returned only once. */
interface Made {
  secrets: SealedSecret[];
  shown: string | null;
}

/**
 * Creates a secret for each kind of signature.
 * @param own a secret that the caller provides, already validated
 */
export function makeSecrets(
  { seal }: Sealing,
  endpointId: string,
  kinds: readonly SignatureKind[],
  own: string | undefined,
): Made {
  const given = own === undefined ? null : { text: own, key: parseSecret(own) };
  const place = ['webhook_secret', endpointId] as const;
  const made: Made = { secrets: [], shown: null };
  for (const kind of sortKinds(kinds)) {
    if (kind === 'v1') {
      made.shown = given?.key.kind === 'hmac' ? given.text : newSecret();
      made.secrets.push({ cipher: seal.seal(made.shown, place), expires_at: null });
    } else {
      const pair =
        given?.key.kind === 'ed25519'
          ? { privateKey: given.text, publicKey: given.key.publicKey }
          : newKeyPair();
      made.secrets.push({
        cipher: seal.seal(pair.privateKey, place),
        expires_at: null,
        public_key: pair.publicKey,
      });
    }
  }
  return made;
}

/**
 * The secrets after a rotation: the new ones first, the former ones until the overlap ends or they
 * expire, whichever is earlier. At most ten of each kind are kept, the newest.
 * @param now the database's time, in ms since 1970
 */
export function rotateSecrets(
  present: readonly SealedSecret[],
  fresh: readonly SealedSecret[],
  { now, overlapSeconds }: { now: number; overlapSeconds: number },
): SealedSecret[] {
  const end = now + overlapSeconds * 1_000;
  const older = liveSecrets(present, now).map((secret) => ({
    ...secret,
    expires_at: new Date(Math.min(end, endOf(secret))).toISOString(),
  }));
  const all = [...fresh, ...(overlapSeconds > 0 ? older : [])];
  return signatureKinds.flatMap((kind) =>
    all.filter((secret) => kindOf(secret) === kind).slice(0, maxPerKind),
  );
}

/**
 * The secrets for the kinds of signature an endpoint uses: existing ones, and new ones for the
 * others.
 */
export function fitSecrets(
  sealing: Sealing,
  endpointId: string,
  present: readonly SealedSecret[],
  kinds: readonly SignatureKind[],
): SealedSecret[] {
  const wanted = present.filter((secret) => kinds.includes(kindOf(secret)));
  const missing = kinds.filter((kind) => !wanted.some((secret) => kindOf(secret) === kind));
  const { secrets } = makeSecrets(sealing, endpointId, missing, undefined);
  return signatureKinds.flatMap((kind) =>
    [...secrets, ...wanted].filter((secret) => kindOf(secret) === kind),
  );
}

/** The public keys that currently verify v1a signatures. */
export function publicKeysOf(secrets: readonly SealedSecret[], now: number): string[] {
  return liveSecrets(secrets, now).flatMap(({ public_key: key }) =>
    key === undefined ? [] : [key],
  );
}

/** Kinds of signature in their fixed order. */
export function sortKinds(kinds: readonly SignatureKind[]): SignatureKind[] {
  return signatureKinds.filter((kind) => kinds.includes(kind));
}

/** The database's time, in ms since 1970: secrets expire by this clock only. */
export async function databaseNow(tx: Tx): Promise<number> {
  const [row] = await prepared<{ now: Date }>(tx, 'SELECT now()', []);
  return row!.now.getTime();
}

function kindOf(secret: SealedSecret): SignatureKind {
  return secret.public_key === undefined ? 'v1' : 'v1a';
}
