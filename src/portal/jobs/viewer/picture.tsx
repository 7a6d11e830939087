import { useEffect, useState } from 'preact/hooks';
import { ApiProblem, fetchOrProblem, urlOf } from '../../api/request.ts';
import { getContent } from '../requests.ts';

/** What browsers show as it is. */
const shown = ['image/png', 'image/jpeg', 'image/webp'];

/** A picture that is a page: as it is stored. */
export function Picture(props: {
  objectId: string;
  mime: string;
  page: number;
  onSize: (width: number, height: number) => void;
  onFault: (message: string) => void;
}) {
  const { objectId, mime, page, onSize, onFault } = props;
  const [url, setUrl] = useState<string | undefined>();
  useEffect(() => {
    if (!shown.includes(mime)) {
      onFault(`browsers do not show ${mime}.`);
      return;
    }
    const gone = new AbortController();
    let made: string | undefined;
    const load = async (): Promise<void> => {
      try {
        const response = await fetchOrProblem(urlOf(getContent(objectId)), { signal: gone.signal });
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
  }, [objectId, mime]);
  if (!url) return null;
  return (
    <img
      src={url}
      alt={`Page ${page}`}
      onLoad={({ currentTarget }) =>
        onSize(currentTarget.naturalWidth, currentTarget.naturalHeight)
      }
      onError={() => onFault('the browser cannot read the picture.')}
    />
  );
}
