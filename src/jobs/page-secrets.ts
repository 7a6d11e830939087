import type { OperationName } from '../contracts/operations.ts';
import type { OpenSealed, SealedPlace, SealText } from '../contracts/sealed.ts';

/** Seals texts under SECRET_KEY and opens them; what keeps it is made by the entry file. */
export interface PageSeal {
  seal: SealText;
  unseal: OpenSealed;
}

/** A page of an operation. A retry takes over pages of another job, on the same source. */
export interface PagePlace {
  projectId: string;
  sourceObjectId: string;
  op: OperationName;
  page: number;
}

/** What a page left: text for people and for the search, and the bytes its operation goes on with. */
export interface PageContent {
  text: string | null;
  words: Buffer | null;
}

/** The same as it is stored: `words` holds all that is sealed where `sealed` says so. */
export interface StoredContent extends PageContent {
  sealed: boolean;
}

/** What of a page's content is kept from whoever reads the database. */
export type Secrecy = 'none' | 'words' | 'all';

/**
 * What is sealed of an operation's pages. The words of `redact_pii` are the values it found; what
 * comes before it in a job was read only to be redacted, and is not searched either.
 */
export function secrecyOf(operations: readonly { op: OperationName }[], index: number): Secrecy {
  const redactAt = operations.findIndex(({ op }) => op === 'redact_pii');
  if (redactAt < index) return 'none';
  return redactAt === index ? 'words' : 'all';
}

/** A page's content as it is to be stored. */
export function sealPage(
  { seal }: Pick<PageSeal, 'seal'>,
  place: PagePlace,
  content: PageContent,
  secrecy: Secrecy,
): StoredContent {
  if (secrecy === 'none') return { ...content, sealed: false };
  const text = secrecy === 'all' ? content.text : null;
  const hidden = JSON.stringify({ text, words: content.words?.toString('base64') ?? null });
  return {
    text: secrecy === 'all' ? null : content.text,
    words: Buffer.from(seal(hidden, sealedPlace(place))),
    sealed: true,
  };
}

/** A stored page's content as it was. Of one whose results have expired nothing is left. */
export function openPage(
  { unseal }: Pick<PageSeal, 'unseal'>,
  place: PagePlace,
  stored: StoredContent,
): PageContent {
  if (!stored.sealed || stored.words === null) return { text: stored.text, words: stored.words };
  // What GCM opened is what `sealPage` sealed.
  const hidden = JSON.parse(unseal(stored.words.toString('latin1'), sealedPlace(place))) as {
    text: string | null;
    words: string | null;
  };
  return {
    text: hidden.text ?? stored.text,
    words: hidden.words === null ? null : Buffer.from(hidden.words, 'base64'),
  };
}

function sealedPlace({ projectId, sourceObjectId, op, page }: PagePlace): SealedPlace {
  return ['job_page', projectId, sourceObjectId, op, page];
}
