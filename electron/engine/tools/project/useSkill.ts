import * as z from 'zod';
import { fail, ok } from '../../../../shared/result.ts';
import type { PromptFiles } from '../../project/prompts/promptFiles.ts';
import { defineTool, readIntent, type Tool } from '../frame/tool.ts';

/** Skills are offered by name and purpose; their text comes when it is wanted. */
export function createUseSkill(prompts: PromptFiles): Tool {
  return defineTool({
    name: 'use_skill',
    category: 'skill',
    permission: 'none',
    errors: ['FILE_NOT_FOUND', 'PATH_TRAVERSAL_DETECTED', 'FILE_TOO_LARGE', 'BINARY_FILE'],
    about: 'Read how a skill works before work that it is for; with file another file of the skill.',
    input: () => z.object({ name: z.string(), file: z.string().optional() }),
    output: () =>
      z.object({
        name: z.string(),
        text: z.string(),
        /** Others of the skill, to be read by `file`. */
        files: z.array(z.string()),
      }),
    text: ({ text, files }) => (files.length === 0 ? text : `${text}\n(files of the skill: ${files.join(', ')})`),
    async plan({ name, file }) {
      const known = await prompts.list();
      const skill = known.find((one) => one.kind === 'skill' && one.name === name);
      const names = known.filter(({ kind }) => kind === 'skill').map((one) => one.name);
      if (skill === undefined)
        return fail('FILE_NOT_FOUND', `There is no skill ${name}. There are: ${names.join(', ') || 'none'}.`);
      const summary = file === undefined ? `Read the skill ${name}` : `Read ${file} of the skill ${name}`;
      return ok({ intent: readIntent(summary), plan: { skill, file } });
    },
    async run({ skill, file }) {
      const { name, body } = skill;
      const read = file === undefined ? ok(body) : await prompts.readBeside(skill, file);
      if (!read.ok) return read;
      return ok({ name, text: read.value, files: file === undefined ? [...(await prompts.filesBeside(skill))] : [] });
    },
  });
}
