import { once } from 'node:events';
import type { Arm } from '../arms.ts';
import { startChild } from '../children.ts';

/** Operations on documents, each compared with a fixed amount of other work in the same process. */
export interface DocumentArms {
  ocr: Arm;
  redact: Arm;
  normalize: Arm;
  fixed: Arm;
}

/** Starts engines in a separate process and warms them up. */
export async function openDocumentArms(): Promise<{
  arms: DocumentArms;
  close(): Promise<void>;
}> {
  const child = await startChild('paths/documents-process.ts', {});
  const arm = (work: keyof DocumentArms): Arm => ({
    processes: { all: [child.pid] },
    async run() {
      const start = performance.now();
      const done = once(child.process, 'message');
      child.process.send({ work });
      await done;
      return { operations: 1, rate: 1_000 / (performance.now() - start) };
    },
  });
  const arms: DocumentArms = {
    ocr: arm('ocr'),
    redact: arm('redact'),
    normalize: arm('normalize'),
    fixed: arm('fixed'),
  };
  const close = async (): Promise<void> => {
    const exited = once(child.process, 'exit');
    child.process.disconnect();
    await exited;
  };
  try {
    for (let time = 0; time < 2; time++) {
      for (const { run } of Object.values(arms)) await run();
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { arms, close };
}
