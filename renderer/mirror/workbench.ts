import { create } from 'zustand';
import { defaultSettings } from '../../shared/model/settings.ts';
import type { WorkbenchState } from '../../shared/model/workbench.ts';

export interface WorkbenchMirror {
  /** -1 until the first snapshot. */
  readonly seq: number;
  readonly state: WorkbenchState;
}

export const emptyWorkbench: WorkbenchState = {
  version: '',
  home: '',
  platform: '',
  settings: defaultSettings,
  projects: [],
  sessions: {},
  providers: [],
  activeProvider: '',
  sandbox: { available: false, why: '' },
  keys: { kept: 'file', path: '' },
};

/** What the window knows beside the sessions. Written by `follow.ts` alone. */
export const useWorkbenchMirror = create<WorkbenchMirror>(() => ({ seq: -1, state: emptyWorkbench }));
