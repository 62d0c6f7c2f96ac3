import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { fail } from '../../../../../shared/result.ts';
import { defineTool } from '../../../tools/frame/tool.ts';
import { toolActions } from './toolActions.ts';

const noPlan = () => Promise.resolve(fail('UNAVAILABLE', 'not here'));

describe('actions made from tools', () => {
  test('take names, flags, types and needs from the tool', () => {
    const tool = defineTool({
      name: 'cache_store',
      category: 'cache',
      permission: 'none',
      about: 'Store a value.\nMore.',
      input: () =>
        z.object({
          key: z.string(),
          maxCount: z.number().int().optional(),
          deep: z.boolean().optional(),
          tier: z.enum(['a', 'b']).optional(),
          files: z.array(z.string()).optional(),
        }),
      output: () => z.unknown(),
      plan: noPlan,
      run: noPlan,
    });
    const [action] = toolActions([tool]);
    expect({ ...action, run: undefined }).toEqual({
      module: 'cache',
      action: 'store',
      about: 'Store a value.',
      params: [
        { name: 'key', flag: '--key', type: 'string', required: true },
        { name: 'maxCount', flag: '--max-count', type: 'number', required: false },
        { name: 'deep', flag: '--deep', type: 'boolean', required: false },
        { name: 'tier', flag: '--tier', type: 'a|b', required: false },
        { name: 'files', flag: '--files', type: 'json', required: false },
      ],
      run: undefined,
    });
  });

  test('declared names win, and phase tools have none', () => {
    const named = (name: string, category: 'file' | 'phase', pseudo?: string) =>
      defineTool({
        name,
        category,
        permission: 'none',
        ...(pseudo ? { pseudo } : {}),
        about: '',
        input: () => z.object({}),
        output: () => z.unknown(),
        plan: noPlan,
        run: noPlan,
      });
    const actions = toolActions([
      named('edit_file', 'file', 'fs edit'),
      named('get_file_info', 'file'),
      named('advance', 'phase'),
    ]);
    expect(actions.map(({ module, action }) => `${module} ${action}`)).toEqual(['fs edit', 'file get-file-info']);
  });
});
