import { useState } from 'preact/hooks';
import { requestFor, urlOf } from '../../api/request.ts';
import { PagePicture } from '../../kit/page-picture.tsx';
import { useMeasure } from '../../kit/use-measure.ts';
import { usePan } from '../../kit/use-pan.ts';
import { FileCard, Placeholder } from '../browse/grid/card.tsx';
import { hasFirstPage, type Item, type Picture } from '../browse/item.ts';
import type { Find } from './find/use-find.ts';
import { TextLayer } from './text-layer.tsx';

interface StageProps {
  item: Item | undefined;
  page: number;
  find: Find;
  /** In percent of the size that fits. */
  zoom: number;
  onZoom: (zoom: number) => void;
  frame: { current: HTMLDivElement | null };
}

/** The item itself: zoomed with buttons, keys, two fingers or Ctrl and the wheel; panned by dragging. */
export function Stage({ item, page, find, zoom, onZoom, frame }: StageProps) {
  const room = useMeasure<Room>(frame, { width: 0, height: 0 }, roomIn);
  const pan = usePan(frame, { zoom, onZoom, drags: true, onTap: () => undefined });
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
        if (!isWord(event)) pan.onPointerDown(event);
      }}
    >
      {item && room.width > 0 && (
        <Shown item={item} page={page} find={find} scale={zoom / 100} room={room} />
      )}
    </div>
  );
}

const isWord = ({ target, pointerType }: PointerEvent): boolean =>
  pointerType === 'mouse' && target instanceof Element && target.matches('.lightbox-text text');

interface Room {
  width: number;
  height: number;
}

/** Measures the border box: scroll bars must not change what fits. */
const roomIn = (element: HTMLElement): Room => ({
  width: element.offsetWidth - 16,
  height: element.offsetHeight - 16,
});

/** Sheets and slides are wide; most other pages are portrait, so they fit by height. */
const ratioOf = (mime: string): number =>
  /sheet|csv|tab-separated|presentation/.test(mime) ? 1.4 : 0.7;

function Shown(props: { item: Item; page: number; find: Find; scale: number; room: Room }) {
  const { item, page, find, scale, room } = props;
  if (item.picture && !item.damaged) {
    return <Whole key={item.id} picture={item.picture} scale={scale} room={room} />;
  }
  if (hasFirstPage(item)) {
    const width = Math.min(room.width, room.height * ratioOf(item.mime)) * scale;
    const { objectId } = item;
    return (
      <div class="lightbox-page" style={{ width: `${width}px` }}>
        <PagePicture key={`${objectId} ${page}`} objectId={objectId} page={page} cssWidth={width} />
        {hasText(item) && (
          <TextLayer objectId={objectId} page={page} hits={find.hits} current={find.current} />
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

/** Whether the words of its pages have positions. */
export const hasText = (item: Item): boolean =>
  item.mime === 'application/pdf' && hasFirstPage(item);

/** An image in its best rendition for the size. */
function Whole({ picture, scale, room }: { picture: Picture; scale: number; room: Room }) {
  const [shown, setShown] = useState(false);
  const fit = Math.min(room.width / picture.width, room.height / picture.height, 1);
  const width = Math.round(picture.width * fit * scale);
  const height = Math.round(picture.height * fit * scale);
  const url = (name: string): string =>
    urlOf(requestFor('getRendition', { id: picture.imageId, name }));
  const widest = picture.all.at(-1);
  return (
    <div class="lightbox-image" style={{ width: `${width}px`, height: `${height}px` }}>
      {!shown && <Placeholder {...picture} />}
      {widest && (
        <img
          src={url(widest[0])}
          srcset={picture.all.map(([name, size]) => `${url(name)} ${size}w`).join(', ')}
          sizes={`${width}px`}
          alt={picture.alt}
          draggable={false}
          onLoad={() => setShown(true)}
        />
      )}
    </div>
  );
}
