import { Link } from 'wouter-preact';
import { pluralise } from '../../../contracts/pluralise.ts';
import { Cover } from './cover.tsx';
import type { Node } from './nodes.ts';

/** Collections as cards with their covers; each leads to its page. */
export function Cards({ label, nodes }: { label: string; nodes: readonly Node[] }) {
  if (nodes.length === 0) return null;
  return (
    <ul class="collection-cards" aria-label={label}>
      {nodes.map(({ id, name, record, children }) => (
        <li key={id}>
          <Link href={`/${id}`}>
            <Cover of={record?.covers} />
            <bdi class="collection-card-name">{name}</bdi>
            <span class="soft">
              {record?.kind === 'smart'
                ? 'Smart'
                : record?.member_count != null && pluralise(record.member_count, 'member')}
              {children.length > 0 && ` · ${pluralise(children.length, 'collection')}`}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
