import { decode, isBlurhashValid } from 'blurhash';
import { useLayoutEffect, useRef } from 'preact/hooks';

const side = 24;

/** A blurred placeholder for a picture, drawn from its BlurHash. */
export function Placeholder(props: { blurhash: string | null; width: number; height: number }) {
  const { blurhash, width, height } = props;
  const scale = side / Math.max(width, height);
  const [w, h] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || !blurhash || !isBlurhashValid(blurhash).result) return;
    context.putImageData(new ImageData(new Uint8ClampedArray(decode(blurhash, w, h)), w, h), 0, 0);
  }, [blurhash, w, h]);
  return <canvas ref={canvas} width={w} height={h} />;
}
