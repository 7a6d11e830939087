/**
 * Converts JSON Schema to Python types: a TypedDict for each object, aliases for everything else. A
 * keyword that these schemas do not use is an error, as in schema-types.ts.
 */
import type { Schema } from '../schema-types.ts';

/** One key of a TypedDict. */
interface Field {
  name: string;
  type: string;
  required: boolean;
  doc?: string | undefined;
}

const keywords = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda None nonlocal not or pass raise return True False try while with yield'.split(
    ' ',
  ),
);

/** Collects the classes of a module, because Python cannot declare them in place. */
export class PythonTypes {
  readonly #declarations = new Map<string, string>();

  /** The declarations in the order in which they were made. */
  get text(): string {
    return [...this.#declarations.values()].join('\n\n');
  }

  /** Declares a named schema. */
  declare(name: string, schema: Schema): void {
    if (schema.properties && !schema.oneOf) this.declareObject(name, schema);
    else this.add(name, alias(name, this.typeOf(schema, `${name}Item`), schema.description));
  }

  /** Declares a TypedDict with these fields. */
  declareFields(name: string, fields: readonly Field[], doc?: string): void {
    this.add(name, typedDict(name, fields, doc));
  }

  /** Declares an alias of several types. */
  declareUnion(name: string, types: readonly string[], doc?: string): void {
    this.add(name, alias(name, types.join(' | '), doc));
  }

  /** Declares the keywords of a method: names that Python reserves get an underscore (PEP 8). */
  declareKeywords(name: string, schema: Schema): void {
    const fields = this.fieldsOf(name, schema);
    this.declareFields(
      name,
      fields.map((one) => ({ ...one, name: keywords.has(one.name) ? `${one.name}_` : one.name })),
    );
  }

  /** The fields of an object. */
  fieldsOf(name: string, schema: Schema): Field[] {
    const required = new Set(schema.required);
    return Object.entries(schema.properties ?? {}).map(([key, field]) => ({
      name: key,
      type: this.typeOf(field, name + pascalCase(key)),
      required: required.has(key),
      doc: field.description,
    }));
  }

  /**
   * The type of the values that a schema allows.
   * @param name the name of its class, if it is an object
   */
  typeOf(schema: Schema, name: string): string {
    if (schema.$ref) return schema.$ref.replace('#/components/schemas/', '');
    if (schema.const !== undefined) return literal([schema.const]);
    if (schema.enum) return literal(schema.enum);
    const variants = schema.oneOf ?? schema.anyOf;
    if (variants) return this.#union(variants, name);
    if (schema.allOf) throw new Error(`${name}: Python has no intersection of types.`);
    if (Array.isArray(schema.type)) {
      return this.#union(
        schema.type.map((type) => ({ ...schema, type })),
        name,
      );
    }
    switch (schema.type) {
      case undefined:
        return 'Any';
      case 'string':
        return 'str';
      case 'boolean':
        return 'bool';
      case 'null':
        return 'None';
      case 'integer':
        return 'int';
      case 'number':
        return 'float';
      case 'array':
        return `list[${schema.items ? this.typeOf(schema.items, name) : 'Any'}]`;
      case 'object':
        return this.#objectType(schema, name);
      default:
        throw new Error(`The generator does not know the type '${schema.type}'.`);
    }
  }

  #objectType(schema: Schema, name: string): string {
    if (schema.properties) {
      this.declareObject(name, schema);
      return name;
    }
    const values = [
      ...Object.values(schema.patternProperties ?? {}),
      ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
    ];
    return `dict[str, ${values.length > 0 ? this.#union(values, `${name}Value`) : 'Any'}]`;
  }

  #union(schemas: readonly Schema[], name: string): string {
    const objects = schemas.filter(({ properties }) => properties).length;
    const types = schemas.map((one, at) =>
      this.typeOf(one, objects > 1 ? `${name}${at + 1}` : name),
    );
    return [...new Set(types)].join(' | ');
  }

  declareObject(name: string, schema: Schema): void {
    this.declareFields(name, this.fieldsOf(name, schema), schema.description);
  }

  add(name: string, text: string): void {
    const known = this.#declarations.get(name);
    if (known !== undefined && known !== text) throw new Error(`Two types are called ${name}.`);
    this.#declarations.set(name, text);
  }
}

function typedDict(name: string, fields: readonly Field[], doc: string | undefined): string {
  const annotation = ({ type, required }: Field): string =>
    required ? type : `NotRequired[${type}]`;
  if (fields.some((field) => !isIdentifier(field.name))) {
    const entries = fields.map(
      (one) => `    ${JSON.stringify(one.name)}: ${quote(annotation(one))},`,
    );
    return `${name} = TypedDict("${name}", {\n${entries.join('\n')}\n})\n`;
  }
  const body = fields.flatMap((field) => [
    `    ${field.name}: ${annotation(field)}`,
    ...docLines(field.doc),
  ]);
  const lines = [...docLines(doc), ...(body.length > 0 ? body : ['    pass'])];
  return `class ${name}(TypedDict):\n${lines.join('\n')}\n`;
}

function alias(name: string, type: string, doc: string | undefined): string {
  const text = doc ? `"""${escapeDoc(doc)}"""\n` : '';
  return `${name}: TypeAlias = ${quote(type)}\n${text}`;
}

function literal(values: readonly unknown[]): string {
  const items = values.map((value) => {
    if (value === null) return 'None';
    if (typeof value === 'boolean') return value ? 'True' : 'False';
    return JSON.stringify(value);
  });
  return `Literal[${items.join(', ')}]`;
}

/** An annotation as a string, which Python does not evaluate. */
function quote(annotation: string): string {
  return `'${annotation}'`;
}

const docLines = (doc: string | undefined): string[] =>
  doc ? [`    """${escapeDoc(doc)}"""`] : [];

/** A description as the content of a docstring. */
export function escapeDoc(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''");
  return escaped.endsWith('"') ? `${escaped} ` : escaped;
}

/** `redact_pii` as the part of a class name: `RedactPii`. */
export function pascalCase(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** `createMany` as a name of Python: `create_many`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function isIdentifier(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name);
}
