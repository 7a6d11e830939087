import { expect } from 'chai';
import {
  createNameDetector,
  failedChecks,
  findSecret,
  redactBytes,
} from '../../../support/redact-kinds.ts';

const name = 'Mara Quellwasser';
const detector = createNameDetector(name, 'Ida Orr', 'Zoë Ångström');

async function redacted(text: string): Promise<string> {
  const made = await redactBytes('text', text, detector);
  expect(failedChecks(made)).to.deep.equal([]);
  expect(findSecret(made.output!, name)).to.deep.equal([]);
  return made.output!.toString();
}

describe('redaction of JSON that is stored as text', () => {
  it('replaces names, strings and numbers, and keeps the structure', async () => {
    const text = `{ "by" : "of ${name}\\n\\"x\\"", "n": [1.5e3, -7, true, null, 4111111111111111],\r\n  "${name}": {}, "Ida Orr": ["Quellwasser"] }\n`;
    const output = await redacted(text);
    expect(output).to.equal(
      '{ "by" : "of [PERSON]\\n\\"x\\"", "n": [1.5e3, -7, true, null, "[CREDIT_CARD]"],\r\n  "[PERSON]": {}, "[PERSON] 2": ["[PERSON]"] }\n',
    );
    expect(JSON.parse(output)).to.have.keys('by', 'n', '[PERSON]', '[PERSON] 2');
  });

  it('reads escapes, also in lines', async () => {
    const lines = [
      '{"a":"M\\u0061ra Quell\\u0077asser","b":"Zo\\u00eb \\u00c5ngstr\\u00f6m"}',
      '["Quellwasser"]',
    ];
    expect(await redacted(lines.join('\n'))).to.equal(
      '{"a":"[PERSON]","b":"[PERSON]"}\n["[PERSON]"]',
    );
  });

  it('reads everything else as lines of text', async () => {
    for (const text of [`[a] ${name}`, `{"a": "${name}"`, `{"a": 1} ${name}`, `"${name}"`]) {
      expect(await redacted(text)).to.equal(text.replace(name, '[PERSON]'));
    }
  });

  it('reads JSON in strings, and leaves it as it is where nothing is removed', async () => {
    const nested = (value: string): string =>
      JSON.stringify({ a: '{ "b": 1 }', c: JSON.stringify([JSON.stringify({ d: value })]) });
    const text = nested(name).replace('Mara', 'M\\\\\\\\u0061ra');
    expect(JSON.parse(JSON.parse(JSON.parse(text).c)[0])).to.deep.equal({ d: name });
    expect(await redacted(text)).to.equal(nested('[PERSON]'));
  });

  it('writes nothing if a value may be left in text with other escapes', async () => {
    const text = JSON.stringify({ a: name, b: 'c = "M\\u0061ra Quell\\u0077asser"' });
    const made = await redactBytes('text', text, detector);
    expect(failedChecks(made)).to.deep.equal(['strings']);
    expect(made.output).to.equal(undefined);
  });

  it('empties strings with files, and reports them', async () => {
    const file = Buffer.from(`${name} `.repeat(40)).toString('base64');
    const text = JSON.stringify({ a: file, b: `data:text/plain,${name}`, key: 'QUJD' });
    const made = await redactBytes('json', text, detector);
    expect(failedChecks(made)).to.deep.equal([]);
    expect(made.output!.toString()).to.equal('{"a":"","b":"","key":"QUJD"}');
    expect(made.result.dropped).to.deep.equal(['base64']);
  });
});
