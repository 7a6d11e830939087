import { embeddedExtensions, embeddedTypeOf } from '../embedded/files.ts';
import { noneProven, type RedactableKind, type Texts } from '../kind.ts';
import { readMailStreams } from './mail.ts';
import { readOutput } from './output.ts';
import { kindOfMime } from './part-kinds.ts';

const isEmbedded = (mime: string): boolean => Object.hasOwn(embeddedExtensions, mime);

/** Returns the fields and the texts of all parts. */
function textsOf(bytes: Uint8Array): Texts {
  const { fields, contents } = readOutput(bytes);
  const texts: Texts = { shown: [fields.join('\n')], hidden: [] };
  for (const content of contents) {
    // Other files than those that were proved are not allowed.
    if (content.bytes.length === 0 || isEmbedded(content.mime)) continue;
    const { shown, hidden } = kindOfMime(content.mime).textsOf(content.bytes);
    texts.shown.push(...shown);
    texts.hidden.push(...hidden);
  }
  return texts;
}

function disallowedIn(bytes: Uint8Array, isProven = noneProven): string[] {
  const { contents, unexpected } = readOutput(bytes);
  const inContents = contents.flatMap((content) => {
    if (isEmbedded(content.mime)) {
      const isAllowed = embeddedTypeOf(content.bytes) === content.mime && isProven(content.bytes);
      return isAllowed ? [] : ['a picture or PDF file'];
    }
    if (content.bytes.length === 0) return [];
    return kindOfMime(content.mime).disallowedIn(content.bytes, isProven);
  });
  return [...new Set([...unexpected, ...inContents])];
}

export const mailKind: RedactableKind = { read: readMailStreams, textsOf, disallowedIn };
