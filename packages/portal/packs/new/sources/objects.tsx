import { pluralise } from '@scriptorium/contracts/pluralise';
import type { ApiProblem } from '../../../api/request.ts';
import { SourcePicker, SourceRow } from '../../../jobs/start/source.tsx';
import '../../../jobs/jobs.css';
import { Button } from '../../../kit/button.tsx';
import { formatCount } from '../../../kit/count.ts';
import { faultAt } from '../../../kit/fields/field.tsx';
import type { SourceProps } from '../source.tsx';

/** Maximum number of selected objects that are shown by name. */
const maxShown = 20;

/** Selects objects, one by one. */
export function ObjectsSource({ draft: { objectIds }, onChange, problem }: SourceProps) {
  const change = (ids: readonly string[]): void => onChange({ objectIds: ids });
  const missing = missingOf(problem, objectIds);
  const fault = faultAt(problem, '/source/object_ids');
  const rest = objectIds.length - maxShown;
  return (
    <div class="stack">
      <p>
        <strong>{pluralise(objectIds.length, 'object')} selected</strong>
      </p>
      {objectIds.length > 0 && (
        <ul class="packs-objects">
          {objectIds.slice(0, maxShown).map((id) => (
            <SourceRow
              key={id}
              id={id}
              onKnown={() => undefined}
              onRemove={() => change(objectIds.filter((other) => other !== id))}
            />
          ))}
        </ul>
      )}
      {rest > 0 && <p class="soft">And {formatCount(rest)} more</p>}
      {missing.size > 0 && (
        <div class="row">
          <span>{pluralise(missing.size, 'object')} no longer found</span>
          <Button small onClick={() => change(objectIds.filter((id) => !missing.has(id)))}>
            Leave out objects that were not found
          </Button>
        </div>
      )}
      {fault && <span class="fault">{fault}</span>}
      <details open={objectIds.length === 0}>
        <summary>Add an object</summary>
        <SourcePicker chosen={objectIds} onPick={(id) => change([...objectIds, id])} />
      </details>
    </div>
  );
}

/** Returns the objects that the API did not find. */
function missingOf(problem: ApiProblem | undefined, ids: readonly string[]): Set<string> {
  const places = (problem?.document.errors ?? []).flatMap(({ code, pointer }) => {
    const at = /^\/source\/object_ids\/(\d+)$/.exec(pointer ?? '')?.[1];
    return code === 'reference_not_found' && at !== undefined ? [Number(at)] : [];
  });
  return new Set(places.flatMap((at) => ids[at] ?? []));
}
