import { createSigner } from './access/signer.ts';
import type { AdminSettings } from './admin/context.ts';
import { runAdmin } from './admin/index.ts';
import { readConfig } from './config.ts';

const read = <const Needs extends Parameters<typeof readConfig>[1][number]>(...needs: Needs[]) =>
  readConfig(process.env, needs);

const settings: AdminSettings = {
  ownerUrl: () => read('DATABASE_OWNER_URL').DATABASE_OWNER_URL,
  storageUrl: () => read('STORAGE_URL').STORAGE_URL,
  hasStorage: () => read().STORAGE_URL !== undefined,
  redisUrl: () => read().REDIS_URL,
  spoolPath: () => read().SPOOL_PATH,
  linkSettings() {
    const config = read('PUBLIC_URL', 'SIGNING_KEY');
    return { publicUrl: config.PUBLIC_URL, signer: createSigner(config.SIGNING_KEY) };
  },
  setupUrls() {
    const config = read(
      'DATABASE_SUPERUSER_URL',
      'DATABASE_OWNER_URL',
      'DATABASE_URL',
      'DATABASE_WORKER_URL',
      'DATABASE_RELAY_URL',
    );
    return {
      superuserUrl: config.DATABASE_SUPERUSER_URL,
      ownerUrl: config.DATABASE_OWNER_URL,
      apiUrl: config.DATABASE_URL,
      workerUrl: config.DATABASE_WORKER_URL,
      relayUrl: config.DATABASE_RELAY_URL,
      neighbourUrl: config.DATABASE_NEIGHBOUR_URL,
    };
  },
};

process.exitCode = await runAdmin(process.argv.slice(2), settings, {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
