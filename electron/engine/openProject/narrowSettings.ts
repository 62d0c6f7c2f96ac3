import * as z from 'zod';
import { type Level, levels } from '../../../shared/model/level.ts';
import { type Settings, withOwnNames } from '../../../shared/model/settings.ts';
import { hostMatches } from '../base/hostMatches.ts';
import { isRecord } from '../base/jsonFile.ts';

/** What `.vise/settings.json` of a project makes of the user's settings. */
export interface Narrowed {
  readonly settings: Settings;
  /** The highest level that may run without a question; undefined where the project names none. */
  readonly allow: Level | undefined;
  /** The values that count, by the names of their settings. */
  readonly narrows: Readonly<Record<string, unknown>>;
  /** What does not count, in words with the reason. */
  readonly notices: readonly string[];
}

interface Draft {
  settings: Settings;
  allow?: Level;
}

interface Row {
  /** How a project may change it, for the table of docs/settings.md. */
  readonly how: string;
  /** Takes the value into the draft, or says why not. */
  readonly take: (draft: Draft, given: unknown) => string | undefined;
}

const maxNotices = 20;
const names = z.array(z.string().min(1).max(256)).max(200);

function row<
  Group extends 'shell' | 'sandbox' | 'agent' | 'subagents' | 'rehearsal' | 'spend' | 'git',
  Key extends keyof Settings[Group],
  Value,
>(
  group: Group,
  key: Key,
  schema: z.ZodType<Value>,
  how: string,
  /** Undefined: it would loosen what the user has set. */
  narrower: (theirs: Value, yours: Settings[Group][Key]) => Settings[Group][Key] | undefined,
): readonly [string, Row] {
  const take: Row['take'] = (draft, given) => {
    const parsed = schema.safeParse(given);
    if (!parsed.success) return wrongValue(parsed.error);
    const yours = draft.settings[group][key];
    const value = narrower(parsed.data, yours);
    if (value === undefined) return `is looser than yours (${JSON.stringify(yours)}); a project can only narrow`;
    draft.settings = { ...draft.settings, [group]: { ...draft.settings[group], [key]: value } };
    return undefined;
  };
  return [`${String(group)}.${String(key)}`, { how, take }];
}

const atMost = (theirs: number, yours: number): number | undefined => (theirs <= yours ? theirs : undefined);

/** Whether each host that the project wants is open by the user's word already. */
function hostsWithin(theirs: boolean | readonly string[], yours: boolean | readonly string[]): boolean {
  if (theirs === false || yours === true) return true;
  if (theirs === true || yours === false) return Array.isArray(theirs) && theirs.length === 0;
  return theirs.every((host) => yours.some((pattern) => hostMatches(pattern, host)));
}

