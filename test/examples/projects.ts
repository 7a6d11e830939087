import type { Teller } from './teller.ts';

export async function projects({ tell }: Teller): Promise<void> {
  await tell('getProject', 'The project of the request', 200);
  await tell('updateProject', 'Embed redacted texts of protected documents, too', 200, {
    body: { embeddings: 'redacted' },
  });
  await tell('deleteProject', 'Without the right name', 422, { body: { name: 'harbor' } });
  const rules = [{ type: 'legal_hold', reason: 'Case 2026-114' }];
  const policy = await tell('createPolicy', 'A legal hold on contracts', 201, {
    body: {
      name: 'Hold for the court',
      mode: 'enforce',
      scope: { type: 'tag', tags: ['contract'] },
      actions: ['delete'],
      rules,
    },
  });
  const body = { name: 'Harbour' };
  await tell('deleteProject', 'A legal hold prevents it', 409, { body });
  await tell('deletePolicy', 'Release a hold', 204, {
    params: { id: policy.json.id },
    headers: { 'if-match': '"1"' },
  });
  await tell('deleteProject', 'Delete the project', 202, { body });
}
