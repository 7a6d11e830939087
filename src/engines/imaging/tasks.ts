/** The module that imaging children run: the handlers of `imagingTasks`. */
import { serveTasks } from '../children/child-main.ts';
import { handlersOf } from '../children/define-task.ts';
import { imagingTasks } from './calls.ts';
import { readPicture, warmUpRenditions } from './read.ts';
import { stripMetadata } from './strip/index.ts';

serveTasks({
  // Its code is loaded with this module; libvips and its encoders load with their first picture.
  warmUp: warmUpRenditions,
  ...handlersOf(imagingTasks, { read: readPicture, stripMetadata }),
});
