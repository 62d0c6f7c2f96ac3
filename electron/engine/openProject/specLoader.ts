import type { LoadedTools } from './loadSpecTools.ts';
import type { ProjectScope } from './projectDeps.ts';
import { specsOnDisk } from './specPlaces.ts';

/** The specs of one project as tools, loaded once until something changed. Never throws. */
export interface SpecLoader {
  /** Undefined before the first load has ended. */
  readonly loaded: LoadedTools | undefined;
  /** What was loaded, else what the files were found to tell. */
  readonly known: LoadedTools | undefined;
  load(): Promise<void>;
  /** Their tools as far as the files tell of them, where nothing is loaded yet. Starts no program. */
  describe(): Promise<LoadedTools>;
  /** Loads anew what another process has registered, changed or removed since; does nothing before the first load. */
  lookAgain(): Promise<void>;
  /** Trust or the specs on disk are others: what was loaded is loaded anew. */
  changed(): void;
  /** The levels that were set for specs and their tools are others. */
  settingsChanged(): void;
  /** What was loaded is forgotten; the next load reads everything. */
  forget(): Promise<void>;
  close(): Promise<void>;
}

/** What specs take is loaded with the first of them. */
const specModule = () => import('./loadSpecTools.ts');

export function createSpecLoader(scope: ProjectScope, builtIn: ReadonlySet<string>, onChange: () => void): SpecLoader {
  const stop = new AbortController();
  let loaded: LoadedTools | undefined;
  let loading: Promise<void> | undefined;
  let described: LoadedTools | undefined;
  let describing: Promise<LoadedTools> | undefined;
  /** What lay on the disk when it was last read. */
  let seen = '';

  const read = async (): Promise<void> => {
    const had = (loaded ?? described)?.tools.length ?? 0;
    try {
      seen = await specsOnDisk(scope);
      const { loadSpecTools } = await specModule();
      loaded = await loadSpecTools(scope, builtIn, stop.signal);
    } catch (error) {
      scope.ports.log.warn('specs could not be loaded', error);
      return;
    }
    for (const { message, specPath } of loaded.loaded.errors) scope.ports.log.warn(`${specPath}: ${message}`);
    if (loaded.tools.length > 0 || had > 0) onChange();
  };
  const changed = (): void => {
    described = undefined;
    describing = undefined;
    loading = loading?.then(read);
  };
  return {
    get loaded() {
      return loaded;
    },
    get known() {
      return loaded ?? described;
    },
    load() {
      loading ??= read();
      return loading;
    },
    async describe() {
      if (loaded !== undefined) return loaded;
      describing ??= specModule().then(({ loadSpecTools }) => loadSpecTools(scope, builtIn, stop.signal, true));
      const before = described;
      described = await describing;
      if (before === undefined && loaded === undefined && described.tools.length > 0) onChange();
      return described;
    },
    async lookAgain() {
      await loading;
      if (loading === undefined || stop.signal.aborted || (await specsOnDisk(scope)) === seen) return;
      changed();
      await loading;
    },
    changed,
    settingsChanged() {
      loading = loading?.then(async () => {
        if (loaded === undefined) return;
        const { makeSpecTools } = await specModule();
        loaded = makeSpecTools(loaded.loaded, scope, builtIn);
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
