import { useEffect, useRef, useState } from 'preact/hooks';
import { requestFor, urlOf } from '../../../api/request.ts';
import { hasFirstPage, type Item } from '../item.ts';
import { FileCard, Placeholder } from './card.tsx';
import { PagePreview } from './page-preview.tsx';

/**
 * Time that a tile must stay in view before its picture is loaded, in milliseconds, so that fast
 * scrolling loads none.
 */
const stayMs = 90;

/** Wider tiles, in pixels, get renditions of every size. */
const largest = 320;

/**
 * The picture of a tile, with a placeholder until it loads: the image, or the first page; a card for
 * files without either.
 */
export function Thumb({ item, width }: { item: Item; width: number }) {
  const { picture } = item;
  const [wanted, setWanted] = useState(false);
  const [shown, setShown] = useState<'no' | 'yes' | 'failed'>('no');
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const timer = window.setTimeout(() => setWanted(true), stayMs);
    return () => {
      window.clearTimeout(timer);
      // Scrolled out of view: cancel the request.
      if (image.current && !image.current.complete) image.current.removeAttribute('src');
    };
  }, []);
  const sizes = width > largest ? picture?.all : picture?.sizes;
  const widest = sizes?.at(-1);
  if (item.damaged) {
    return (
      <span class="browse-picture">
        <span class="browse-kind">Damaged</span>
      </span>
    );
  }
  if (!picture || !sizes || !widest || shown === 'failed') {
    return (
      <span class="browse-picture" aria-hidden="true">
        {picture && wanted && <Placeholder {...picture} />}
        {!item.pending && <Fallback item={item} wanted={wanted} />}
      </span>
    );
  }
  const url = (name: string): string =>
    urlOf(requestFor('getRendition', { id: picture.imageId, name }));
  return (
    <span class="browse-picture">
      {/* Only until then: each canvas is a separate layer, composited for every frame. */}
      {wanted && shown === 'no' && <Placeholder {...picture} />}
      {wanted && (
        <img
          ref={image}
          class={shown === 'yes' ? 'shown' : ''}
          loading="lazy"
          decoding="async"
          alt={picture.alt}
          sizes={`${width}px`}
          srcset={sizes.map(([name, size]) => `${url(name)} ${size}w`).join(', ')}
          src={url(widest[0])}
          draggable={false}
          onLoad={({ currentTarget }) => {
            const show = (): void => setShown('yes');
            currentTarget.decode().then(show, show);
          }}
          onError={() => setShown('failed')}
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
