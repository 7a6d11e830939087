import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createRecogniser, type Recogniser } from '../../src/jobs/recogniser/recogniser.ts';
import { checkout } from './run.ts';

/** What the external recogniser was sent. */
interface AnalyzeRequest {
  text: string;
  language: string;
  score_threshold: number;
  authorization: string | null;
}

/** An external recogniser in Python (`programs/recogniser.py`). */
export interface TestRecogniser {
  port: number;
  /** Changes how it answers, and forgets its requests. */
  setMode(mode: string): Promise<void>;
  requests(): Promise<AnalyzeRequest[]>;
  /** A client for it that does not pause between attempts. */
  connect(options?: {
    languages?: string[];
    timeoutMs?: number;
    userInfo?: string;
    restMs?: number;
  }): Recogniser;
  close(): Promise<void>;
}

export async function startRecogniser(): Promise<TestRecogniser> {
  const program = join(checkout, 'test/support/programs/recogniser.py');
  const child = spawn('python3', [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(line.toString());
  const base = `http://127.0.0.1:${port}`;
  const clients: Recogniser[] = [];
  return {
    port,
    async setMode(mode) {
      await fetch(`${base}/mode`, { method: 'PUT', body: mode });
    },
    requests: async () => (await (await fetch(`${base}/requests`)).json()) as AnalyzeRequest[],
    connect({ languages = ['en', 'de'], timeoutMs = 10_000, userInfo = '', restMs = 0 } = {}) {
      const client = createRecogniser({
        url: new URL(`http://${userInfo}127.0.0.1:${port}/analyze`),
        types: new Map([['ORG', 'ORGANIZATION']]),
        languages,
        timeoutMs,
        retryMs: [0, 0],
        restMs,
      });
      clients.push(client);
      return client;
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()));
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}
