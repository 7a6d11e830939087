import { writeFile } from 'node:fs/promises';
import { generatedFiles } from './generate.ts';
import { generateFromSource } from './source.ts';

const { client, portal } = await generateFromSource();
await writeFile(generatedFiles.client, client);
await writeFile(generatedFiles.portal, portal);
