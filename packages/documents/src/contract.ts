import type { Calls, ShapesOf } from '@scriptorium/sandbox/children/define-task';
import type { CallOptions } from '@scriptorium/sandbox/children/engine';
import { classificationTasks } from './classify/calls.ts';
import { normalizationTasks } from './normalize/calls.ts';
import type { Models } from './ocr/tesseract/tessdata.ts';
import { pageImageTasks } from './page-images/calls.ts';
import { recognisingTasks, redactionTasks } from './redact/contract/calls.ts';
import type { FindRequest } from './redact/contract/requests.ts';
import { recognitionTasks, textTasks } from './text/calls.ts';

const tasksWithoutModels = {
  ...textTasks,
  ...redactionTasks,
  ...normalizationTasks,
  ...classificationTasks,
  ...pageImageTasks,
};

/** All tasks of document children. */
export const documentTasks = { ...tasksWithoutModels, ...recognitionTasks, ...recognisingTasks };

type AllCalls = Calls<ShapesOf<typeof documentTasks>, CallOptions>;
/** A call without `models` in its request: the engines add the models. */
type WithoutModels<Call> = Call extends (
  request: infer Request extends { models: Models },
  options: CallOptions,
) => infer Answer
  ? (request: Omit<Request, 'models'>, options: CallOptions) => Answer
  : never;

/** The calls of document children. Each call throws EngineError on failure. */
export type Engines = Calls<ShapesOf<typeof tasksWithoutModels>, CallOptions> & {
  /** Recognises a page, or reads its existing text. */
  recognisePage: WithoutModels<AllCalls['recognisePage']>;
  /** Finds the content to remove from a page. */
  findPage(request: FindRequest, options: CallOptions): ReturnType<AllCalls['findPage']>;
  /** Checks one page of a redacted file, independently of the code that redacted it. */
  checkPage: WithoutModels<AllCalls['checkPage']>;
  /** Returns the languages for which a model is installed. */
  languages(): string[];
  /** Returns the versions of the engines and the hashes of their weights, by name. */
  versions(): Readonly<Record<string, string>>;
  /** Kills all children and removes temporary files. */
  close(): Promise<void>;
};

export type RecogniseRequest = Parameters<Engines['recognisePage']>[0];
