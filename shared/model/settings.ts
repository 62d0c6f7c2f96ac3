import * as z from 'zod';
import type { Immutable } from '../immutable.ts';
import { levelSchema } from './level.ts';
import { modeSchema, phaseSchema } from './phase.ts';

/**
 * The settings of one user. Times in the unit of the name. What each means stands in `.setup/settingTable.ts`. Each is made
 * when it is first asked for: a start needs those alone that `config.json` names.
 */
const settingSchemas = {
  theme: () => z.enum(['system', 'dark', 'light', 'contrast']).default('system'),
  language: () => z.enum(['system', 'en', 'zh-CN']).default('system'),
  /** Keys of commands of the window by their ids, in place of the usual; empty: none. */
  shortcuts: () => z.record(z.string().max(40), z.string().max(40)).default({}),
  mode: () => modeSchema.default('phased'),
  shell: () => z.preprocess(withOwnNames, shellSchema()),
  sandbox: () =>
    z
      .object({
        commands: z.boolean().default(false),
        network: z.union([z.boolean(), z.array(z.string())]).default(false),
        /** Below the home folder, such as `.npmrc`. */
        readable: z.array(z.string().min(1)).default([]),
        sockets: z.boolean().default(false),
      })
      .prefault({}),
  agent: () =>
    z
      .object({
        maxIterations: z.int().min(1).default(20),
        parallelCalls: z.int().min(1).default(8),
        resultChars: z.int().min(1000).default(50_000),
        maxRequests: z.int().min(1).default(100),
        buildRequests: z.int().min(0).default(0),
        phaseEffort: z.partialRecord(phaseSchema, z.string().max(40)).default({}),
        /** Counts in sessions of that provider alone. */
        phaseModel: z
          .partialRecord(phaseSchema, z.object({ provider: z.string().max(60), model: z.string().min(1).max(200) }))
          .default({}),
      })
      .prefault({}),
  /** Caps in US dollars. */
  spend: () =>
    z
      .object({
        session: z.number().positive().nullable().default(null),
        day: z.number().positive().nullable().default(null),
      })
      .prefault({}),
  /** Of each session that a call of `subagent` starts; `maxCost` in US dollars. */
  subagents: () =>
    z
      .object({
        atOnce: z.int().min(1).max(20).default(4),
        maxRequests: z.int().min(1).default(50),
        maxMinutes: z.number().positive().max(1440).default(30),
        maxCost: z.number().positive().nullable().default(null),
      })
      .prefault({}),
  browser: () =>
    z
      .object({
        /** Path of the program, where it is no usual one. `VISE_CHROMIUM` wins. */
        program: z.string().default(''),
        /** Of one that runs with a debugging port, in place of one of our own. `VISE_BROWSER_URL` wins. */
        address: z.union([z.literal(''), z.url({ protocol: /^(?:https?|wss?)$/ })]).default(''),
      })
      .prefault({}),
  /** What waiting edits are tried with. */
  rehearsal: () =>
    z
      .object({
        /** `types`, `lint`, `tests`: the project's own command for it; `diagnostics`: language servers; anything else is a command line. */
        checks: z.array(z.string().trim().min(1).max(1000)).max(20).default(['types', 'lint', 'tests', 'diagnostics']),
        maxSeconds: z.int().min(1).default(300),
      })
      .prefault({}),
  /** Of the state folder; what nothing can reach goes by itself. */
  storage: () =>
    z
      .object({
        keepDays: z.int().min(1).default(30),
        maxOutputMb: z.int().min(1).default(4096),
        maxContentMb: z.int().min(1).default(512),
      })
      .prefault({}),
  lanes: () => z.object({ setup: z.string().max(1000).default('') }).prefault({}),
  git: () => z.object({ protectedBranches: z.array(z.string()).default([]) }).prefault({}),
  /** The level of a tool that a spec brings, or of all tools of a spec, by its name; the tool's own wins. */
  bridge: () =>
    z
      .object({
        levels: z.record(z.string().max(64), levelSchema).default({}),
        /** MCP servers that are not started, by name. */
        off: z.array(z.string().max(64)).max(200).default([]),
      })
      .prefault({}),
  pseudoCli: () => z.object({ prefixes: z.array(z.string().min(1)).default(['codebolt', 'codeboltcmd']) }).prefault({}),
};

type SettingSchemas = { readonly [Name in keyof typeof settingSchemas]: ReturnType<(typeof settingSchemas)[Name]> };

export const settingsSchema = z.lazy(() => z.object(schemasOf(Object.keys(settingSchemas)) as SettingSchemas));

