import { expect } from 'chai';
import { openResources } from './resources.ts';

describe('parts that are opened together', () => {
  it('are closed if one of them does not open, the last first', async () => {
    const closed: string[] = [];
    const close = (name: string) => void closed.push(name);
    let open = (_name: string): void => undefined;
    const slow = new Promise<string>((resolve) => {
      open = resolve;
    });
    const opening = openResources(async (parts) => {
      await parts.open(Promise.resolve('first'), close);
      const failing = Promise.reject<string>(new Error('no port is free'));
      setTimeout(() => open('slow'), 1);
      return Promise.all([parts.open(slow, close), parts.open(failing, close)]);
    });
    const error = await opening.catch((thrown: unknown) => thrown);
    expect(String(error)).to.equal('Error: no port is free');
    expect(closed).to.deep.equal(['slow', 'first']);
  });

  it('are closed although one of them cannot be', async () => {
    const closed: string[] = [];
    const parts = await openResources(async (opened) => {
      await opened.open(Promise.resolve('first'), (name) => void closed.push(name));
      await opened.open(Promise.resolve(), () => {
        throw new Error('still in use');
      });
      return opened;
    });
    const error = await parts.close().catch((thrown: unknown) => thrown);
    expect(String(error)).to.equal('Error: still in use');
    expect(closed).to.deep.equal(['first']);
  });
});
