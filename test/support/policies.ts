import type { TestApi } from './api.ts';

export const policiesPath = '/v1/dam/security/policies';

/** Creates a policy, by default enforced in the whole project; throws if it is rejected. */
export async function addPolicy(
  api: TestApi,
  policy: { actions: readonly string[]; rules: readonly object[]; [field: string]: unknown },
): Promise<string> {
  const body = { name: 'P', mode: 'enforce', scope: { type: 'project' }, ...policy };
  const { status, text, json } = await api.call('POST', policiesPath, { body });
  if (status !== 201) throw new Error(`Policy: ${status} ${text}`);
  return json.id;
}
