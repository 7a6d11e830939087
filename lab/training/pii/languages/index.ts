import { german } from './de.ts';
import { spanish } from './es.ts';
import { french } from './fr.ts';
import { italian } from './it.ts';
import type { Language } from './language.ts';
import { dutch } from './nl.ts';
import { polish } from './pl.ts';
import { portuguese } from './pt.ts';

/** In the order of `World.foreign`, which has their common words. */
export const writtenLanguages: readonly Language[] = [
  german,
  french,
  spanish,
  italian,
  dutch,
  portuguese,
  polish,
];
