import type { EmbeddedFiles } from '../embedded/files.ts';
import { dataTarget, dataUrlOf } from './data-url.ts';

/** The targets in a chapter of a book, whose other files get new names or are dropped. */
export interface BookTargets {
  /** The target of pictures that are left out. */
  placeholder: string;
  /** Returns the new target of a picture; null if it is left out. */
  pictureOf(target: string): string | null;
  /** Returns the new target of a link. */
  rename(target: string): string;
}

/** Returns the new target of a picture that the output contains; null for other pictures. */
export function writtenTarget(
  target: string,
  { book, embedded }: { book: BookTargets | null; embedded: EmbeddedFiles },
): string | null {
  if (book) return book.pictureOf(target);
  const id = /^\s*cid:(.*)$/is.exec(target)?.[1];
  const newId = id === undefined ? undefined : embedded.idOfPart?.(id.trim());
  if (newId !== undefined) return `cid:${newId}`;
  const bytes = dataTarget(target);
  const proven = bytes && embedded.provenOf(bytes, 'picture');
  return proven ? dataUrlOf(proven) : null;
}

/** Whether a target is a picture inside the file or its message. */
export const isWritten = (target: string): boolean => /^\s*(?:data:image\/|cid:)/i.test(target);
