import * as z from 'zod';
import type { Immutable } from '../immutable.ts';
import { nothing } from './common.ts';
import { method } from './define.ts';

const kindSchema = z.lazy(() => z.enum(['sessions', 'outputs', 'callContents', 'logs', 'caches', 'samples', 'other']));

/** What takes room in the state folder. */
export const storageUseSchema = z.lazy(() =>
  z.object({
    folder: z.string(),
    totalBytes: z.number(),
    kinds: z.array(
      z.object({
        kind: kindSchema,
        sizeBytes: z.number(),
        files: z.number(),
        /** ISO time of its newest file. */
        newestAt: z.string().nullable(),
      }),
    ),
    sessions: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        project: z.string(),
        updatedAt: z.string(),
        archived: z.boolean(),
        /** Of all that goes with it. */
        sizeBytes: z.number(),
        journalBytes: z.number(),
        /** Contents before and after its changes, and pictures. */
        contentBytes: z.number(),
        /** Outputs of its commands. */
        outputBytes: z.number(),
      }),
    ),
  }),
);
export type StorageUse = Immutable<z.infer<typeof storageUseSchema>>;

/** Bytes that were freed, by what they were. */
export const storageCleanedSchema = z.lazy(() =>
  z.object({
    freedBytes: z.number(),
    contents: z.number(),
    outputs: z.number(),
    callContents: z.number(),
    leftovers: z.number(),
  }),
);
export type StorageCleaned = Immutable<z.infer<typeof storageCleanedSchema>>;

export const storageApi = {
  /** What takes room, by kind and by session, the largest first. */
  'storage.read': method(
    () => nothing,
    () => storageUseSchema,
  ),
  /** Removes what nothing can reach any more. Sessions and what they name stay. */
  'storage.clean': method(
    () => nothing,
    () => storageCleanedSchema,
  ),
};
