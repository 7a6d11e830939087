import type { Signer } from '../../src/access/signer.ts';
import { runAdmin } from '../../src/admin/index.ts';
import type { TestDatabase } from './services.ts';

/** The result of a command line. */
interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** The operator's command line, in the test's own process. */
export interface TestAdmin {
  run(...argv: string[]): Promise<CommandResult>;
  /** Runs it with `--json`, and fails unless it ends with this code. */
  json(code: number, ...argv: string[]): Promise<Record<string, unknown>>;
}

export function openAdmin(
  database: Pick<TestDatabase, 'ownerUrl'>,
  options: {
    redisUrl?: string;
    storageUrl?: string;
    links?: { publicUrl: string; signer: Signer };
  } = {},
): TestAdmin {
  const missing = (name: string) => (): never => {
    throw new Error(`${name} must be set`);
  };
  const run: TestAdmin['run'] = async (...argv) => {
    const result: CommandResult = { code: -1, stdout: '', stderr: '' };
    result.code = await runAdmin(
      argv,
      {
        ownerUrl: () => database.ownerUrl,
        storageUrl: () => options.storageUrl ?? missing('STORAGE_URL')(),
        hasStorage: () => options.storageUrl !== undefined,
        redisUrl: () => options.redisUrl,
        spoolPath: () => undefined,
        linkSettings: () => options.links ?? missing('PUBLIC_URL')(),
        setupUrls: missing('DATABASE_SUPERUSER_URL'),
      },
      {
        out: (text) => {
          result.stdout += text;
        },
        err: (text) => {
          result.stderr += text;
        },
      },
    );
    return result;
  };
  return {
    run,
    async json(code, ...argv) {
      const result = await run(...argv, '--json');
      if (result.code !== code) {
        throw new Error(`${argv.join(' ')} ended with ${result.code}: ${result.stderr}`);
      }
      const output: unknown = JSON.parse(result.stdout);
      if (typeof output !== 'object' || output === null)
        throw new Error('The command did not print an object.');
      return Object.fromEntries(Object.entries(output));
    },
  };
}
