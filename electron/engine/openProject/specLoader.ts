import type { Tool } from '../tools/frame/tool.ts';
import { type LoadedTools, loadSpecTools, makeSpecTools } from './loadSpecTools.ts';
import type { ProjectScope } from './projectDeps.ts';

/** The specs of one project as tools, loaded once until something changed. Never throws. */
export interface SpecLoader {
  /** Undefined before the first load has ended. */
  readonly loaded: LoadedTools | undefined;
  load(): Promise<void>;
  /** Their tools as far as the files tell of them, where nothing is loaded yet. Starts nothing. */
  described(): Promise<readonly Tool[]>;
  /** Trust or the specs on disk are others: what was loaded is loaded anew. */
  changed(): void;
  /** The levels that were set for specs and their tools are others. */
  settingsChanged(): void;
  /** What was loaded is forgotten; the next load reads everything. */
  forget(): Promise<void>;
  close(): Promise<void>;
}

export function createSpecLoader(scope: ProjectScope, builtIn: ReadonlySet<string>, onChange: () => void): SpecLoader {
  const stop = new AbortController();
  let loaded: LoadedTools | undefined;
  let loading: Promise<void> | undefined;
  let described: Promise<readonly Tool[]> | undefined;

  const read = async (): Promise<void> => {
    const had = loaded !== undefined && loaded.tools.length > 0;
    try {
      loaded = await loadSpecTools(scope, builtIn, stop.signal);
    } catch (error) {
      scope.ports.log.warn('specs could not be loaded', error);
      return;
    }
    for (const { message, specPath } of loaded.loaded.errors) scope.ports.log.warn(`${specPath}: ${message}`);
    if (loaded.tools.length > 0 || had) onChange();
  };
  return {
    get loaded() {
      return loaded;
    },
    load() {
      loading ??= read();
      return loading;
    },
    described() {
      if (loaded !== undefined) return Promise.resolve(loaded.tools);
      described ??= loadSpecTools(scope, builtIn, stop.signal, true).then(({ tools }) => tools);
      return described;
    },
    changed() {
      described = undefined;
      loading = loading?.then(read);
    },
    settingsChanged() {
      loading = loading?.then(async () => {
        if (loaded === undefined) return;
        loaded = await makeSpecTools(loaded.loaded, scope, builtIn);
        onChange();
      });
    },
    async forget() {
      await loading;
      loading = undefined;
    },
    async close() {
      stop.abort();
      await loading;
    },
  };
}
