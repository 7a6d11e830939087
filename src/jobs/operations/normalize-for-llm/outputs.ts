import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { sources } from '@scriptorium/contracts/documents/sources';
import type { JobWarning } from '@scriptorium/contracts/jobs';
import type { OperationOptions } from '@scriptorium/contracts/operations';
import type { NormalizationResult } from '@scriptorium/documents';
import type { AttachedFileInfo, OutputOptions } from '@scriptorium/documents/normalize/calls';
import { parseChunks, type StoredChunk } from '../../chunks.ts';
import { callOptionsOf } from '../calls.ts';
import { contentNotReadWarnings } from '../content-not-read.ts';
import { doubtedPages, doubtedTextWarnings } from '../doubted-text.ts';
import type { Assembly, AttachedOutput, StepWork } from '../operation.ts';
import { formatPageList } from '../page-list.ts';
import { splitFile } from '../split-file.ts';

type Work = StepWork<'normalize_for_llm'>;
type Format = OperationOptions<'normalize_for_llm'>['format'][number];

/** The time limit for a document, and the additional time for each of its pages. */
const writeMs = { document: 60_000, page: 500 };
/** The time limit for a file of the maximum size. */
const fileMs = 300_000;

const fileTypes = {
  markdown: { mime: 'text/markdown', suffix: '.md' },
  json: { mime: 'application/json', suffix: '.json' },
  chunks: { mime: 'application/x-ndjson', suffix: '.chunks.jsonl' },
} as const satisfies Record<Format, { mime: string; suffix: string }>;

/** Builds a document from pages, or from a file without pages, and writes it in each format. */
export async function writeOutputs(work: Work): Promise<Assembly> {
  const { options, source } = work;
  const formats = work.makesOutputs ? options.format : [];
  const outputFiles: { kind: Format; path: string }[] = [];
  for (const kind of formats) outputFiles.push({ kind, path: await work.newFile() });
  const pathOf = (format: Format): string | null =>
    outputFiles.find(({ kind }) => kind === format)?.path ?? null;
  const write: OutputOptions = {
    markdown: pathOf('markdown'),
    json: pathOf('json'),
    chunks: pathOf('chunks'),
    chunkTokens: options.chunk_tokens,
    overlapTokens: options.overlap_tokens,
  };
  const attachedFile =
    work.makesOutputs && sources[source.mime].kind === 'mail' ? await work.newFile() : undefined;
  const { sparsePages, attached, attachedLeftOut, unread, ...result } = sources[source.mime].paged
    ? await normalizePaged(work, write)
    : await normalizeWhole(work, write, attachedFile);
  const files =
    attachedFile === undefined ? [] : await splitAttachments(work, attachedFile, attached);
  const chunksFile = pathOf('chunks');
  return {
    ...(chunksFile === null ? {} : { chunks: await readIndexedChunks(chunksFile) }),
    outputs: outputFiles.map((output) => ({ ...output, ...fileTypes[output.kind] })),
    result,
    attachments: files,
    warnings: work.makesOutputs
      ? [
          ...sparseTextWarnings(sparsePages),
          ...leftOutWarnings(attached.length, attachedLeftOut),
          ...contentNotReadWarnings(unread),
          ...doubtedTextWarnings('normalize_for_llm', await doubtedPages(work)),
        ]
      : withheldWarnings,
  };
}

/** The characters of chunks that are searched as passages, as many as of a file's text. */
const maxIndexedCharacters = 4e6;

/** The first chunks of a document, which are searched. */
async function readIndexedChunks(path: string): Promise<StoredChunk[]> {
  const chunks: StoredChunk[] = [];
  let characters = 0;
  for await (const chunk of parseChunks(createReadStream(path, 'utf8'))) {
    characters += chunk.text.length;
    if (characters > maxIndexedCharacters) break;
    chunks.push(chunk);
  }
  return chunks;
}

/**
 * Returns a warning about pages with little of their text. The omitted parts are mostly running
 * headers and footers, and labels in pictures.
 */
function sparseTextWarnings(pages: readonly number[]): JobWarning[] {
  if (pages.length === 0) return [];
  return [
    {
      code: 'text_left_out',
      message: `Less than 90% of the text of page ${formatPageList(pages)} is in the Markdown and the chunks. Running headers and footers and the text in pictures are only in the JSON.`,
    },
  ];
}

function leftOutWarnings(storedCount: number, leftOutCount: number): JobWarning[] {
  if (leftOutCount === 0) return [];
  return [
    {
      code: 'attachments_left_out',
      message: `The first ${storedCount} attachments were stored as objects, and ${leftOutCount} more were not. The Markdown names all of them.`,
    },
  ];
}

const withheldWarnings: JobWarning[] = [
  {
    code: 'outputs_withheld',
    message:
      'The outputs of normalize_for_llm were not stored, because redact_pii follows it. To get redacted text, put normalize_for_llm after redact_pii.',
  },
];

async function normalizePaged(work: Work, write: OutputOptions): Promise<NormalizationResult> {
  const { engines, source, signal } = work;
  const layoutsFile = await work.newFile();
  let pages = 0;
  async function* layouts(): AsyncGenerator<string> {
    for await (const { state, words } of work.pages('normalize_for_llm')) {
      if (state !== 'succeeded' || !words) continue;
      pages += 1;
      yield `${(await promisify(inflate)(words)).toString('utf8')}\n`;
    }
  }
  await pipeline(Readable.from(layouts()), createWriteStream(layoutsFile));
  return engines.normalizePages(
    { layoutsFile, write },
    callOptionsOf(source, writeMs.document + writeMs.page * pages, signal),
  );
}

function normalizeWhole(
  work: Work,
  write: OutputOptions,
  attachedFile: string | undefined,
): Promise<NormalizationResult> {
  const { engines, source, signal } = work;
  const { path, mime, redacted } = source;
  const blackedOut = redacted && work.optionsOf('redact_pii')?.style === 'blackbox';
  const attachments = attachedFile === undefined ? {} : { attachedFile };
  return engines.normalizeFile(
    { path, mime, write, blackedOut, ...attachments },
    callOptionsOf(source, fileMs, signal),
  );
}

/** Splits the file into which a child wrote all attachments. */
async function splitAttachments(
  work: Work,
  path: string,
  attachments: readonly AttachedFileInfo[],
): Promise<AttachedOutput[]> {
  const sizes = attachments.map(({ bytes }) => bytes);
  const paths = await splitFile(work, path, sizes);
  return attachments.map(({ filename, mime }, at) => {
    return { path: paths[at]!, filename, declaredMime: mime };
  });
}
