import type { Command } from '../command.ts';
import { documentCommands } from './documents.ts';
import { eventCommands } from './events.ts';
import { jobCommands } from './jobs.ts';
import { libraryCommands } from './library.ts';
import { listen } from './listen.ts';
<<<<<<< HEAD
import { reviewCommands } from './reviews.ts';
=======
import { packCommands } from './packs.ts';
>>>>>>> 92e34273 (Add the guide to packs and the command pack)
import { upload } from './upload.ts';

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  upload,
  ...documentCommands,
  ...jobCommands,
<<<<<<< HEAD
  ...reviewCommands,
=======
  ...packCommands,
>>>>>>> 92e34273 (Add the guide to packs and the command pack)
  ...libraryCommands,
  ...eventCommands,
  listen,
];
