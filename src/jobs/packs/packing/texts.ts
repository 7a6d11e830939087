import { limits } from '@scriptorium/contracts/limits';
import { pluralise } from '@scriptorium/contracts/pluralise';
import type { Pack } from '../../../entities/packs/pack.ts';
import { type NamedDocument, stemOf } from './contents.ts';

/** The version of the archive's format. */
const formatVersion = 1;

/** Explains the archive to a person and to a model. */
export function renderReadme({ name, options }: Pack): string {
  const has = (what: (typeof options.include)[number]) => options.include.includes(what);
  const files = [
    '- `manifest.json`: each document with its file name, hash, pages, tokens and files, and the documents that were left out, with the reason',
    '- `llms.txt`: the documents with links, for models',
    ...(has('markdown') ? ['- `documents/`: the text of each document as Markdown'] : []),
    ...(has('chunks') ? ['- `chunks.jsonl`: the chunks of all documents, one per line'] : []),
    ...(has('blocks')
      ? ['- `blocks/`: the blocks of each document with page and box, as JSON']
      : []),
    ...(has('pages') ? ['- `pages/`: a picture of each page'] : []),
  ];
  const redacted =
    options.redact === null
      ? ''
      : `\nPersonal data was removed with the profile \`${options.redact}\`. Marks such as \`[PERSON]\` are in its place; do not guess what they hide.\n`;
  return `# ${name.replace(/\s+/g, ' ')}

${files.join('\n')}
${redacted}
## How to cite

Each line of \`chunks.jsonl\` has:

- \`id\`: cite this in answers, in square brackets: \`[chk_0123456789abcdef01234567_4]\`
- \`document\`, \`filename\`, \`sha256\`: the document
- \`headings\`: the headings above the text
- \`pages\`: the first and the last page
- \`boxes\`: where the text is: left, top, right, bottom in points from the top left corner of the page
- \`text\`, \`tokens\`: the text in Markdown, and its length
- \`previous\`, \`next\`: the chunks before and after it

Rules for answers:

1. Every statement from the documents ends with the \`id\` of the chunk that says so.
2. Quote text as it is in the chunk.
3. If no chunk answers the question, say so.

\`GET /v1/documents/citations/{id}\` of the service returns the object, pages, boxes and text of a chunk, and the URLs of pictures of its pages with the boxes marked. An \`id\` stays the same while the document and the options do.
`;
}

/** A list of the documents for models (llmstxt.org). */
export function renderLlmsTxt(
  { name, options }: Pack,
  documents: readonly NamedDocument[],
): string {
  const hasFiles = options.include.includes('markdown');
  const lines = documents.map((document) => {
    const { name: filename, pages, tokens } = document;
    const title = (filename ?? stemOf(document)).replace(/[[\]\\]/g, '\\$&');
    const facts = `${pluralise(pages ?? 1, 'page')}, ${pluralise(tokens ?? 0, 'token')}`;
    return hasFiles
      ? `- [${title}](documents/${stemOf(document)}.md): ${facts}`
      : `- ${title}: ${facts}`;
  });
  return `# ${name.replace(/\s+/g, ' ')}

> ${pluralise(documents.length, 'document')}. README.md explains the files and how to cite them.

## Documents

${lines.join('\n')}
`;
}

/** The pages that are in the archive as pictures, by the position of their document. */
export type DrawnPages = ReadonlyMap<number, readonly number[]>;

/** The manifest: everything that is in the archive, and what was left out. */
export function renderManifest(
  { name, options }: Pack,
  all: readonly NamedDocument[],
  drawn: DrawnPages,
): string {
  const { on_error: _onError, review: _review, ...settings } = options;
  const documents = all.map((document) => {
    const { position, objectId, sha256, mime, pages, labels, chunks, tokens } = document;
    const identity = { position, object_id: objectId, filename: document.name, sha256, mime };
    if (document.state !== 'succeeded') {
      const { code, message } = document.error ?? { code: 'not_processed', message: '' };
      return { ...identity, state: document.state, error: { code, message } };
    }
    return {
      ...identity,
      state: document.state,
      pages,
      labels,
      chunks,
      tokens,
      redaction:
        options.redact === null
          ? null
          : {
              profile: options.redact,
              verified: document.verified === true,
              reviewed: document.reviewed === true,
            },
      incomplete: document.error && { code: document.error.code, message: document.error.message },
      files: filesOf(options, document, drawn),
    };
  });
  const included = all.filter(({ state }) => state === 'succeeded');
  const sum = (of: (document: NamedDocument) => number | null) =>
    included.reduce((total, document) => total + (of(document) ?? 0), 0);
  const totals = {
    documents: included.length,
    left_out: all.length - included.length,
    pages: sum(({ pages }) => pages),
    chunks: sum(({ chunks }) => chunks),
    tokens: sum(({ tokens }) => tokens),
  };
  const content = { format: 'scriptorium-pack', version: formatVersion, name, options: settings };
  return `${JSON.stringify({ ...content, totals, documents }, null, 1)}\n`;
}

function filesOf(
  { include }: Pack['options'],
  document: NamedDocument,
  drawn: DrawnPages,
): Record<string, string | string[]> {
  const stem = stemOf(document);
  return {
    ...(include.includes('markdown') ? { markdown: `documents/${stem}.md` } : {}),
    ...(include.includes('blocks') ? { blocks: `blocks/${stem}.json` } : {}),
    ...(include.includes('pages')
      ? { pages: (drawn.get(document.position) ?? []).map((page) => pageName(document, page)) }
      : {}),
  };
}

/** The name of a page's picture in the archive. */
export function pageName(document: NamedDocument, page: number): string {
  const digits = String(limits.document_pages).length;
  return `pages/${stemOf(document)}/${String(page).padStart(digits, '0')}.webp`;
}