function schemasOf(names: readonly string[]): Partial<SettingSchemas> {
  const made = Object.entries(settingSchemas).flatMap(([name, make]) => (names.includes(name) ? [[name, make()]] : []));
  return Object.fromEntries(made) as Partial<SettingSchemas>; // each name with what its own function makes
}

/** What `settingsSchema` makes of a value, by the schemas of what it names alone (3 ms less of a start that names one). */
export function parseSettings(given: unknown): ParsedSettings {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return settingsSchema.safeParse(given);
  const parsed = z.object(schemasOf(Object.keys(given))).safeParse(given);
  if (!parsed.success) return parsed;
  return { success: true, data: { ...defaultSettings, ...(parsed.data as Partial<Settings>) } }; // as each schema makes it
}

type ParsedSettings =
  | { readonly success: true; readonly data: Settings; readonly error?: undefined }
  | { readonly success: false; readonly error: z.ZodError; readonly data?: undefined };

function shellSchema() {
  return z
    .object({
      extraPaths: z.union([z.string(), z.array(z.string())]).default([]),
      /** 0: no limit. */
      maxOutputChars: z.int().min(0).default(50_000),
      /** Seconds; 0, less, or null switches auto-backgrounding off. */
      autoBackgroundThresholdSeconds: z
        .number()
        .nullable()
        .default(10)
        .transform((seconds) => Math.max(0, seconds ?? 0)),
      backgroundMaxWorkers: z.int().min(1).default(4),
      /** A command that goes to the background by its estimate is waited for this long first. */
      estimateGraceMs: z.int().min(0).default(0),
      backgroundTimeoutSeconds: z.number().positive().nullable().default(null),
      keepRunning: z.boolean().default(false),
      program: z.string().default(''),
      slowCommands: z.record(z.string(), z.number().positive()).default({}),
      /** Variables that commands get although their names are those of secrets. Keys of providers they never get. */
      passVariables: z.array(z.string().min(1)).default([]),
    })
    .prefault({});
}

/** Settings of the shell as older files name them, and our names. */
export const shellNames: Readonly<Record<string, string>> = {
  extra_paths: 'extraPaths',
  max_output_chars: 'maxOutputChars',
  auto_background_threshold: 'autoBackgroundThresholdSeconds',
  background_max_workers: 'backgroundMaxWorkers',
  estimate_grace_ms: 'estimateGraceMs',
  background_timeout: 'backgroundTimeoutSeconds',
  keep_background_on_exit: 'keepRunning',
  shell: 'program',
  slow_commands: 'slowCommands',
  pass_variables: 'passVariables',
};

/** Settings of the shell may be written with the older names; where both stand, ours wins. */
export function withOwnNames(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const entries = Object.entries(given);
  const ours = new Set(entries.map(([name]) => name));
  return Object.fromEntries(
    entries.flatMap(([name, value]) => {
      const known = Object.hasOwn(shellNames, name) ? shellNames[name] : undefined;
      if (known === undefined) return [[name, value]];
      return ours.has(known) ? [] : [[known, value]];
    }),
  );
}

export type Settings = Immutable<z.infer<typeof settingsSchema>>;

/** What `settingsSchema` makes of nothing; written out because parsing costs every start 3 ms. */
export const defaultSettings: Settings = {
  theme: 'system',
  language: 'system',
  shortcuts: {},
  mode: 'phased',
  shell: {
    extraPaths: [],
    maxOutputChars: 50_000,
    autoBackgroundThresholdSeconds: 10,
    backgroundMaxWorkers: 4,
    estimateGraceMs: 0,
    backgroundTimeoutSeconds: null,
    keepRunning: false,
    program: '',
    slowCommands: {},
    passVariables: [],
  },
  sandbox: { commands: false, network: false, readable: [], sockets: false },
  agent: {
    maxIterations: 20,
    parallelCalls: 8,
    resultChars: 50_000,
    maxRequests: 100,
    buildRequests: 0,
    phaseEffort: {},
    phaseModel: {},
  },
  spend: { session: null, day: null },
  subagents: { atOnce: 4, maxRequests: 50, maxMinutes: 30, maxCost: null },
  browser: { program: '', address: '' },
  rehearsal: { checks: ['types', 'lint', 'tests', 'diagnostics'], maxSeconds: 300 },
  storage: { keepDays: 30, maxOutputMb: 4096, maxContentMb: 512 },
  lanes: { setup: '' },
  git: { protectedBranches: [] },
  bridge: { levels: {}, off: [] },
  pseudoCli: { prefixes: ['codebolt', 'codeboltcmd'] },
};
