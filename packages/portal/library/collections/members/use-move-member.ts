import { useRef } from 'preact/hooks';
import { useAction } from '../../../api/hooks.ts';
import { requestFor } from '../../../api/request.ts';
import type { Results } from '../../browse/results.ts';
import { memberRefOf } from './change.ts';

/**
 * Returns a function that moves a member within its collection, at once in the list and then on the
 * server, one move at a time. It returns false if the members around the new position are not
 * loaded.
 */
export function useMoveMember(collectionId: string, { items, move, reload }: Results) {
  const { run } = useAction();
  const queue = useRef(Promise.resolve());
  return (from: number, to: number): boolean => {
    const member = items.at(from);
    const neighbour = items.at(to);
    if (!member || !neighbour || !move(from, to)) return false;
    const request = requestFor('moveCollectionMember', {
      id: collectionId,
      type: member.kind,
      rid: member.id,
      body: { [to > from ? 'after' : 'before']: memberRefOf(neighbour.id) },
    });
    queue.current = queue.current.then(async () => {
      // After a failure, the displayed order may be wrong.
      if (!(await run(request))) reload();
    });
    return true;
  };
}
