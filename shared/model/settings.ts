import * as z from 'zod';
import { levels } from './level.ts';
import { modes } from './phase.ts';

/** The settings of one user; a project's `.vise/settings.json` may set those of `projectSettings`. Times in the unit of the name. */
export const settingsSchema = z.lazy(() =>
  z.object({
    theme: z.enum(['system', 'dark', 'light', 'contrast']).default('system'),
    language: z.enum(['system', 'en', 'zh-CN']).default('system'),
    mode: z.enum(modes).default('phased'),
    shell: z
      .object({
        extraPaths: z.union([z.string(), z.array(z.string())]).default([]),
        maxOutputChars: z.int().min(0).default(50_000),
        /** Seconds; 0 switches auto-backgrounding off. */
        autoBackgroundThresholdSeconds: z.number().min(0).default(10),
        backgroundMaxWorkers: z.int().min(1).default(4),
        backgroundTimeoutSeconds: z.number().positive().nullable().default(null),
        keepRunning: z.boolean().default(false),
        program: z.string().default(''),
        slowCommands: z.record(z.string(), z.number().positive()).default({}),
      })
      .prefault({}),
    sandbox: z
      .object({
        commands: z.boolean().default(false),
        network: z.union([z.boolean(), z.array(z.string())]).default(false),
      })
      .prefault({}),
    agent: z
      .object({
        maxIterations: z.int().min(1).default(20),
        parallelCalls: z.int().min(1).default(8),
        resultChars: z.int().min(1000).default(50_000),
        resultLanguage: z.string().default(''),
      })
      .prefault({}),
    git: z.object({ protectedBranches: z.array(z.string()).default([]) }).prefault({}),
    /** The level of a tool that a spec brings, or of all tools of a spec, by its name; the tool's own wins. */
    bridge: z.object({ levels: z.record(z.string().max(64), z.enum(levels)).default({}) }).prefault({}),
    pseudoCli: z.object({ prefixes: z.array(z.string().min(1)).default(['codebolt', 'codeboltcmd']) }).prefault({}),
  }),
);

export type Settings = z.infer<typeof settingsSchema>;

/** What `settingsSchema` makes of nothing; written out because parsing costs every start 3 ms. */
export const defaultSettings: Settings = {
  theme: 'system',
  language: 'system',
  mode: 'phased',
  shell: {
    extraPaths: [],
    maxOutputChars: 50_000,
    autoBackgroundThresholdSeconds: 10,
    backgroundMaxWorkers: 4,
    backgroundTimeoutSeconds: null,
    keepRunning: false,
    program: '',
    slowCommands: {},
  },
  sandbox: { commands: false, network: false },
  agent: { maxIterations: 20, parallelCalls: 8, resultChars: 50_000, resultLanguage: '' },
  git: { protectedBranches: [] },
  bridge: { levels: {} },
  pseudoCli: { prefixes: ['codebolt', 'codeboltcmd'] },
};
