import * as z from 'zod';
import type { Immutable } from '../immutable.ts';
import { levelSchema as level } from '../model/level.ts';
import { nothing } from './common.ts';
import { method } from './define.ts';

const project = z.string();
const issue = z.lazy(() => z.object({ path: z.string(), message: z.string() }));
const input = z.lazy(() =>
  z.object({
    name: z.string(),
    description: z.string(),
    required: z.boolean(),
    type: z.enum(['string', 'number', 'boolean', 'path']),
  }),
);

const command = z.lazy(() =>
  z.object({
    name: z.string(),
    /** The tool that it is; absent while its spec is not loaded, or where another tool has the name. */
    tool: z.string().optional(),
    /** What a call of it counts as; absent while it is no tool. */
    level: level.optional(),
    description: z.string(),
    usage: z.string(),
    args: z.array(input),
    flags: z.array(input),
  }),
);

const spec = z.lazy(() =>
  z.object({
    /** Also the name of its folder. */
    name: z.string(),
    source: z.enum(['project', 'user', 'bundled']),
    /** The file that is used, or would be. */
    path: z.string(),
    /** Over all files of the spec's folder; what `spec.trust` is bound to. */
    hash: z.string(),
    /** `asked`: nothing of it runs before somebody trusts it; `refused`: somebody said no. Own and bundled specs need no trust. */
    trust: z.enum(['own', 'bundled', 'trusted', 'asked', 'refused']),
    description: z.string(),
    /** The program: its real place once it was looked for, else as the spec names it. */
    binary: z.string(),
    binaryInProject: z.boolean(),
    installedVersion: z.string().optional(),
    /** False: the spec was written for another version of the program. */
    exactVersionMatch: z.boolean().optional(),
    /** Set by the person for all its commands. */
    level: level.optional(),
    triggers: z.object({ positive: z.array(z.string()), negative: z.array(z.string()) }),
    commands: z.array(command),
    warnings: z.array(issue),
  }),
);

const listed = z.lazy(() =>
  z.object({
    specs: z.array(spec),
    /** Specs that could not be loaded; a weaker folder may have given one of the same name all the same. */
    errors: z.array(z.object({ path: z.string(), message: z.string() })),
    /** Names that were changed or left out, refreshed specs, and the line that sums up. */
    notes: z.array(z.string()),
  }),
);

export type SpecView = Immutable<z.infer<typeof spec>>;
export type SpecList = Immutable<z.infer<typeof listed>>;

export const specApi = {
  /** Loads them first where nobody has; asks no program of a spec that is not trusted. */
  'spec.list': method(
    () => z.object({ project }),
    () => listed,
  ),
  /** Every program is asked again, whatever is remembered of it. */
  'spec.refresh': method(
    () => z.object({ project }),
    () => listed,
  ),
  /** Errors: STALE (it changed since it was listed), VALIDATION_ERROR (no such spec, or none of the project's). */
  'spec.trust': method(
    () => z.object({ project, name: z.string(), hash: z.string(), trusted: z.boolean() }),
    () => nothing,
  ),
  /** The level of one tool, or of all tools of a spec, by name; null takes it back. */
  'spec.level': method(
    () => z.object({ name: z.string().min(1).max(64), level: level.nullable() }),
    () => nothing,
  ),
  /**
   * What a program says of itself, or what its help reads like, for review; writes nothing. `byModel`: the model in use writes
   * it from the help. `helpOnly`: the program is asked for help and version alone. Errors: COMMAND_NOT_FOUND, UNAVAILABLE (no
   * help), CONFIG_INVALID (no valid spec, no model), CANCELLED (over a minute), those of asking a model.
   */
  'spec.propose': method(
    () =>
      z.object({
        project,
        binary: z.string().min(1).max(1000),
        deep: z.boolean().optional(),
        byModel: z.boolean().optional(),
        helpOnly: z.boolean().optional(),
      }),
    () =>
      z.object({
        name: z.string(),
        version: z.string(),
        /** `canonical`: the program describes itself. To be reviewed: `heuristic` is read from its help, `model` written from it. */
        kind: z.enum(['canonical', 'heuristic', 'model']),
        /** The spec as it would be written, to be edited. */
        text: z.string(),
        /** Where `spec.register` would write it. */
        path: z.string(),
        /** There is one already; `spec.register` needs `replace`. */
        exists: z.boolean(),
      }),
  ),
  'spec.validate': method(
    () => z.object({ text: z.string().max(1_048_576) }),
    () =>
      z.object({
        ok: z.boolean(),
        errors: z.array(issue),
        warnings: z.array(issue),
        /** Empty when it is not valid. */
        commands: z.array(z.string()),
      }),
  ),
  /** Writes a reviewed spec to the person's own folder and loads it. Errors: CONFIG_INVALID, FILE_EXISTS, FILE_WRITE_ERROR. */
  'spec.register': method(
    () =>
      z.object({
        project,
        text: z.string().max(1_048_576),
        version: z.string().min(1).max(64),
        replace: z.boolean().optional(),
      }),
    () => z.object({ path: z.string(), tools: z.array(z.string()) }),
  ),
};
