import type { ImageRecord } from '@scriptorium/contracts/wire/library/images';
import type { ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import { useEffect } from 'preact/hooks';
import { useResource } from '../../api/hooks.ts';
import { type ApiProblem, requestFor } from '../../api/request.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { Empty, Loading, PageNotFound, ProblemState } from '../../kit/states.tsx';
import { useSession } from '../../shell/session.tsx';
import { imagesOf } from '../browse/list/requests.ts';
import type { Results } from '../browse/results.ts';
import { DetailScreen } from './screen.tsx';
import './detail.css';

const pollIntervalMs = 3_000;

/** The page of one image or object. An image is shown with its object, and vice versa. */
export default function Detail(props: { kind: string; id: string; results: Results }) {
  const { kind, id, results } = props;
  useEffect(() => window.scrollTo(0, 0), [id]);
  if (kind === 'images') return <ImageDetail key={id} id={id} results={results} />;
  if (kind === 'objects') return <ObjectDetail key={id} id={id} results={results} />;
  return <PageNotFound />;
}

function ImageDetail({ id, results }: { id: string; results: Results }) {
  const { can } = useSession();
  const image = useResource(requestFor('getImage', { id }));
  const objectId = can('objects:read') ? image.data?.object_id : undefined;
  const object = useResource(objectId ? requestFor('getObject', { id: objectId }) : null);
  useEffect(() => {
    if (!image.data?.processing || image.loading) return;
    const timer = window.setTimeout(image.reload, pollIntervalMs);
    return () => window.clearTimeout(timer);
  }, [image.data, image.loading]);
  if (!image.data) {
    return <LoadingOrProblem title="Image" problem={image.problem} onRetry={image.reload} />;
  }
  return (
    <DetailScreen
      image={image.data}
      object={object.data ?? null}
      results={results}
      onImage={(record: ImageRecord) => image.replace({ data: record, etag: null })}
      onObject={(record: ObjectRecord) => object.replace({ data: record, etag: null })}
      reload={() => {
        image.reload();
        object.reload();
      }}
    />
  );
}

function ObjectDetail({ id, results }: { id: string; results: Results }) {
  const { can } = useSession();
  const object = useResource(can('objects:read') ? requestFor('getObject', { id }) : null);
  const isImage = object.data?.mime.startsWith('image/') && can('images:read');
  const images = useResource(isImage ? imagesOf([id]) : null);
  if (!can('objects:read')) {
    return (
      <Empty title="Access denied">
        Objects require the scope <code>objects:read</code>.
      </Empty>
    );
  }
  if (!object.data || (isImage && images.loading && !images.data)) {
    return <LoadingOrProblem title="Object" problem={object.problem} onRetry={object.reload} />;
  }
  return (
    <DetailScreen
      image={images.data?.data[0] ?? null}
      object={object.data}
      results={results}
      onImage={() => images.reload()}
      onObject={(record: ObjectRecord) => object.replace({ data: record, etag: null })}
      reload={() => {
        object.reload();
        images.reload();
      }}
    />
  );
}

/** The page while it loads, or if it cannot be loaded. */
function LoadingOrProblem(props: {
  title: string;
  problem: ApiProblem | undefined;
  onRetry: () => void;
}) {
  return (
    <>
      <PageHead title={props.title} />
      {props.problem ? (
        <ProblemState problem={props.problem} onRetry={props.onRetry} />
      ) : (
        <Loading what="details" lines={8} />
      )}
    </>
  );
}
