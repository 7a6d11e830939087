import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { generatedFiles } from './generate.ts';
import { pythonPackage } from './python/generate.ts';
import { generateFromSource, generatePythonFromSource } from './source.ts';

const root = resolve(import.meta.dirname, '../../..');
const { client, portal } = await generateFromSource();
await writeFile(resolve(root, generatedFiles.client), client);
await writeFile(resolve(root, generatedFiles.portal), portal);
for (const [path, text] of await generatePythonFromSource()) {
  await writeFile(join(pythonPackage, path), text);
}
