import { useEffect, useState } from 'preact/hooks';
import { ApiProblem, fetchOrProblem, requestFor, send, urlOf } from '../../api/request.ts';
import { imagesOf } from '../../library/browse/list/pages.ts';

/** The types that browsers can display. */
const shown = ['image/png', 'image/jpeg', 'image/webp'];

/** The renditions to use, largest first. */
const renditions = ['w1280', 'w640', 'w320'] as const;

/** An image that is a page: the original, or its rendition if browsers cannot display the type. */
export function PageImage(props: {
  objectId: string;
  mime: string;
  page: number;
  onSize: (width: number, height: number) => void;
  onFault: (message: string) => void;
}) {
  const { objectId, mime, page, onSize, onFault } = props;
  const [url, setUrl] = useState<string | undefined>();
  useEffect(() => {
    const gone = new AbortController();
    let made: string | undefined;
    const load = async (): Promise<void> => {
      try {
        const path = shown.includes(mime)
          ? urlOf(requestFor('getObjectContent', { id: objectId }))
          : await renditionOf(objectId, page, gone.signal);
        if (path === null)
          return onFault(`Browsers cannot display ${mime}, and the image has no rendition.`);
        const response = await fetchOrProblem(path, { signal: gone.signal });
        made = URL.createObjectURL(await response.blob());
        setUrl(made);
      } catch (error) {
        if (gone.signal.aborted) return;
        if (!(error instanceof ApiProblem)) throw error;
        onFault(error.message);
      }
    };
    void load();
    return () => {
      gone.abort();
      if (made) URL.revokeObjectURL(made);
    };
  }, [objectId, mime, page]);
  if (!url) return null;
  return (
    <img
      src={url}
      alt={`Page ${page}`}
      onLoad={({ currentTarget }) =>
        onSize(currentTarget.naturalWidth, currentTarget.naturalHeight)
      }
      onError={() => onFault('Your browser cannot read the image.')}
    />
  );
}

/** The URL of the largest rendition, if any; null otherwise. Only the first page has renditions. */
async function renditionOf(
  objectId: string,
  page: number,
  signal: AbortSignal,
): Promise<string | null> {
  if (page !== 1) return null;
  const { data } = await send(imagesOf([objectId]), signal);
  const image = data.data[0];
  const name = renditions.find((one) => image?.renditions[one]);
  return image && name ? urlOf(requestFor('getRendition', { id: image.id, name })) : null;
}
