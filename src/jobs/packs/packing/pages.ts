import { pagedMimes } from '@scriptorium/contracts/documents/sources';
import { EngineError } from '@scriptorium/sandbox/errors';
import { inProject } from '../../../db/transaction.ts';
import type { Pack } from '../../../entities/packs/pack.ts';
import type { ZipEntry } from '../../../library/files/zip-writer.ts';
import { type PageView, pageVariant } from '../../../library/objects/pages/page-image.ts';
import {
  findPageImages,
  type PageImage,
  storePageImage,
} from '../../../library/objects/pages/stored-page-images.ts';
import type { JobDeps } from '../../steps/step.ts';
import { type NamedDocument, type ShownFile, shownFileOf } from './contents.ts';
import { pageName } from './texts.ts';

/** The width of the pictures of pages: readable on a screen, and small. */
const pageWidth = 1000;
const drawMs = 60_000;

/**
 * The pictures of a document's pages. Pictures that were drawn for an earlier pack or for a client
 * are reused. A page that cannot be drawn is left out, as the manifest shows.
 * @param drawn receives the pages that are in the archive
 */
export async function* pageEntries(
  deps: JobDeps,
  { pack, signal }: { pack: Pack; signal: AbortSignal },
  document: NamedDocument,
  drawn: Map<number, number[]>,
): AsyncGenerator<ZipEntry> {
  const { projectId } = pack;
  const shown = shownFileOf(pack, document);
  if (!shown || !pagedMimes.some((paged) => paged === shown.mime)) return;
  const views = Array.from({ length: document.pages ?? 1 }, (_, at): PageView => {
    return { page: at + 1, width: pageWidth, mime: 'image/webp', boxes: [] };
  });
  const storedImages = await inProject(deps.database, projectId, (tx) =>
    findPageImages(tx, projectId, shown.objectId, views),
  );
  const numbers: number[] = [];
  drawn.set(document.position, numbers);
  const pageDrawer = createDrawer(deps, projectId, shown, signal);
  try {
    for (const view of views) {
      const image = storedImages.get(pageVariant(view)) ?? (await pageDrawer.page(view));
      if (!image) continue;
      const { sha256, bytes } = image;
      numbers.push(view.page);
      const open = () => deps.storage.open(projectId, sha256);
      yield { name: pageName(document, view.page), bytes, open };
    }
  } finally {
    await pageDrawer.release();
  }
}

/**
 * Draws pages of a file, which is fetched for the first page. Null for a page that cannot be drawn.
 */
function createDrawer(deps: JobDeps, projectId: string, shown: ShownFile, signal: AbortSignal) {
  let source: Awaited<ReturnType<JobDeps['storage']['localPath']>> | undefined;
  const page = async (view: PageView): Promise<PageImage | null> => {
    source ??= await deps.storage.localPath(projectId, shown.sha256);
    const outFile = await deps.storage.tempFile();
    try {
      const { mime: format, ...drawing } = view;
      await deps.engines.drawPage(
        { path: source.path, mime: shown.mime, ...drawing, format, outPath: outFile.path },
        { deadlineMs: drawMs, signal, isolation: projectId },
      );
      const received = await deps.storage.receiveFile(projectId, outFile.path);
      await received.commit();
      await inProject(deps.database, projectId, (tx) =>
        storePageImage(tx, projectId, shown.objectId, view, received),
      );
      return { sha256: received.sha256, bytes: received.bytes };
    } catch (error) {
      if (!(error instanceof EngineError) || error.retryable || signal.aborted) throw error;
      return null;
    } finally {
      await outFile.release();
    }
  };
  return { page, release: async () => source?.release() };
}
