import * as z from 'zod';
import { projectRows } from '../electron/engine/openProject/narrowSettings.ts';
import { type Settings, settingsSchema, shellNames } from '../shared/model/settings.ts';
import { tableOf } from './madePage.ts';

type Groups =
  | 'rehearsal'
  | 'storage'
  | 'shell'
  | 'sandbox'
  | 'agent'
  | 'spend'
  | 'browser'
  | 'lanes'
  | 'subagents'
  | 'git'
  | 'bridge'
  | 'pseudoCli';
type Meanings = {
  readonly [Name in keyof Settings]: Name extends Groups ? { readonly [Key in keyof Settings[Name]]: string } : string;
};

/** What each setting means. A setting without its line does not compile; a program that starts reads none of them. */
const meanings: Meanings = {
  theme: 'Colours of the window.',
  language: 'Language of the window.',
  shortcuts:
    'Keys of the window’s commands in place of the usual, e.g. `{"newShell": "mod+shift+s"}`; empty: none. *Settings › Shortcuts* writes them.',
  mode: 'Mode of new sessions.',
  shell: {
    extraPaths: 'Folders in front of PATH; `~` is your home, relative ones start at the project.',
    maxOutputChars: 'Characters of a command’s output in an answer; 0 is no limit.',
    autoBackgroundThresholdSeconds:
      'A command goes to the background after so many seconds; 0, less, or `null`: never.',
    backgroundMaxWorkers: 'Background tasks at once; the others wait in order.',
    estimateGraceMs: 'Milliseconds that a command which is estimated to take long is waited for first.',
    backgroundTimeoutSeconds: 'A background task is ended after so many seconds; `null`: never.',
    keepRunning: 'Commands outlive Vise and are found again.',
    program: 'The shell of command lines that need one; empty: `/bin/sh`, on Windows `ComSpec`.',
    passVariables:
      'Variables that commands get although their names are those of secrets (`NPM_TOKEN`). Keys of providers they never get.',
    slowCommands: 'First words of commands and the seconds they take, which win over the built-in estimates.',
  },
  rehearsal: {
    checks:
      'What waiting edits are tried with: `types`, `lint`, `tests` (the project’s own commands), `diagnostics` (installed language servers), or command lines; none: nothing is tried.',
    maxSeconds: 'Seconds after which one of these checks is ended.',
  },
  storage: {
    keepDays: 'Days that outputs of commands, and earlier contents of calls outside a session, are kept.',
    maxOutputMb: 'Megabytes that all outputs of commands may take together; the oldest go first.',
    maxContentMb:
      'Megabytes that contents before and after changes may take in one session; what nothing names goes first.',
  },
  sandbox: {
    commands: 'Run every command in the system’s sandbox.',
    network: 'The network of such commands: none, all, or these hosts (`*.example.org`: all below one).',
    readable:
      'Places below the home folder that hold keys and are readable in the sandbox all the same, such as `.npmrc`; all others are hidden.',
    sockets:
      'Whether commands in the sandbox may make Unix sockets, as `tsx` and some databases in tests do; they may then reach those of this machine.',
  },
  agent: {
    maxIterations: 'Requests of a task in phased mode; each step that is completed adds five, up to twice as many.',
    parallelCalls: 'Calls of one reply side by side, where they cannot meet.',
    resultChars: 'Characters of one result that the model is shown.',
    maxRequests: 'Requests of one turn, in every mode; then the turn ends and says so.',
    buildRequests:
      'Requests that background builds may cause by themselves since your last message, when one turns red by the session’s edits, or green again; 0: none, a click sends it.',
    phaseEffort: 'The effort of single phases, e.g. `{"EXPLORING": "low"}`, where the model has it.',
    phaseModel:
      'The model of single phases, e.g. `{"EXPLORING": {"provider": "openai", "model": "gpt-5-mini"}}`, in sessions of that provider.',
  },
  spend: {
    session: 'US dollars that a session may cost before it asks (window) or ends (`vise exec`); `null`: no cap.',
    day: 'The same for all sessions of a day.',
  },
  subagents: {
    atOnce: 'How many subagents of one session work at the same time; more wait.',
    maxRequests: 'The most requests of one subagent.',
    maxMinutes: 'The longest that one may work.',
    maxCost: 'US dollars that one may cost; `null`: no cap but those of the session that started it.',
  },
  browser: {
    program: 'Path of Chrome, Chromium or Edge, where it lies in no usual place. `VISE_CHROMIUM` wins.',
    address:
      'Address of a browser that runs with a debugging port, in place of one of our own. `VISE_BROWSER_URL` wins.',
  },
  lanes: {
    setup:
      'A command that makes a fresh checkout work. What a new lane proposes; empty: what the lock file of the project says.',
  },
  git: {
    protectedBranches:
      'Branches for which a commit warns, beside the usual and the default ones; `*` stands for any text.',
  },
  bridge: {
    levels: 'The level of a spec’s tool, or of all tools of a spec, by name; the tool’s own wins.',
    off: 'MCP servers that are not started, by name. *Settings › MCP servers* switches them.',
  },
  pseudoCli: { prefixes: 'Words that begin a pseudo command line.' },
};

