import { parseLoose } from './looseJson.ts';
import { bad, type CallReading, isPlainObject, type PlainObject } from './reply.ts';

/**
 * The form that the tool prompt asks for: `{"type":"tool_call","tool":NAME,"arguments":{…}}`, each check with its own error, in this order. A
 * name of blanks is a name: it is refused as an unknown tool, not as an unreadable reply.
 */
export function readPromptedCall(value: unknown): CallReading {
  if (!isPlainObject(value)) return bad('invalid_structure');
  if (value.type !== 'tool_call') return bad('unknown_type');
  if (typeof value.tool !== 'string' || value.tool === '') return bad('empty_tool_name');
  const given = value.arguments === undefined ? {} : value.arguments;
  if (!isPlainObject(given)) return bad('invalid_arguments');
  return { ok: true, call: { tool: value.tool, arguments: given }, repairs: [] };
}

/**
 * The prompted form or Hermes' `{"name","arguments"|"parameters"}`, with arguments perhaps as a JSON text. `undefined` when
 * the value is no call object at all, which decides whether a bare object in a reply is a call or data.
 */
export function readAnyCall(value: unknown, argumentsRequired: boolean): CallReading | undefined {
  if (!isPlainObject(value)) return undefined;
  if (value.type === 'tool_call' && 'tool' in value) {
    const opened = openArguments(value, 'arguments');
    const prompted = readPromptedCall(opened.value);
    return prompted.ok ? { ...prompted, repairs: opened.repairs } : prompted;
  }
  const inner = value.type === 'function' && isPlainObject(value.function) ? value.function : value;
  if (!('name' in inner) || !isCallType(value.type)) return undefined;
  const key = 'arguments' in inner ? 'arguments' : 'parameters';
  if (argumentsRequired && !(key in inner)) return undefined;
  if (typeof inner.name !== 'string' || inner.name.trim() === '') return bad('empty_tool_name');
  const opened = openArguments(inner, key);
  const given = opened.value[key] ?? {};
  if (!isPlainObject(given)) return bad('invalid_arguments');
  return { ok: true, call: { tool: inner.name, arguments: given }, repairs: ['hermes', ...opened.repairs] };
}

function isCallType(type: unknown): boolean {
  return type === undefined || type === 'tool_call' || type === 'function' || type === 'function_call';
}

/** Arguments that were encoded twice are opened once; a text that is not the JSON of an object stays what it is. */
function openArguments(
  value: PlainObject,
  key: string,
): { readonly value: PlainObject; readonly repairs: readonly string[] } {
  const given = value[key];
  if (typeof given !== 'string') return { value, repairs: [] };
  if (given.trim() === '') return { value: { ...value, [key]: {} }, repairs: ['arguments_string'] };
  const opened = parseLoose(given, true);
  if (!opened.ok || !isPlainObject(opened.value)) return { value, repairs: [] };
  return { value: { ...value, [key]: opened.value }, repairs: ['arguments_string', ...opened.repairs] };
}
