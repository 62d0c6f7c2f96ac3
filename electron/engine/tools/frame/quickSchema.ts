import * as z from 'zod';

type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema of a common input, as `z.toJSONSchema` makes it but for the bounds, which models are not shown. That
 * function takes most of the time between start and first request (5 ms for a dozen tools, this 0.2). Undefined for anything that
 * it does not know for certain: descriptions, patterns, formats, unusual types.
 */
export function quickSchema(schema: z.ZodType): JsonSchema | undefined {
  try {
    return schemaOf(schema);
  } catch (error) {
    if (error === unusual) return undefined;
    throw error;
  }
}

const unusual = new Error('not a common schema');

/** Checks that a schema does not show: those that only bound a value, and those that are code (`refine`, `trim`). */
const unseen: ReadonlySet<string> = new Set([
  'min_length',
  'max_length',
  'greater_than',
  'number_format',
  'custom',
  'overwrite',
]);

/** The lazy schemas that are being read. */
const opened = new Set<z.core.$ZodLazyDef>();

function schemaOf(schema: z.core.$ZodType): JsonSchema {
  if (z.globalRegistry.has(schema)) throw unusual;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  for (const check of def.checks ?? []) if (!isUnseen(check._zod.def)) throw unusual;
  switch (def.type) {
    case 'string':
      if ('format' in def) throw unusual;
      return { type: 'string' };
    case 'number':
      return { type: 'number' };
    case 'boolean':
      return { type: 'boolean' };
    case 'enum': {
      const values = Object.values(def.entries);
      if (!values.every((value) => typeof value === 'string')) throw unusual;
      return { type: 'string', enum: values };
    }
    case 'array':
      return { type: 'array', items: schemaOf(def.element) };
    case 'unknown':
      return {};
    case 'record':
      // What its names and values are is not shown.
      schemaOf(def.keyType);
      schemaOf(def.valueType);
      return { type: 'object' };
    case 'union':
      return { anyOf: def.options.map(schemaOf) };
    case 'nullable':
      return { anyOf: [schemaOf(def.innerType), { type: 'null' }] };
    case 'optional':
    case 'catch': // what is taken for a value that does not fit is not shown
      return schemaOf(def.innerType);
    case 'lazy': {
      // One that holds itself would have no end.
      if (opened.has(def)) throw unusual;
      opened.add(def);
      try {
        return schemaOf(def.getter());
      } finally {
        opened.delete(def);
      }
    }
    case 'object': {
      if (def.catchall) throw unusual;
      const properties = Object.fromEntries(Object.entries(def.shape).map(([name, part]) => [name, schemaOf(part)]));
      const required = Object.keys(def.shape).filter((name) => isRequired(def.shape[name]));
      return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
    }
    default:
      throw unusual;
  }
}

/** One with a value for what does not fit stands as required all the same. */
function isRequired(schema: z.core.$ZodType | undefined): boolean {
  return schema?._zod.optin === undefined || schema._zod.def.type === 'catch';
}

function isUnseen(check: z.core.$ZodCheckDef): boolean {
  if (unseen.has(check.check)) return true;
  // An exclusive upper bound is shown.
  return check.check === 'less_than' && 'inclusive' in check && check.inclusive === true;
}
