import { useState } from 'preact/hooks';
import { Route, Switch, useLocation, useRoute } from 'wouter-preact';
import { useAction } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
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
import { type CollectionNode, rootsOf } from './nodes.ts';
import { Tree } from './tree.tsx';
import { type CollectionTree as Loaded, useCollections } from './use-collections.ts';
import './collections.css';

/** The tree of collections, with the open collection beside it. */
export default function Collections() {
  const tree = useCollections();
  const [, params] = useRoute('/:id');
  const current = params?.id ?? null;
  // On narrow screens, loading the tree would move the open collection, which is below it.
  const isWaiting = tree.loading && tree.nodes.size === 0;
  return (
    <div class={`collections${isWaiting ? ' waiting' : ''}${current ? ' inside' : ''}`}>
      <TreePane loaded={tree} current={current} />
      <div class="collections-open">
        <Switch>
          <Route path="/:id">
            {({ id }) => <CollectionScreen key={id} id={id} collections={tree} />}
          </Route>
          <Route path="/">
            <DropTarget>
              {tree.nodes.size > 0 ? (
                <CollectionCards label="Collections at the top level" nodes={rootsOf(tree.nodes)} />
              ) : (
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

function TreePane({ loaded, current }: { loaded: Loaded; current: string | null }) {
  const { can } = useSession();
  const [, navigate] = useLocation();
  const { run } = useAction();
  const [q, setQ] = useState('');
  const { nodes, problem, loading, isTruncated, reload } = loaded;
  const canWrite = can('collections:write');
  const move = async (moving: CollectionNode, parent: CollectionNode | null): Promise<void> => {
    const answer = await run(
      requestFor('updateCollection', { id: moving.id, body: { parent_id: parent?.id ?? null } }),
    );
    reload();
    if (answer)
      toast('good', `“${moving.name}” moved to ${parent ? `“${parent.name}”` : 'the top level'}.`);
  };
  const matches = q.trim()
    ? [...nodes.values()].filter(({ name }) => name.toLowerCase().includes(q.trim().toLowerCase()))
    : null;
  return (
    <section class="collections-tree" aria-label="All collections">
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
      {problem && <ProblemState problem={problem} onRetry={reload} />}
      {loading && nodes.size === 0 && !problem && <Loading what="collections" />}
      {nodes.size > 7 && <TextField label="Find by name" type="search" value={q} onInput={setQ} />}
      {matches ? (
        <ul class="collections-found">
          {matches.slice(0, 50).map((node) => (
            <li key={node.id}>
              <Button quiet onClick={() => navigate(`/${node.id}`)}>
                <bdi>{node.name}</bdi>
              </Button>
            </li>
          ))}
          {matches.length === 0 && <li class="soft">No matching collections</li>}
        </ul>
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
