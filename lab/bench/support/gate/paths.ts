import type { Arm } from '../arms.ts';
import type { Bench } from '../bench.ts';
import { openApiArms } from '../paths/api.ts';
import { openDocumentArms } from '../paths/documents.ts';
import { openReceipts } from '../paths/receipt.ts';
import { openTaskArms } from '../paths/tasks.ts';
import { openWebhookArms } from '../paths/webhooks.ts';
import { openAnotherBench } from '../postgres/another-bench.ts';
import type { SpeedFigure } from './judge.ts';

/** A hot path, and its peer. */
export interface Path {
  name: string;
  ours: string;
  peer: string;
  figure: SpeedFigure;
}

/** Paths whose arms run in the same rounds. */
export interface PathSet {
  name: string;
  rounds: number;
  paths: readonly Path[];
  open(bench: Bench): Promise<{ arms: Record<string, Arm>; close(): Promise<void> }>;
}

/**
 * Number of rows of the measured project in each table before the first round: a day of a busy
 * project.
 */
const historyRows = 40_000;

const path = (name: string, ours: string, peer: string, figure: SpeedFigure = 'rate'): Path => ({
  name,
  ours,
  peer,
  figure,
});

/** A separate database, for a set whose processes must not see the work of another set. */
async function withSeparateBench(
  bench: Bench,
  redis: number,
  open: (separate: Bench) => ReturnType<PathSet['open']>,
): ReturnType<PathSet['open']> {
  const separate = await openAnotherBench(bench, redis);
  try {
    const { arms, close } = await open(separate);
    return {
      arms,
      async close() {
        await close();
        await separate.close();
      },
    };
  } catch (error) {
    await separate.close();
    throw error;
  }
}

export const pathSets: readonly PathSet[] = [
  {
    name: 'api',
    rounds: 4,
    paths: [
      path('POST /v1/documents/jobs, 1 key, 8', 'one8', 'naive8'),
      path('POST /v1/documents/jobs, 16 keys, 8', 'jobs8', 'naive8'),
      path('POST /v1/documents/jobs, 1 key, 32', 'one32', 'naive32'),
      path('POST /v1/documents/jobs, 16 keys, 32', 'jobs32', 'naive32'),
      path('GET /v1/documents/jobs/{id}, 16 keys, 8', 'reads8', 'findOne8'),
      path('PATCH /v1/objects/{id}, 16 keys, 8', 'tags8', 'naive8'),
    ],
    open: (bench) =>
      withSeparateBench(bench, 1, async (separate) => {
        const { armsFor: over, close } = await openApiArms(separate, {
          seconds: 1.5,
          warmUp: 6,
          history: historyRows,
        });
        const [over8, over32] = [over(8), over(32)];
        return {
          arms: {
            naive8: over8.checked,
            one8: over8.one,
            jobs8: over8.jobs,
            tags8: over8.tags,
            naive32: over32.checked,
            one32: over32.one,
            jobs32: over32.jobs,
            findOne8: over8.findOne,
            reads8: over8.reads,
          },
          close,
        };
      }),
  },
  {
    name: 'webhooks',
    rounds: 5,
    paths: [
      path('webhooks, a backlog to one endpoint', 'one', 'raw'),
      path('webhooks, a backlog to a hundred', 'hundred', 'raw'),
      path('webhooks, from the first commit', 'commit', 'raw'),
    ],
    open: (bench) =>
      withSeparateBench(bench, 2, async (separate) => {
        const { arms, close } = await openWebhookArms(separate, {
          events: 4_000,
          history: historyRows,
        });
        const { raw, one, hundred, commit } = arms;
        return { arms: { raw, one, hundred, commit }, close };
      }),
  },
  {
    name: 'tasks',
    rounds: 5,
    paths: [path('tasks', 'ours', 'bullmq'), path('tasks, a transaction each', 'stored', 'bullmq')],
    open: (bench) =>
      withSeparateBench(bench, 3, async (separate) => {
        const options = { tasks: 5_000, batch: 50, slots: 50, projects: 8 };
        return openTaskArms(separate, options, ['bullmq']);
      }),
  },
  {
    name: 'receipt',
    rounds: 4,
    paths: [path('commit to receipt, p50', 'ours', 'direct', 'p50')],
    open: (bench) =>
      withSeparateBench(bench, 4, async (separate) => {
        const options = {
          seconds: 4,
          warmUp: 6,
          perSecond: 100,
          projects: 8,
          history: historyRows,
        };
        const receipts = await openReceipts(separate, options);
        try {
          const ours = await receipts.serviceArm(separate, ['relay,webhooks']);
          const direct = await receipts.direct();
          await separate.analyze();
          return { arms: { ours, direct }, close: receipts.close };
        } catch (error) {
          await receipts.close();
          throw error;
        }
      }),
  },
  {
    name: 'documents',
    rounds: 4,
    paths: [
      path('ocr, a scanned page', 'ocr', 'fixed'),
      path('redact_pii, two pages', 'redact', 'fixed'),
      path('normalize_for_llm, twenty pages', 'normalize', 'fixed'),
    ],
    async open() {
      const { arms, close } = await openDocumentArms();
      return { arms: { ...arms }, close };
    },
  },
];
