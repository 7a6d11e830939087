import { minutes, rawFile } from './files.ts';
import type { Teller } from './teller.ts';

export async function presets({ tell, ask }: Teller): Promise<void> {
  const operations = [
    { op: 'redact_pii', options: { style: 'label' } },
    { op: 'normalize_for_llm' },
  ];
  const body = { name: 'Claims', description: 'Claims, for the archive.', operations };
  const made = await tell('createPreset', 'Redact, then prepare for a model', 201, { body });
  await tell('createPreset', 'The name is taken', 409, { body });
  await tell('createPreset', 'An operation in the wrong place', 422, {
    body: { name: 'Scans', operations: [{ op: 'classify' }, { op: 'ocr' }] },
  });
  const params = { id: made.json.id };
  await tell('listPresets', 'The presets of the project', 200, {});
  await tell('getPreset', 'A preset', 200, { params });
  const changed = { name: 'Claims and invoices' };
  await tell('updatePreset', 'Rename a preset', 200, { params, body: changed });
  const upload = await ask('uploadObject', 201, { headers: rawFile('minutes.md'), body: minutes });
  await tell('createJob', 'With a preset', 202, {
    body: { source_object_id: upload.json.id, preset_id: made.json.id },
  });
  await tell('deletePreset', 'Delete a preset', 204, { params });
}
