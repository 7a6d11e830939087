import { pluralise } from '@scriptorium/contracts/pluralise';
import { decode, isBlurhashValid } from 'blurhash';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { FileIcon } from '../../../kit/icons/file-icon.tsx';
import { mimeName } from '../filters/mime-names.ts';
import type { Item } from '../item.ts';

/** The tile of a file without a picture: its kind, and its length if known. */
export function FileCard({ item }: { item: Item }) {
  return (
    <span class="browse-card" data-type={fileTypeOf(item.mime)}>
      <FileIcon type={item.mime} size={40} />
      <span>
        {item.processing && item.pages === null && item.state === 'processing'
          ? 'Processing'
          : mimeName(item.mime, item.filename)}
      </span>
      {item.pages !== null && <span class="soft">{pluralise(item.pages, 'page')}</span>}
    </span>
  );
}

function fileTypeOf(mime: string): string {
  if (mime === 'application/pdf') return 'pdf';
  if (/spreadsheet|csv|tab-separated/.test(mime)) return 'sheet';
  if (/presentation/.test(mime)) return 'slides';
  return /word|opendocument\.text|rtf/.test(mime) ? 'word' : 'other';
}

const placeholderSize = 24;

/** A blurred placeholder for a picture, drawn from its BlurHash. */
export function Placeholder(props: { blurhash: string | null; width: number; height: number }) {
  const { blurhash, width, height } = props;
  const scale = placeholderSize / Math.max(width, height);
  const [w, h] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || !blurhash || !isBlurhashValid(blurhash).result) return;
    context.putImageData(new ImageData(new Uint8ClampedArray(decode(blurhash, w, h)), w, h), 0, 0);
  }, [blurhash, w, h]);
  return <canvas ref={canvas} width={w} height={h} />;
}
