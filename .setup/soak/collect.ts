import { writeFileSync } from 'node:fs';

/**
 * Loaded before `vise serve` (`node --expose-gc --import`): on SIGUSR2 it collects what nobody holds any more and writes into
 * the file that `SOAK_HEAP` names how many bytes are left, in the heap and beside it.
 */
const file = process.env['SOAK_HEAP'];
if (file !== undefined && process.argv[2] === 'serve')
  process.on('SIGUSR2', () => {
    // Twice: what the first one finalizes is freed by the second.
    globalThis.gc?.();
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    writeFileSync(file, `${heapUsed + external}\n`);
  });
