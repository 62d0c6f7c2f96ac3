import { exitCodes, processIo } from './cli/base/io.ts';
import { main } from './cli/main.ts';

const io = processIo();
if (io) {
  const code = await main(process.argv.slice(2), io);
  // Set already where stdout could not be written.
  process.exitCode ??= code;
} else {
  process.stderr.write('vise: the folder in which this was started is gone. Change into another one.\n');
  process.exitCode = exitCodes.usage;
}
