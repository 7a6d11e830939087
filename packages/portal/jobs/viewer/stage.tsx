import type { FoundEntity, RecognisedWord } from '@scriptorium/contracts/wire/jobs';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useMeasure } from '../../kit/use-measure.ts';
import { useSession } from '../../shell/session.tsx';
import { Redactions, Words } from './overlay.tsx';
import { PdfCanvas } from './pdf-canvas.tsx';
import { PageImage } from './picture.tsx';
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
  picked: number | null;
  onPick: (at: number | null) => void;
}

/** The page with its layers. */
export function Stage(props: StageProps) {
  const { page, zoom, words, entities, mime } = props;
  const { can } = useSession();
  const frame = useRef<HTMLDivElement>(null);
  const room = useMeasure(frame, 0, ({ clientWidth }) => clientWidth - 32);
  const [own, setOwn] = useState<{ width: number; height: number } | null>(null);
  const [fault, setFault] = useState<string | undefined>();
  const [told, setTold] = useState<string | undefined>();
  const isPdf = mime === 'application/pdf';
  const isPicture = mime?.startsWith('image/') ?? false;
  const mayHave = can('objects:download');
  const opened = usePdf(isPdf && mayHave ? props.sourceId : null);
  useEffect(() => {
    setFault(undefined);
    setTold(undefined);
  }, [page]);

  const size = props.size ?? own;
  const shape = size ?? { width: 595, height: 842 };
  const width = Math.max(100, (Math.min(room, 1000) * zoom) / 100);
  const noImage =
    !props.showImage ||
    fault !== undefined ||
    opened.fault !== undefined ||
    !mayHave ||
    opened.problem !== undefined ||
    !(isPdf || isPicture);
  const why = reason(props, mayHave, opened.problem?.message ?? opened.fault ?? fault);
  return (
    <>
      {why && <p class="notice page-why">{why}</p>}
      <section class="page-frame" ref={frame} tabIndex={0} aria-label={`Page ${page}`}>
        {(isPdf || isPicture || size) && (
          <div
            class="page-stage"
            style={{ width: `${width}px`, height: `${(width * shape.height) / shape.width}px` }}
          >
            {!noImage && isPdf && opened.pdf && room > 0 && (
              <PdfCanvas
                pdf={opened.pdf}
                page={page}
                width={width}
                onSize={(w, h) => setOwn({ width: w, height: h })}
                onFault={setFault}
              />
            )}
            {!noImage && isPicture && (
              <PageImage
                objectId={props.sourceId}
                mime={mime ?? ''}
                page={page}
                onSize={(w, h) => setOwn({ width: w, height: h })}
                onFault={setFault}
              />
            )}
            {size && words.length > 0 && (
              <Words words={words} size={size} visible={noImage} onTell={setTold} />
            )}
            {size && entities.length > 0 && (
              <Redactions
                entities={entities}
                size={size}
                picked={props.picked}
                onPick={props.onPick}
                onTell={setTold}
              />
            )}
          </div>
        )}
      </section>
      <p class="page-told">
        <bdi>{told ?? ''}</bdi>
      </p>
    </>
  );
}

/** Why the page image is not shown. */
function reason(
  { mime, showImage }: StageProps,
  mayHave: boolean,
  fault: string | undefined,
): string | undefined {
  if (!mayHave) {
    return 'Showing the page image requires the scope objects:download. Recognised words are shown in place.';
  }
  if (fault) return `The page image cannot be shown. ${fault}`;
  if (mime === null || !showImage) return undefined;
  if (mime !== 'application/pdf' && !mime.startsWith('image/')) {
    return 'This file type has no page images. The results are listed beside it.';
  }
  return undefined;
}
