import { type EventTypeName, eventTypeNames, eventTypes } from '@scriptorium/contracts/events';
import type { EventTypeRecord } from '@scriptorium/contracts/wire/events';

/** The identifiers used in examples of events, by kind of resource. */
export const exampleIds: Record<(typeof eventTypes)[EventTypeName]['resource'], string> = {
  object: 'obj_01m7gtek0sx6hv4x5fqk2v9d3e',
  image: 'img_01m7gtek0sx6hv4x5fqk2v9d3e',
  collection: 'col_01m7gtek0sx6hv4x5fqk2v9d3e',
  share: 'shr_01m7gtek0sx6hv4x5fqk2v9d3e',
  policy: 'pol_01m7gtek0sx6hv4x5fqk2v9d3e',
  retention_rule: 'ret_01m7gtek0sx6hv4x5fqk2v9d3e',
  erasure: 'era_01m7gtek0sx6hv4x5fqk2v9d3e',
  job: 'job_01m7gtek0sx6hv4x5fqk2v9d3e',
  preset: 'pst_01m7gtek0sx6hv4x5fqk2v9d3e',
  review: 'rev_01m7gtek0sx6hv4x5fqk2v9d3e',
  pack: 'pack_01m7gtek0sx6hv4x5fqk2v9d3e',
  webhook: 'whk_01m7gtek0sx6hv4x5fqk2v9d3e',
  delivery: 'whd_01m7gtek0sx6hv4x5fqk2v9d3e',
  replay: 'rpl_01m7gtek0sx6hv4x5fqk2v9d3e',
  consumer: 'con_01m7gtek0sx6hv4x5fqk2v9d3e',
  member: 'mem_01m7gtek0sx6hv4x5fqk2v9d3e',
  invitation: 'inv_01m7gtek0sx6hv4x5fqk2v9d3e',
  api_key: 'key_01m7gtek0sx6hv4x5fqk2v9d3e',
  project: 'prj_01m7gtek0sx6hv4x5fqk2v9d3e',
  vod_job: 'job_01m7gtek0sx6hv4x5fqk2v9d3e',
};

/** Every event type, with the schema of its data and an example of its webhook body. */
export function describeEventTypes(): EventTypeRecord[] {
  return eventTypeNames.map((type) => {
    const { category, resource, summary, data, example } = eventTypes[type];
    return {
      type,
      category,
      resource_type: resource,
      summary,
      data_schema: { ...data },
      example: {
        id: 'evt_01m7gtek0sx6hv4x5fqk2v9d3e',
        type,
        timestamp: '2026-01-31T12:00:00.000Z',
        project_id: 'prj_01m7gtek0sx6hv4x5fqk2v9d3e',
        resource_type: resource,
        resource_id: exampleIds[resource],
        category,
        sequence: 42,
        occurred_at: '2026-01-31T12:00:00.000Z',
        actor: { type: 'system', id: null, name: null },
        request_id: null,
        data: example,
      },
    };
  });
}
