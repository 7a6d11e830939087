import type { Check } from '../checks.ts';
import { EngineError } from '../errors.ts';
import type { TaskFiles } from '../isolation/box.ts';
import type { Handler } from './child-main.ts';

type Shape = { request: unknown; answer: unknown };

/** The definition of a kind of task. */
export interface TaskDefinition<S extends Shape> {
  /** Checks the argument of the handler, which must be serialisable as JSON. */
  request: Check<S['request']>;
  /**
   * Checks a child's answer to a request. Children read hostile files, so their answers are
   * untrusted.
   */
  answer(value: unknown, request: S['request']): value is S['answer'];
  /**
   * Returns the files of a request; the child has access to no other file of the service. Requests
   * with the same affinity (a source file) prefer the child that ran the previous one.
   */
  files(request: S['request']): Partial<TaskFiles> & { affinity?: string };
}

/** Definitions of tasks, by the names of their calls and handlers. */
export type TaskDefinitions<S extends Record<string, Shape>> = {
  [Name in keyof S]: TaskDefinition<S[Name]>;
};

/** The requests and answers of tasks. */
export type ShapesOf<Tasks> = {
  [Name in keyof Tasks]: Tasks[Name] extends TaskDefinition<infer S> ? S : never;
};

/** The calls of tasks. Each throws EngineError on failure. */
export type Calls<S extends Record<string, Shape>, Options> = {
  [Name in keyof S]: (request: S[Name]['request'], options: Options) => Promise<S[Name]['answer']>;
};

/** The handlers of tasks. */
type Handlers<S extends Record<string, Shape>> = {
  [Name in keyof S]: (request: S[Name]['request'], isolation: string) => Promise<S[Name]['answer']>;
};

/** Defines a task. The types of its call and handler follow from its checks. */
export function defineTask<Request, Answer>(
  task: TaskDefinition<{ request: Request; answer: Answer }>,
): TaskDefinition<{ request: Request; answer: Answer }> {
  return task;
}

/** Returns a handler that checks its argument. */
export function checkedHandler<Request>(
  check: Check<Request>,
  work: (request: Request, isolation: string) => Promise<unknown>,
): Handler {
  return async (input, { isolation }) => {
    if (!check(input)) {
      throw new EngineError('invalid_argument', 'The engine was called with an invalid argument.');
    }
    return work(input, isolation);
  };
}

/** Returns the handlers of these tasks for `serveTasks`. `beforeEach` runs before each task. */
export function handlersOf<S extends Record<string, Shape>>(
  tasks: TaskDefinitions<S>,
  work: Handlers<NoInfer<S>>,
  beforeEach: (isolation: string) => void = () => undefined,
): Record<string, Handler> {
  const handlerOf = <Name extends keyof S>(name: Name): Handler =>
    checkedHandler(tasks[name].request, (request, isolation) => {
      beforeEach(isolation);
      return work[name](request, isolation);
    });
  const handlers: Record<string, Handler> = {};
  for (const name in tasks) handlers[name] = handlerOf(name);
  return handlers;
}

/**
 * Returns the files of a call for a page of a source. A child that has the source open is
 * preferred.
 */
export const filesOfSource = ({ path }: { path: string }, ...otherReads: string[]) => ({
  affinity: path,
  reads: [path, ...otherReads],
});
