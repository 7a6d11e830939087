import type { Signer } from '../../src/access/signer.ts';
import { runAdmin } from '../../src/admin/index.ts';
import type { TestDatabase } from './services.ts';

/** The result of a command line. */
interface Answer {
  code: number;
  stdout: string;
  stderr: string;
}

/** The operator's command line, in the test's own process. */
export interface TestAdmin {
  run(...argv: string[]): Promise<Answer>;
  /** Runs it with `--json`, and fails unless it ends with this code. */
  json(code: number, ...argv: string[]): Promise<Record<string, unknown>>;
}

export function openAdmin(
  database: Pick<TestDatabase, 'ownerUrl'>,
  given: {
    redisUrl?: string;
    storageUrl?: string;
    links?: { publicUrl: string; signer: Signer };
  } = {},
): TestAdmin {
  const missing = (name: string) => (): never => {
    throw new Error(`${name} must be set`);
  };
  const run: TestAdmin['run'] = async (...argv) => {
    const answer: Answer = { code: -1, stdout: '', stderr: '' };
    answer.code = await runAdmin(
      argv,
      {
        ownerUrl: () => database.ownerUrl,
        storageUrl: () => given.storageUrl ?? missing('STORAGE_URL')(),
        hasStorage: () => given.storageUrl !== undefined,
        redisUrl: () => given.redisUrl,
        spoolPath: () => undefined,
        links: () => given.links ?? missing('PUBLIC_URL')(),
        setUp: missing('DATABASE_SUPERUSER_URL'),
      },
      {
        out: (text) => {
          answer.stdout += text;
        },
        err: (text) => {
          answer.stderr += text;
        },
      },
    );
    return answer;
  };
  return {
    run,
    async json(code, ...argv) {
      const answer = await run(...argv, '--json');
      if (answer.code !== code) {
        throw new Error(`${argv.join(' ')} ended with ${answer.code}: ${answer.stderr}`);
      }
      const told: unknown = JSON.parse(answer.stdout);
      if (typeof told !== 'object' || told === null)
        throw new Error('The command did not print an object.');
      return Object.fromEntries(Object.entries(told));
    },
  };
}
