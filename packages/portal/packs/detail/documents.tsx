import { packDocumentStates } from '@scriptorium/contracts/packs';
import type { PackDocumentRecord, PackRecord } from '@scriptorium/contracts/wire/packs';
import { useEffect, useRef } from 'preact/hooks';
import { useList } from '../../api/hooks.ts';
import { useQueryState } from '../../api/location.ts';
import { requestFor } from '../../api/request.ts';
import { formatCount } from '../../kit/count.ts';
import { FilterBar } from '../../kit/filters/filter-bar.tsx';
import { ListTable } from '../../kit/list-table.tsx';
import { Named } from '../../kit/named.tsx';
import { ResourceLink } from '../../kit/resource-link.tsx';
import type { Column } from '../../kit/table.tsx';
import { State } from '../../kit/values.tsx';
import { isEnded } from '../words.ts';

const perPage = 50;
/** The minimum time between requests for the documents of a pack that is being built, in milliseconds. */
const restMs = 1_000;

/** The documents of a pack, with the reasons of those that are left out. */
export function Documents({ pack }: { pack: PackRecord }) {
  const [search, set] = useQueryState();
  const state = search.get('state') ?? '';
  const list = useList(
    requestFor('listPackDocuments', { id: pack.id, state: state || undefined, limit: perPage }),
  );
  useCurrent(pack, list);
  return (
    <section class="card stack" aria-labelledby="packs-documents">
      <h2 id="packs-documents">Documents</h2>
      <FilterBar
        label="Filters of documents"
        filters={[
          {
            kind: 'choice',
            name: 'state',
            title: 'State',
            value: state,
            options: packDocumentStates.map((one) => [one, one] as const),
          },
        ]}
        onChange={set}
      />
      <ListTable
        list={list}
        nouns={['document', 'documents']}
        label="Documents"
        keyOf={({ position }) => String(position)}
        columns={columns}
        empty={<p class="soft">No documents in this state</p>}
      />
    </section>
  );
}

/** Reloads the list when the pack changes, unless more pages were loaded, and once it has ended. */
function useCurrent(pack: PackRecord, list: { items: unknown[]; reload: () => void }): void {
  const ended = isEnded(pack);
  const latest = useRef(list);
  latest.current = list;
  const last = useRef({ at: performance.now(), version: pack.version });
  useEffect(() => {
    if (last.current.version === pack.version) return;
    const wait = ended ? 0 : Math.max(0, last.current.at + restMs - performance.now());
    const timer = window.setTimeout(() => {
      last.current = { at: performance.now(), version: pack.version };
      if (ended || latest.current.items.length <= perPage) latest.current.reload();
    }, wait);
    return () => window.clearTimeout(timer);
  }, [pack.version, ended]);
}

const countOf = (count: number | null): string => (count === null ? '–' : formatCount(count));

function Outcome({ document: { state, error, redaction } }: { document: PackDocumentRecord }) {
  return (
    <>
      <State state={state} />
      {error && (
        <p>
          {error.message} <span class="mono soft">{error.code}</span>
        </p>
      )}
      {redaction && (
        <p class="soft">
          Redacted ({redaction.profile}){redaction.verified ? ', verified' : ', not verified'}
          {redaction.reviewed && ', reviewed'}
        </p>
      )}
    </>
  );
}

const columns: readonly Column<PackDocumentRecord>[] = [
  { title: 'Document', show: (one) => <Named id={one.object_id} name={one.filename} /> },
  { title: 'State', show: (document) => <Outcome document={document} /> },
  { title: 'Pages', kind: 'number', show: ({ pages }) => countOf(pages) },
  { title: 'Tokens', kind: 'number', show: ({ tokens }) => countOf(tokens) },
  {
    title: 'Job',
    show: (document) =>
      document.job_id ? (
        <ResourceLink id={document.job_id}>
          {document.reused ? 'Earlier job' : 'Job'}
          <span class="visually-hidden"> of {document.filename}</span>
        </ResourceLink>
      ) : (
        <span class="soft">–</span>
      ),
  },
];
