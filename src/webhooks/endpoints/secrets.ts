import type { SealText } from '@scriptorium/contracts/documents/sealed';
import { type SignatureKind, signatureKinds } from '@scriptorium/contracts/wire/webhooks';
import { prepared, type Tx } from '../../db/transaction.ts';
import type { SealedSecret } from '../../entities/webhooks/webhook-endpoint.ts';
import { expiryMs, liveSecrets } from '../message.ts';
import { newKeyPair, newSecret, parseSecret } from '../sign.ts';

/** Seals values that must not be readable in the database. */
export interface Sealing {
  seal: { seal: SealText };
}

/** Maximum number of secrets of each kind; the newest are kept. */
const maxPerKind = 10;

/** New secrets. The HMAC secret is returned to the client only once. */
interface NewSecrets {
  secrets: SealedSecret[];
  shown: string | null;
}

/**
 * Creates a secret for each kind of signature.
 * @param provided a secret from the client, already validated
 */
export function makeSecrets(
  { seal }: Sealing,
  endpointId: string,
  kinds: readonly SignatureKind[],
  provided: string | undefined,
): NewSecrets {
  const parsed = provided === undefined ? null : { text: provided, key: parseSecret(provided) };
  const context = ['webhook_secret', endpointId] as const;
  const created: NewSecrets = { secrets: [], shown: null };
  for (const kind of sortKinds(kinds)) {
    if (kind === 'v1') {
      created.shown = parsed?.key.kind === 'hmac' ? parsed.text : newSecret();
      created.secrets.push({ cipher: seal.seal(created.shown, context), expires_at: null });
    } else {
      const pair =
        parsed?.key.kind === 'ed25519'
          ? { privateKey: parsed.text, publicKey: parsed.key.publicKey }
          : newKeyPair();
      created.secrets.push({
        cipher: seal.seal(pair.privateKey, context),
        expires_at: null,
        public_key: pair.publicKey,
      });
    }
  }
  return created;
}

/**
 * The secrets after a rotation: the new ones first, the former ones until the overlap ends or they
 * expire, whichever is earlier. At most ten of each kind are kept, the newest.
 * @param now the database's time, in ms since 1970
 */
export function rotateSecrets(
  current: readonly SealedSecret[],
  added: readonly SealedSecret[],
  { now, overlapSeconds }: { now: number; overlapSeconds: number },
): SealedSecret[] {
  const end = now + overlapSeconds * 1_000;
  const former = liveSecrets(current, now).map((secret) => ({
    ...secret,
    expires_at: new Date(Math.min(end, expiryMs(secret))).toISOString(),
  }));
  const all = [...added, ...(overlapSeconds > 0 ? former : [])];
  return signatureKinds.flatMap((kind) =>
    all.filter((secret) => kindOf(secret) === kind).slice(0, maxPerKind),
  );
}

/**
 * The secrets for the kinds of signature an endpoint uses: existing ones, and new ones for the
 * others.
 */
export function secretsForKinds(
  sealing: Sealing,
  endpointId: string,
  current: readonly SealedSecret[],
  kinds: readonly SignatureKind[],
): SealedSecret[] {
  const retained = current.filter((secret) => kinds.includes(kindOf(secret)));
  const missing = kinds.filter((kind) => !retained.some((secret) => kindOf(secret) === kind));
  const { secrets } = makeSecrets(sealing, endpointId, missing, undefined);
  return signatureKinds.flatMap((kind) =>
    [...secrets, ...retained].filter((secret) => kindOf(secret) === kind),
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
export async function readDatabaseTime(tx: Tx): Promise<number> {
  const [row] = await prepared<{ now: Date }>(tx, 'SELECT now()', []);
  return row!.now.getTime();
}

function kindOf(secret: SealedSecret): SignatureKind {
  return secret.public_key === undefined ? 'v1' : 'v1a';
}
