/** Replaces src/admin.ts in tests. */
process.stdout.write(
  `${JSON.stringify({ project_id: 'prj_1', api_key: process.env.KNOWN_KEY ?? 'key-1' })}\n`,
);
