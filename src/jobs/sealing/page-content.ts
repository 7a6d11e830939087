import type { OpenSealed, SealedContext, SealText } from '@scriptorium/contracts/documents/sealed';
import type { OperationName } from '@scriptorium/contracts/operations';

/** Seals texts under SECRET_KEY and opens them. Created by the entry file. */
export interface PageSeal {
  seal: SealText;
  unseal: OpenSealed;
}

/**
 * The context in which a page is sealed. It contains the source, not the job, since a retry takes
 * over pages.
 */
export interface PageContext {
  projectId: string;
  sourceObjectId: string;
  op: OperationName;
  page: number;
}

/** The content of a page: text for readers and for search, and data for later steps. */
export interface PageContent {
  text: string | null;
  words: Buffer | null;
}

/** Page content as stored. If `sealed`, `words` contains all sealed content. */
export interface StoredContent extends PageContent {
  sealed: boolean;
}

/** Selects the part of a page's content to seal. */
export type Secrecy = 'none' | 'words' | 'all';

/**
 * Which parts of the operations' pages are sealed. The words of `redact_pii` are the values it
 * found. Operations before it are run only for the redaction: all of their content is sealed and
 * not searched.
 */
export function secrecyOf(operations: readonly { op: OperationName }[], index: number): Secrecy {
  const redactAt = operations.findIndex(({ op }) => op === 'redact_pii');
  if (redactAt < index) return 'none';
  return redactAt === index ? 'words' : 'all';
}

/** Seals a page's content for storing. */
export function sealPage(
  { seal }: Pick<PageSeal, 'seal'>,
  context: PageContext,
  content: PageContent,
  secrecy: Secrecy,
): StoredContent {
  if (secrecy === 'none') return { ...content, sealed: false };
  const text = secrecy === 'all' ? content.text : null;
  const sealedContent = JSON.stringify({ text, words: content.words?.toString('base64') ?? null });
  return {
    text: secrecy === 'all' ? null : content.text,
    words: Buffer.from(seal(sealedContent, sealContextOf(context))),
    sealed: true,
  };
}

/** Opens a stored page's content. It is empty when the results have expired. */
export function openPage(
  { unseal }: Pick<PageSeal, 'unseal'>,
  context: PageContext,
  stored: StoredContent,
): PageContent {
  if (!stored.sealed || stored.words === null) return { text: stored.text, words: stored.words };
  // GCM authenticates that `sealPage` sealed it.
  const openedContent = JSON.parse(
    unseal(stored.words.toString('latin1'), sealContextOf(context)),
  ) as {
    text: string | null;
    words: string | null;
  };
  return {
    text: openedContent.text ?? stored.text,
    words: openedContent.words === null ? null : Buffer.from(openedContent.words, 'base64'),
  };
}

function sealContextOf({ projectId, sourceObjectId, op, page }: PageContext): SealedContext {
  return ['job_page', projectId, sourceObjectId, op, page];
}
