import type { PackRecord } from '@scriptorium/contracts/wire/packs';
import { type Loaded, useAnswer } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { type StreamState, useStream } from '../../api/stream.ts';
import { OverallProgress } from '../../kit/overall-progress.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { Loading, ProblemState } from '../../kit/states.tsx';
import { State } from '../../kit/values.tsx';
import '../packs.css';
import { documentsIn, isEnded, pagesIn } from '../words.ts';
import { PackActions } from './actions.tsx';
import { Changes } from './changes.tsx';
import { Documents } from './documents.tsx';
import { Facts } from './facts.tsx';
import { Output } from './output.tsx';

/** The page of a pack: live while it is built. */
export function PackDetail({ id }: { id: string }) {
  const { data: pack, problem, reload, put, stream } = usePack(id);
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
        state={<State state={pack.state} />}
        crumbs={[['Packs', '/']]}
        calls={[
          ['Get pack (with Accept: text/event-stream, as a stream)', requestFor('getPack', { id })],
          [
            'List documents that are left out',
            requestFor('listPackDocuments', { id, state: leftOut }),
          ],
          ...(pack.refreshes
            ? [['List changes', requestFor('listPackChanges', { id })] as const]
            : []),
          ['Cancel pack', requestFor('cancelPack', { id })],
          ['Retry pack', requestFor('retryPack', { id })],
        ]}
        actions={<PackActions pack={pack} onChange={put} />}
      />
      <div class="stack">
        <Overall pack={pack} live={stream} />
        <Output pack={pack} />
        <Documents pack={pack} />
        {pack.refreshes && pack.output && <Changes id={pack.id} />}
        <Facts pack={pack} />
      </div>
    </>
  );
}

const leftOut = 'failed,withheld';

/** A pack, updated by its stream until it ends. */
function usePack(id: string): Loaded<PackRecord> & { stream: StreamState } {
  const loaded = useAnswer(requestFor('getPack', { id }));
  const pack = loaded.data;
  const stream = useStream(
    pack && !isEnded(pack) ? requestFor('getPack', { id }) : null,
    ['pack'],
    (_, data) => {
      // The stream sends the same record as `GET`.
      loaded.put({ data: data as PackRecord, etag: null });
    },
  );
  return { ...loaded, stream };
}

function Overall({ pack, live }: { pack: PackRecord; live: string }) {
  const { percent, documents_reused: reused } = pack.progress;
  return (
    <OverallProgress
      percent={percent}
      label="Pack progress"
      failed={pack.state === 'failed'}
      status={
        <>
          {documentsIn(pack)}; {pagesIn(pack)}
          {reused > 0 && `; ${reused} processed before`}
        </>
      }
      live={isEnded(pack) ? null : live}
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
