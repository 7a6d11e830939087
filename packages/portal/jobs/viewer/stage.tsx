import type { FoundEntity, RecognisedWord } from '@scriptorium/contracts/wire/jobs';
import { useEffect, useRef, useState } from 'preact/hooks';
import { PageWaiting } from '../../kit/page-waiting.tsx';
import { useMeasure } from '../../kit/use-measure.ts';
import { useSession } from '../../shell/session.tsx';
import { RedactionLayer, WordLayer } from './overlay.tsx';
import { PageImage } from './page-image.tsx';
import { PdfCanvas } from './pdf-canvas.tsx';
import { usePdf } from './use-pdf.ts';

interface StageProps {
  sourceId: string;
  /** Null if unknown. */
  mime: string | null;
  page: number;
  /** In points; null if no operation has reported it. */
  size: { width: number; height: number } | null;
  /** In percent of the frame's width. */
  zoom: number;
  showImage: boolean;
  words: readonly RecognisedWord[];
  entities: readonly FoundEntity[];
  /** The index of the selected finding. */
  selectedIndex: number | null;
  onSelect: (at: number | null) => void;
}

/** The page with its layers. */
export function Stage(props: StageProps) {
  const { page, zoom, words, entities, mime } = props;
  const { can } = useSession();
  const frame = useRef<HTMLDivElement>(null);
  const availableWidth = useMeasure(frame, 0, ({ clientWidth }) => clientWidth - 32);
  const [loadedSize, setLoadedSize] = useState<{ width: number; height: number } | null>(null);
  const [fault, setFault] = useState<string | undefined>();
  const [hoverText, setHoverText] = useState<string | undefined>();
  const isPdf = mime === 'application/pdf';
  const isImage = mime?.startsWith('image/') ?? false;
  const canDownload = can('objects:download');
  const pdfState = usePdf(isPdf && canDownload ? props.sourceId : null);
  useEffect(() => {
    setFault(undefined);
    setHoverText(undefined);
  }, [page]);

  const size = props.size ?? loadedSize;
  const displaySize = size ?? { width: 595, height: 842 };
  const width = Math.max(100, (Math.min(availableWidth, 1000) * zoom) / 100);
  const isImageHidden =
    !props.showImage ||
    fault !== undefined ||
    pdfState.fault !== undefined ||
    !canDownload ||
    pdfState.problem !== undefined ||
    !(isPdf || isImage);
  const hiddenReason = imageHiddenReason(
    props,
    canDownload,
    pdfState.problem?.message ?? pdfState.fault ?? fault,
  );
  return (
    <>
      {hiddenReason && <p class="notice page-why">{hiddenReason}</p>}
      <section class="page-frame" ref={frame} tabIndex={0} aria-label={`Page ${page}`}>
        {(isPdf || isImage || size) && (
          <div
            class="page-stage"
            style={{
              width: `${width}px`,
              height: `${(width * displaySize.height) / displaySize.width}px`,
            }}
          >
            {!isImageHidden && isPdf && !pdfState.pdf && <PageWaiting page={page} />}
            {!isImageHidden && isPdf && pdfState.pdf && availableWidth > 0 && (
              <PdfCanvas
                pdf={pdfState.pdf}
                page={page}
                width={width}
                onSize={(w, h) => setLoadedSize({ width: w, height: h })}
                onFault={setFault}
              />
            )}
            {!isImageHidden && isImage && (
              <PageImage
                objectId={props.sourceId}
                mime={mime ?? ''}
                page={page}
                onSize={(w, h) => setLoadedSize({ width: w, height: h })}
                onFault={setFault}
              />
            )}
            {size && words.length > 0 && (
              <WordLayer
                words={words}
                size={size}
                isVisible={isImageHidden}
                onHover={setHoverText}
              />
            )}
            {size && entities.length > 0 && (
              <RedactionLayer
                entities={entities}
                size={size}
                selectedIndex={props.selectedIndex}
                onSelect={props.onSelect}
                onHover={setHoverText}
              />
            )}
          </div>
        )}
      </section>
      <p class="page-told">
        <bdi>{hoverText ?? ''}</bdi>
      </p>
    </>
  );
}

/** Returns why the page image is not shown, if there is something to explain. */
function imageHiddenReason(
  { mime, showImage }: StageProps,
  canDownload: boolean,
  fault: string | undefined,
): string | undefined {
  if (!canDownload) {
    return 'Showing the page image requires the scope objects:download. Recognised words are shown in place.';
  }
  if (fault) return `The page image cannot be shown. ${fault}`;
  if (mime === null || !showImage) return undefined;
  if (mime !== 'application/pdf' && !mime.startsWith('image/')) {
    return 'This file type has no page images. The results are listed beside it.';
  }
  return undefined;
}
