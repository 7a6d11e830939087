import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { pluralise } from '@scriptorium/contracts/pluralise';
import type { ImageRecord } from '@scriptorium/contracts/wire/library/images';
import type { ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import { useEffect, useState } from 'preact/hooks';
import { asProblem } from '../../api/hooks.ts';
import { fetchOrThrow, requestFor, urlOf } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { lazyComponent } from '../../kit/lazy-component.tsx';
import { Loading } from '../../kit/states.tsx';
import { useSession } from '../../shell/session.tsx';
import { mimeName } from '../browse/filters/mime-names.ts';
import { FileCard, Placeholder } from '../browse/grid/card.tsx';
import { PagePreview } from '../browse/grid/page-preview.tsx';
import { hasFirstPage, itemOfObject } from '../browse/item.ts';
import { type Found, FoundPage } from './found-page.tsx';

const FilePreview = lazyComponent(() => import('../../jobs/preview/file.tsx'), {
  placeholder: <Loading what="preview" lines={8} />,
});

const previewRenditions = ['w320', 'w640', 'w1280'] as const;

/** The largest rendition of an image, with a placeholder until it loads. */
export function Preview({ image }: { image: ImageRecord }) {
  const [isLoaded, setLoaded] = useState(false);
  const [reason, setReason] = useState<string | null>(null);
  useEffect(() => {
    setLoaded(false);
    setReason(null);
  }, [image.id]);
  const sizes = previewRenditions.flatMap((name) => {
    const rendition = image.renditions[name];
    return rendition ? [[name, rendition.width] as const] : [];
  });
  const renditionUrl = (name: string): string =>
    urlOf(requestFor('getRendition', { id: image.id, name }));
  const largest = sizes.at(-1);
  const width = image.width ?? 4;
  const height = image.height ?? 3;
  const findReason = async (): Promise<void> => {
    if (!largest) return;
    try {
      await fetchOrThrow(renditionUrl(largest[0]));
      setReason('The preview could not be loaded. Reload the page to try again.');
    } catch (error) {
      setReason(asProblem(error).message);
    }
  };
  return (
    <figure class="detail-preview">
      <div style={{ aspectRatio: `${width} / ${height}`, maxWidth: `${width}px` }}>
        <Placeholder blurhash={image.blurhash} width={width} height={height} />
        {largest && reason === null && (
          <img
            key={image.id}
            class={isLoaded ? 'shown' : ''}
            src={renditionUrl(largest[0])}
            srcset={sizes.map(([name, size]) => `${renditionUrl(name)} ${size}w`).join(', ')}
            sizes="(width > 70rem) 60vw, 100vw"
            alt={image.alt_text ?? ''}
            onLoad={() => setLoaded(true)}
            onError={() => void findReason()}
          />
        )}
      </div>
      {(!largest || reason !== null) && <figcaption>{reason ?? noPreviewReason(image)}</figcaption>}
    </figure>
  );
}

function noPreviewReason(image: ImageRecord): string {
  if (image.error) return `No preview. ${image.error.message}`;
  if (image.processing) return 'The preview is being created and will appear here.';
  return 'No preview';
}

/**
 * The page of an object on which a search found it; otherwise the first page of an object that is
 * not an image, or an icon for its type. A button loads the full preview.
 */
export function ObjectPreview({ object, found }: { object: ObjectRecord; found: Found | null }) {
  const { can } = useSession();
  const [isOpen, setOpen] = useState(false);
  const { id, bytes, mime, state } = object;
  const item = itemOfObject(object);
  const canBeShown = can('objects:download') && state === 'available' && hasPreview(mime);
  if (isOpen) {
    return (
      <section class="card stack" aria-label="Preview">
        <FilePreview objectId={id} bytes={bytes} mime={mime} />
      </section>
    );
  }
  return (
    <figure class="detail-file">
      {found ? (
        <FoundPage key={`${id} ${found.page}`} objectId={id} found={found} />
      ) : (
        <div>
          {hasFirstPage(item) ? (
            <PagePreview objectId={id}>
              <FileCard item={item} />
            </PagePreview>
          ) : (
            <FileCard item={item} />
          )}
        </div>
      )}
      <figcaption>
        <span class="soft">
          {found && `Page ${found.page} · `}
          {mimeName(object.mime, object.filename)}
          {object.pages !== null && ` · ${pluralise(object.pages, 'page')}`} · {formatBytes(bytes)}
        </span>
        {canBeShown && (
          <Button small icon="view" onClick={() => setOpen(true)}>
            Show preview
          </Button>
        )}
      </figcaption>
    </figure>
  );
}

function hasPreview(mime: string): boolean {
  return mime === 'application/pdf' || mime.startsWith('text/') || mime.includes('json');
}
