import { useEffect, useState } from 'preact/hooks';
import { ApiProblem, fetchOrThrow, requestFor, send, urlOf } from '../../api/request.ts';
import { PageWaiting } from '../../kit/page-waiting.tsx';
import { imagesOf } from '../../library/browse/list/requests.ts';

/** The types that browsers can display. */
const displayableTypes = ['image/png', 'image/jpeg', 'image/webp'];

/** The renditions to use, largest first. */
const renditionNames = ['w1280', 'w640', 'w320'] as const;

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
    const controller = new AbortController();
    let objectUrl: string | undefined;
    const load = async (): Promise<void> => {
      try {
        const path = displayableTypes.includes(mime)
          ? urlOf(requestFor('getObjectContent', { id: objectId }))
          : await renditionUrl(objectId, page, controller.signal);
        if (path === null)
          return onFault(`Browsers cannot display ${mime}, and the image has no rendition.`);
        const response = await fetchOrThrow(path, { signal: controller.signal });
        objectUrl = URL.createObjectURL(await response.blob());
        setUrl(objectUrl);
      } catch (error) {
        if (controller.signal.aborted) return;
        if (!(error instanceof ApiProblem)) throw error;
        onFault(error.message);
      }
    };
    void load();
    return () => {
      controller.abort();
      if (objectUrl) URL.revokeObjectURL(objectUrl);
    };
  }, [objectId, mime, page]);
  if (!url) return <PageWaiting page={page} />;
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
async function renditionUrl(
  objectId: string,
  page: number,
  signal: AbortSignal,
): Promise<string | null> {
  if (page !== 1) return null;
  const { data } = await send(imagesOf([objectId]), signal);
  const image = data.data[0];
  const name = renditionNames.find((one) => image?.renditions[one]);
  return image && name ? urlOf(requestFor('getRendition', { id: image.id, name })) : null;
}
