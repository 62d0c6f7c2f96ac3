import type * as z from 'zod';
import type { Immutable } from '../immutable.ts';
import { changeApi } from './changeApi.ts';
import { externalApi } from './externalApi.ts';
import { gitApi } from './gitApi.ts';
import { laneApi } from './laneApi.ts';
import { permissionApi } from './permissionApi.ts';
import { serverApi } from './serverApi.ts';
import { sessionApi } from './sessionApi.ts';
import { specApi } from './specApi.ts';
import { storageApi } from './storageApi.ts';
import { taskApi } from './taskApi.ts';
import { workbenchApi } from './workbenchApi.ts';

/** The whole contract between an engine and whoever looks at it. */
export const api = {
  ...workbenchApi,
  ...sessionApi,
  ...permissionApi,
  ...changeApi,
  ...gitApi,
  ...storageApi,
  ...laneApi,
  ...taskApi,
  ...specApi,
  ...serverApi,
  ...externalApi,
};

export type Api = typeof api;
export type MethodName = keyof Api;
export type InputOf<M extends MethodName> = Immutable<z.input<Api[M]['input']>>;
export type ParsedInputOf<M extends MethodName> = Immutable<z.output<Api[M]['input']>>;
export type OutputOf<M extends MethodName> = Immutable<z.output<Api[M]['output']>>;
