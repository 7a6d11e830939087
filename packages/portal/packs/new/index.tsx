import { useEffect, useState } from 'preact/hooks';
import { useHistoryState } from 'wouter-preact/use-browser-location';
import { allPages } from '../../api/all-pages.ts';
import { asProblem } from '../../api/hooks.ts';
import { useQueryState } from '../../api/location.ts';
import { type ApiProblem, requestFor, send } from '../../api/request.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { Loading, ProblemState } from '../../kit/states.tsx';
import { useSession } from '../../shell/session.tsx';
import '../packs.css';
import { draftOf, emptyDraft, type PackDraft } from './draft.ts';
import { PackForm } from './form.tsx';

/**
 * Builds a pack from a collection (`?collection=`), from a selection in the library (in the history
 * entry), or again from the source of another pack (`?refreshes=`).
 */
export default function NewPack() {
  const { can } = useSession();
  const [search] = useQueryState();
  const selectedIds = objectIdsIn(useHistoryState());
  const refreshes = search.get('refreshes');
  const collectionId = search.get('collection') ?? '';
  const previous = usePreviousPack(refreshes);
  const draft: PackDraft | undefined = refreshes
    ? previous.draft
    : {
        ...emptyDraft,
        kind: selectedIds.length > 0 ? 'objects' : 'collection',
        collectionId,
        objectIds: selectedIds,
      };
  return (
    <>
      {!can('documents:write') ? (
        <>
          <PageHead title="Build pack" crumbs={[['Packs', '/']]} />
          <p>
            Building packs requires the scope <code>documents:write</code>. Ask your administrator
            for an API key that has it, then log in with that key.
          </p>
        </>
      ) : previous.problem ? (
        <ProblemState problem={previous.problem} onRetry={previous.retry} />
      ) : draft ? (
        <PackForm key={refreshes} initial={draft} refreshes={refreshes} />
      ) : (
        <Loading what="pack" />
      )}
    </>
  );
}

/** Returns the objects that another screen passed in the history entry. */
function objectIdsIn(state: unknown): string[] {
  if (typeof state !== 'object' || state === null || !('objects' in state)) return [];
  return Array.isArray(state.objects) ? state.objects.map(String) : [];
}

/** A draft with the source and options of a pack, which must be loaded first. */
function usePreviousPack(id: string | null): {
  draft?: PackDraft;
  problem?: ApiProblem;
  retry: () => void;
} {
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<{ draft?: PackDraft; problem?: ApiProblem }>({});
  useEffect(() => {
    if (id === null) return;
    const controller = new AbortController();
    setState({});
    loadDraft(id, controller.signal).then(
      (draft) => setState({ draft }),
      (error: unknown) => {
        if (!controller.signal.aborted) setState({ problem: asProblem(error) });
      },
    );
    return () => controller.abort();
  }, [id, attempt]);
  return { ...state, retry: () => setAttempt(attempt + 1) };
}

async function loadDraft(id: string, signal: AbortSignal): Promise<PackDraft> {
  const { data: pack } = await send(requestFor('getPack', { id }), signal);
  const ids: string[] = [];
  if (pack.source.object_count !== null) {
    for await (const batch of allPages(requestFor('listPackDocuments', { id }), signal)) {
      ids.push(...batch.map(({ object_id }) => object_id));
    }
  }
  return draftOf(pack, ids);
}
