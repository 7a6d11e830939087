import type { Teller } from './teller.ts';

type Described = { openapi: unknown; info: unknown };

/** What applies to all operations, and how the API rejects requests. */
export async function service(scene: Teller): Promise<void> {
  const { tell, until } = scene;
  await tell('getLimits', 'The limits', 200);
  await tell('getLimits', 'Without a key', 401, { key: null });
  await tell('getLimits', 'With an unknown key', 401, {
    key: `sk_k3yk3yk3_${'0'.repeat(38)}`,
  });
  await tell('getLimits', 'Without a project', 400, {
    key: null,
    headers: { authorization: `Bearer ${scene.key}` },
  });
  await tell('getUsage', 'Usage and quotas', 200);
  await tell('getUsage', 'With the last two days', 200, { query: { days: '2' } });
  await tell('getCapabilities', 'What document jobs can do', 200, {
    shorten: (all) => ({ ...all, operations: all.operations.slice(0, 1) }),
  });
  await tell('getOpenApi', 'The OpenAPI document (shortened)', 200, {
    shorten: ({ openapi, info }: Described) => ({ openapi, info }),
  });
  const few = await scene.issue({ name: 'Few', scopes: ['*'], read_per_minute: 1 });
  await until('getLimits', { key: few }, ({ status }) => status === 429);
  await tell('getLimits', 'Too many requests', 429, { key: few });
}
