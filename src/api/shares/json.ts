import { limits } from '@scriptorium/contracts/limits';
import type { Share } from '../../entities/library/share.ts';
import type { ShownCollection, ShownFile } from './read.ts';

/** A link for programs. Paths are relative to the service. */
export function shareJson(share: Share) {
  return {
    kind: share.kind,
    title: share.title,
    message: share.message,
    expires_at: share.expiresAt?.toISOString() ?? null,
  };
}

export function fileJson(share: Share, file: ShownFile, base: string) {
  const own = `${base}/files/${file.id}`;
  return {
    id: file.id,
    filename: file.filename,
    title: file.title,
    mime: file.mime,
    bytes: file.bytes,
    url: own,
    preview_url: file.hasPreview ? `${own}/preview` : null,
    download_url: share.allowDownload ? `${own}/download` : null,
  };
}

export function collectionJson(share: Share, view: ShownCollection, base: string) {
  const { collection, path, files } = view;
  const own = path.length === 1 ? base : `${base}/collections/${collection.id}`;
  return {
    ...shareJson(share),
    collection: { id: collection.id, name: collection.name, path },
    collections: view.collections.map((one) => {
      return { ...one, url: `${base}/collections/${one.id}` };
    }),
    next_collections_url: view.nextCollections && `${own}?collections=${view.nextCollections}`,
    files: files.map((file) => fileJson(share, file, base)),
    files_not_shown: view.hidden,
    next_url: view.next && `${own}?cursor=${view.next}`,
    archive_url: share.allowDownload ? `${own}/archive` : null,
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
