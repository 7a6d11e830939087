import { formatBytes } from '../../../contracts/format-bytes.ts';
import { useAnswer } from '../../api/hooks.ts';
import { requestFor, urlOf } from '../../api/request.ts';
import { ButtonLink } from '../../kit/button.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { Empty, Loading, ProblemState } from '../../kit/states.tsx';
import { mimeName } from '../../library/browse/filters/filters.ts';
import { useSession } from '../../shell/session.tsx';
import '../jobs.css';
import { useName } from '../../kit/names.ts';
import { isComparable, outputTitles } from '../words.ts';
import { Comparison } from './comparison.tsx';
import FilePreview from './file.tsx';

/** The preview of a job's output, or its pages beside those of the source. */
export default function OutputPreview(props: { id: string; objectId: string; compares: boolean }) {
  const { id, objectId, compares } = props;
  const { data: job, problem, reload } = useAnswer(requestFor('getJob', { id }));
  const { can } = useSession();
  const name = useName(job?.source_object_id);
  const output = job?.outputs.find((one) => one.object_id === objectId);
  const content = requestFor('getObjectContent', { id: objectId });
  return (
    <>
      <PageHead
        title={output ? (outputTitles[output.kind] ?? output.kind) : 'Output'}
        crumbs={[
          ['Jobs', '/'],
          [name ?? 'Job', `/${id}`],
        ]}
        calls={[['Download content', content]]}
        about={output && `${mimeName(output.mime)} · ${formatBytes(output.bytes)}`}
        actions={
          <>
            {output && isComparable(output.kind) && (
              <ButtonLink href={`/${id}/outputs/${objectId}${compares ? '' : '/compare'}`}>
                {compares ? 'Result only' : 'Compare with the original'}
              </ButtonLink>
            )}
            {output && can('objects:download') && (
              <a class="button" href={urlOf(content)} download>
                Download
              </a>
            )}
          </>
        }
      />
      {problem ? (
        <ProblemState problem={problem} onRetry={reload} />
      ) : !job ? (
        <Loading what="output" lines={8} />
      ) : !output ? (
        <Empty title="Not found">The job has no such output.</Empty>
      ) : !can('objects:download') ? (
        <Empty title="Access denied">
          Outputs require the scope <code>objects:download</code>. Ask your administrator for an API
          key that has it, then log in with that key.
        </Empty>
      ) : compares && isComparable(output.kind) ? (
        <Comparison job={job} objectId={objectId} />
      ) : (
        <FilePreview
          objectId={objectId}
          mime={output.mime}
          bytes={output.bytes}
          kind={output.kind}
        />
      )}
    </>
  );
}
