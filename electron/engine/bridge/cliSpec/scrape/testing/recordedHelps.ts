import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { RunProgram } from '../../program.ts';

/**
 * What real programs answered to `--help`, `--version` and the help of their commands, recorded on Debian 12 (docker and npm
 * from their makers), so that no test needs them. git was recorded where there are no manual pages.
 */
export const recordedPrograms = ['git', 'gh', 'npm', 'docker', 'curl', 'tar', 'rg', 'jq', 'pandoc', 'kubectl'] as const;
export type RecordedProgram = (typeof recordedPrograms)[number];

/** Answers as the program did, by the words that it was given; anything else is a failure without a word. */
export function replay(program: RecordedProgram): RunProgram {
  const bytes = gunzipSync(readFileSync(join(import.meta.dirname, 'helps', `${program}.json.gz`)));
  const answers = new Map(Object.entries(JSON.parse(bytes.toString()) as Record<string, [string, number | null]>)); // written so
  return ({ args }) => {
    const [stdout, exitCode] = answers.get(args.join(' ')) ?? ['', 1];
    return Promise.resolve({ stdout, stderr: '', exitCode, signal: null, ended: 'exit' });
  };
}
