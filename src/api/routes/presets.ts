import { limits } from '@scriptorium/contracts/limits';
import {
  PresetCreate,
  PresetList,
  PresetPatch,
  PresetRecord,
} from '@scriptorium/contracts/wire/presets';
import { listQuery, strictObject } from '@scriptorium/contracts/wire/shapes';
import { requestedOperations } from '../../jobs/creating/check.ts';
import { changePreset, createPreset, deletePreset, lockPreset } from '../../jobs/presets/change.ts';
import { countPresets, findPreset, listPresets, presentPreset } from '../../jobs/presets/read.ts';
import { created, noContent, ok } from '../frame/reply.ts';
import { route } from '../frame/route.ts';
import { idPageStart, page } from '../requests/cursor.ts';
import { mayReadPii, readerOf } from './jobs/start.ts';

const tag = 'Presets';
const path = '/v1/documents/presets';

const list = route({
  method: 'GET',
  path,
  operationId: 'listPresets',
  tag,
  summary: 'List the presets of the project, newest first.',
  description: 'The presets of the service are in `GET /v1/capabilities`.',
  scopes: ['documents:read'],
  query: strictObject(listQuery()),
  responses: { 200: PresetList },
  handler: async (call) => {
    const rows = await listPresets(call.tx, idPageStart(call));
    return page(call, rows, {
      present: (preset) => presentPreset(preset, readerOf(call)),
      position: ({ id }) => [id],
      count: () => countPresets(call.tx),
    });
  },
});

const create = route({
  method: 'POST',
  path,
  operationId: 'createPreset',
  tag,
  summary: 'Create a preset.',
  description: `A named list of operations with their options. Start jobs with its \`preset_id\`. Options that are left out get their current defaults. The maximum is ${limits.presets_per_project} presets per project.`,
  scopes: ['documents:write'],
  body: PresetCreate,
  responses: { 201: PresetRecord },
  problems: ['already_exists', 'state_conflict', 'operation_order_invalid'],
  // Patterns and allowed values may contain personal data.
  secretResponse: true,
  handler: async (call) => {
    const { tx, origin, deps, body } = call;
    const preset = await createPreset(tx, origin, deps.seal, {
      name: body.name,
      description: body.description ?? null,
      operations: requestedOperations(body.operations),
      mayReadPii: mayReadPii(call.key),
      ocrLanguages: deps.settings.ocrLanguages,
    });
    const { id, version } = preset;
    return created(presentPreset(preset, readerOf(call)), `${path}/${id}`, { version });
  },
});

const get = route({
  method: 'GET',
  path: `${path}/{id}`,
  operationId: 'getPreset',
  tag,
  summary: 'Get a preset.',
  scopes: ['documents:read'],
  params: { id: 'preset' },
  responses: { 200: PresetRecord },
  load: (call) => findPreset(call.tx, call.params.id),
  handler: async (call) => {
    const { resource } = call;
    return ok(presentPreset(resource, readerOf(call)), { version: resource.version });
  },
});

const patch = route({
  method: 'PATCH',
  path: `${path}/{id}`,
  operationId: 'updatePreset',
  tag,
  summary: 'Update a preset.',
  description: '`operations` are replaced. Jobs that were started before do not change.',
  scopes: ['documents:write'],
  params: { id: 'preset' },
  body: PresetPatch,
  responses: { 200: PresetRecord },
  problems: ['already_exists', 'operation_order_invalid'],
  secretResponse: true,
  load: (call) => lockPreset(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { tx, origin, deps, body, resource } = call;
    const { operations, ...texts } = body;
    const preset = await changePreset(
      tx,
      origin,
      { seal: deps.seal.seal, unseal: deps.seal.open },
      resource,
      {
        ...texts,
        ...(operations && { operations: requestedOperations(operations) }),
        mayReadPii: mayReadPii(call.key),
        ocrLanguages: deps.settings.ocrLanguages,
      },
    );
    return ok(presentPreset(preset, readerOf(call)), { version: preset.version });
  },
});

const remove = route({
  method: 'DELETE',
  path: `${path}/{id}`,
  operationId: 'deletePreset',
  tag,
  summary: 'Delete a preset. Jobs that were started with it continue.',
  scopes: ['documents:write'],
  params: { id: 'preset' },
  responses: { 204: null },
  load: (call) => lockPreset(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    await deletePreset(call.tx, call.origin, call.resource);
    return noContent();
  },
});

export const presetRoutes = [list, create, get, patch, remove];
