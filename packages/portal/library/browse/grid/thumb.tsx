import { useEffect, useRef, useState } from 'preact/hooks';
import { requestFor, urlOf } from '../../../api/request.ts';
import { hasFirstPage, type Item } from '../item.ts';
import { FileCard, Placeholder } from './card.tsx';
import { PagePreview } from './page-preview.tsx';

/**
 * Time that a tile must stay in view before its picture is loaded, in milliseconds, so that fast
 * scrolling loads none.
 */
const loadDelayMs = 90;

/** Tiles wider than this, in pixels, get renditions of every size. */
const smallTileWidth = 320;

/**
 * The picture of a tile: the image or the first page of its item, with a placeholder until it
 * loads; a card for files without either.
 */
export function Thumb({ item, width }: { item: Item; width: number }) {
  const { picture } = item;
  const [shouldLoad, setShouldLoad] = useState(false);
  const [loadState, setLoadState] = useState<'no' | 'yes' | 'failed'>('no');
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const timer = window.setTimeout(() => setShouldLoad(true), loadDelayMs);
    return () => {
      window.clearTimeout(timer);
      // Scrolled out of view: cancel the request.
      if (image.current && !image.current.complete) image.current.removeAttribute('src');
    };
  }, []);
  const sizes = width > smallTileWidth ? picture?.allSizes : picture?.sizes;
  const widest = sizes?.at(-1);
  if (item.damaged) {
    return (
      <span class="browse-picture">
        <span class="browse-kind">Damaged</span>
      </span>
    );
  }
  if (!picture || !sizes || !widest || loadState === 'failed') {
    return (
      <span class="browse-picture" aria-hidden="true">
        {picture && shouldLoad && <Placeholder {...picture} />}
        {!item.pending && <Fallback item={item} wanted={shouldLoad} />}
      </span>
    );
  }
  const renditionUrl = (name: string): string =>
    urlOf(requestFor('getRendition', { id: picture.imageId, name }));
  return (
    <span class="browse-picture">
      {/* Removed once the picture is shown: each canvas is a layer that is composited every frame. */}
      {shouldLoad && loadState === 'no' && <Placeholder {...picture} />}
      {shouldLoad && (
        <img
          ref={image}
          class={loadState === 'yes' ? 'shown' : ''}
          loading="lazy"
          decoding="async"
          alt={picture.alt}
          sizes={`${width}px`}
          srcset={sizes.map(([name, size]) => `${renditionUrl(name)} ${size}w`).join(', ')}
          src={renditionUrl(widest[0])}
          draggable={false}
          onLoad={({ currentTarget }) => {
            const show = (): void => setLoadState('yes');
            currentTarget.decode().then(show, show);
          }}
          onError={() => setLoadState('failed')}
        />
      )}
    </span>
  );
}

function Fallback({ item, wanted }: { item: Item; wanted: boolean }) {
  if (item.picture) {
    return <span class="browse-kind over">{item.processing ? 'Processing' : 'No preview'}</span>;
  }
  const card = <FileCard item={item} />;
  return wanted && hasFirstPage(item) ? (
    <PagePreview objectId={item.objectId}>{card}</PagePreview>
  ) : (
    card
  );
}
