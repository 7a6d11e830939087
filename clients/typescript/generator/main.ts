import { writeFile } from 'node:fs/promises';
import { generatedFile } from './generate.ts';
import { generateFromSource } from './source.ts';

await writeFile(generatedFile, await generateFromSource());
