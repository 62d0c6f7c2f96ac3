import * as z from 'zod';
import { ok } from '../../../../shared/result.ts';
import { folderErrors } from '../frame/errorGroups.ts';
import { defineTool, readIntent, type Tool } from '../frame/tool.ts';
import type { TaskPort } from '../shell/taskPort.ts';
import { commandKinds, mainTypes } from './detection/detection.ts';
import { detectProjectIn } from './detection/detectProjectIn.ts';

export function createDetectProject(tasks: TaskPort): Tool {
  return defineTool({
    name: 'detect_project',
    category: 'build',
    permission: 'none',
    errors: folderErrors,
    about: 'What kind of project a folder holds, and its commands to test, format, lint and build.',
    input: () => z.object({ projectPath: z.string().optional() }),
    output: () =>
      z.object({
        type: z.enum([...mainTypes, 'unknown']),
        types: z.array(z.string()),
        confidence: z.number(),
        packageManager: z.string().optional(),
        commands: z.partialRecord(z.enum(commandKinds), z.string()),
        hasConfigFiles: z.array(z.string()),
        projects: z.array(z.object({ path: z.string(), type: z.string() })).optional(),
      }),
    async plan({ projectPath = '.' }, look) {
      const folder = await look.resolve(projectPath);
      if (!folder.ok) return folder;
      const { relative } = folder.value;
      return ok({ intent: readIntent(`See what kind of project ${relative} is`, relative), plan: projectPath });
    },
    run: (projectPath, { look }) => detectProjectIn(projectPath, look, tasks),
  });
}
