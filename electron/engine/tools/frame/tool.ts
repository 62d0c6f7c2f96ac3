import * as z from 'zod';
import type { ErrorCode } from '../../../../shared/errorCode.ts';
import type { Immutable } from '../../../../shared/immutable.ts';
import type { Brought, Picture } from '../../../../shared/model/brought.ts';
import type { AppliedFile } from '../../../../shared/model/change.ts';
import type { Intent, Preview } from '../../../../shared/model/intent.ts';
import type { Level } from '../../../../shared/model/level.ts';
import { fail, ok, type Result, type ToolResult } from '../../../../shared/result.ts';
import type { CommandOutcome, CommandRequest } from '../../exec/executor.ts';
import type { Look } from '../../workspace/look.ts';
import type { FileOutcome, ProposedChange } from '../../workspace/proposedChange.ts';
import { quickSchema } from './quickSchema.ts';
import type { ConversationHands } from './subagentAccess.ts';

export type { Look };

/** The eight categories of the tool reference, then those of the other tools. */
export const categories = [
  'file',
  'search',
  'build',
  'git',
  'browser',
  'cache',
  'patch',
  'system',
  'shell',
  'phase',
  'skill',
  'todo',
  'agent',
  'spec',
  'mcp',
] as const;
export type Category = (typeof categories)[number];

export type PlannedPreview =
  | Exclude<Preview, { kind: 'changes' }>
  | { readonly kind: 'changes'; readonly changes: readonly ProposedChange[] };

/** An intent as a tool plans it: changes still carry their content. */
export interface PlannedIntent extends Omit<Intent, 'preview'> {
  readonly preview: PlannedPreview;
}

/** What passed the gate: the changes as the person left them, or the answer to a question. */
export interface Verdict {
  readonly changes: readonly ProposedChange[];
  /** How each proposed file fared; empty when nothing was proposed. */
  readonly files: readonly FileOutcome[];
  readonly answer?: string;
}

/** What a tool may do once the gate is open. Only `runTool` makes hands. */
export interface Hands extends ConversationHands {
  readonly look: Look;
  readonly signal: AbortSignal;
  /** The call's id, for what must be tied to it. */
  readonly call: string;
  /** Progress for the person; never part of the result. */
  output(text: string): void;
  /** Says what the call brings beside its answer; it counts when the call goes well. */
  bring(brought: Brought): void;
  /** Keeps the bytes of a picture that the call brings. Errors: FILE_WRITE_ERROR, DISK_FULL, LIMIT_EXCEEDED. */
  bringPicture(bytes: Uint8Array, picture: Omit<Picture, 'content'>): Promise<Result<Picture>>;
  /** All or nothing, checked against what was shown. Errors: STALE, FILE_WRITE_ERROR, DISK_FULL, PATH_TRAVERSAL_DETECTED. */
  applyChanges(
    changes: readonly ProposedChange[],
    files?: readonly FileOutcome[],
  ): Promise<Result<readonly AppliedFile[]>>;
  /** Runs exactly what the intent showed. */
  runCommand(request: CommandRequest): Promise<Result<CommandOutcome>>;
  /** Another call on behalf of this one, through the same gate with its own level. Absent where nothing may be called. */
  callTool?(name: string, input: unknown): Promise<ToolResult>;
}

export interface Planned<P> {
  readonly intent: PlannedIntent;
  readonly plan: P;
}

/** What a tool says of itself. */
interface ToolFacts {
  readonly name: string;
  /** Other names by which it may be called. It is not listed under them. */
  readonly aliases?: readonly string[];
  readonly category: Category;
  readonly permission: Level;
  /** Module and action of the pseudo CLI, where the names are the tool's own. */
  readonly pseudo?: string;
  /** One or two sentences for the model. */
  readonly about: string;
  /** Every code beside `frameErrors` that a call can be answered with, where they are known; of a built-in tool a test shows each of them. */
  readonly errors?: readonly ErrorCode[];
}

