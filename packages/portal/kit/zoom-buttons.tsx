import { Button } from './button.tsx';

/** The zoom buttons, and the zoom in percent. */
export function ZoomButtons({ zoom, onZoom }: { zoom: number; onZoom: (factor: number) => void }) {
  return (
    <div class="row">
      <Button small label="Zoom out" onClick={() => onZoom(0.8)}>
        −
      </Button>
      <span aria-live="polite">{zoom}%</span>
      <Button small label="Zoom in" onClick={() => onZoom(1.25)}>
        +
      </Button>
    </div>
  );
}
