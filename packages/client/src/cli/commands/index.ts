import type { Command } from '../command.ts';
import { documentCommands } from './documents.ts';
import { eventCommands } from './events.ts';
import { jobCommands } from './jobs.ts';
import { libraryCommands } from './library.ts';
import { listen } from './listen.ts';
import { mcp } from './mcp.ts';
import { packCommands } from './packs.ts';
import { reviewCommands } from './reviews.ts';
import { shareCommands } from './shares.ts';
import { upload } from './upload.ts';

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  upload,
  ...documentCommands,
  ...jobCommands,
  ...reviewCommands,
  ...packCommands,
  ...libraryCommands,
  ...shareCommands,
  ...eventCommands,
  listen,
  mcp,
];
