import type { RedactableKind, Texts } from '../kind.ts';
import { readMailStreams } from './mail.ts';
import { readOutput } from './output.ts';
import { kindOfMime } from './part-kinds.ts';

/** Returns the fields and the texts of all parts. */
function textsOf(bytes: Uint8Array): Texts {
  const { fields, contents } = readOutput(bytes);
  const texts: Texts = { shown: [fields.join('\n')], hidden: [] };
  for (const content of contents) {
    if (content.bytes.length === 0) continue;
    const { shown, hidden } = kindOfMime(content.mime).textsOf(content.bytes);
    texts.shown.push(...shown);
    texts.hidden.push(...hidden);
  }
  return texts;
}

function disallowedIn(bytes: Uint8Array): string[] {
  const { contents, unexpected } = readOutput(bytes);
  const inContents = contents.flatMap((content) =>
    content.bytes.length === 0 ? [] : kindOfMime(content.mime).disallowedIn(content.bytes),
  );
  return [...new Set([...unexpected, ...inContents])];
}

export const mailKind: RedactableKind = { read: readMailStreams, textsOf, disallowedIn };
