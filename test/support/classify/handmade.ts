import { readFileSync } from 'node:fs';

/** Documents written by hand, each after a line `=== label`; the classifier is not trained on them. */
export function handwrittenDocuments(): { label: string; text: string }[] {
  const file = readFileSync(new URL('./handmade.txt', import.meta.url), 'utf8');
  return file
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      return { label: part.slice(0, end), text: part.slice(end + 1) };
    });
}
