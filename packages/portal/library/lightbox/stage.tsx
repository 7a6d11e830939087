import { useState } from 'preact/hooks';
import { requestFor, urlOf } from '../../api/request.ts';
import { PagePicture } from '../../kit/page-picture.tsx';
import { useMeasure } from '../../kit/use-measure.ts';
import { usePan } from '../../kit/use-pan.ts';
import { FileCard, Placeholder } from '../browse/grid/card.tsx';
import { hasFirstPage, type Item, type Picture } from '../browse/item.ts';
import type { QueryMatches } from './find/use-query-matches.ts';
import { TextLayer } from './text-layer.tsx';

interface StageProps {
  item: Item | undefined;
  page: number;
  find: QueryMatches;
  /** In percent of the size that fits. */
  zoom: number;
  onZoom: (zoom: number) => void;
  frame: { current: HTMLDivElement | null };
}

/** The item. Buttons, keys, pinching, or Ctrl and the wheel zoom it; dragging pans. */
export function Stage({ item, page, find, zoom, onZoom, frame }: StageProps) {
  const size = useMeasure<Size>(frame, { width: 0, height: 0 }, availableSize);
  const pan = usePan(frame, { zoom, onZoom, canDrag: true, onTap: () => undefined });
  return (
    // biome-ignore lint/a11y/useSemanticElements: it groups the picture that it scrolls
    <div
      ref={frame}
      class="lightbox-stage"
      role="group"
      aria-label="View"
      tabIndex={0}
      {...pan}
      onPointerDown={(event) => {
        // Dragging over words selects them.
        if (!isOverWord(event)) pan.onPointerDown(event);
      }}
    >
      {item && size.width > 0 && (
        <StageContent item={item} page={page} find={find} scale={zoom / 100} size={size} />
      )}
    </div>
  );
}

const isOverWord = ({ target, pointerType }: PointerEvent): boolean =>
  pointerType === 'mouse' && target instanceof Element && target.matches('.lightbox-text text');

interface Size {
  width: number;
  height: number;
}

/** Measures the border box, because scroll bars must not change the available size. */
const availableSize = (element: HTMLElement): Size => ({
  width: element.offsetWidth - 16,
  height: element.offsetHeight - 16,
});

/** Estimates the aspect ratio of pages: sheets and slides are landscape, most others portrait. */
const pageRatio = (mime: string): number =>
  /sheet|csv|tab-separated|presentation/.test(mime) ? 1.4 : 0.7;

function StageContent(props: {
  item: Item;
  page: number;
  find: QueryMatches;
  scale: number;
  size: Size;
}) {
  const { item, page, find, scale, size } = props;
  if (item.picture && !item.damaged) {
    return <ImageView key={item.id} picture={item.picture} scale={scale} room={size} />;
  }
  if (hasFirstPage(item)) {
    const width = Math.min(size.width, size.height * pageRatio(item.mime)) * scale;
    const { objectId } = item;
    return (
      <div class="lightbox-page" style={{ width: `${width}px` }}>
        <PagePicture key={`${objectId} ${page}`} objectId={objectId} page={page} cssWidth={width} />
        {hasText(item) && (
          <TextLayer
            objectId={objectId}
            page={page}
            matches={find.matches}
            current={find.current}
          />
        )}
      </div>
    );
  }
  return (
    <div class="lightbox-card">
      <FileCard item={item} />
    </div>
  );
}

/** Whether an item has pages whose words have positions. */
export const hasText = (item: Item): boolean =>
  item.mime === 'application/pdf' && hasFirstPage(item);

/** An image, in the best rendition for its size. */
function ImageView({ picture, scale, room }: { picture: Picture; scale: number; room: Size }) {
  const [isLoaded, setIsLoaded] = useState(false);
  const fitScale = Math.min(room.width / picture.width, room.height / picture.height, 1);
  const width = Math.round(picture.width * fitScale * scale);
  const height = Math.round(picture.height * fitScale * scale);
  const renditionUrl = (name: string): string =>
    urlOf(requestFor('getRendition', { id: picture.imageId, name }));
  const widest = picture.allSizes.at(-1);
  return (
    <div class="lightbox-image" style={{ width: `${width}px`, height: `${height}px` }}>
      {!isLoaded && <Placeholder {...picture} />}
      {widest && (
        <img
          src={renditionUrl(widest[0])}
          srcset={picture.allSizes
            .map(([name, size]) => `${renditionUrl(name)} ${size}w`)
            .join(', ')}
          sizes={`${width}px`}
          alt={picture.alt}
          draggable={false}
          onLoad={() => setIsLoaded(true)}
        />
      )}
    </div>
  );
}
