/** Files by the names that are defined in them: one run over all hashes, which the machine does at once. */
export interface NameLookup {
  /** Files that hold this hash of a name, or one that is equal by chance. */
  filesWith(hash: number): readonly string[];
}

export function createNameLookup(files: ReadonlyMap<string, { readonly names: Uint32Array }>): NameLookup {
  const paths = [...files.keys()];
  const ends = new Uint32Array(paths.length);
  let total = 0;
  for (const { names } of files.values()) total += names.length;
  const hashes = new Uint32Array(total);
  let at = 0;
  let file = 0;
  for (const { names } of files.values()) {
    hashes.set(names, at);
    at += names.length;
    ends[file] = at;
    file += 1;
  }

  const fileAt = (place: number): string => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ends[middle] ?? 0) > place) high = middle;
      else low = middle + 1;
    }
    return paths[low] ?? '';
  };

  return {
    filesWith(hash) {
      const found: string[] = [];
      for (let place = hashes.indexOf(hash); place !== -1; place = hashes.indexOf(hash, place + 1))
        found.push(fileAt(place));
      return found;
    },
  };
}