interface Shape {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly format?: string;
  readonly default?: unknown;
}

const code = (value: unknown): string => `\`${JSON.stringify(value)}\``;

function typeOf(shape: Shape): string {
  if (Array.isArray(shape.type)) return shape.type.map((type: string) => typeOf({ ...shape, type })).join(' or ');
  if (shape.anyOf) return shape.anyOf.map(typeOf).join(' or ');
  if (shape.enum) return shape.enum.map(code).join(', ');
  if (shape.const !== undefined) return code(shape.const);
  switch (shape.type) {
    case 'integer':
    case 'number': {
      const least = shape.minimum !== undefined && shape.minimum > Number.MIN_SAFE_INTEGER ? ` ≥ ${shape.minimum}` : '';
      const above = shape.exclusiveMinimum === undefined ? '' : ` > ${shape.exclusiveMinimum}`;
      return `${shape.type}${least}${above}`;
    }
    case 'string':
      return shape.format === 'uri' ? 'address' : 'text';
    case 'array':
      return `list of ${shape.items ? typeOf(shape.items) : 'anything'}`;
    case 'object':
      if (shape.properties) {
        const members = Object.entries(shape.properties).map(([name, inner]) => `\`${name}\` (${typeOf(inner)})`);
        return members.join(' and ');
      }
      return `names, each with ${shape.additionalProperties ? typeOf(shape.additionalProperties) : 'anything'}`;
    case 'boolean':
    case 'null':
      return shape.type;
    default:
      return 'anything';
  }
}

/** What a person writes: behind the seed's names the schema of ours. */
function shapeOf(schema: z.ZodType): Shape {
  const written = schema instanceof z.ZodPipe && schema.in instanceof z.ZodTransform ? schema.out : schema;
  return z.toJSONSchema(written as z.ZodType, { io: 'input' }) as Shape; // of the few forms that settings have
}

/** The table of docs/settings.md: every setting of the schema with its type, default and meaning, and what a project may do with it. */
export function settingTable(): string {
  const otherNames = new Map(Object.entries(shellNames).map(([theirs, ours]) => [`shell.${ours}`, `shell.${theirs}`]));
  const row = (name: string, shape: Shape, meaning: string): readonly string[] => {
    const other = otherNames.get(name);
    const names = other === undefined ? `\`${name}\`` : `\`${name}\`<br>\`${other}\``;
    return [names, typeOf(shape), code(shape.default), meaning, projectRows.get(name)?.how ?? '–'];
  };
  const rows = Object.entries(settingsSchema.unwrap().shape).flatMap(([name, schema]) => {
    const meaning = meanings[name as keyof Settings]; // the schema's own names
    const shape = shapeOf(schema);
    if (typeof meaning === 'string') return [row(name, shape, meaning)];
    return Object.entries(shape.properties ?? {}).map(([key, inner]) =>
      row(`${name}.${key}`, inner, (meaning as Readonly<Record<string, string>>)[key] ?? ''),
    );
  });
  return tableOf(['setting', 'type', 'default', 'meaning', 'a project'], rows);
}
