import { newId } from '@scriptorium/contracts/ids';
import { createProject, issueKey } from '../../../../src/access/projects.ts';
import { inProject, inTransaction, prepared } from '../../../../src/db/transaction.ts';
import { setQuota } from '../../../../src/policies/quotas.ts';
import type { BenchGround } from '../ground.ts';

/** A project with an object for jobs, and keys without rate limits. */
export interface Tenant {
  projectId: string;
  objectId: string;
  secrets: string[];
}

const noBound = 100_000_000;

export async function createTenants(
  ground: BenchGround,
  projects: number,
  keysEach: number,
): Promise<Tenant[]> {
  const owner = await ground.open(ground.urls.ownerUrl, 2);
  const api = await ground.open(ground.urls.apiUrl, 2);
  const tenants: Tenant[] = [];
  for (let at = 0; at < projects; at++) {
    const { projectId } = await inTransaction(owner, (tx) => createProject(tx, `bench ${at}`));
    // The arms create more keys and jobs than a project is allowed.
    await inProject(owner, projectId, async (tx) => {
      await setQuota(tx, projectId, 'api_keys', noBound);
      await setQuota(tx, projectId, 'jobs_in_flight', noBound);
    });
    const secrets: string[] = [];
    for (let key = 0; key < keysEach; key++) {
      const issued = await inTransaction(owner, (tx) =>
        issueKey(tx, projectId, {
          name: `load ${key}`,
          scopes: ['*'],
          read_per_minute: noBound,
          write_per_minute: noBound,
        }),
      );
      secrets.push(issued.secret);
    }
    const objectId = newId('object');
    await inProject(api, projectId, (tx) =>
      prepared(
        tx,
        `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, pages, source_kind)
         VALUES ($1, $2, 'available', 'scan.pdf', 'application/pdf', 1000, repeat('0', 64), 3, 'upload')`,
        [objectId, projectId],
      ),
    );
    tenants.push({ projectId, objectId, secrets });
  }
  return tenants;
}