/** Every setting that a project may narrow. What is not here has no business in a project: programs, folders, addresses, keys. */
export const projectRows: ReadonlyMap<string, Row> = new Map<string, Row>([
  [
    'allow',
    {
      how: 'lowers the level that runs without a question: `"none"`, `"moderate"`',
      take(draft, given) {
        const parsed = z.enum(levels).safeParse(given);
        if (!parsed.success) return wrongValue(parsed.error);
        draft.allow = parsed.data;
        return undefined;
      },
    },
  ],
  // 0 is no limit.
  row('shell', 'maxOutputChars', z.int().min(1), 'lowers it', (theirs, yours) => atMost(theirs, yours || Infinity)),
  row('shell', 'backgroundMaxWorkers', z.int().min(1), 'lowers it', atMost),
  row('shell', 'backgroundTimeoutSeconds', z.number().positive(), 'lowers it', (theirs, yours) =>
    atMost(theirs, yours ?? Infinity),
  ),
  row('shell', 'keepRunning', z.boolean(), 'switches it off', (theirs, yours) =>
    theirs && !yours ? undefined : theirs,
  ),
  row('sandbox', 'commands', z.boolean(), 'switches it on', (theirs, yours) => (!theirs && yours ? undefined : theirs)),
  row('sandbox', 'network', z.union([z.boolean(), names]), 'none, or some of your hosts', (theirs, yours) =>
    hostsWithin(theirs, yours) ? theirs : undefined,
  ),
  row('sandbox', 'sockets', z.boolean(), 'switches it off', (theirs, yours) => (theirs && !yours ? undefined : theirs)),
  row('agent', 'maxIterations', z.int().min(1), 'lowers it', atMost),
  row('agent', 'parallelCalls', z.int().min(1), 'lowers it', atMost),
  row('agent', 'resultChars', z.int().min(1000), 'lowers it', atMost),
  row('agent', 'maxRequests', z.int().min(1), 'lowers it', atMost),
  row('agent', 'buildRequests', z.int().min(0), 'lowers it', atMost),
  row('subagents', 'atOnce', z.int().min(1), 'lowers it', atMost),
  row('subagents', 'maxRequests', z.int().min(1), 'lowers it', atMost),
  row('subagents', 'maxMinutes', z.number().positive(), 'lowers it', atMost),
  row('subagents', 'maxCost', z.number().positive(), 'lowers it', (theirs, yours) => atMost(theirs, yours ?? Infinity)),
  row('rehearsal', 'checks', names, 'some of yours', (theirs, yours) =>
    theirs.every((check) => yours.includes(check)) ? theirs : undefined,
  ),
  row('rehearsal', 'maxSeconds', z.int().min(1), 'lowers it', atMost),
  row('spend', 'session', z.number().positive(), 'lowers it', (theirs, yours) => atMost(theirs, yours ?? Infinity)),
  row('spend', 'day', z.number().positive(), 'lowers it', (theirs, yours) => atMost(theirs, yours ?? Infinity)),
  row('git', 'protectedBranches', names, 'adds to yours', (theirs, yours) => [...new Set([...yours, ...theirs])]),
  [
    'bridge.levels',
    {
      how: 'raises tools to `"dangerous"`',
      take(draft, given) {
        const parsed = z.record(z.string().max(64), z.unknown()).safeParse(given);
        if (!parsed.success) return wrongValue(parsed.error);
        const all = Object.entries(parsed.data);
        // A lower level for one tool would win over what the user has set for its whole spec.
        const raised = all.filter(([, level]) => level === 'dangerous').map(([name]) => [name, 'dangerous'] as const);
        const { bridge } = draft.settings;
        draft.settings = {
          ...draft.settings,
          bridge: { ...bridge, levels: { ...bridge.levels, ...Object.fromEntries<Level>(raised) } },
        };
        const others = all.filter(([, level]) => level !== 'dangerous').map(([name]) => shown(name));
        return others.length === 0 ? undefined : `can only raise tools to "dangerous"; left out: ${others.join(', ')}`;
      },
    },
  ],
]);

/** Narrows the user's settings by what a project says, value by value; what is wrong or looser is told and does not count. */
export function narrowSettings(user: Settings, given: unknown): Narrowed {
  if (!isRecord(given))
    return { settings: user, allow: undefined, narrows: {}, notices: ['must hold one JSON object; none of it counts'] };
  const draft: Draft = { settings: user };
  const narrows: Record<string, unknown> = {};
  const notices: string[] = [];
  for (const [name, value] of valuesOf(given)) {
    if (/^(?:hooks|\$schema)(?:\.|$)/.test(name)) continue; // read with trust, or for editors
    const known = projectRows.get(name);
    const before = draft.settings;
    const problem = known ? known.take(draft, value) : 'is nothing that a project may set';
    if (problem !== undefined) notices.push(`${shown(name)} ${problem}`);
    if (problem === undefined || draft.settings !== before) narrows[name] = countingValue(draft, name);
  }
  const more = notices.length - maxNotices;
  return {
    settings: draft.settings,
    allow: draft.allow,
    narrows,
    notices: more > 0 ? [...notices.slice(0, maxNotices), `has ${more} more values that do not count`] : notices,
  };
}

/** The values by their full names; a group that is none stands as a whole. */
function valuesOf(given: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  return Object.entries(given).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
    const inner = name === 'shell' ? withOwnNames(value) : value;
    if (!isRecord(inner)) return [[name, inner]];
    return Object.entries(inner).map(([key, one]) => [`${name}.${key}`, one]);
  });
}

function countingValue({ settings, allow }: Draft, name: string): unknown {
  if (name === 'allow') return allow;
  const [group = '', key = ''] = name.split('.', 2);
  const values: unknown = Object.entries(settings).find(([one]) => one === group)?.[1];
  return isRecord(values) ? values[key] : undefined;
}

function wrongValue(error: z.ZodError): string {
  const issue = error.issues[0];
  const at = issue && issue.path.length > 0 ? `at ${issue.path.join('.')}: ` : '';
  return `does not fit (${at}${issue?.message ?? 'not of its kind'})`;
}

/** Names of a project's file are shown as they are where they are plain, else quoted and cut. */
function shown(name: string): string {
  return /^[\w.-]{1,80}$/.test(name) ? name : JSON.stringify(name.slice(0, 80));
}
