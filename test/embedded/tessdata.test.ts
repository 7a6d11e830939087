import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { hasDebianTools } from '../../lab/embedded/debian.ts';
import { findEnglishModel } from '../../lab/embedded/tessdata.ts';

describe('the search for Tesseract’s fast model', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-test-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('uses the machine’s own from the newest version that has it', async () => {
    const systemRoot = join(folder, 'system');
    for (const version of ['4.00', '5', '6']) {
      await mkdir(join(systemRoot, version, 'tessdata'), { recursive: true });
      if (version !== '6') {
        await writeFile(join(systemRoot, version, 'tessdata/eng.traineddata'), '');
      }
    }
    const found = await findEnglishModel({
      dir: join(folder, 'none'),
      packagesDir: join(folder, 'none'),
      systemRoot,
    });
    expect(found.path).to.equal(join(systemRoot, '5/tessdata'));
  });

  it('downloads Debian’s package once if the machine has no model', async function () {
    if (!(await hasDebianTools())) this.skip();
    const messages: string[] = [];
    const search = {
      dir: join(folder, 'tessdata'),
      packagesDir: join(folder, 'packages'),
      systemRoot: join(folder, 'nowhere'),
      log: (message: string) => messages.push(message),
    };
    expect((await findEnglishModel(search)).path).to.equal(search.dir);
    expect((await stat(join(search.dir, 'eng.traineddata'))).size).to.be.above(1_000_000);
    expect(messages).not.to.deep.equal([]);
    messages.length = 0;
    expect((await findEnglishModel(search)).path).to.equal(search.dir);
    expect(messages).to.deep.equal([]);
  });
});
