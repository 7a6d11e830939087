import { Problem } from '@scriptorium/contracts/problems';
import { expect } from 'chai';
import { createPasswordTurns } from '../../../src/library/shares/password-turns.ts';

describe('password checks', () => {
  /** Clients ask for `project/link/network`; the test ends the check that runs. */
  const start = (most?: Parameters<typeof createPasswordTurns>[0]) => {
    const turns = createPasswordTurns(most);
    const begun: string[] = [];
    let end = (): void => undefined;
    const ask = (name: string, { signal } = new AbortController()): Promise<string> => {
      const [projectId = '', holder = '', network = ''] = name.split('/');
      const work = (): Promise<string> => {
        begun.push(name);
        return new Promise((resolve) => {
          end = () => resolve('checked');
        });
      };
      return turns
        .run({ projectId, holder, network, signal }, work)
        .catch((error: unknown) => (error instanceof Problem ? error.code : 'error'));
    };
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    const endOne = async (): Promise<void> => {
      await settled();
      end();
      await settled();
    };
    return { ask, begun, endOne, settled };
  };

  it('of another project go after the one that runs, however many wait', async () => {
    const { ask, begun, endOne } = start();
    for (let times = 0; times < 15; times++) void ask('busy/link/192.0.2.1');
    const other = ask('quiet/link/192.0.2.2');
    await endOne();
    await endOne();
    expect(await other).to.equal('checked');
    expect(begun.slice(0, 2)).to.deep.equal(['busy/link/192.0.2.1', 'quiet/link/192.0.2.2']);
  });

  it('go round by project, by link and by network', async () => {
    const { ask, begun, endOne } = start();
    for (const name of ['a/1/x', 'a/1/x', 'a/1/x', 'a/1/y', 'a/2/x', 'a/2/x', 'b/1/x', 'b/1/x']) {
      void ask(name);
    }
    for (let times = 0; times < 8; times++) await endOne();
    expect(begun).to.deep.equal([
      'a/1/x',
      'b/1/x',
      'a/2/x',
      'b/1/x',
      'a/1/y',
      'a/2/x',
      'a/1/x',
      'a/1/x',
    ]);
  });

  it('have places per link and network, and leave some to other projects', async () => {
    const { ask, settled } = start({ total: 8, holder: 3, network: 2 });
    void ask('a/1/runs');
    /** Those of them that do not get a place. */
    const rejected = async (...names: string[]): Promise<string[]> => {
      const found: string[] = [];
      for (const name of names) void ask(name).then((outcome) => found.push(`${name} ${outcome}`));
      await settled();
      return found;
    };
    expect(await rejected('a/1/x', 'a/1/x', 'a/2/x')).to.deep.equal(['a/2/x rate_limited']);
    expect(await rejected('a/1/y', 'a/1/z')).to.deep.equal(['a/1/z rate_limited']);
    // The project has as many waiting as places are left: four.
    expect(await rejected('a/2/u', 'a/2/v')).to.deep.equal(['a/2/v rate_limited']);
    expect(await rejected('b/3/u', 'b/3/v')).to.deep.equal([]);
  });

  it('of clients that have left are not done, and free their places', async () => {
    const { ask, begun, endOne } = start({ total: 100, holder: 2, network: 2 });
    void ask('a/1/x');
    const gone = [new AbortController(), new AbortController()];
    const left = gone.map((client) => ask('a/1/x', client));
    expect(await ask('a/1/x')).to.equal('rate_limited');
    for (const client of gone) client.abort();
    expect(await Promise.all(left)).to.deep.equal(['malformed_request', 'malformed_request']);
    const stayed = ask('a/1/x');
    await endOne();
    await endOne();
    expect(await stayed).to.equal('checked');
    expect(begun).to.deep.equal(['a/1/x', 'a/1/x']);
  });
});
