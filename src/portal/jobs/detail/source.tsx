import { Link } from 'wouter-preact';
import { useSession } from '../../shell/session.tsx';
import { useFilenames } from '../list/names.ts';

/** An object by its name where that can be had, with the way to it. */
export function Source({ id }: { id: string }) {
  const { can } = useSession();
  const name = useFilenames(can('objects:read') ? [id] : []).get(id);
  return (
    <>
      {name && (
        <>
          <bdi>{name}</bdi>{' '}
        </>
      )}
      <span class="mono soft">{id}</span> <Link href={`/?source_object_id=${id}`}>Its jobs</Link>
    </>
  );
}
