import { validationFailed } from '@scriptorium/contracts/problems';
import { expect } from 'chai';
import { compileBody } from '../../../src/api/requests/check/compile.ts';
import { prefixIn } from '../../../src/api/requests/check/explain.ts';
import { patternDescriptions } from '../../../src/api/requests/check/pattern-descriptions.ts';
import { routes } from '../../../src/api/routes/index.ts';
import { allShapes, bodySchemas, querySchemas } from '../../support/request-schemas.ts';

/** The problem with which a route rejects a body: its code, detail and faults. */
function refusal(operation: string, body: unknown) {
  const { schema } = bodySchemas.find(({ name }) => name === `${operation} body`)!;
  const { code, message, errors = [] } = validationFailed(compileBody(schema)(body));
  return { code, message, told: errors.map((one) => `${one.pointer} ${one.code}`), errors };
}

const image = 'img_00000000000000000000000000';

describe('body problems', () => {
  it('name each missing field once', () => {
    const { told } = refusal('addCollectionMember', {});
    expect(told).to.have.members(['/resource_type required', '/resource_id required']);
    expect(refusal('addCollectionMember', { resource_type: 'image' }).told).to.deep.equal([
      '/resource_id required',
    ]);
    const strange = refusal('addCollectionMember', { resource_type: 'film', colour: 1 });
    expect(strange.told).to.have.members([
      '/resource_type not_allowed',
      '/resource_id required',
      '/colour unknown_field',
    ]);
  });

  it('name a nameless operation once', () => {
    const { told, errors } = refusal('createJob', {
      source_object_id: 'obj_00000000000000000000000000',
      operations: [{}, { op: 'fax' }],
    });
    expect(told).to.deep.equal(['/operations/0/op required', '/operations/1/op not_allowed']);
    expect(errors[1]?.detail).to.equal(
      '`operations[1].op` must be one of: ocr, redact_pii, normalize_for_llm, classify.',
    );
  });

  it('include those of a list that is too long, up to its limit', () => {
    const { told } = refusal('createJob', {
      source_object_id: 'obj_00000000000000000000000000',
      operations: Array.from({ length: 50 }, (_, at) => (at % 2 ? { op: 'ocr' } : {})),
      colour: 1,
    });
    expect(told).to.include.members(['/operations too_many', '/operations/2/op required']);
    expect(told).to.include('/colour unknown_field').and.not.include('/operations/48/op required');
  });

  it('have the code of a single unknown field or a single wrong prefix', () => {
    const unknown = refusal('createCollection', { name: 'a', colour: 'blue' });
    expect(unknown.code).to.equal('unknown_field');
    expect(unknown.message)
      .to.match(/^Unknown or read-only field 'colour'/)
      .and.contain('Expected one of: name,');
    const prefix = refusal('createCollection', { name: 'a', parent_id: image });
    expect([prefix.code, prefix.message]).to.deep.equal([
      'id_prefix_mismatch',
      '`parent_id` must be an identifier that starts with col_.',
    ]);
    const both = refusal('createCollection', { parent_id: image, colour: 'blue' });
    expect(both.code).to.equal('validation_failed');
    expect(both.message).to.match(/^`name` is required\. `errors` lists 2 more faults\.$/);
  });

  it('describe every pattern in words', () => {
    const patterns = [...bodySchemas, ...querySchemas]
      .flatMap(({ shape }) => allShapes(shape))
      .flatMap(({ pattern }) => (pattern === undefined ? [] : [pattern]));
    const without = patterns.filter(
      (one) => prefixIn(one) === null && !patternDescriptions.has(one),
    );
    expect([...new Set(without)]).to.deep.equal([]);
  });

  it('describe what a value may be, and name it', () => {
    const cases: [string, unknown, string][] = [
      ['createSignedUrl', { ttl_seconds: 5 }, '`ttl_seconds` must be at least 60.'],
      ['createSignedUrl', { ttl_seconds: 60.5 }, '`ttl_seconds` must be a whole number.'],
      ['createCollection', { name: '' }, '`name` must have at least 1 character.'],
      ['createCollection', [], 'The body must be an object.'],
      [
        'createKey',
        { name: 'k', scopes: ['keys:read', 'keys:read'] },
        '`scopes[1]` duplicates the item at index 0.',
      ],
      [
        'startRedaction',
        { source_object_id: 'obj_00000000000000000000000000', entities: 'some' },
        '`entities` must be one of: personal, hipaa, pci, gdpr, all, or a list.',
      ],
      ['updateCollection', { tags: 'cat' }, '`tags` must be a list.'],
      [
        'startOcr',
        { source_object_id: 'obj_00000000000000000000000000', pages: 'all' },
        '`pages` must be pages and ranges of pages, such as 1-3,7.',
      ],
    ];
    for (const [operation, body, message] of cases) {
      expect(refusal(operation, body).message, operation).to.equal(message);
    }
  });

  it('do not quote long or unprintable values', () => {
    const { errors, message } = refusal('createCollection', {
      name: 'a',
      [`\u202e${'x'.repeat(5_000)}`]: 1,
    });
    expect(message.length).to.be.below(500);
    expect(message).not.to.contain('\u202e');
    expect(errors[0]?.pointer).to.equal('');
  });

  it('are possible for every route with a body', () => {
    const taking = routes.filter((route) => route.kind === 'json' && route.body);
    expect(taking).to.have.length(bodySchemas.length);
  });
});
