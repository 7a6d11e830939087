import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { generatedFiles } from './generate.ts';
import { generateFromSource } from './source.ts';

const root = resolve(import.meta.dirname, '../../..');
const { client, portal } = await generateFromSource();
await writeFile(resolve(root, generatedFiles.client), client);
await writeFile(resolve(root, generatedFiles.portal), portal);
