import type { Arm } from '../arms.ts';
import type { BenchGround } from '../ground.ts';
import { openApiArms } from '../paths/api.ts';
import { openDocumentArms } from '../paths/documents.ts';
import { openReceipts } from '../paths/receipt.ts';
import { openTaskArms } from '../paths/tasks.ts';
import { openWebhookArms } from '../paths/webhooks.ts';
import { openAnotherGround } from '../postgres/another-ground.ts';
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
  open(ground: BenchGround): Promise<{ arms: Record<string, Arm>; close(): Promise<void> }>;
}

/**
 * Number of rows of the measured project in each table before the first round: a day of a busy
 * project.
 */
const history = 40_000;

const path = (name: string, ours: string, peer: string, figure: SpeedFigure = 'rate'): Path => ({
  ...{ name, ours, peer, figure },
});

/** A separate database, for a set whose processes must not see the work of another set. */
async function within(
  ground: BenchGround,
  redis: number,
  open: (own: BenchGround) => ReturnType<PathSet['open']>,
): ReturnType<PathSet['open']> {
  const own = await openAnotherGround(ground, redis);
  try {
    const { arms, close } = await open(own);
    return {
      arms,
      async close() {
        await close();
        await own.close();
      },
    };
  } catch (error) {
    await own.close();
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
    open: (ground) =>
      within(ground, 1, async (own) => {
        const { over, close } = await openApiArms(own, { seconds: 1.5, warmUp: 6, history });
        const [few, many] = [over(8), over(32)];
        return {
          arms: {
            ...{ naive8: few.checked, one8: few.one, jobs8: few.jobs, tags8: few.tags },
            ...{ naive32: many.checked, one32: many.one, jobs32: many.jobs },
            ...{ findOne8: few.findOne, reads8: few.reads },
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
    open: (ground) =>
      within(ground, 2, async (own) => {
        const { arms, close } = await openWebhookArms(own, { events: 4_000, history });
        const { raw, one, hundred, commit } = arms;
        return { arms: { raw, one, hundred, commit }, close };
      }),
  },
  {
    name: 'tasks',
    rounds: 5,
    paths: [path('tasks', 'ours', 'bullmq'), path('tasks, a transaction each', 'stored', 'bullmq')],
    open: (ground) =>
      within(ground, 3, async (own) => {
        const lengths = { tasks: 5_000, batch: 50, slots: 50, projects: 8 };
        return openTaskArms(own, lengths, ['bullmq']);
      }),
  },
  {
    name: 'receipt',
    rounds: 4,
    paths: [path('commit to receipt, p50', 'ours', 'direct', 'p50')],
    open: (ground) =>
      within(ground, 4, async (own) => {
        const lengths = { seconds: 4, warmUp: 6, perSecond: 100, projects: 8, history };
        const receipts = await openReceipts(own, lengths);
        try {
          const ours = await receipts.ours(own, ['relay,webhooks']);
          const direct = await receipts.direct();
          await own.analyze();
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
