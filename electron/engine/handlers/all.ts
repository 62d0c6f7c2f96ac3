import type { Handlers } from '../serve.ts';
import { changeHandlers } from './changeHandlers.ts';
import { externalHandlers } from './externalHandlers.ts';
import { folderHandlers } from './folderHandlers.ts';
import { gitHandlers } from './gitHandlers.ts';
import type { HandlerDeps } from './handlerDeps.ts';
import { laneHandlers } from './laneHandlers.ts';
import { permissionHandlers } from './permissionHandlers.ts';
import { projectHandlers } from './projectHandlers.ts';
import { serverHandlers } from './serverHandlers.ts';
import { sessionHandlers } from './sessionHandlers.ts';
import { settingsHandlers } from './settingsHandlers.ts';
import { specHandlers } from './specHandlers.ts';
import { storageHandlers } from './storageHandlers.ts';
import { taskHandlers } from './taskHandlers.ts';

/** One thin function a row of the contract. */
export function createHandlers(deps: HandlerDeps): Handlers {
  return {
    ...sessionHandlers(deps),
    ...permissionHandlers(deps),
    ...changeHandlers(deps),
    ...folderHandlers(deps),
    ...gitHandlers(deps),
    ...projectHandlers(deps),
    ...settingsHandlers(deps),
    ...specHandlers(deps),
    ...serverHandlers(deps),
    ...storageHandlers(deps),
    ...laneHandlers(deps),
    ...externalHandlers(deps),
    ...taskHandlers(deps),
  };
}
