import * as z from 'zod';

type Check = (value: unknown) => boolean;
type Schema = z.core.$ZodType;

const known = new WeakMap<Schema, Check>();

/**
 * Whether a value fits a schema, without a copy of it and in a tenth of the time that `safeParse` takes: for journals of
 * 100,000 facts and states of as many items. For data as JSON
 * holds it, and schemas that change nothing (no transforms, no defaults). What is
 * wrong with a value that does not fit, `safeParse` tells.
 */
export function fits<S extends z.ZodType>(schema: S): (value: unknown) => value is z.output<S> {
  return checkOf(schema) as (value: unknown) => value is z.output<S>;
}

/** A schema that checks like `schema` and hands on the very value: for what is too large to be copied at a border. */
export function uncopied<S extends z.ZodType>(schema: S): z.ZodType<z.output<S>, z.output<S>> {
  return z.custom<z.output<S>>((value) => checkOf(schema)(value), 'does not fit its schema');
}

function checkOf(schema: Schema): Check {
  const before = known.get(schema);
  if (before) return before;
  // A page with a content policy makes no functions of text, as zod itself knows.
  const made = z.core.util.allowsEval.value ? compile(schema) : asZod(schema);
  known.set(schema, made);
  return made;
}

function asZod(schema: Schema): Check {
  return (value) => z.safeParse(schema, value).success;
}

/**
 * The check as one function of its own text, as zod makes its parsers: called with every shape there is, a general walk
 * over the schema takes four times as long. Names and values come from our own schemas and are quoted as JSON.
 */
function compile(schema: Schema): Check {
  const uses: unknown[] = [];
  const body = statements(schema, 'v', uses, { count: 0 });
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval
  const make = new Function('uses', `return (v) => { ${body} return true; };`) as (uses: readonly unknown[]) => Check;
  return make(uses);
}

function later(schema: z.core.$ZodLazy): Check {
  let check: Check | undefined;
  return (value) => {
    check ??= checkOf(schema._zod.innerType);
    return check(value);
  };
}

interface Names {
  count: number;
}

const isNone = 'return false;';

/** Statements that leave the function with false where the variable `v` does not fit. */
function statements(schema: Schema, v: string, uses: unknown[], names: Names): string {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const next = (): string => `v${(names.count += 1)}`;
  const given = (value: unknown): string => `uses[${uses.push(value) - 1}]`;
  const inner = (part: Schema, of = v): string => statements(part, of, uses, names);
  // Bounds, patterns and refinements: rare in what is large, so the schema itself may say.
  if ((def.checks ?? []).length > 0 || (def.type === 'string' && 'format' in def))
    return `if (!${given(asZod(schema))}(${v})) ${isNone}`;
  switch (def.type) {
    case 'string':
    case 'boolean':
      return `if (typeof ${v} !== '${def.type}') ${isNone}`;
    case 'number':
      return `if (!Number.isFinite(${v})) ${isNone}`;
    case 'unknown':
      return '';
    case 'literal':
      return isOneOf(v, def.values);
    case 'enum':
      return isOneOf(v, Object.values(def.entries));
    case 'lazy': // schemas may hold themselves, and most are never needed
      return `if (!${given(later(schema as z.core.$ZodLazy))}(${v})) ${isNone}`;
    case 'optional':
      return `if (${v} !== undefined) { ${inner(def.innerType)} }`;
    case 'nullable':
      return `if (${v} !== null) { ${inner(def.innerType)} }`;
    case 'array': {
      const element = next();
      return `if (!Array.isArray(${v})) ${isNone} for (const ${element} of ${v}) { ${inner(def.element, element)} }`;
    }
    case 'record': {
      const [key, value] = [next(), next()];
      const each = `${inner(def.keyType, key)} const ${value} = ${v}[${key}]; ${inner(def.valueType, value)}`;
      return `${isObject(v)} for (const ${key} of Object.keys(${v})) { ${each} }`;
    }
    case 'object': {
      if (def.catchall) break;
      const properties = Object.entries(def.shape).map(([name, part]) => {
        const property = next();
        return `const ${property} = ${v}[${JSON.stringify(name)}]; ${inner(part, property)}`;
      });
      return `${isObject(v)} ${properties.join(' ')}`;
    }
    case 'union': {
      if (!('discriminator' in def) || typeof def.discriminator !== 'string')
        return `if (!(${def.options.map((option) => `${given(checkOf(option))}(${v})`).join(' || ')})) ${isNone}`;
      const cases = def.options.map((option) => {
        const values = [...(option._zod.propValues?.[def.discriminator as string] ?? [])];
        return `${values.map((value) => `case ${JSON.stringify(value)}:`).join(' ')} { ${inner(option)} break; }`;
      });
      return `${isObject(v)} switch (${v}[${JSON.stringify(def.discriminator)}]) { ${cases.join(' ')} default: ${isNone} }`;
    }
    default:
  }
  return `if (!${given(asZod(schema))}(${v})) ${isNone}`;
}

function isObject(v: string): string {
  return `if (typeof ${v} !== 'object' || ${v} === null || Array.isArray(${v})) ${isNone}`;
}

function isOneOf(v: string, values: readonly unknown[]): string {
  return `if (${values.map((value) => `${v} !== ${JSON.stringify(value)}`).join(' && ')}) ${isNone}`;
}
