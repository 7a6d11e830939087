import { formatBytes } from '../../../contracts/format-bytes.ts';
import { useAnswer } from '../../api/hooks.ts';
import { urlOf } from '../../api/request.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { Empty, Loading, ProblemState } from '../../kit/states.tsx';
import { useSession } from '../../shell/session.tsx';
import '../jobs.css';
import { getContent, getJob } from '../requests.ts';
import { outputTitles } from '../words.ts';
import FilePreview from './file.tsx';

/** The preview of a job's output. */
export default function OutputPreview({ id, objectId }: { id: string; objectId: string }) {
  const { data: job, problem, reload } = useAnswer(getJob(id));
  const { can } = useSession();
  const output = job?.outputs.find((one) => one.object_id === objectId);
  const content = getContent(objectId);
  return (
    <>
      <PageHead
        title={output ? (outputTitles[output.kind] ?? output.kind) : 'Output'}
        crumbs={[
          ['Jobs', '/'],
          ['Job', `/${id}`],
        ]}
        calls={[['Download content', content]]}
        actions={
          <>
            {output && (
              <span class="soft">
                {formatBytes(output.bytes)}, {output.mime}
              </span>
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
