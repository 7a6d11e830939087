import type { PackRecord } from '@scriptorium/contracts/wire/packs';
import { type LoadedResource, useResource } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { type StreamState, useStream } from '../../api/stream.ts';
import { OverallProgress } from '../../kit/overall-progress.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { Loading, ProblemState } from '../../kit/states.tsx';
import { StateBadge } from '../../kit/values.tsx';
import '../packs.css';
import { documentProgress, isFinished, pageProgress } from '../pack-progress.ts';
import { PackActions } from './actions.tsx';
import { PackChanges } from './changes.tsx';
import { PackDocuments } from './documents.tsx';
import { PackFacts } from './facts.tsx';
import { PackOutput } from './output.tsx';

/** The page of a pack: live while it is built. */
export function PackDetail({ id }: { id: string }) {
  const { data: pack, problem, reload, replace, stream } = usePack(id);
  if (!pack) {
    return (
      <>
        <PageHead title="Pack" crumbs={[['Packs', '/']]} />
        {problem ? <ProblemState problem={problem} onRetry={reload} /> : <Loading what="pack" />}
      </>
    );
  }
  return (
    <>
      <PageHead
        title={pack.name}
        state={<StateBadge state={pack.state} />}
        crumbs={[['Packs', '/']]}
        calls={[
          ['Get pack (with Accept: text/event-stream, as a stream)', requestFor('getPack', { id })],
          [
            'List documents that are left out',
            requestFor('listPackDocuments', { id, state: missingStates }),
          ],
          ...(pack.refreshes
            ? [['List changes', requestFor('listPackChanges', { id })] as const]
            : []),
          ['Cancel pack', requestFor('cancelPack', { id })],
          ['Retry pack', requestFor('retryPack', { id })],
        ]}
        actions={<PackActions pack={pack} onChange={replace} />}
      />
      <div class="stack">
        <PackOverview pack={pack} streamState={stream} />
        <PackOutput pack={pack} />
        <PackDocuments pack={pack} />
        {pack.refreshes && pack.output && <PackChanges id={pack.id} />}
        <PackFacts pack={pack} />
      </div>
    </>
  );
}

const missingStates = 'failed,withheld';

/** A pack, updated by its stream until it ends. */
function usePack(id: string): LoadedResource<PackRecord> & { stream: StreamState } {
  const resource = useResource(requestFor('getPack', { id }));
  const pack = resource.data;
  const stream = useStream(
    pack && !isFinished(pack) ? requestFor('getPack', { id }) : null,
    ['pack'],
    (_, data) => {
      // The stream sends the same record as `GET`.
      resource.replace({ data: data as PackRecord, etag: null });
    },
  );
  return { ...resource, stream };
}

function PackOverview({ pack, streamState }: { pack: PackRecord; streamState: string }) {
  const { percent, documents_reused: reused } = pack.progress;
  return (
    <OverallProgress
      percent={percent}
      label="Pack progress"
      failed={pack.state === 'failed'}
      status={
        <>
          {documentProgress(pack)}; {pageProgress(pack)}
          {reused > 0 && `; ${reused} processed before`}
        </>
      }
      streamState={isFinished(pack) ? null : streamState}
    >
      {pack.error && (
        <div class={`notice ${pack.state === 'failed' ? 'bad' : 'warn'}`} role="alert">
          <p>{pack.error.message}</p>
          <p class="mono">{pack.error.code}</p>
          {!pack.error.retryable && <p>A retry will fail again unless the cause is removed.</p>}
        </div>
      )}
    </OverallProgress>
  );
}
