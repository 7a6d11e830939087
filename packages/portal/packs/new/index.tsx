import { useEffect, useState } from 'preact/hooks';
import { useHistoryState } from 'wouter-preact/use-browser-location';
import { everything } from '../../api/everything.ts';
import { asProblem } from '../../api/hooks.ts';
import { useQueryState } from '../../api/location.ts';
import { type ApiProblem, requestFor, send } from '../../api/request.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { Loading, ProblemState } from '../../kit/states.tsx';
import { useSession } from '../../shell/session.tsx';
import '../packs.css';
import { draftOf, emptyDraft, type PackDraft } from './draft.ts';
import { Form } from './form.tsx';

/**
 * Builds a pack from a collection (`?collection=`), from a selection in the library (in the history
 * entry), or again from the source of another pack (`?refreshes=`).
 */
export default function NewPack() {
  const { can } = useSession();
  const [search] = useQueryState();
  const selected = idsIn(useHistoryState());
  const refreshes = search.get('refreshes');
  const collectionId = search.get('collection') ?? '';
  const former = useFormer(refreshes);
  const draft: PackDraft | undefined = refreshes
    ? former.draft
    : {
        ...emptyDraft,
        kind: selected.length > 0 ? 'objects' : 'collection',
        collectionId,
        objectIds: selected,
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
      ) : former.problem ? (
        <ProblemState problem={former.problem} />
      ) : draft ? (
        <Form key={refreshes} initial={draft} refreshes={refreshes} />
      ) : (
        <Loading what="pack" />
      )}
    </>
  );
}

/** Returns the objects that another screen passed in the history entry. */
function idsIn(state: unknown): string[] {
  if (typeof state !== 'object' || state === null || !('objects' in state)) return [];
  return Array.isArray(state.objects) ? state.objects.map(String) : [];
}

/** A draft with the source and options of a pack, which must be loaded first. */
function useFormer(id: string | null): { draft?: PackDraft; problem?: ApiProblem } {
  const [state, setState] = useState<{ draft?: PackDraft; problem?: ApiProblem }>({});
  useEffect(() => {
    if (id === null) return;
    const gone = new AbortController();
    setState({});
    load(id, gone.signal).then(
      (draft) => setState({ draft }),
      (error: unknown) => {
        if (!gone.signal.aborted) setState({ problem: asProblem(error) });
      },
    );
    return () => gone.abort();
  }, [id]);
  return state;
}

async function load(id: string, signal: AbortSignal): Promise<PackDraft> {
  const { data: pack } = await send(requestFor('getPack', { id }), signal);
  const ids: string[] = [];
  if (pack.source.object_count !== null) {
    for await (const batch of everything(requestFor('listPackDocuments', { id }), signal)) {
      ids.push(...batch.map(({ object_id }) => object_id));
    }
  }
  return draftOf(pack, ids);
}
