import { expect } from 'chai';
import { linksOf, loadGuides } from '../../../src/api/docs/guides/load.ts';
import { searchEntries } from '../../../src/api/docs/search/entries.ts';
import { createSearch } from '../../../src/api/docs/search/index.ts';
import { apiDocument } from '../../../src/api/openapi/api-document.ts';
import { routes } from '../../../src/api/routes/index.ts';

/** Questions of people who do not know the terms of the documentation, and where the answer is. */
const questions: Readonly<Record<string, string>> = {
  'how do i self-host this': '/docs/install',
  'deploy to production': '/docs/install#before-production',
  'can I run this on my own server': '/docs/install',
  'can i retry a failed job': '/docs/guides/jobs#retry-and-cancel',
  'webhook keeps failing': '/docs/guides/webhooks#delivery-and-retries',
  'how long do you keep events': '/docs/api#retention',
  'how do i delete a file permanently': '/docs/guides/library#delete-and-restore-it',
  'how do I get an API key': '/docs/api#api-keys',
  'log in with google or okta': '/docs/guides/people#connect-an-identity-provider',
  'ocr german text': '/docs/ocr-languages',
  'is the redaction safe? can someone recover the text': '/docs/guides/redaction#guarantees',
  'send a file to someone without an account':
    '/docs/guides/sharing#share-a-collection-or-an-object',
  'back up the data': '/docs/operations#backup',
  'update to a new version': '/docs/operations#upgrades',
  'job is stuck': '/docs/operations#troubleshooting',
  'self-host': '/docs/install',
  deploy: '/docs/install',
  'production checklist': '/docs/install#before-production',
  'retry a job': '/docs/guides/jobs#retry-and-cancel',
  'keep files': '/docs/guides/policies#rules',
  'delete a project': '/docs/guides/erasure#delete-a-project',
  'rotate secret': '/docs/guides/webhooks#rotate-the-secret',
  'verify a webhook signature': '/docs/guides/webhooks#verify-a-message',
  'redact a scan': '/docs/guides/redaction#redact-a-document',
  'restore from backup': '/docs/operations#restore',
  'rate limits': '/docs/api#rate-limits',
  'search documents': '/docs/guides/library#find-it',
};

describe('the search of the documentation', () => {
  let search: ReturnType<typeof createSearch>;
  let index: { text: string; url: string }[];
  before(async () => {
    const guides = await loadGuides();
    search = createSearch(searchEntries(guides, apiDocument(routes, '')));
    index = linksOf(guides.find(({ path }) => path === '/docs/questions')!);
  });

  it('finds the answer to each question of the index first', () => {
    const missed = index
      .map(({ text, url }) => ({ text, url, found: search(text)[0]?.url }))
      .filter(({ url, found }) => found !== url);
    expect(missed).to.deep.equal([]);
    expect(index.length).to.be.greaterThan(50);
  });

  it('finds answers to questions in other words', () => {
    const found = Object.keys(questions).map((question) => [question, search(question)[0]?.url]);
    expect(Object.fromEntries(found)).to.deep.equal(questions);
  });

  it('finds words in other forms, and single words in headings before the decisions', () => {
    expect(search('retries')[0]?.url).to.equal(search('retry')[0]?.url);
    expect(search('anonymize')[0]?.url).to.match(/guides\/redaction/);
    for (const word of [
      'install',
      'deploy',
      'production',
      'self-hosting',
      'retry',
      'keep',
      'delete',
    ]) {
      expect(search(word)[0]?.url, word).not.to.match(/decisions|history|torture/);
    }
    expect(search('install')[0]?.url).to.equal('/docs/install');
    expect(search('deploy')[0]?.url).to.equal('/docs/install');
  });
});
