/** What a bundler tells of a module: the modules that it imports at once, those behind `import()` left out. */
interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** A plugin that finds the modules which `starts` import at once, and `has`, which tells whether one is among them. */
export function modulesTogether(starts: readonly string[]): {
  readonly name: string;
  readonly buildEnd: (this: Graph) => void;
  readonly has: (id: string) => boolean;
} {
  const found = new Set<string>();
  return {
    name: 'modules-together',
    buildEnd() {
      const left = [...starts];
      for (let id = left.pop(); id !== undefined; id = left.pop()) {
        const info = found.has(id) ? null : this.getModuleInfo(id);
        if (!info) continue;
        found.add(id);
        left.push(...info.importedIds);
      }
    },
    has: (id) => found.has(id),
  };
}
