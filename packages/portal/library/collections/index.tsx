import { useState } from 'preact/hooks';
import { Route, Switch, useLocation, useRoute } from 'wouter-preact';
import { useAction } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { DialogButton } from '../../kit/dialog.tsx';
import { TextField } from '../../kit/fields/field.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { Empty, Loading, PageNotFound, ProblemState } from '../../kit/states.tsx';
import { toast } from '../../kit/toasts.tsx';
import { useSession } from '../../shell/session.tsx';
import { DropTarget } from '../uploads/index.tsx';
import { CollectionCards } from './cards.tsx';
import { CollectionScreen } from './collection.tsx';
import { EditCollection } from './edit/index.tsx';
import { CollectionMatches } from './matches.tsx';
import { type CollectionNode, rootsOf } from './nodes.ts';
import { Tree } from './tree.tsx';
import { type CollectionTree, useCollections } from './use-collections.ts';
import './collections.css';

/** Number of collections above which they can be searched by name. */
const maxWithoutSearch = 7;

/** The tree of collections, with the open collection beside it. */
export default function Collections() {
  const tree = useCollections();
  const [, params] = useRoute('/:id');
  const current = params?.id ?? null;
  // On narrow screens, loading the tree would move the open collection, which is below it.
  const isWaiting = tree.loading && tree.nodes.size === 0;
  return (
    <div class={`collections${isWaiting ? ' waiting' : ''}${current ? ' inside' : ''}`}>
      <TreePane tree={tree} current={current} />
      <div class="collections-open">
        <Switch>
          <Route path="/:id">
            {({ id }) => <CollectionScreen key={id} id={id} collections={tree} />}
          </Route>
          <Route path="/">
            <DropTarget>
              <CollectionCards label="Collections at the top level" nodes={rootsOf(tree.nodes)} />
              {tree.nodes.size === 0 && !tree.problem && (
                <Empty title="No collections yet">
                  A collection groups images and objects: manually, in an order you choose, or by a
                  query that stays up to date.
                </Empty>
              )}
            </DropTarget>
          </Route>
          <Route component={PageNotFound} />
        </Switch>
      </div>
    </div>
  );
}

function TreePane({ tree, current }: { tree: CollectionTree; current: string | null }) {
  const { can } = useSession();
  const [, navigate] = useLocation();
  const [query, setQuery] = useState('');
  const { nodes, problem, loading, isTruncated, reload } = tree;
  const move = useMoveCollection(reload);
  const canWrite = can('collections:write');
  const name = query.trim();
  return (
    <section class="collections-tree" aria-label="All collections">
      <TreeHead tree={tree} current={current} canWrite={canWrite} />
      {problem && <ProblemState problem={problem} onRetry={reload} />}
      {loading && nodes.size === 0 && !problem && <Loading what="collections" />}
      {(nodes.size > maxWithoutSearch || query !== '') && (
        <TextField label="Find by name" type="search" value={query} onInput={setQuery} />
      )}
      {name !== '' ? (
        <CollectionMatches name={name} nodes={nodes} onOpen={(id) => navigate(`/${id}`)} />
      ) : (
        nodes.size > 0 && (
          <Tree
            nodes={nodes}
            current={current}
            onOpen={(id) => navigate(`/${id}`)}
            onMove={canWrite ? (moving, parent) => void move(moving, parent) : undefined}
          />
        )
      )}
      {isTruncated && <p class="soft">Showing the first {nodes.size} collections by name.</p>}
    </section>
  );
}

interface TreeHeadProps {
  tree: CollectionTree;
  current: string | null;
  canWrite: boolean;
}

function TreeHead({ tree: { nodes, reload }, current, canWrite }: TreeHeadProps) {
  const [, navigate] = useLocation();
  return (
    <PageHead
      title="Collections"
      calls={[
        [
          'List collections',
          requestFor('listCollections', { sort: 'name', include: 'covers', limit: 200 }),
        ],
        ['Create collection', requestFor('createCollection', { body: { name: 'Harbour' } })],
        [
          'Move to the top level',
          requestFor('updateCollection', { id: current ?? 'col_…', body: { parent_id: null } }),
        ],
      ]}
      primary={
        canWrite && (
          <DialogButton
            primary={current === null}
            label="New"
            dialog={(close) => (
              <EditCollection
                record={null}
                parent={current ? (nodes.get(current) ?? null) : null}
                onClose={close}
                onSaved={(created) => {
                  close();
                  reload();
                  navigate(`/${created.id}`);
                }}
              />
            )}
          />
        )
      }
    />
  );
}

/** Returns a function that moves a collection into another one, or to the top level (null). */
function useMoveCollection(reload: () => void) {
  const { run } = useAction();
  return async (moving: CollectionNode, parent: CollectionNode | null): Promise<void> => {
    const response = await run(
      requestFor('updateCollection', { id: moving.id, body: { parent_id: parent?.id ?? null } }),
    );
    reload();
    if (response)
      toast('good', `“${moving.name}” moved to ${parent ? `“${parent.name}”` : 'the top level'}.`);
  };
}
