import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Loaded before the product (`node --import`): makes its disk or its clock fail as `SOAK_FAULT` says.
 *
 *     ENOSPC:40:30   the operations 40 to 69 that write fail with this code (EIO, ENOSPC, EMFILE, EROFS)
 *     sync:2000      every wait for the disk takes so long, ms
 *     clock:3600000  at every tenth look the clock is set forth or back by so much, ms
 */
const [kind = '', first = '0', count = '0'] = (process.env['SOAK_FAULT'] ?? '').split(':');
type Any = (this: unknown, ...given: unknown[]) => unknown;
let operations = 0;

function failure(): Error | undefined {
  operations += 1;
  const fails = operations >= Number(first) && operations < Number(first) + Number(count);
  return fails ? Object.assign(new Error(`${kind}: made to fail`), { code: kind }) : undefined;
}

function replace(of: object, names: readonly string[], make: (real: Any) => Any): void {
  const functions = of as Record<string, Any>;
  for (const name of names) {
    const real = functions[name];
    if (real) functions[name] = make(real);
  }
}

const writes = ['open', 'write', 'writeFile', 'appendFile', 'truncate', 'rename', 'link', 'mkdir', 'rm', 'chmod'];
const waits = ['fsync', 'fdatasync', 'sync', 'datasync'];
const handle = await fs.promises.open(process.execPath);
const promised = [fs.promises, Object.getPrototypeOf(handle) as object];
await handle.close();
const syncOf = (names: readonly string[]): readonly string[] => names.map((name) => `${name}Sync`);

if (kind.startsWith('E')) {
  // Node's own loader opens what it reads.
  const reads = (real: Any, flags: unknown): boolean =>
    real.name.startsWith('open') && (flags === undefined || flags === 'r' || flags === 0);
  const throws = (real: Any): Any =>
    function (...given) {
      const fault = reads(real, given[1]) ? undefined : failure();
      if (fault) throw fault;
      return real.apply(this, given);
    };
  const rejects = (real: Any): Any =>
    async function (...given) {
      const fault = reads(real, given[1]) ? undefined : failure();
      if (fault) throw fault;
      return real.apply(this, given);
    };
  replace(fs, syncOf([...writes, ...waits, 'ftruncate', 'symlink']), throws);
  for (const one of promised) replace(one, [...writes, ...waits], rejects);
}

if (kind === 'sync') {
  const delayMs = Number(first);
  const later = (real: Any): Any =>
    async function (...given) {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      return real.apply(this, given);
    };
  replace(
    fs,
    ['fsync', 'fdatasync'],
    (real) =>
      function (...given) {
        setTimeout(() => real.apply(this, given), delayMs);
      },
  );
  replace(
    fs,
    ['fsyncSync', 'fdatasyncSync'],
    (real) =>
      function (...given) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, delayMs);
        return real.apply(this, given);
      },
  );
  for (const one of promised) replace(one, waits, later);
}

if (kind === 'clock') {
  const real = Date.now.bind(Date);
  let looks = 0;
  Date.now = () => {
    looks += 1;
    return real() + (Math.floor(looks / 10) % 3) * Number(first) - Number(first);
  };
}
syncBuiltinESMExports();