export interface ToolDefinition<S extends z.ZodType, P, O extends z.ZodType> extends ToolFacts {
  /** Made at the first use: a start does not pay for the schemas of tools that nobody calls. */
  readonly input: () => S;
  /** What a call that went well answers with: the same data for a model, the command line and clients over MCP. */
  readonly output: () => O;
  /** The answer as a model reads it, in as few words as it takes; without it a model reads the data as JSON. */
  readonly text?: (data: Immutable<z.output<O>>) => string;
  /** What is missing from an answer and how to get at it, in one sentence; said with the result, whoever reads it. */
  readonly leftOut?: (data: Immutable<z.output<O>>) => string | undefined;
  /** May only look. Refuses what cannot work, so that nobody is asked in vain. */
  plan(input: z.output<S>, look: Look): Promise<Result<Planned<P>>>;
  run(plan: P, hands: Hands, verdict: Verdict): Promise<Result<Immutable<z.output<O>>>>;
}

/** What any call can be answered with by the frame around the tools: names, input, phase, gate, stop, and bugs. */
export const frameErrors = [
  'TOOL_NOT_FOUND',
  'VALIDATION_ERROR',
  'PHASE_FORBIDDEN',
  'PERMISSION_REQUIRED',
  'PERMISSION_DENIED',
  'CANCELLED',
  'TOOL_EXECUTION_FAILED',
] as const satisfies readonly ErrorCode[];

/** A planned call with its plan sealed inside: what was shown is what runs. */
export interface PreparedCall {
  readonly intent: PlannedIntent;
  /** Said with the result: properties that the tool does not know. */
  readonly warnings: readonly string[];
  run(hands: Hands, verdict: Verdict): Promise<Result<unknown>>;
  /** What is missing from the answer that `run` gave. */
  readonly leftOut?: ((data: unknown) => string | undefined) | undefined;
}

/** A tool as the rest of the engine sees it. */
export interface Tool extends ToolFacts {
  /** Its calls may be proven to only read, by their words: it is offered where nothing may be changed, and each call is judged. */
  readonly mayOnlyRead?: boolean;
  /** Where it comes from: built in, or the spec or server that brings it. */
  readonly source: string;
  /** A JSON Schema of the input object. */
  inputSchema(): JsonSchema;
  /** The data of a result as a model reads it; undefined where it has no such form. */
  readonly text?: ((data: unknown) => string | undefined) | undefined;
  /** What `data` of a result is; absent where a foreign program answers. */
  readonly output?: () => z.ZodType;
  prepare(input: unknown, look: Look): Promise<Result<PreparedCall>>;
}

export interface JsonSchema {
  readonly [key: string]: unknown;
}

/** Declares a tool. Input that does not fit its schema is VALIDATION_ERROR before anything else is looked at. */
export function defineTool<S extends z.ZodType, P, O extends z.ZodType>(definition: ToolDefinition<S, P, O>): Tool {
  const { name, aliases, category, permission, pseudo, about, errors, text, leftOut } = definition;
  let output: O | undefined;
  let input: S | undefined;
  const inputOf = (): S => (input ??= definition.input());
  let schema: JsonSchema | undefined;
  return {
    name,
    aliases,
    category,
    permission,
    pseudo,
    about,
    errors,
    source: 'built-in',
    output: () => (output ??= definition.output()),
    text: text && ((data) => textOf(data, text)),
    inputSchema: () => (schema ??= plainSchema(inputOf())),
    async prepare(given, look) {
      const asGiven = inputOf().safeParse(given);
      // Models write null for an input that they leave out.
      const parsed = asGiven.success ? asGiven : inputOf().safeParse(withoutNulls(given, asGiven.error));
      if (!parsed.success) return invalidInput(name, asGiven.error ?? parsed.error, given, this.inputSchema());
      const planned = await definition.plan(parsed.data, look);
      if (!planned.ok) return named(planned, given);
      const { intent, plan } = planned.value;
      const warnings = unknownProperties(given, this.inputSchema());
      return ok({
        intent,
        warnings,
        run: (hands, verdict) => definition.run(plan, hands, verdict),
        // It is asked about what `run` has answered.
        leftOut: leftOut && ((data) => leftOut(data as Immutable<z.output<O>>)),
      });
    },
  };
}

/** Data of an old journal may have another form: it is read as JSON then. */
function textOf<D>(data: unknown, text: (data: D) => string): string | undefined {
  try {
    return text(data as D); // what `run` has answered, as a rule
  } catch {
    return undefined;
  }
}

