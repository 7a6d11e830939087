import { useEffect, useRef, useState } from 'preact/hooks';
import { chunkIdPattern } from '../../../contracts/packs.ts';
import type { CitationRecord } from '../../../contracts/wire/packs.ts';
import { useAnswer } from '../../api/hooks.ts';
import { useQueryState } from '../../api/location.ts';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/fields/field.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { PagePicture } from '../../kit/page-picture.tsx';
import { ResourceLink } from '../../kit/resource-link.tsx';
import { Loading, ProblemState } from '../../kit/states.tsx';
import { useSession } from '../../shell/session.tsx';
import '../packs.css';
import { getCitation } from '../requests.ts';

/** A chunk's identifier, alone or within the answer that cites it. */
const chunk = new RegExp(chunkIdPattern.replace(/^\^|\$$/g, ''));

/** Looks up where the text of a chunk is: paste its identifier, or an answer that cites it. */
export default function Citations() {
  const [search, set] = useQueryState();
  const id = search.get('id') ?? '';
  const [text, setText] = useState(id);
  const [fault, setFault] = useState<string | undefined>();
  const found = useAnswer(id ? getCitation(id) : null);
  const submit = (): void => {
    const [cited] = chunk.exec(text) ?? [];
    setFault(cited ? undefined : 'It has no chunk ID. One looks like chk_3f…_12.');
    if (cited) set({ id: cited }, 'push');
  };
  return (
    <>
      <PageHead
        title="Citations"
        crumbs={[['Packs', '/']]}
        calls={[['Get citation', getCitation(id || 'chk_…')]]}
      />
      <div class="stack">
        <form
          class="packs-lookup"
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <TextField
            label="Chunk ID"
            hint="The id of a chunk in chunks.jsonl, or an answer that cites one."
            value={text}
            fault={fault}
            onInput={setText}
          />
          <Button type="submit" primary>
            Look up
          </Button>
        </form>
        {found.problem ? (
          <ProblemState problem={found.problem} onRetry={found.reload} />
        ) : found.data ? (
          <Citation citation={found.data} />
        ) : found.loading ? (
          <Loading what="citation" />
        ) : null}
      </div>
    </>
  );
}

function Citation({ citation }: { citation: CitationRecord }) {
  const { can } = useSession();
  const [first, last] = citation.pages;
  return (
    <section class="card stack" aria-labelledby="packs-citation">
      <h2 id="packs-citation">
        <bdi>{citation.filename}</bdi>
      </h2>
      <dl class="facts">
        <dt>Object</dt>
        <dd>
          <ResourceLink id={citation.object_id} />
        </dd>
        {citation.shown_object_id !== citation.object_id && (
          <>
            <dt>Redaction</dt>
            <dd>
              <ResourceLink id={citation.shown_object_id} />
            </dd>
          </>
        )}
        {citation.images.length > 0 && (
          <>
            <dt>Pages</dt>
            <dd>{first === last ? first : `${first} to ${last}`}</dd>
          </>
        )}
        {citation.headings.length > 0 && (
          <>
            <dt>Section</dt>
            <dd>
              <bdi>{citation.headings.join(' › ')}</bdi>
            </dd>
          </>
        )}
      </dl>
      <blockquote class="packs-cited">
        <bdi>{citation.text}</bdi>
      </blockquote>
      {citation.images.length === 0 ? (
        <p class="soft">This file has no pages to show.</p>
      ) : can('objects:read') ? (
        <Pages key={citation.id} images={citation.images} />
      ) : (
        <p class="soft">
          Pictures of pages require the scope <code>objects:read</code>.
        </p>
      )}
    </section>
  );
}

function Pages({ images }: Pick<CitationRecord, 'images'>) {
  const element = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);
  useEffect(() => setRoom(Math.min(element.current?.clientWidth ?? 0, 900)), []);
  return (
    <div class="packs-pages" ref={element}>
      {room > 0 &&
        images.map(({ page, object_id, boxes }) => (
          <figure key={page}>
            <PagePicture
              objectId={object_id}
              page={page}
              cssWidth={room}
              marked={{ boxes, alt: `Page ${page} with the cited text marked` }}
            />
            <figcaption class="soft">Page {page}</figcaption>
          </figure>
        ))}
    </div>
  );
}
