import type { Check } from '../checks.ts';
import { EngineError } from '../errors.ts';
import type { TaskFiles } from '../isolation/box.ts';
import type { Handler } from './child-main.ts';

type Shape = { request: unknown; answer: unknown };

/** A kind of work of children. */
export interface TaskDefinition<S extends Shape> {
  /** Checks the handler's argument; must survive JSON. */
  request: Check<S['request']>;
  /**
   * Checks a child's answer to a request. A child reads hostile files, so its answers are hostile.
   */
  answer(value: unknown, request: S['request']): value is S['answer'];
  /**
   * The files of a request; the child sees no other file of the service. Requests with the same
   * affinity (a source file) prefer the child that served it last.
   */
  files(request: S['request']): Partial<TaskFiles> & { affinity?: string };
}

/** Kinds of work by the names of their calls and handlers. */
export type TaskDefinitions<S extends Record<string, Shape>> = {
  [Name in keyof S]: TaskDefinition<S[Name]>;
};

/** The requests and answers of some kinds of work. */
export type ShapesOf<Tasks> = {
  [Name in keyof Tasks]: Tasks[Name] extends TaskDefinition<infer S> ? S : never;
};

/** The calls of some kinds of work. Each throws EngineError. */
export type Calls<S extends Record<string, Shape>, Options> = {
  [Name in keyof S]: (request: S[Name]['request'], options: Options) => Promise<S[Name]['answer']>;
};

/** A handler for each kind of work. */
type Handlers<S extends Record<string, Shape>> = {
  [Name in keyof S]: (request: S[Name]['request'], isolation: string) => Promise<S[Name]['answer']>;
};

/** Defines a kind of work; the types of its call and handler are those of its checks. */
export function defineTask<Request, Answer>(
  task: TaskDefinition<{ request: Request; answer: Answer }>,
): TaskDefinition<{ request: Request; answer: Answer }> {
  return task;
}

/** Returns a handler that checks what it is called with. */
export function checked<Request>(
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

/**
 * Returns the handlers that `serveTasks` needs for these kinds of work; `begin` runs before each
 * task.
 */
export function handlersOf<S extends Record<string, Shape>>(
  tasks: TaskDefinitions<S>,
  work: Handlers<NoInfer<S>>,
  begin: (isolation: string) => void = () => undefined,
): Record<string, Handler> {
  const handlerOf = <Name extends keyof S>(name: Name): Handler =>
    checked(tasks[name].request, (request, isolation) => {
      begin(isolation);
      return work[name](request, isolation);
    });
  const handlers: Record<string, Handler> = {};
  for (const name in tasks) handlers[name] = handlerOf(name);
  return handlers;
}

/** The files of a call for a page of a source, which a child that has it open should serve. */
export const ofSource = ({ path }: { path: string }, ...further: string[]) => ({
  affinity: path,
  reads: [path, ...further],
});