/** The input without the nulls that do not fit. */
function withoutNulls(given: unknown, { issues }: z.ZodError): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const wrong = new Set(issues.map(({ path: [name] }) => name));
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => value !== null || !wrong.has(name)));
}

function invalidInput(name: string, error: z.ZodError, given: unknown, schema: JsonSchema): Result<never> {
  const details = error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  const list = details.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ');
  const hints = details.flatMap(({ path }) => meantBy(path, given, schema));
  return fail('VALIDATION_ERROR', [`The input of ${name} does not fit: ${list}`, ...hints].join('. '), details);
}

/** A required input that is missing, where one was given that the tool does not know but that is called much like it: `path` for `filePath`. */
function meantBy(missing: string, given: unknown, schema: JsonSchema): readonly string[] {
  if (missing === '' || typeof given !== 'object' || given === null || Object.hasOwn(given, missing)) return [];
  const known = typeof schema['properties'] === 'object' ? schema['properties'] : null;
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');
  const isLike = (name: string): boolean =>
    plain(name) !== '' && (plain(missing).includes(plain(name)) || plain(name).includes(plain(missing)));
  const like = Object.keys(given).find((key) => !Object.hasOwn(known ?? {}, key) && isLike(key));
  return like === undefined ? [] : [`It is called "${missing}", not "${like}"`];
}

/** What a plan refuses as invalid names its property too, in the form of the schema's own refusals: the blank one, or the only one. */
function named(refused: Extract<Result<never>, { ok: false }>, given: unknown): Result<never> {
  const { code, message, details } = refused.error;
  if (code !== 'VALIDATION_ERROR' || details !== undefined) return refused;
  const entries = typeof given === 'object' && given !== null ? Object.entries(given) : [];
  const isBlank = ([, value]: [string, unknown]): boolean => typeof value === 'string' && value.trim() === '';
  const [path = ''] = entries.find(isBlank) ?? (entries.length === 1 ? entries[0] : undefined) ?? [];
  return fail(code, message, [{ path, message }]);
}

function unknownProperties(input: unknown, schema: JsonSchema): readonly string[] {
  const known = schema['properties'];
  if (typeof input !== 'object' || input === null || typeof known !== 'object' || known === null) return [];
  return Object.keys(input)
    .filter((key) => !Object.hasOwn(known, key))
    .map((key) => `"${key}" is not an input of this tool and was ignored`);
}

const dropped = new Set([
  '$schema',
  'additionalProperties',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'propertyNames',
  'default',
]);

/** The JSON Schema of an input as models and lists are shown it. */
export function plainSchema(input: z.ZodType): JsonSchema {
  return quickSchema(input) ?? compactSchema(z.toJSONSchema(input, { io: 'input' }));
}

/** The schema as the tool reference states it: types, enums and required names; bounds are checked when the call comes. */
export function compactSchema(node: unknown): JsonSchema {
  const compact = (value: unknown, isProperties: boolean): unknown => {
    if (Array.isArray(value)) return value.map((entry) => compact(entry, false));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).filter(([key]) => isProperties || !dropped.has(key));
    return Object.fromEntries(
      entries.map(([key, entry]) => [
        key,
        key === 'type' && entry === 'integer' ? 'number' : compact(entry, key === 'properties' && !isProperties),
      ]),
    );
  };
  return compact(node, false) as JsonSchema; // an object goes in, so an object comes out
}

/** The intent of a call that only reads files of the project. */
export function readIntent(summary: string, ...paths: readonly string[]): PlannedIntent {
  return {
    risk: 'none',
    effects: ['reads'],
    targets: paths.map((path) => ({ kind: 'path', path, access: 'read' })),
    summary,
    preview: { kind: 'none' },
  };
}

/** The intent of a call that proposes new content of files. */
export function changeIntent(summary: string, changes: readonly ProposedChange[]): PlannedIntent {
  const paths = changes.flatMap((change) =>
    change.oldPath === undefined ? [change.path] : [change.oldPath, change.path],
  );
  return {
    risk: 'dangerous',
    effects: ['writes'],
    targets: paths.map((path) => ({ kind: 'path', path, access: 'write' })),
    summary,
    preview: { kind: 'changes', changes },
  };
}
