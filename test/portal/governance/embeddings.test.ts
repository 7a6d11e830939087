import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { Registry } from 'prom-client';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import { embedPassages } from '../../../src/library/embeddings/embed.ts';
import { createEmbedder, type Embedder } from '../../../src/library/embeddings/embedder.ts';
import { announceModel } from '../../../src/library/embeddings/state.ts';
import { startApi, type Tenant, type TestApi } from '../../support/api.ts';
import { describeInBrowser, logIn, openTab } from '../../support/browser.ts';
import { addDocument } from '../../support/document-text.ts';
import { type EmbeddingServer, startEmbeddingServer } from '../../support/embedding-server.ts';
import { findLegibilityFaults } from '../../support/legible.ts';
import { takeTask } from '../../support/tasks.ts';

describeInBrowser('the portal’s search by meaning', () => {
  let endpoint: EmbeddingServer;
  let embedder: Embedder;
  let api: TestApi;
  let worker: Database;
  let now = 0;
  before(async () => {
    endpoint = await startEmbeddingServer();
    embedder = createEmbedder(endpoint.settings, new Registry(), () => now);
    api = await startApi({ deps: () => ({ embedder }) });
    worker = await openDatabase(api.database.workerUrl, { poolSize: 2 });
    await announceModel(worker, embedder.model);
  });
  after(async () => {
    await worker.destroy();
    await api.close();
    await endpoint.close();
  });

  /** Runs the waiting tasks, as their worker does. */
  const work = async (): Promise<void> => {
    for (const { id } of await api.rows<{ id: string }>(
      `SELECT id FROM task WHERE kind = 'passages.embed' ORDER BY id`,
    )) {
      await embedPassages({ embedder }, await takeTask<'passages.embed'>(worker, id));
    }
  };
  const openProject = async (tenant: Tenant = api) => {
    const tab = await openTab();
    await logIn(tab, api.url, tenant, '/project');
    const section = tab.page.getByRole('region', { name: 'Search by meaning' });
    await section.waitFor();
    return { tab, page: tab.page, section };
  };
  const reload = async (page: Page): Promise<void> => {
    await page.reload();
    await page.getByRole('region', { name: 'Search by meaning' }).waitFor();
  };

  it('shows how many passages have a vector, and why others have none', async () => {
    await addDocument(api, 'a.txt', 'The cat sleeps.');
    endpoint.fault = () => ({ status: 500 });
    await work();
    const { tab, page, section } = await openProject();
    await section.getByText(/^0 of 1 passages have a vector.*server_error/).waitFor();
    endpoint.fault = null;
    now += 3_600_000;
    await api.rows('UPDATE task SET due_at = now()');
    await work();
    await reload(page);
    await section.getByText('1 of 1 passages have a vector.', { exact: true }).waitFor();
    expect(await findLegibilityFaults(page)).to.deep.equal([]);
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('changes which texts are sent to the endpoint', async () => {
    const { tab, page, section } = await openProject();
    const choice = section.getByLabel('Texts sent to the embedding endpoint');
    expect(await choice.inputValue()).to.equal('unprotected');
    await choice.selectOption('none');
    await section.getByText('This project sends no texts to the embedding endpoint.').waitFor();
    const { json } = await api.call('GET', '/v1/projects/self');
    expect(json.embeddings).to.equal('none');
    await reload(page);
    expect(await choice.inputValue()).to.equal('none');
    await choice.selectOption('Also redacted texts of protected documents');
    await section.getByText(/passages have a vector/).waitFor();
    expect(tab.faults).to.deep.equal([]);
    await tab.close();
  });

  it('offers no choice to those who may not change policies', async () => {
    const { tab, section } = await openProject(
      await api.issue(['objects:read', 'policies:read', 'retention:read']),
    );
    await section.getByText(/passages have a vector/).waitFor();
    expect(await section.getByRole('combobox').count()).to.equal(0);
    await tab.close();
  });
});

describeInBrowser('the portal’s search by meaning without an endpoint', () => {
  it('is not possible, and the project says so', async () => {
    const api = await startApi();
    const tab = await openTab();
    await logIn(tab, api.url, api, '/project');
    await tab.page.getByText('The service has no embedding endpoint').waitFor();
    await tab.close();
    await api.close();
  });
});
