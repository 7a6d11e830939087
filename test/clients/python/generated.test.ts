import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { pythonPackage } from '../../../packages/client/generator/python/generate.ts';
import { methods } from '../../../packages/client/generator/python/methods.ts';
import { generatePythonFromSource } from '../../../packages/client/generator/source.ts';
import { routes } from '../../../src/api/routes/index.ts';

describe('the Python client', () => {
  it('has modules generated from the current routes and schemas', async () => {
    const generated = await generatePythonFromSource();
    for (const [path, text] of generated) {
      const written = await readFile(join(pythonPackage, path), 'utf8');
      expect(written === text, `${path} is out of date: run script/client-types`).to.equal(true);
    }
    const synchronous = await readdir(join(pythonPackage, '_sync'));
    const expected = [...generated.keys()].filter((path) => path.startsWith('_sync/'));
    expect(synchronous.filter((name) => /^[a-z].*[.]py$/.test(name)).sort()).to.deep.equal(
      expected.map((path) => path.slice('_sync/'.length)).sort(),
    );
  });

  it('has a method for every operation', () => {
    expect(Object.keys(methods)).to.have.members(routes.map((route) => route.operationId));
  });
});
