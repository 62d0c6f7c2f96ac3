import { fail, ok } from '../../../../../shared/result.ts';
import { type Action, type Params, params } from '../action.ts';
import { callTool, fields, listOf, textOf } from './callTool.ts';

/** Instances, namespaces and keys lie in the project tier of the cache; each part is encoded, so none can imitate another. */
const keyOf = (...parts: readonly string[]): string => `kv/${parts.map((part) => encodeURIComponent(part)).join('/')}`;
const fullKey = (given: Params): string => keyOf(textOf(given, 'instance'), textOf(given, 'ns'), textOf(given, 'key'));

const kv = (action: string, about: string, flags: string, run: Action['run']): Action => ({
  module: 'kv',
  action,
  about,
  params: params(flags),
  run,
});

export const kvActions: readonly Action[] = [
  kv('create', 'Make an instance.', 'name*', async (given, ports) => {
    const name = textOf(given, 'name');
    const stored = await callTool(ports, 'cache_store', { key: keyOf(name), value: '', tier: 'project' });
    return stored.ok ? ok({ instance: name }) : stored;
  }),
  kv('get', 'Read a value.', 'instance* ns* key*', async (given, ports) => {
    const read = await callTool(ports, 'cache_retrieve', { key: fullKey(given) });
    if (!read.ok) return read;
    const { found, value } = fields(read.value);
    return ok({ key: given['key'], found: found === true, ...(found === true ? { value } : {}) });
  }),
  kv('set', 'Store a value.', 'instance* ns* key* value*', async (given, ports) => {
    const stored = await callTool(ports, 'cache_store', {
      key: fullKey(given),
      value: given['value'],
      tier: 'project',
    });
    return stored.ok ? ok({ key: given['key'], stored: true }) : stored;
  }),
  kv('delete', 'Forget a value.', 'instance* ns* key*', async (given, ports) => {
    const deleted = await callTool(ports, 'cache_delete', { key: fullKey(given) });
    return deleted.ok ? ok({ key: given['key'], deleted: fields(deleted.value)['deleted'] === true }) : deleted;
  }),
  kv('query', 'Keys of an instance: {"instance": …, "ns"?: …, "prefix"?: …}.', 'query*:json', async (given, ports) => {
    const { instance, ns, prefix } = fields(given['query']);
    if (typeof instance !== 'string') return fail('VALIDATION_ERROR', '--query needs "instance", a string');
    const parts = typeof ns === 'string' ? [instance, ns, ''] : [instance, ''];
    const start = keyOf(...parts);
    const listed = await callTool(ports, 'cache_keys', { tier: 'project' });
    if (!listed.ok) return listed;
    const entries = listOf(fields(listed.value)['keys'])
      .map((entry) => String(fields(entry)['key']))
      .filter((key) => key.startsWith(start))
      .map((key) => key.split('/').map((part) => decodeURIComponent(part)))
      .map(([, , namespace = '', key = '']) => ({ ns: namespace, key }))
      .filter(({ key }) => typeof prefix !== 'string' || key.startsWith(prefix));
    return ok({ instance, entries, count: entries.length });
  }),
];
