import type { PortalSessionRecord } from '@scriptorium/contracts/wire/portal';
import { useState } from 'preact/hooks';
import { asProblem } from '../api/hooks.ts';
import { fetchOrThrow, sessionHeaders } from '../api/request.ts';
import { Icon } from '../kit/icons/icon.tsx';
import { toast } from '../kit/toasts.tsx';

/** The current project. A person can switch to another of their projects. */
export function ProjectSwitch({ session }: { session: PortalSessionRecord }) {
  const { user, projects, project_id: current } = session;
  const [busy, setBusy] = useState(false);
  if (!user) {
    return (
      <bdi class="project-name cut" title={session.project_name}>
        {session.project_name}
      </bdi>
    );
  }
  const change = async (id: string): Promise<void> => {
    setBusy(true);
    try {
      const headers = sessionHeaders();
      await fetchOrThrow(`/portal/session/project/${id}`, { method: 'POST', headers });
      // Everything on the page belongs to the previous project.
      window.location.assign('/portal/');
    } catch (error) {
      toast('bad', `Could not switch the project. ${asProblem(error).message}`);
      setBusy(false);
    }
  };
  return (
    <span class="project-switch">
      <select
        aria-label="Project"
        value={current}
        disabled={busy}
        onChange={(event) => void change(event.currentTarget.value)}
      >
        {projects.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <Icon name="choose" size={14} />
    </span>
  );
}
