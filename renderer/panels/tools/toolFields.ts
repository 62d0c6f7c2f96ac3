/** One line of a tool's form. `json` is what has no simple field: lists, objects, and what may be of several types. */
export interface ToolField {
  readonly name: string;
  readonly about: string;
  readonly kind: 'text' | 'long' | 'number' | 'yesNo' | 'choice' | 'json';
  readonly required: boolean;
  readonly choices: readonly string[];
}

interface Property {
  readonly type?: unknown;
  readonly enum?: unknown;
  readonly description?: unknown;
}

/** Names of texts that are seldom one line. */
const longTexts = /content|text|str$|patch|diff|body|message|prompt/i;

/** The form of a tool from its JSON Schema, what is required first. */
export function toolFields(schema: Readonly<Record<string, unknown>>): readonly ToolField[] {
  const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Property>>);
  const required = new Set(Array.isArray(schema['required']) ? schema['required'].map(String) : []);
  return properties
    .map(([name, property]) => ({
      name,
      about: typeof property.description === 'string' ? property.description : '',
      kind: kindOf(name, property),
      required: required.has(name),
      choices: Array.isArray(property.enum) ? property.enum.map(String) : [],
    }))
    .toSorted((a, b) => Number(b.required) - Number(a.required));
}

function kindOf(name: string, { type, enum: choices }: Property): ToolField['kind'] {
  if (Array.isArray(choices) && choices.every((choice) => typeof choice === 'string')) return 'choice';
  if (type === 'boolean') return 'yesNo';
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'string') return longTexts.test(name) ? 'long' : 'text';
  return 'json';
}

/** The input as it is typed; what is left empty is left out. An error names the field that cannot be read. */
export function toolInput(
  fields: readonly ToolField[],
  typed: Readonly<Record<string, string>>,
): { readonly input: Readonly<Record<string, unknown>> } | { readonly wrong: string } {
  const input: Record<string, unknown> = {};
  for (const { name, kind, required } of fields) {
    const text = typed[name] ?? '';
    // An empty text may be meant where one is wanted: a file without content.
    if (text === '' && !(required && kind === 'long')) continue;
    const value = valueOf(kind, text);
    if (value === undefined) return { wrong: name };
    input[name] = value;
  }
  return { input };
}

function valueOf(kind: ToolField['kind'], text: string): unknown {
  if (kind === 'yesNo') return text === 'true';
  if (kind === 'number') return Number.isFinite(Number(text)) ? Number(text) : undefined;
  if (kind !== 'json') return text;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
