import outline from 'virtual:world-outline';
import { pluralise } from '@scriptorium/contracts/pluralise';
import type { ImagePlaces } from '@scriptorium/contracts/wire/library/places';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useResource } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { formatCount } from '../../kit/format-count.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { Empty, Loading, ProblemState } from '../../kit/states.tsx';
import { useMeasure } from '../../kit/use-measure.ts';
import { formatPlace, isLocal } from '../places/nearest-city.ts';
import { usePlaceNames } from '../places/use-place-name.ts';
import {
  bboxOf,
  clampView,
  gridZoomOf,
  type MapView,
  mergeClusters,
  positionInView,
  viewBoxOf,
  wholeWorld,
  zoomView,
} from './view.ts';
import './map.css';

/** Shows where the images of the library were taken. */
export default function PlacesMap() {
  const [view, setView] = useState<MapView>(wholeWorld);
  const request = requestFor('listImagePlaces', { zoom: gridZoomOf(view) });
  const { data, problem, reload } = useResource(request);
  // The places of the previous zoom stay until the next ones have loaded.
  const lastPlaces = useRef(data);
  if (data) lastPlaces.current = data;
  const places = lastPlaces.current;
  return (
    <>
      <PageHead title="Map" crumbs={[['Browse', '/']]} calls={[['Count places', request]]} />
      {problem && !places && <ProblemState problem={problem} onRetry={reload} />}
      {!problem && !places && <Loading what="places" lines={8} />}
      {places?.total === 0 && (
        <Empty title="No image has a place">
          Images with a location in their file are shown on a map.
        </Empty>
      )}
      {places && places.total > 0 && <WorldMap places={places} view={view} onView={setView} />}
    </>
  );
}

/** In pixels; places closer than this would overlap. */
const markWidth = 36;

function WorldMap(props: { places: ImagePlaces; view: MapView; onView: (view: MapView) => void }) {
  const { places, view, onView } = props;
  const frame = useRef<HTMLDivElement>(null);
  const navigation = useMapNavigation(frame, view, onView);
  const namePlace = usePlaceNames(true);
  const width = useMeasure(frame, 1_000, (element) => element.clientWidth);
  const visibleClusters = useMemo(
    () =>
      mergeClusters(view, places.places, markWidth / width)
        .map((place) => ({ place, at: positionInView(view, place) }))
        .filter(({ at: { x, y } }) => x >= 0 && x <= 1 && y >= 0 && y <= 1),
    [places, view, width],
  );
  return (
    <section class="map" aria-label="Map of places">
      <div class="row map-tools">
        <span role="status">{pluralise(places.total, 'image')} with a place</span>
        <Button small label="Zoom out" onClick={() => navigation.zoomBy(0.5)}>
          −
        </Button>
        <Button small label="Zoom in" onClick={() => navigation.zoomBy(2)}>
          +
        </Button>
        <Button small onClick={() => onView(wholeWorld)}>
          Whole world
        </Button>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: it groups the places on the map */}
      <div
        ref={frame}
        class="map-frame"
        role="group"
        aria-label="World: arrow keys move, plus and minus zoom"
        tabIndex={0}
        {...navigation.handlers}
      >
        <svg viewBox={viewBoxOf(view)} preserveAspectRatio="none" aria-hidden="true">
          <path d={outline} />
        </svg>
        {visibleClusters.map(({ place, at }) => (
          <Link
            key={place.bbox.join()}
            class="map-place"
            href={`/?${new URLSearchParams({ bbox: bboxOf(place.bbox), show: 'images' })}`}
            style={{ left: `${at.x * 100}%`, top: `${at.y * 100}%` }}
            aria-label={`${pluralise(place.count, 'image')} near ${isLocal(place.bbox) ? namePlace(place) : formatPlace(place)}`}
            data-size={String(place.count).length}
            draggable={false}
          >
            {formatCount(place.count)}
          </Link>
        ))}
      </div>
    </section>
  );
}

/** Moves the view with the pointer, the wheel and keys. */
function useMapNavigation(
  frame: { current: HTMLDivElement | null },
  view: MapView,
  onView: (view: MapView) => void,
) {
  const latest = useRef({ view, onView });
  latest.current = { view, onView };
  const dragStart = useRef<{ x: number; y: number; view: MapView } | null>(null);
  const zoomBy = (factor: number, at?: { x: number; y: number }): void =>
    latest.current.onView(zoomView(latest.current.view, factor, at));
  const moveBy = (x: number, y: number, start = latest.current.view): void => {
    const { zoom } = start;
    latest.current.onView(
      clampView({
        zoom,
        longitude: start.longitude + (x * 360) / zoom,
        latitude: start.latitude - (y * 180) / zoom,
      }),
    );
  };
  useEffect(() => {
    const element = frame.current!;
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const { left, top, width, height } = element.getBoundingClientRect();
      const at = { x: (event.clientX - left) / width, y: (event.clientY - top) / height };
      zoomBy(Math.exp(-event.deltaY / 300), at);
    };
    // A passive listener could not prevent the page from scrolling.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, []);
  const keys: Record<string, () => void> = {
    ArrowLeft: () => moveBy(-0.1, 0),
    ArrowRight: () => moveBy(0.1, 0),
    ArrowUp: () => moveBy(0, -0.1),
    ArrowDown: () => moveBy(0, 0.1),
    '+': () => zoomBy(2),
    '-': () => zoomBy(0.5),
    '0': () => onView(wholeWorld),
  };
  const endDrag = (): void => {
    dragStart.current = null;
  };
  const handlers = {
    onKeyDown: (event: KeyboardEvent): void => {
      const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    },
    onPointerDown: (event: PointerEvent): void => {
      const isPlace = event.target instanceof Element && event.target.closest('a');
      if (isPlace || event.button !== 0) return;
      frame.current?.setPointerCapture(event.pointerId);
      dragStart.current = { x: event.clientX, y: event.clientY, view };
    },
    onPointerMove: (event: PointerEvent): void => {
      if (!dragStart.current || !frame.current) return;
      const { clientWidth, clientHeight } = frame.current;
      const { x, y, view: start } = dragStart.current;
      moveBy((x - event.clientX) / clientWidth, (y - event.clientY) / clientHeight, start);
    },
    onPointerUp: endDrag,
    onPointerCancel: endDrag,
  };
  return { zoomBy, handlers };
}
