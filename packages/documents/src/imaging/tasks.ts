/** The module that imaging children run: the handlers of `imagingTasks`. */
import { serveTasks } from '@scriptorium/sandbox/children/child-main';
import { handlersOf } from '@scriptorium/sandbox/children/define-task';
import { imagingTasks } from './calls.ts';
import { readPicture, warmUpRenditions } from './read.ts';
import { stripMetadata } from './strip/index.ts';

serveTasks({
  // This module loads the code. libvips and its encoders are initialised by their first picture.
  warmUp: warmUpRenditions,
  ...handlersOf(imagingTasks, { read: readPicture, stripMetadata }),
});
