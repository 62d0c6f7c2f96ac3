import { expect, test } from 'vitest';
import {
  hardLimit,
  metadataAddress,
  metadataCommand,
  protectedPlace,
  ruleEffect,
  type Tried,
} from './engine/testing/attack/judgedAttacks.ts';
import {
  callOf,
  deniedCommand,
  explodingSearch,
  type Ground,
  hostilePath,
  oddInput,
  prepareGround,
  racedWrite,
  tools,
} from './engine/testing/attack/performedAttacks.ts';
import { type Seeded, seeded } from './engine/testing/attack/seeded.ts';

/** `npm run attack` gives its own; each case has the seed of the run and its number, so that one can be tried again. */
const seed = Number(process.env['VISE_ATTACK_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const cases = Number(process.env['VISE_ATTACKS'] ?? 120);

/** By how often each kind is tried: those that only judge cost next to nothing. */
const kinds: readonly (readonly [
  weight: number,
  kind: (grounds: Grounds, random: Seeded) => Tried | Promise<Tried>,
])[] = [
  [25, (_, random) => hardLimit(random)],
  [20, (_, random) => protectedPlace(random)],
  [10, (_, random) => ruleEffect(random)],
  [4, (_, random) => metadataAddress(random)],
  [4, (_, random) => metadataCommand(random)],
  [28, ({ alone }, random) => hostilePath(alone(), random)],
  [7, ({ alone }, random) => deniedCommand(alone(), random)],
  [4, ({ alone }, random) => oddInput(alone(), random)],
  [3, ({ alone }, random) => explodingSearch(alone(), random)],
  [2, ({ asked }, random) => racedWrite(asked(), random)],
];

interface Grounds {
  alone(): Ground;
  asked(): Ground;
}

const single = process.env['VISE_ATTACK_CASE'];

test(`C4 C10 C11 P1 P9 P12 J5: ${cases} attacks, seed ${seed}`, { timeout: 600_000 }, async () => {
  let alone: Ground | undefined;
  let asked: Ground | undefined;
  const grounds: Grounds = {
    alone: () => (alone ??= prepareGround(false)),
    asked: () => (asked ??= prepareGround(true)),
  };
  const total = kinds.reduce((sum, [weight]) => sum + weight, 0);
  const broken: string[] = [];
  for (let number = 0; number < cases; number += 1) {
    if (single !== undefined && Number(single) !== number) continue;
    const random = seeded(seed + number * 7_919);
    let left = random.below(total);
    const kind = kinds.find(([weight]) => (left -= weight) < 0)?.[1];
    const tried = await kind?.(grounds, random);
    if (tried?.broken !== undefined) broken.push(`case ${number}: ${tried.attack}\n  ${tried.broken}`);
    if (broken.length >= 10) break;
  }
  expect(broken, `seed ${seed}; once more: npm run attack -- --seed ${seed}`).toEqual([]);
});

test('each tool that is attacked understands what it is given', async () => {
  const { bench } = prepareGround(false);
  const refused: string[] = [];
  for (const [tool, input] of tools) {
    const told = await callOf(
      bench,
      tool,
      input(tool === 'run' || tool === 'lint' || tool === 'list_directory' ? 'src' : 'src/a.ts'),
    );
    if (/"code":"(?:VALIDATION_ERROR|TOOL_NOT_FOUND)"/.test(told)) refused.push(`${tool}: ${told.slice(0, 200)}`);
  }
  expect(refused).toEqual([]);
});
