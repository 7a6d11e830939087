import { expect } from 'chai';
import { type ComparedDocument, changesSince } from '../../../src/jobs/packs/packing/changes.ts';

describe('the changes of a pack', () => {
  /** A document `name=content`, of which the content decides bytes and identifiers of chunks. */
  const documents = (...given: string[]): ComparedDocument[] =>
    given.map((text, at) => {
      const [filename = '', content = ''] = text.split('=');
      return {
        objectId: `obj_${at}`,
        filename,
        name: filename,
        sha256: content,
        citationKey: content,
      };
    });
  const told = (before: string[], now: string[]) => {
    const { added, changed, removed, unchanged } = changesSince(
      documents(...before),
      documents(...now),
    );
    const named = (list: { filename: string | null; sha256: string }[]) =>
      list.map(({ filename, sha256 }) => `${filename}=${sha256}`);
    return {
      added: named(added),
      changed: changed.map((one) => `${one.filename}=${one.before.sha256}>${one.sha256}`),
      removed: named(removed),
      unchanged,
    };
  };
  const none = { added: [], changed: [], removed: [], unchanged: 0 };

  it('are what was added, removed, and has other content under the same name', () => {
    expect(told(['a=1', 'b=1', 'c=1'], ['a=1', 'b=2', 'd=1'])).to.deep.equal({
      added: ['d=1'],
      changed: ['b=1>2'],
      removed: ['c=1'],
      unchanged: 1,
    });
  });

  it('are none between equal packs, in any order and with documents twice', () => {
    const given = ['a=1', 'a=1', 'a=2', 'b=1'];
    expect(told(given, given.toReversed())).to.deep.equal({ ...none, unchanged: 4 });
  });

  it('count each of several documents of one name', () => {
    expect(told(['a=1', 'a=2'], ['a=2', 'a=3', 'a=4'])).to.deep.equal({
      ...none,
      added: ['a=4'],
      changed: ['a=1>3'],
      unchanged: 1,
    });
    expect(told(['a=1', 'a=1'], ['a=1'])).to.deep.equal({
      ...none,
      removed: ['a=1'],
      unchanged: 1,
    });
  });

  it('call a renamed document removed and added', () => {
    expect(told(['a=1'], ['b=1'])).to.deep.equal({ ...none, added: ['b=1'], removed: ['a=1'] });
  });

  it('hold other options for other content', () => {
    const [before] = documents('a=1');
    const now = { ...before!, citationKey: 'other' };
    expect(changesSince([before!], [now]).changed).to.have.length(1);
  });

  it('compare filenames, and tell the names that the archive shows', () => {
    const [before] = documents('a=1');
    const [now] = documents('a=2');
    const changes = changesSince([{ ...before!, name: null }], [{ ...now!, name: 'b' }]);
    expect(changes.changed.map(({ filename }) => filename)).to.deep.equal(['b']);
    expect(changesSince([{ ...before!, name: null }], []).removed[0]!.filename).to.equal(null);
  });

  it('are everything, from an empty pack and to one', () => {
    expect(told([], ['a=1'])).to.deep.equal({ ...none, added: ['a=1'] });
    expect(told(['a=1'], [])).to.deep.equal({ ...none, removed: ['a=1'] });
  });
});
