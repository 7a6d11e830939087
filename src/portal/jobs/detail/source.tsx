import { Link } from 'wouter-preact';
import { Named } from '../../kit/named.tsx';

/** The source of a job by its name, with a link to its jobs. */
export function Source({ id, name }: { id: string; name: string | null | undefined }) {
  return (
    <span class="row">
      <Named id={id} name={name} />
      <Link href={`/?source_object_id=${id}`}>Jobs of this object</Link>
    </span>
  );
}
