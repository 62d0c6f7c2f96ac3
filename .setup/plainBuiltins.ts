/**
 * Takes Node's own modules without their ES module facade. Making a facade reads every export, and with that runs the
 * getters that load what nobody asked for: all streams behind `fs.ReadStream`, Web Crypto behind `crypto.webcrypto`.
 */
export const plainBuiltins = {
  name: 'plain-builtins',
  renderChunk: (code: string): { readonly code: string; readonly map: null } => ({
    code: withPlainBuiltins(code),
    map: null,
  }),
};

/**
 * Functions of modules that take long to load (crypto 4 ms, the others 1 to 2) and are not needed to start: each
 * loads its module when it is first called.
 */
const atFirstCall: Readonly<Record<string, readonly string[]>> = {
  'node:child_process': ['spawn', 'spawnSync', 'execFile', 'execFileSync'],
  'node:crypto': ['createHash', 'randomBytes', 'randomInt', 'randomUUID', 'timingSafeEqual'],
  'node:dns/promises': ['lookup'],
  'node:timers/promises': ['setImmediate', 'setTimeout'],
  'node:worker_threads': ['Worker'],
};

const statement = /\bimport\s*([\w$*{}\s,]*?)\s*from\s*(["'])(node:[\w/]+)\2;?/g;

/** Rewrites the static imports of `node:` modules in a bundled chunk; anything it does not know stays as it is. */
export function withPlainBuiltins(code: string): string {
  return code.replace(statement, (whole, clause: string, _quote: string, name: string) => {
    const parts = /^(?:([\w$]+)\s*,?\s*)?(?:\*\s*as\s+([\w$]+)|\{([^{}]*)\})?$/.exec(clause.trim());
    if (!parts) return whole;
    const [, byDefault, all, named] = parts;
    const source = `globalThis.process.getBuiltinModule("${name}")`;
    const made: string[] = [];
    if (byDefault !== undefined) made.push(`${byDefault}=${source}`);
    if (all !== undefined) made.push(`${all}=${source}`);
    if (named !== undefined) {
      const late = lateFunctions(name, source, named);
      if (late !== undefined) return `${made.length > 0 ? `const ${made.join(',')};` : ''}${late}`;
      const fields = named.split(',').flatMap((entry) => {
        const [from, to] = entry.trim().split(/\s+as\s+/);
        return from ? [to === undefined ? from : `${from}:${to}`] : [];
      });
      made.push(`{${fields.join(',')}}=${source}`);
    }
    return made.length > 0 ? `const ${made.join(',')};` : whole;
  });
}

/** Functions that stand for those of a module; undefined where something else of it is imported too. */
function lateFunctions(module: string, source: string, named: string): string | undefined {
  const pairs = named
    .split(',')
    .map((entry) => entry.trim().split(/\s+as\s+/))
    .filter(([from]) => from !== '');
  if (!pairs.every(([from = '']) => atFirstCall[module]?.includes(from))) return undefined;
  return pairs
    .map(
      ([from, to = from]) =>
        `function ${to}(...given){const real=${source}.${from};return new.target?new real(...given):real(...given)}`,
    )
    .join('');
}
