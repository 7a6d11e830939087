import { alternatives } from '../../../contracts/alternatives.ts';
import { type Check, Faults, inside, type ValuePlace } from './faults.ts';
import { prefixIn, reportPrefixes } from './scalars.ts';
import { isOfType, isRecord, jsonTypes, type Shape, shapeOf } from './schema.ts';
import { isNamed, oneOf, reportMissing, reportUnknown, typeWords, wrongType } from './words.ts';

/** Makes the check of a branch. */
type Compile = (schema: Shape) => Check;

/**
 * Checks a tagged union (`taggedUnion` in contracts/wire/shapes). If the tag is unknown, the value
 * is checked against what all variants have in common.
 */
export function checkTagged(shape: Shape, compile: Compile): Check {
  const tag = shape.discriminator?.propertyName ?? '';
  const shapes = new Map(
    (shape.oneOf ?? []).map((variant) => {
      const name = shapeOf(variant).properties?.[tag]?.const;
      if (typeof name !== 'string')
        throw new Error(`A variant has no constant for the tag '${tag}'.`);
      return [name, { check: compile(variant), required: variant.required ?? [], variant }];
    }),
  );
  const all = [...shapes.values()];
  const names = [...new Set(all.flatMap(({ variant }) => Object.keys(variant.properties ?? {})))];
  const always = (all[0]?.required ?? []).filter((name) =>
    all.every(({ required }) => required.includes(name)),
  );
  const tags = [...shapes.keys()];
  return (value, at, faults) => {
    if (!isRecord(value)) return wrongType(at, faults, ['object']);
    const meant = Object.hasOwn(value, tag) ? value[tag] : undefined;
    const found = typeof meant === 'string' ? shapes.get(meant) : undefined;
    if (found) return found.check(value, at, faults);
    if (meant !== undefined && !faults.has(inside(at, tag))) {
      faults.add(inside(at, tag), 'not_allowed', `It must be ${oneOf(tags)}.`, tags);
    }
    for (const name of always) {
      if (!Object.hasOwn(value, name)) reportMissing(inside(at, name), faults);
    }
    for (const name of Object.keys(value)) {
      if (faults.full) return;
      if (!names.includes(name)) reportUnknown(at, name, names, faults);
    }
  };
}

interface Branch {
  shape: Shape;
  types: string[];
  check: Check;
}

/**
 * Checks a union. A value is checked against the branches of its own type, which report the faults.
 */
export function checkUnion(variants: readonly Shape[], compile: Compile): Check {
  const branches = flatten(variants).map(
    (shape): Branch => ({ shape, types: jsonTypes(shape), check: compile(shape) }),
  );
  const types = [...new Set(branches.flatMap((branch) => branch.types))];
  if (branches.some((branch) => branch.types.length === 0)) {
    throw new Error('Every branch of a union must have a type.');
  }
  return (value, at, faults) => {
    const fitting = branches.filter((branch) => branch.types.some((type) => isOfType(value, type)));
    const [only, ...more] = fitting;
    if (!only) return reportTypes(value, branches, types, { at, faults });
    if (more.length > 0) return checkEach(fitting, value, at, faults);
    const word = only.shape.const ?? only.shape.enum;
    const others = types.filter((type) => type !== 'null' && !only.types.includes(type));
    if (word === undefined || others.length === 0) return only.check(value, at, faults);
    // An unknown word: the client may have meant a value of another type.
    const tried = new Faults();
    only.check(value, at, tried);
    const allowed = tried.list[0]?.allowed ?? [];
    if (tried.list.length === 0 || faults.has(at)) return;
    const detail = `It must be ${oneOf(allowed)}, or ${typeWords(others)}.`;
    faults.add(at, 'not_allowed', detail, allowed);
  };
}

function flatten(variants: readonly Shape[]): Shape[] {
  return variants.flatMap((variant) => {
    const shape = shapeOf(variant);
    return shape.anyOf ? flatten(shape.anyOf) : [shape];
  });
}

function reportTypes(
  value: unknown,
  branches: readonly Branch[],
  types: readonly string[],
  { at, faults }: { at: ValuePlace; faults: Faults },
): void {
  // A fraction is reported as a wrong integer.
  const number = branches.find(({ types: of }) => of.includes('integer'));
  if (number && typeof value === 'number') number.check(value, at, faults);
  else wrongType(at, faults, types);
}

/** Checks several branches of one type. If none fits, the most likely one reports the faults. */
function checkEach(
  branches: readonly Branch[],
  value: unknown,
  at: ValuePlace,
  faults: Faults,
): void {
  const tried: { branch: Branch; faults: Faults }[] = [];
  for (const branch of branches) {
    const own = new Faults();
    branch.check(value, at, own);
    if (own.list.length === 0) return;
    tried.push({ branch, faults: own });
  }
  if (faults.has(at)) return;
  const prefixes = branches
    .map(({ shape }) => prefixIn(shape.pattern))
    .filter((one) => one !== null);
  const meant = tried.find(({ branch }) => {
    const prefix = prefixIn(branch.shape.pattern);
    return prefix !== null && typeof value === 'string' && value.startsWith(`${prefix}_`);
  });
  if (!meant && prefixes.length === branches.length) {
    reportPrefixes(prefixes, at, faults);
    return;
  }
  const words = branches.flatMap(({ shape }) => shape.enum ?? shape.const ?? []);
  if (!meant && words.length > 0) {
    const starts = prefixes.map((prefix) => `${prefix}_`);
    const or =
      starts.length > 0 ? `, or an identifier that starts with ${alternatives(starts)}` : '';
    const code = starts.length > 0 ? 'id_prefix_mismatch' : 'not_allowed';
    faults.add(at, code, `It must be ${oneOf(words)}${or}.`, words.filter(isNamed));
    return;
  }
  const fewest = meant ?? tried.sort((a, b) => a.faults.list.length - b.faults.list.length)[0];
  fewest?.branch.check(value, at, faults);
}
