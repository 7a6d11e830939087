import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '@scriptorium/contracts/ids';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import type { Database } from '../../../../src/db/database.ts';
import { inProject, query } from '../../../../src/db/transaction.ts';
import type { Storage } from '../../../../src/storage/storage.ts';
import { type StoredFile, storeFile } from './pictures.ts';
import { createRandom, periodEnd, periodMs, type SeededLibrary, zipf } from './seed.ts';

/** A stored document that many objects share. */
interface StoredDocument extends StoredFile {
  mime: string;
  extension: string;
  pages: number | null;
}

const text = 'The quarterly report of the harbour office.\n'.repeat(20);
const texts: readonly [mime: string, extension: string, content: string][] = [
  ['text/plain', 'txt', text],
  ['text/markdown', 'md', `# Report\n\n${text}`],
  ['text/csv', 'csv', 'quay,ships\n1,20\n2,31\n'],
  ['application/rtf', 'rtf', `{\\rtf1 ${text}}`],
];

/** Stores a few PDFs and text files. */
export async function makeDocuments(
  storage: Storage,
  projectId: string,
  folder: string,
): Promise<StoredDocument[]> {
  const documents: StoredDocument[] = [];
  const store = async (
    document: Omit<StoredDocument, 'sha256' | 'bytes'>,
    content: string | Uint8Array,
  ): Promise<void> => {
    const path = join(folder, `document-${documents.length}.${document.extension}`);
    await writeFile(path, content);
    documents.push({ ...document, ...(await storeFile(storage, projectId, path)) });
  };
  for (let pages = 1; pages <= 8; pages++) {
    const pdf = await PDFDocument.create({ updateMetadata: false });
    const font = await pdf.embedFont(StandardFonts.Helvetica);
    for (let page = 1; page <= pages; page++) {
      const content = `Page ${page} of ${pages}\n\n${text}`;
      pdf.addPage([595, 842]).drawText(content, { x: 60, y: 760, size: 11, font });
    }
    await store({ mime: 'application/pdf', extension: 'pdf', pages }, await pdf.save());
  }
  for (const [mime, extension, content] of texts) {
    await store({ mime, extension, pages: null }, content);
  }
  return documents;
}

/** The outputs of jobs: each kind, with its type. */
const outputKinds = [
  ['searchable_pdf', 'application/pdf'],
  ['redacted_pdf', 'application/pdf'],
  ['markdown', 'text/markdown'],
] as const;

/** The words of a page, and the most pages of a document that has text. */
const wordsOfPage = 120;
const maxPagesWithText = 6;

/**
 * Fills a project with documents over the same three years as its images: three in four are PDFs, one
 * in twenty is an Office file. Of every hundred, forty-five are outputs of jobs, derived from earlier PDFs.
 * @param options.withText adds the text of pages, as a worker reads it from files
 */
export async function seedDocuments(
  database: Database,
  { projectId, words, tags }: Pick<SeededLibrary, 'projectId' | 'words' | 'tags'>,
  count: number,
  files: readonly StoredDocument[],
  { withText = false } = {},
): Promise<void> {
  const random = createRandom(11);
  const [word, tag] = [zipf(words, random), zipf(tags, random)];
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const pickFile = (...mimes: string[]): StoredDocument =>
    pick(files.filter(({ mime }) => mimes.includes(mime)));
  const wordOfText = zipf(words, createRandom(13));
  const pagesRandom = createRandom(17);
  const textOfPages = (): string[] =>
    Array.from({ length: 1 + Math.floor(maxPagesWithText * pagesRandom() ** 2) }, () =>
      Array.from({ length: wordsOfPage }, wordOfText).join(' '),
    );
  const pdfs: string[] = [];
  for (let done = 0; done < count; ) {
    const rows = [];
    for (let at = 0; at < 2_000 && done < count; at++, done++) {
      const id = newId('object');
      const isOutput = pdfs.length > 0 && random() < 0.45;
      const [kind, type] = isOutput ? pick(outputKinds) : [null, null];
      const share = random();
      const file = type
        ? pickFile(type)
        : share < 0.75
          ? pickFile('application/pdf')
          : share < 0.95
            ? pickFile('text/plain', 'text/markdown', 'text/csv')
            : pickFile('application/rtf');
      const created = new Date(
        periodEnd - periodMs + (periodMs * (done + random())) / count,
      ).toISOString();
      rows.push({
        id,
        ...file,
        kind,
        state: random() < 0.02 ? 'trashed' : 'available',
        filename: `${word()} ${word()} ${1000 + done}.${file.extension}`,
        tags:
          random() < 0.3
            ? []
            : [...new Set(Array.from({ length: 1 + Math.floor(random() * 4) }, tag))],
        derived_from: isOutput ? pick(pdfs) : null,
        job_id: isOutput ? newId('job') : null,
        created_at: created,
      });
      if (!isOutput && file.mime === 'application/pdf') pdfs.push(id);
    }
    await insertDocuments(database, projectId, rows);
    if (withText) await insertTexts(database, projectId, rows, textOfPages);
  }
}

/** Stores the text of each document in one statement. */
async function insertTexts(
  database: Database,
  projectId: string,
  documents: readonly { id: string }[],
  textOfPages: () => string[],
): Promise<void> {
  const rows = documents.map(({ id }) => ({ id, texts: textOfPages() }));
  await inProject(database, projectId, (tx) =>
    query(
      tx,
      `SELECT keep_own_text($1, r.id, ARRAY(SELECT generate_series(1, cardinality(r.texts))), r.texts)
       FROM jsonb_to_recordset($2) AS r (id text, texts text[])`,
      [projectId, JSON.stringify(rows)],
    ),
  );
}

async function insertDocuments(
  database: Database,
  projectId: string,
  rows: readonly object[],
): Promise<void> {
  const rowsSql = `jsonb_to_recordset($2) AS r (id text, state text, filename text, mime text, bytes bigint,
    sha256 text, pages integer, tags text[], derived_from text, job_id text, kind text,
    created_at timestamptz)`;
  await inProject(database, projectId, async (tx) => {
    for (const statement of [
      `INSERT INTO job (id, project_id, state, source_object_id, origin, created_at)
       SELECT r.job_id, $1, 'succeeded', r.derived_from, '{}', r.created_at FROM ${rowsSql}
       WHERE r.job_id IS NOT NULL`,
      `INSERT INTO job_operation (project_id, job_id, index, op, options, state)
       SELECT $1, r.job_id, 0, 'ocr', '{}', 'succeeded' FROM ${rowsSql} WHERE r.job_id IS NOT NULL`,
      `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, pages, tags,
         derived_from, source_kind, source_job_id, trashed_at, created_at, updated_at)
       SELECT r.id, $1, r.state, r.filename, r.mime, r.bytes, r.sha256, r.pages, r.tags,
         r.derived_from, CASE WHEN r.job_id IS NULL THEN 'upload' ELSE 'job' END, r.job_id,
         CASE WHEN r.state = 'trashed' THEN now() END, r.created_at, r.created_at FROM ${rowsSql}`,
      `INSERT INTO job_output (project_id, job_id, operation_index, kind, object_id)
       SELECT $1, r.job_id, 0, r.kind, r.id FROM ${rowsSql} WHERE r.job_id IS NOT NULL`,
    ]) {
      await query(tx, statement, [projectId, JSON.stringify(rows)]);
    }
  });
}
