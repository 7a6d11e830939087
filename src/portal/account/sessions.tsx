import { useEffect, useState } from 'preact/hooks';
import { Route, Switch } from 'wouter-preact';
import type { PortalSessionList } from '../../contracts/wire/portal.ts';
import { asProblem } from '../api/hooks.ts';
import { type ApiProblem, fetchOrProblem, sessionHeaders } from '../api/request.ts';
import { Button } from '../kit/button.tsx';
import { PageHead } from '../kit/page-head.tsx';
import { Loading, PageNotFound, ProblemState } from '../kit/states.tsx';
import { Table } from '../kit/table.tsx';
import { toast } from '../kit/toasts.tsx';
import { Time } from '../kit/values.tsx';
import { useSession } from '../shell/session.tsx';

const path = '/portal/sessions';

type Live = PortalSessionList['data'][number];

export default function Sessions() {
  return (
    <Switch>
      <Route path="/" component={SessionList} />
      <Route component={PageNotFound} />
    </Switch>
  );
}

/** The live sessions of the person, or of the key. */
function SessionList() {
  const { session } = useSession();
  const [list, setList] = useState<Live[] | undefined>();
  const [problem, setProblem] = useState<ApiProblem | undefined>();
  const load = (): void => {
    setProblem(undefined);
    fetchOrProblem(path).then(
      async (response) => setList(((await response.json()) as PortalSessionList).data),
      (error: unknown) => setProblem(asProblem(error)),
    );
  };
  useEffect(load, []);
  const end = async (target: string, leaves: boolean): Promise<void> => {
    try {
      await fetchOrProblem(target, { method: 'DELETE', headers: sessionHeaders() });
    } catch (error) {
      toast('bad', `Could not end the session. ${asProblem(error).message}`);
      return;
    }
    if (leaves) window.location.assign('/portal/');
    else load();
  };
  return (
    <>
      <PageHead
        title="Sessions"
        about={
          <>
            Where {session.user ? 'you are' : 'your API key is'} signed in to the portal. A session
            ends after 12 hours, and after 2 hours without use.
          </>
        }
        actions={
          <Button danger onClick={() => void end(path, true)}>
            End all sessions
          </Button>
        }
      />
      {problem ? (
        <ProblemState problem={problem} onRetry={load} />
      ) : !list ? (
        <Loading what="sessions" />
      ) : (
        <Table
          label="Sessions"
          headings={[
            'Browser',
            'Address',
            'Project',
            'Started',
            'Last used',
            ['Actions', 'hidden'],
          ]}
        >
          {list.map((one) => (
            <tr key={one.id}>
              <td>
                <bdi>{one.user_agent ?? 'Unknown'}</bdi>{' '}
                {one.current && <span class="badge">this session</span>}
              </td>
              <td>{one.address ?? 'Unknown'}</td>
              <td>
                {session.projects.find(({ id }) => id === one.project_id)?.name ?? one.project_id}
              </td>
              <td>
                <Time at={one.created_at} />
              </td>
              <td>
                <Time at={one.last_seen_at} />
              </td>
              <td>
                <Button
                  label={`End the session from ${one.address ?? 'an unknown address'}, started ${one.created_at}`}
                  onClick={() => void end(`${path}/${one.id}`, one.current)}
                >
                  End
                </Button>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}
