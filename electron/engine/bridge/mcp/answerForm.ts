import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/jsonFile.ts';
import { plainLine } from '../cliSpec/specInstructions.ts';

/** How the person answered one question: in words, by a refusal, or not at all. */
export type Answered =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'declined' }
  | { readonly kind: 'gone' };

export type AskPerson = (question: string, choices: readonly string[]) => Promise<Answered>;

const maxFields = 20;
const maxMessage = 2_000;
const maxAbout = 500;
/** What the question tool offers; more stand in the question. */
const maxChoices = 12;
const maxTries = 3;
const leaveOut = 'Leave out';

type Value = string | number | boolean | string[];
type Field = Readonly<Record<string, unknown>>;

/**
 * Asks the person for what a server wants to know (MCP's elicitation), field by field. A refusal of one declines the whole;
 * what nobody answers is cancelled. Nothing goes to the server before all is answered.
 */
export async function answerForm(
  server: string,
  { message, requestedSchema }: Pick<ElicitRequestFormParams, 'message' | 'requestedSchema'>,
  ask: AskPerson,
): Promise<ElicitResult> {
  const fields = Object.entries(requestedSchema.properties);
  const said = `The MCP server ${server} asks: ${message.slice(0, maxMessage)}`;
  if (fields.length > maxFields) return { action: 'decline' };
  if (fields.length === 0) {
    const answered = await ask(said, ['Yes', 'No']);
    if (answered.kind === 'gone') return { action: 'cancel' };
    return answered.kind === 'answer' && isYes(answered.text)
      ? { action: 'accept', content: {} }
      : { action: 'decline' };
  }
  const content: Record<string, Value> = {};
  for (const [name, field] of fields) {
    const isRequired = requestedSchema.required?.includes(name) === true;
    const value = await askField(said, name, field, isRequired, ask);
    if (value === 'declined') return { action: 'decline' };
    if (value === 'gone') return { action: 'cancel' };
    if (value.given !== undefined) content[name] = value.given;
  }
  return { action: 'accept', content };
}

async function askField(
  said: string,
  name: string,
  field: Field,
  isRequired: boolean,
  ask: AskPerson,
): Promise<{ readonly given: Value | undefined } | 'declined' | 'gone'> {
  const options = optionsOf(field);
  const labels = field['type'] === 'boolean' ? ['Yes', 'No'] : options.map(({ label }) => label);
  const usual = usualOf(field);
  const choices = [
    ...(usual === undefined ? [] : [usual]),
    ...(labels.length > maxChoices - 2 ? [] : labels),
    ...(isRequired ? [] : [leaveOut]),
  ];
  const title = plainLine(typeof field['title'] === 'string' ? field['title'] : name).slice(0, maxAbout);
  const about = typeof field['description'] === 'string' ? plainLine(field['description']).slice(0, maxAbout) : '';
  const lists = field['type'] === 'array' ? ' (several with commas)' : '';
  const listed = labels.length > maxChoices - 2 ? `\nOne of: ${labels.join(', ').slice(0, maxMessage)}` : '';
  let wrong = '';
  for (let tries = 0; tries < maxTries; tries += 1) {
    const question = `${said}\n\n${title}${lists}${about === '' ? '' : `: ${about}`}${listed}${wrong}`;
    const answered = await ask(question, [...new Set(choices)]);
    if (answered.kind !== 'answer') return answered.kind;
    const text = answered.text.trim();
    if (!isRequired && (text === '' || text === leaveOut)) return { given: undefined };
    const read = readValue(text, field, options);
    if (read.ok) return { given: read.value };
    wrong = `\n\n${read.why}`;
  }
  return 'gone';
}

type Read = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly why: string };

function readValue(text: string, field: Field, options: readonly Option[]): Read {
  const wrong = (why: string): Read => ({ ok: false, why });
  const find = (word: string): string | undefined =>
    options.find(({ label, value }) => word === label || word === value)?.value;
  const { type, minimum, maximum, minLength, maxLength, minItems, maxItems } = field;
  if (type === 'boolean') {
    if (isYes(text)) return { ok: true, value: true };
    return /^(?:no|n|false)$/i.test(text) ? { ok: true, value: false } : wrong('Please answer Yes or No.');
  }
  if (type === 'number' || type === 'integer') {
    const value = Number(text);
    if (text === '' || !Number.isFinite(value) || (type === 'integer' && !Number.isInteger(value)))
      return wrong(type === 'integer' ? 'It must be a whole number.' : 'It must be a number.');
    return isWithin(value, minimum, maximum)
      ? { ok: true, value }
      : wrong(bounds('It must be a number', minimum, maximum));
  }
  if (type === 'array') {
    const values = text.split(/\s*,\s*/).map(find);
    const chosen = values.filter((value) => value !== undefined);
    if (chosen.length < values.length) return wrong('Please choose of the list.');
    return isWithin(chosen.length, minItems, maxItems)
      ? { ok: true, value: [...new Set(chosen)] }
      : wrong(bounds('Please choose a number of entries', minItems, maxItems));
  }
  if (options.length > 0) {
    const value = find(text);
    return value === undefined ? wrong('Please choose of the list.') : { ok: true, value };
  }
  if (!isWithin(text.length, minLength, maxLength))
    return wrong(bounds('It must have a number of characters', minLength, maxLength));
  const format = typeof field['format'] === 'string' ? formats[field['format']] : undefined;
  return format === undefined || format(text)
    ? { ok: true, value: text }
    : wrong(`It must be written as ${String(field['format'])}.`);
}

const formats: Readonly<Record<string, (text: string) => boolean>> = {
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  uri: (text) => URL.canParse(text),
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)),
  'date-time': (text) => /^\d{4}-\d{2}-\d{2}T/.test(text) && !Number.isNaN(Date.parse(text)),
};

const isYes = (text: string): boolean => /^(?:yes|y|true)$/i.test(text.trim());

function isWithin(value: number, least: unknown, most: unknown): boolean {
  return !(typeof least === 'number' && value < least) && !(typeof most === 'number' && value > most);
}

function bounds(what: string, least: unknown, most: unknown): string {
  const parts = [
    typeof least === 'number' ? `at least ${least}` : '',
    typeof most === 'number' ? `at most ${most}` : '',
  ];
  return `${what} (${parts.filter((part) => part !== '').join(', ')}).`;
}

interface Option {
  readonly value: string;
  readonly label: string;
}

/** The values of a field that has a list: `enum` with or without names, `oneOf`, and those of the items of an array. */
function optionsOf(field: Field): readonly Option[] {
  const { enum: values, enumNames: names, oneOf, anyOf, items } = field;
  if (field['type'] === 'array' && isRecord(items)) return optionsOf(items);
  if (Array.isArray(values))
    return values
      .filter((value) => typeof value === 'string')
      .map((value, at) => ({
        value,
        label: plainLine(Array.isArray(names) && typeof names[at] === 'string' ? names[at] : value),
      }));
  const named = Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : [];
  return named.flatMap((one: unknown) =>
    isRecord(one) && typeof one['const'] === 'string'
      ? [{ value: one['const'], label: plainLine(typeof one['title'] === 'string' ? one['title'] : one['const']) }]
      : [],
  );
}

/** What the server would take by itself, as a choice. */
function usualOf(field: Field): string | undefined {
  const { default: usual } = field;
  if (typeof usual === 'boolean') return usual ? 'Yes' : 'No';
  if (typeof usual === 'number') return String(usual);
  if (typeof usual !== 'string' || usual.trim() === '') return undefined;
  return optionsOf(field).find(({ value }) => value === usual)?.label ?? usual;
}
