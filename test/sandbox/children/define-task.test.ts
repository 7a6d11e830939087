import { isNumber, isOptional, isRecord, isString } from '@scriptorium/sandbox/checks';
import { defineTask, handlersOf } from '@scriptorium/sandbox/children/define-task';
import { EngineError } from '@scriptorium/sandbox/errors';
import { expect } from 'chai';

const isRequest = isRecord({ path: isString, page: isOptional(isNumber) });
const isAnswer = isRecord({ words: isNumber });
const tasks = {
  count: defineTask({
    request: isRequest,
    answer: isAnswer,
    files: ({ path }) => ({ reads: [path] }),
  }),
};

describe('Defined tasks', () => {
  it('call a handler with what passes the check of requests', async () => {
    const begun: string[] = [];
    const count = async ({ page = 1 }: { page?: number | undefined }) => ({ words: page });
    const handlers = handlersOf(tasks, { count }, (isolation) => begun.push(isolation));
    const context = { isolation: 'prj_1' };
    expect(await handlers.count?.({ path: 'a', page: 3 }, context)).to.deep.equal({ words: 3 });
    expect(await handlers.count?.({ path: 'a' }, context)).to.deep.equal({ words: 1 });
    expect(begun).to.deep.equal(['prj_1', 'prj_1']);
  });

  it('refuse other requests before any work', async () => {
    const count = async () => expect.fail('The handler ran.');
    const { count: handler } = handlersOf(tasks, { count });
    for (const input of [null, {}, { path: 1 }, { path: 'a', page: '3' }]) {
      const error: unknown = await handler?.(input, { isolation: 'prj_1' }).catch(
        (e: unknown) => e,
      );
      expect(error).to.be.instanceOf(EngineError).with.property('code', 'invalid_argument');
    }
  });

  it('need a handler for each task, which answers what the check allows', () => {
    // @ts-expect-error The handler of `count` is missing.
    expect(() => handlersOf(tasks, {})).not.to.throw();
    // @ts-expect-error The answer has no number of words.
    expect(() => handlersOf(tasks, { count: async () => ({}) })).not.to.throw();
  });
});
