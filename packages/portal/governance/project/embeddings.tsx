import { type EmbeddedTexts, embeddedTexts } from '@scriptorium/contracts/embeddings';
import type { EmbeddingsRecord } from '@scriptorium/contracts/wire/projects';
import { type LoadedResource, useAction } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { SelectField } from '../../kit/fields/field.tsx';
import { formatCount } from '../../kit/format-count.ts';
import { ProblemNotice } from '../../kit/states.tsx';
import { useSession } from '../../shell/session.tsx';

interface EmbeddingsProps {
  texts: EmbeddedTexts;
  embeddings: LoadedResource<EmbeddingsRecord>;
  onChanged: () => void;
}

/** Shows and changes which texts are embedded for searches by meaning, and how many are. */
export function Embeddings({ texts, embeddings, onChanged }: EmbeddingsProps) {
  const { can } = useSession();
  const { run, problem } = useAction();
  const change = async (value: string) => {
    const wanted = embeddedTexts.find((one) => one === value);
    if (!wanted) return;
    if (await run(requestFor('updateProject', { body: { embeddings: wanted } }))) {
      onChanged();
      embeddings.reload();
    }
  };
  return (
    <section class="stack" aria-labelledby="project-embeddings">
      <h2 id="project-embeddings">Search by meaning</h2>
      <ProblemNotice problem={embeddings.problem} />
      {embeddings.data && <p>{describe(embeddings.data)}</p>}
      {problem && <ProblemNotice problem={problem} />}
      {can('policies:write') && (
        <SelectField
          label="Texts sent to the embedding endpoint"
          value={texts}
          onChange={change}
          options={embeddedTexts.map((one) => [one, titles[one]])}
        />
      )}
    </section>
  );
}

const titles: Record<EmbeddedTexts, string> = {
  none: 'None, and no questions',
  unprotected: 'Documents that no policy protects',
  redacted: 'Also redacted texts of protected documents',
  all: 'All',
};

function describe({ state, passages, failure }: EmbeddingsRecord): string {
  const counts = `${formatCount(passages.embedded)} of ${formatCount(passages.total)} passages have a vector.`;
  switch (state) {
    case 'not_configured':
      return 'The service has no embedding endpoint, so searches compare words only.';
    case 'disabled':
      return 'This project sends no texts to the embedding endpoint.';
    case 'failing':
      return `${counts} The embedding endpoint fails (${failure?.code ?? 'unknown'}) and is tried again.`;
    case 'running':
      return `${counts} Vectors are being computed.`;
    case 'complete':
      return counts;
  }
}
