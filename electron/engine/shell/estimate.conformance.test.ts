import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { estimateSeconds } from './estimate.ts';

const corpora = process.env['VISE_CORPORA'] ?? join(import.meta.dirname, '../../../../shared/corpora');
const file = join(corpora, 'shell/jaato-duration.jsonl');
const missing = !existsSync(file);

/** What is ruled otherwise than by the recorded substring search. */
const ruledOtherwise: Readonly<Record<string, number | null>> = {
  'npm i': 30,
  'npm  install': 30,
  yarn: 30,
  'cargo test': 30,
  'mvn -q install': 60,
  'mvn clean install': 60,
  './gradlew build': 45,
  'cmake ..': 20,
  'cmake --build .': 20,
  'npm run test': 30,
  'npm t': 30,
  'docker compose build': 60,
  'cat Makefile': null,
  'vi makefile': null,
  'echo make': null,
  'grep curl README.md': null,
  'ls cmake': null,
  'echo "git clone"': null,
  'cargo build && npm install': 60,
  remake: null,
  curly: null,
  makeup: null,
};

describe.skipIf(missing)(`durations as recorded${missing ? ' (skipped: no corpora folder)' : ''}`, () => {
  const rows = missing
    ? []
    : readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { command: string; estimate: number | null });

  test.each(rows)('$command', ({ command, estimate }) => {
    expect(estimateSeconds(command)).toBe(command in ruledOtherwise ? ruledOtherwise[command] : estimate);
  });
});
