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
      const fields = named.split(',').flatMap((entry) => {
        const [from, to] = entry.trim().split(/\s+as\s+/);
        return from ? [to === undefined ? from : `${from}:${to}`] : [];
      });
      made.push(`{${fields.join(',')}}=${source}`);
    }
    return made.length > 0 ? `const ${made.join(',')};` : whole;
  });
}
