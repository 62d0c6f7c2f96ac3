import * as z from 'zod';
import { uncopied } from '../fits.ts';
import { modelInfoSchema } from '../model/modelInfo.ts';
import { settingsSchema } from '../model/settings.ts';
import { usageSchema } from '../model/usage.ts';
import { projectInfoSchema, trustSchema, workbenchStateSchema } from '../model/workbench.ts';
import { nothing } from './common.ts';
import { method } from './define.ts';

export const workbenchApi = {
  'workbench.watch': method(
    () => nothing,
    () => z.object({ seq: z.number(), state: uncopied(workbenchStateSchema) }),
  ),
  'project.open': method(
    () => z.object({ path: z.string() }),
    () => z.object({ project: projectInfoSchema }),
  ),
  'project.forget': method(
    () => z.object({ path: z.string() }),
    () => nothing,
  ),
  /** What opening this folder could execute, and the hash that a trust decision is bound to. */
  'project.risks': method(
    () => z.object({ path: z.string() }),
    () =>
      z.object({
        hash: z.string(),
        risks: z.array(z.object({ kind: z.string(), path: z.string(), what: z.string() })),
      }),
  ),
  'project.trust': method(
    () => z.object({ path: z.string(), trust: trustSchema, hash: z.string() }),
    () => nothing,
  ),
  /** A fresh copy of the sample project, opened. */
  'project.sample': method(
    () => nothing,
    () => z.object({ project: projectInfoSchema }),
  ),
  /** Folders below a folder, for choosing one where the host has no dialog. */
  'folder.list': method(
    () => z.object({ path: z.string().optional() }),
    () =>
      z.object({
        path: z.string(),
        parent: z.string().nullable(),
        folders: z.array(z.object({ name: z.string(), path: z.string(), project: z.boolean() })),
      }),
  ),
  'file.list': method(
    () => z.object({ project: z.string(), path: z.string() }),
    () =>
      z.object({
        entries: z.array(
          z.object({
            name: z.string(),
            path: z.string(),
            kind: z.enum(['file', 'directory', 'symlink']),
            ignored: z.boolean(),
          }),
        ),
        truncated: z.boolean(),
      }),
  ),
  /** What git says of changed files, and of the folders that hold them (the worst of it); nothing outside a repository. */
  'file.marks': method(
    () => z.object({ project: z.string() }),
    () =>
      z.object({
        marks: z.record(z.string(), z.enum(['modified', 'added', 'deleted', 'renamed', 'untracked', 'conflicted'])),
      }),
  ),
  'file.read': method(
    () => z.object({ project: z.string(), path: z.string() }),
    () => z.object({ text: z.string().nullable(), sizeBytes: z.number(), why: z.string().optional() }),
  ),
  /**
   * Which of these paths name a file inside the project, as paths of the project; null for all others. Relative ones start
   * at `from`, a folder inside the project.
   */
  'file.locate': method(
    () =>
      z.object({
        project: z.string(),
        from: z.string().optional(),
        paths: z.array(z.string().max(1000)).max(50),
      }),
    () => z.object({ found: z.array(z.string().nullable()) }),
  ),
  'file.find': method(
    () => z.object({ project: z.string(), query: z.string().max(500), limit: z.int().min(1).max(200) }),
    () => z.object({ paths: z.array(z.string()) }),
  ),
  'settings.set': method(
    () => z.object({ settings: settingsSchema }),
    () => nothing,
  ),
  /** What `.vise/settings.json` of a project narrows, by the names of settings, and what of it does not count. */
  'settings.project': method(
    () => z.object({ project: z.string() }),
    () =>
      z.object({
        state: z.enum(['none', 'counts']),
        narrows: z.record(z.string(), z.unknown()),
        notices: z.array(z.string()),
      }),
  ),
  'provider.save': method(
    () =>
      z.object({
        name: z.string().min(1).max(60),
        kind: z.enum(['openai_compatible', 'mattermost']).optional(),
        baseUrl: z.string().optional(),
        model: z.string().optional(),
        /** Kept where keys are kept; never sent back. */
        key: z.string().optional(),
        activate: z.boolean().optional(),
      }),
    () => nothing,
  ),
  'provider.activate': method(
    () => z.object({ name: z.string() }),
    () => nothing,
  ),
  'provider.remove': method(
    () => z.object({ name: z.string() }),
    () => nothing,
  ),
  /** Asks the local addresses of well-known servers (Ollama, LM Studio …) what they serve. Only on request. */
  'provider.detect': method(
    () => nothing,
    () =>
      z.object({ found: z.array(z.object({ name: z.string(), baseUrl: z.string(), models: z.array(z.string()) })) }),
  ),
  /** Providers whose own variable with a key (`OPENAI_API_KEY` …) is set where Vise runs. Nobody is asked. */
  'provider.variables': method(
    () => nothing,
    () =>
      z.object({
        found: z.array(z.object({ name: z.string(), label: z.string(), variable: z.string(), baseUrl: z.string() })),
      }),
  ),
  /** Asks a provider, as it is saved or as it is typed, for its models and its model for one word. */
  'provider.test': method(
    () =>
      z.object({
        name: z.string().min(1).max(60),
        baseUrl: z.string().optional(),
        model: z.string().optional(),
        key: z.string().optional(),
      }),
    () =>
      z.object({
        models: z.array(modelInfoSchema),
        answer: z.string().nullable(),
        elapsedMs: z.number(),
        usage: usageSchema,
        problem: z.object({ code: z.string(), message: z.string() }).optional(),
      }),
  ),
  /** The models that a provider's server lists, else those that the catalogue knows of it. */
  'provider.models': method(
    () => z.object({ name: z.string() }),
    () => z.object({ models: z.array(modelInfoSchema) }),
  ),

  /** Commands and skills that a message may begin with (`/name`), beside those of the place where it is typed. */
  'prompt.list': method(
    () => z.object({ project: z.string() }),
    () =>
      z.object({
        prompts: z.array(
          z.object({
            kind: z.enum(['command', 'skill']),
            name: z.string(),
            about: z.string(),
            hint: z.string(),
            origin: z.enum(['user', 'project']),
          }),
        ),
      }),
  ),
  'tool.list': method(
    () => z.object({ project: z.string() }),
    () =>
      z.object({
        tools: z.array(
          z.object({
            name: z.string(),
            category: z.string(),
            permission: z.string(),
            about: z.string(),
            source: z.string(),
            pseudo: z.string().optional(),
            phases: z.array(z.string()),
            /** Whether the person can call it; some only tell how the agent's own work goes on. */
            byPerson: z.boolean(),
          }),
        ),
      }),
  ),
  /** What a tool takes, as JSON Schema. */
  'tool.input': method(
    () => z.object({ project: z.string(), tool: z.string() }),
    () => z.object({ about: z.string(), schema: z.record(z.string(), z.unknown()) }),
  ),
};
