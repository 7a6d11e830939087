import { limits } from '@scriptorium/contracts/limits';
import type { Share } from '../../entities/library/share.ts';
import type { VisibleCollection, VisibleFile } from './read.ts';

/** A link as JSON. Paths are relative to the service. */
export function shareJson(share: Share) {
  return {
    kind: share.kind,
    title: share.title,
    message: share.message,
    expires_at: share.expiresAt?.toISOString() ?? null,
  };
}

export function fileJson(share: Share, file: VisibleFile, base: string) {
  const url = `${base}/files/${file.id}`;
  return {
    id: file.id,
    filename: file.filename,
    title: file.title,
    mime: file.mime,
    bytes: file.bytes,
    url,
    preview_url: file.hasPreview ? `${url}/preview` : null,
    download_url: share.allowDownload ? `${url}/download` : null,
  };
}

export function collectionJson(share: Share, view: VisibleCollection, base: string) {
  const { collection, path, files } = view;
  const url = path.length === 1 ? base : `${base}/collections/${collection.id}`;
  return {
    ...shareJson(share),
    collection: { id: collection.id, name: collection.name, path },
    collections: view.collections.map((one) => {
      return { ...one, url: `${base}/collections/${one.id}` };
    }),
    next_collections_url: view.nextCollections && `${url}?collections=${view.nextCollections}`,
    files: files.map((file) => fileJson(share, file, base)),
    files_not_shown: view.hiddenCount,
    next_url: view.nextCursor && `${url}?cursor=${view.nextCursor}`,
    archive_url: share.allowDownload ? `${url}/archive` : null,
  };
}

export function uploadJson(share: Share, base: string) {
  return {
    ...shareJson(share),
    upload_url: `${base}/files`,
    accept: share.accept,
    max_bytes: share.maxBytes ?? limits.direct_upload_bytes,
    files_left: share.maxFiles && share.maxFiles - share.uploads,
  };
}
