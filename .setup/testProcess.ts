import { tmpdir } from 'node:os';

// Loaded once a process, also where several test files share one.

/** The temporary folder of the machine, in which each test file has one of its own. */
export const machineFolder = tmpdir();

// A signal to process 0 or to the test runner would end the whole run without a word: whoever sends it fails instead.
const kill = process.kill.bind(process);
process.kill = (pid, signal) => {
  if (signal === 0 || (Math.abs(pid) > 1 && Math.abs(pid) !== process.ppid)) return kill(pid, signal);
  const error = new Error(`A test sends ${signal} to process ${pid}, which is not its own.`);
  console.error(error.stack);
  throw error;
};
