import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startApi, type TestApi } from '../support/api.ts';
import { checkout, run } from '../support/run.ts';
import { postRaw } from '../support/uploads.ts';

const compile = ['--strict', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable', '--noEmit'];

/** Uses the types of openapi-typescript through openapi-fetch. */
const typesProgram = `
import createClient from 'openapi-fetch';
import type { components, paths } from './types.js';
const [baseUrl, key, project] = process.argv.slice(2) as [string, string, string];
const client = createClient<paths>({
  baseUrl,
  headers: { Authorization: 'Bearer ' + key, 'X-Service-Project-ID': project },
});
const { data, error } = await client.GET('/v1/objects', { params: { query: { limit: 1 } } });
if (error) throw new Error(error.code);
const unknown = 'obj_01m8k4zzpfe6tabacj2hjhxs00';
const size: number | undefined = data.data[0]?.bytes;
const made = await client.POST('/v1/documents/jobs', {
  body: { source_object_id: unknown, operations: [{ op: 'ocr' }] },
});
if (!made.error) throw new Error('The job of an unknown object was created.');
const problem: components['schemas']['Problem'] = made.error;
console.log(data.data.length, typeof size, problem.code);
`;

/** Uses the functions of hey-api. */
const functionsProgram = `
import { client } from './client/client.gen.js';
import { createJob, listObjects } from './client/sdk.gen.js';
const [baseUrl, key, project] = process.argv.slice(2) as [string, string, string];
client.setConfig({
  baseUrl,
  headers: { Authorization: 'Bearer ' + key, 'X-Service-Project-ID': project },
});
const { data, error } = await listObjects({ query: { limit: 1 } });
if (error) throw new Error(error.code);
const unknown = 'obj_01m8k4zzpfe6tabacj2hjhxs00';
const size: number | undefined = data.data[0]?.bytes;
const made = await createJob({
  body: { source_object_id: unknown, operations: [{ op: 'ocr' }] },
});
if (!made.error) throw new Error('The job of an unknown object was created.');
console.log(data.data.length, typeof size, made.error.code);
`;

describe('clients that others generate from the OpenAPI document', () => {
  let api: TestApi;
  let folder: string;
  before(async () => {
    api = await startApi();
    await postRaw(api, 'text', 'a.txt');
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-generators-'));
    await cp(join(checkout, 'test/clients/generators'), folder, { recursive: true });
    await command('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
    const document = await api.call('GET', '/v1/openapi.json');
    await writeFile(join(folder, 'openapi.json'), document.text);
  });
  after(async () => {
    await api.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function command(program: string, args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await run(program, args, { cwd: folder });
    expect(code, `${program} ${args.join(' ')}: ${stdout}${stderr}`).to.equal(0);
    return stdout;
  }

  /** Compiles a program with all that was generated, and runs it against the API. */
  async function use(name: string, text: string): Promise<string> {
    await writeFile(join(folder, `${name}.ts`), text);
    const modules = ['--module', 'es2022', '--moduleResolution', 'bundler'];
    await command('npx', ['tsc', ...compile, ...modules, '--types', 'node', `${name}.ts`]);
    // The imports of hey-api name folders, which Node alone does not resolve.
    const node = ['--import', import.meta.resolve('tsx'), `${name}.ts`];
    return (await command('node', [...node, api.url, api.key, api.projectId])).trim();
  }

  it('compile and work with openapi-typescript', async () => {
    await command('npx', ['openapi-typescript', 'openapi.json', '--output', 'types.ts']);
    expect(await use('types-program', typesProgram)).to.equal('1 number reference_not_found');
  });

  it('compile and work with hey-api', async () => {
    const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'];
    await command('npx', [
      'openapi-ts',
      '--input',
      'openapi.json',
      '--output',
      'client',
      '--plugins',
      ...plugins,
    ]);
    expect(await use('functions-program', functionsProgram)).to.equal(
      '1 number reference_not_found',
    );
  });
});
