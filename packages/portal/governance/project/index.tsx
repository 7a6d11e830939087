import { useState } from 'preact/hooks';
import { Route, Switch } from 'wouter-preact';
import { useList, useResource } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { Loading, PageNotFound, ProblemNotice } from '../../kit/states.tsx';
import { useSession } from '../../shell/session.tsx';
import { DeleteProjectDialog } from './delete-project.tsx';
import { Embeddings } from './embeddings.tsx';
import { RetentionRules } from './retention-rules.tsx';

export default function Project() {
  return (
    <Switch>
      <Route path="/" component={ProjectPage} />
      <Route component={PageNotFound} />
    </Switch>
  );
}

/** Shows the retention rules and the embeddings of the project, and deletes it. */
function ProjectPage() {
  const project = useResource(requestFor('getProject'));
  const { can } = useSession();
  const rules = useList(can('retention:read') ? requestFor('listRetentionRules') : null);
  const showsExpired = can('retention:read') && can('objects:read');
  const expired = useList(showsExpired ? requestFor('previewRetention') : null);
  const embeddings = useResource(can('objects:read') ? requestFor('getEmbeddings') : null);
  const [isDeleting, setDeleting] = useState(false);
  // The sections are shown together, because each would move the next ones.
  const isLoading =
    [rules, expired].some(({ firstPage, loading }) => !firstPage && loading) ||
    (!embeddings.data && embeddings.loading);
  if (project.problem) return <ProblemNotice problem={project.problem} />;
  if (!project.data || isLoading) return <Loading what="project" />;
  return (
    <>
      <PageHead
        title="Project"
        about={`“${project.data.name}”: how long its objects are kept, search by meaning, and its deletion.`}
        calls={[
          ['Get the project', requestFor('getProject')],
          ['Get the progress of embeddings', requestFor('getEmbeddings')],
          ['List retention rules', requestFor('listRetentionRules')],
          ['List what they delete now', requestFor('previewRetention')],
        ]}
      />
      {can('retention:read') && <RetentionRules rules={rules} expired={expired} />}
      {can('objects:read') && (
        <Embeddings
          texts={project.data.embeddings}
          embeddings={embeddings}
          onChanged={project.reload}
        />
      )}
      {can('projects:delete') && (
        <section class="stack" aria-labelledby="project-delete">
          <h2 id="project-delete">Delete the project</h2>
          <p>
            Deletes all objects, jobs, events, keys and members of the project. This cannot be
            undone.
          </p>
          <div>
            <Button danger onClick={() => setDeleting(true)}>
              Delete project
            </Button>
          </div>
        </section>
      )}
      {isDeleting && (
        <DeleteProjectDialog name={project.data.name} onClose={() => setDeleting(false)} />
      )}
    </>
  );
}
