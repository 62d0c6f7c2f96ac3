import { fail, ok } from '../../../../../shared/result.ts';
import { type Action, params } from '../action.ts';
import { callTool, fields, listOf, textOf } from './callTool.ts';

export const searchActions: readonly Action[] = [
  {
    module: 'search',
    action: 'codebase',
    about: 'Files that fit the words of a query, best first; --dirs keeps only some folders.',
    params: params('query* dirs:json'),
    async run(given, ports) {
      const { dirs } = given;
      const folders = listOf(dirs).filter((dir) => typeof dir === 'string');
      if (dirs !== undefined && (!Array.isArray(dirs) || folders.length !== dirs.length))
        return fail('VALIDATION_ERROR', '--dirs must be an array of strings');
      const found = await callTool(ports, 'search_codebase', { query: textOf(given, 'query') });
      if (!found.ok || folders.length === 0) return found;
      const prefixes = folders.map((dir) => `${dir.replace(/^\.\//, '').replace(/\/+$/, '')}/`);
      const inside = (file: unknown): boolean =>
        prefixes.some((prefix) => prefix === './' || prefix === '/' || String(file).startsWith(prefix));
      const data = fields(found.value);
      const results = listOf(data['results']).filter((result) => inside(fields(result)['file']));
      return ok({ ...data, results, total: results.length });
    },
  },
];
