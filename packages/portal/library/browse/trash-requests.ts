import { requestFor } from '../../api/request.ts';

/** The operations on each kind of resource, by the prefix of its identifier. */
const operationsByPrefix = {
  img: ['trashImage', 'restoreImage'],
  obj: ['trashObject', 'restoreObject'],
  col: ['trashCollection', 'restoreCollection'],
} as const;

function operationsOf(id: string) {
  const prefix = id.slice(0, 3);
  return operationsByPrefix[prefix === 'img' || prefix === 'col' ? prefix : 'obj'];
}

/** Moves an image with its object, an object, or a collection to trash. */
export const trash = (id: string) => requestFor(operationsOf(id)[0], { id });

export const restore = (id: string) => requestFor(operationsOf(id)[1], { id });
