import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const folder = process.env['VISE_CORPORA'] ?? resolve(import.meta.dirname, '../../../../../shared/corpora');

/** Stands in the name of a suite that is skipped. */
export const whyMissing = existsSync(folder) ? '' : ` (skipped: no recorded data in ${folder}; set VISE_CORPORA)`;

/** The rows of a JSONL file of the recorded data; none when the data is missing. */
export function corpus<Row>(file: string): readonly Row[] {
  if (whyMissing) return [];
  const lines = readFileSync(join(folder, file), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Row); // recorded data of a known shape
}
