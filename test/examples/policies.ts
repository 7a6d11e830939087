import { minutes, rawFile } from './files.ts';
import type { Teller } from './teller.ts';

export async function policies({ tell, ask }: Teller): Promise<void> {
  const upload = await ask('uploadObject', 201, {
    headers: rawFile('minutes.md'),
    body: minutes,
  });
  const object = upload.json.id;
  const body = {
    name: 'Minutes leave by signed URLs only',
    mode: 'audit',
    scope: { type: 'project' },
    actions: ['download'],
    rules: [{ type: 'require_signed_url', max_ttl_seconds: 3600 }],
  };
  const made = await tell('createPolicy', 'A policy in audit mode', 201, { body });
  const params = { id: made.json.id };
  await tell('getDraftImpact', 'The impact of a draft', 200, { body: { with: body } });
  await tell('createPolicy', 'A rule without a required parameter', 422, {
    body: { ...body, rules: [{ type: 'max_bytes' }] },
  });
  await tell('evaluatePolicies', 'The decision on a download if the policy were enforced', 200, {
    body: {
      action: 'download',
      resource: { type: 'object', id: object },
      with: [{ ...body, id: params.id, mode: 'enforce' }],
    },
  });
  await tell('getPolicyImpact', 'How many objects it would deny', 200, { params, body: {} });
  await tell('updatePolicy', 'Enforce the policy', 200, {
    params,
    headers: { 'if-match': '"1"' },
    body: { mode: 'enforce' },
  });
  await tell('updatePolicy', 'Without If-Match', 428, { params, body: { mode: 'audit' } });
  await tell('getObjectContent', 'Denied by a policy, with the remedy', 403, {
    params: { id: object },
  });
  await tell('getPolicy', 'A policy', 200, { params });
  await tell('listPolicies', 'All policies, including the two of every new project', 200);
  await tell('deletePolicy', 'Delete a policy', 204, {
    params,
    headers: { 'if-match': '"2"' },
  });
}
