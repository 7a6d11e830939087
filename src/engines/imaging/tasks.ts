/** The module that imaging children run: the tasks of `createImaging`, by name. */
import { stripFields } from '../../contracts/variants.ts';
import { type Handler, serveTasks } from '../children/child-main.ts';
import { EngineError } from '../errors.ts';
import { hasFields, isOneOf, isString } from '../results.ts';
import { type ReadRequest, readPicture, warmUpRenditions } from './read.ts';
import { type StripRequest, stripMetadata } from './strip/index.ts';

const isRead = (value: unknown): value is ReadRequest =>
  hasFields(value, {
    path: isString,
    mime: isString,
    files: (files) => typeof files === 'object' && Object.values(files ?? {}).every(isString),
  });

const isStrip = (value: unknown): value is StripRequest =>
  hasFields(value, {
    path: isString,
    mime: isString,
    fields: isOneOf(...stripFields),
    outPath: isString,
  });

function handler<T>(
  check: (input: unknown) => input is T,
  work: (input: T) => Promise<unknown>,
): Handler {
  return async (input) => {
    if (!check(input)) {
      throw new EngineError('invalid_argument', 'The engine was called with an invalid argument.');
    }
    return work(input);
  };
}

serveTasks({
  // Its code is loaded with this module; libvips and its encoders load with their first picture.
  warmUp: warmUpRenditions,
  read: handler(isRead, readPicture),
  strip: handler(isStrip, stripMetadata),
});
