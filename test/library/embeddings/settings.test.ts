import { expect } from 'chai';
import { modelOf, readEmbeddingSettings } from '../../../src/library/embeddings/settings.ts';

const read = (EMBEDDINGS_URL: string, more: object = {}) => {
  const faults: string[] = [];
  const settings = readEmbeddingSettings(
    { EMBEDDINGS_URL, EMBEDDINGS_MODEL: 'm', EMBEDDINGS_DIMENSIONS: 8, ...more },
    faults,
  );
  return { settings, faults };
};

describe('the settings of the embedding endpoint', () => {
  it('accept a base URL or the full one', () => {
    const urls = [
      'http://a/v1',
      'http://a/v1/',
      'http://a/v1/embeddings',
      'http://a/v1/embeddings/',
    ];
    for (const url of urls) {
      expect(read(url).settings?.url, url).to.equal('http://a/v1/embeddings');
    }
    expect(read('http://a/x?version=2').settings?.url).to.equal('http://a/x/embeddings?version=2');
    expect(modelOf(read('http://a').settings!)).to.equal('m/8');
  });

  it('are not set without a URL, and rejected if they are incomplete', () => {
    expect(read('')).to.deep.equal({ settings: null, faults: [] });
    for (const more of [{ EMBEDDINGS_MODEL: '' }, { EMBEDDINGS_DIMENSIONS: undefined }]) {
      expect(read('http://a', more).faults).to.deep.equal([
        'EMBEDDINGS_URL requires EMBEDDINGS_MODEL and EMBEDDINGS_DIMENSIONS',
      ]);
    }
    expect(read('http://user:word@a').faults).to.deep.equal([
      'EMBEDDINGS_URL must not contain a password; use EMBEDDINGS_API_KEY',
    ]);
    expect(read('http://').faults).to.deep.equal(['EMBEDDINGS_URL is not a valid URL']);
  });
});
