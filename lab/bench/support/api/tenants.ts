import { newId } from '@scriptorium/contracts/ids';
import { createProject, issueKey } from '../../../../src/access/projects.ts';
import { inProject, inTransaction, prepared } from '../../../../src/db/transaction.ts';
import { setQuota } from '../../../../src/policies/quotas.ts';
import type { Bench } from '../bench.ts';

/** A project with an object for jobs, and keys without rate limits. */
export interface Tenant {
  projectId: string;
  objectId: string;
  secrets: string[];
}

const unlimited = 100_000_000;

export async function createTenants(
  bench: Bench,
  projectCount: number,
  keysPerProject: number,
): Promise<Tenant[]> {
  const owner = await bench.openDatabase(bench.urls.ownerUrl, 2);
  const api = await bench.openDatabase(bench.urls.apiUrl, 2);
  const tenants: Tenant[] = [];
  for (let at = 0; at < projectCount; at++) {
    const { projectId } = await inTransaction(owner, (tx) => createProject(tx, `bench ${at}`));
    // The arms create more keys and jobs than a project is allowed.
    await inProject(owner, projectId, async (tx) => {
      await setQuota(tx, projectId, 'api_keys', unlimited);
      await setQuota(tx, projectId, 'jobs_in_flight', unlimited);
    });
    const secrets: string[] = [];
    for (let key = 0; key < keysPerProject; key++) {
      const issued = await inTransaction(owner, (tx) =>
        issueKey(tx, projectId, {
          name: `load ${key}`,
          scopes: ['*'],
          read_per_minute: unlimited,
          write_per_minute: unlimited,
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
