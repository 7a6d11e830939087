import { Link } from 'wouter-preact';
import { useSession } from '../../shell/session.tsx';
import { useFilenames } from '../list/names.ts';

/** An object with its name, if the key can read it, and a link to its jobs. */
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
      <span class="mono soft">{id}</span>{' '}
      <Link href={`/?source_object_id=${id}`}>Jobs of this object</Link>
    </>
  );
}
