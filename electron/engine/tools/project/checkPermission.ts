import * as z from 'zod';
import { type Level, levelSchema } from '../../../../shared/model/level.ts';
import { fail, ok } from '../../../../shared/result.ts';
import { folderErrors } from '../frame/errorGroups.ts';
import { defineTool, readIntent, type Tool } from '../frame/tool.ts';
import { type RunnerName, runnerNames, runners } from './runnerTools.ts';

/** What the project's permissions tell about a tool. */
export interface PermissionPort {
  /**
   * Whether calls of this tool run without a question in a folder (its real path): by level, by an allow rule for the tool
   * itself, or because the person allowed it for a while.
   */
  granted(tool: string, level: Level, place: string): Granted;
}

export interface Granted {
  readonly granted: boolean;
  /** ISO time, where the leave is for a while. */
  readonly expiresAt?: string;
}

export function createCheckPermission(permission: PermissionPort): Tool {
  return defineTool({
    name: 'check_permission',
    category: 'build',
    permission: 'none',
    errors: folderErrors,
    about: 'Whether run_tests, format, lint and build (or one of them) may run here without a question.',
    input: () => z.object({ toolName: z.enum(runnerNames).optional(), projectPath: z.string().optional() }),
    output: () => {
      const one = z.object({
        toolName: z.enum(runnerNames),
        projectPath: z.string(),
        granted: z.boolean(),
        level: levelSchema,
        expiresAt: z.string().optional(),
      });
      return one.partial().extend({ permissions: z.array(one).optional() });
    },
    text: ({ permissions, ...only }) =>
      (permissions ?? [only])
        .map(({ toolName = '', granted = false, level = '', expiresAt }) => {
          const answer = granted ? 'runs without a question' : `asks first (${level})`;
          return `${toolName}: ${answer}${expiresAt === undefined ? '' : ` until ${expiresAt}`}`;
        })
        .join('\n'),
    async plan({ toolName, projectPath = '.' }, look) {
      const folder = await look.resolve(projectPath);
      if (!folder.ok) return folder;
      const { relative, real, kind } = folder.value;
      if (kind === 'missing') return fail('DIRECTORY_NOT_FOUND', `The folder ${projectPath} does not exist`);
      if (kind !== 'directory') return fail('NOT_A_DIRECTORY', `${projectPath} is not a folder`);
      return ok({
        intent: readIntent('See what is allowed', relative),
        plan: { toolName, projectPath: relative, place: real },
      });
    },
    async run({ toolName, projectPath, place }) {
      const tell = (name: RunnerName) => {
        const level = runners[name].permission;
        const { granted, expiresAt } = permission.granted(name, level, place);
        return { toolName: name, projectPath, granted, level, expiresAt };
      };
      return ok(toolName === undefined ? { permissions: runnerNames.map(tell) } : tell(toolName));
    },
  });
}
