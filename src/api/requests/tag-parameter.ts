import { type Fault, Problem } from '../../contracts/problems.ts';
import { parseTagFilter, type TagFilter } from '../../library/tag-filter.ts';

/**
 * Reads the `tag` parameters of a list.
 * @throws Problem 400 when a tag in them is empty
 */
export function readTagFilters(given: readonly string[] | undefined): TagFilter[] {
  const filters = (given ?? []).map(parseTagFilter);
  const read = filters.filter((filter) => filter !== null);
  if (read.length === filters.length) return read;
  const fault: Fault = { parameter: 'tag', code: 'empty_tag', detail: 'A tag in it is empty.' };
  throw new Problem('invalid_parameter', fault.detail, { errors: [fault] });
}
