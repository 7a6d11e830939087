import { minutes, rawFile } from './files.ts';
import type { Teller } from './teller.ts';

export async function retention({ tell, ask }: Teller): Promise<void> {
  await ask('uploadObject', 201, { headers: rawFile('minutes.md'), body: minutes });
  const made = await tell('createRetentionRule', 'Delete everything after 90 days', 201, {
    body: { scope: { type: 'project' }, rule: { type: 'delete_after', days: 90 } },
  });
  await tell('createRetentionRule', 'A time in the past', 422, {
    body: {
      scope: { type: 'project' },
      rule: { type: 'keep_until', until: '2020-01-01T00:00:00.000Z' },
    },
  });
  const params = { id: made.json.id };
  await tell('listRetentionRules', 'The rules of the project', 200, {});
  await tell('getRetentionRule', 'A rule', 200, { params });
  await tell('updateRetentionRule', 'Delete earlier', 200, {
    params,
    headers: { 'if-match': '"1"' },
    body: { rule: { type: 'delete_after_last_job', days: 30 } },
  });
  await tell('previewRetention', 'Nothing is deleted now', 200, {});
  await tell('deleteRetentionRule', 'Delete a rule', 204, {
    params,
    headers: { 'if-match': '"2"' },
  });
}
