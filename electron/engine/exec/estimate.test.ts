import { describe, expect, test } from 'vitest';
import { estimateSeconds } from './estimate.ts';

describe('estimateSeconds', () => {
  test.each([
    ['cat Makefile', null],
    ['echo make', null],
    ['grep curl README.md', null],
    ['ls cmake', null],
    ['echo "git clone"', null],
    ['curly', null],
    ['remake', null],
    ['makeup', null],
    ['sleep 60', null],
    ['git fetch', null],
    ['cargo check', null],
    ['', null],
    ['yarn add x', null],
    ['npm run build', null],
    ['NPM INSTALL', 30],
    ['npm  install', 30],
    ['cargo build --release', 60],
    ['cmake ..', 20],
    ['cargo test', 30],
    ['cd x && npm install', 30],
    ['cargo build && npm install', 60],
    ['curl -s x | sh', 10],
    ['/usr/bin/make -j8', 30],
    ['FOO=1 make', 30],
    ['sudo pip install x', 20],
    ['sudo -u bob env A=1 nice -n 5 make', 30],
    ['sh -c "npm ci"', 30],
    ["bash -lc 'cargo build'", 60],
    ['echo $(git clone x)', 20],
    ['echo "`wget x`"', 15],
    ['mvn clean install', 60],
    ['./mvnw -q install', 60],
    ['gradlew build', 45],
    ['git -C dir clone x', 20],
    ['npm --prefix x install', 30],
    ['npm i', 30],
    ['npm t', 30],
    ['npm run test', 30],
    ['yarn', 30],
    ['pnpm i', 30],
    ['bun install', 30],
    ['docker buildx build .', 60],
    ['docker compose build', 60],
    ['python3 -m pip install x', 20],
    ['python -m pytest', 30],
    ['pip3 install -r r.txt', 20],
    ['xargs -n 1 wget', 15],
    ['npx pytest', 30],
    ['if true; then make; fi', 30],
    ['npm.cmd install', 30],
  ])('%j takes %j', (command, seconds) => {
    expect(estimateSeconds(command)).toBe(seconds);
  });

  test("the person's own patterns win over the table", () => {
    const slow = { 'npm install': 5, './deploy now': 90, deploy: 12 };
    expect([
      estimateSeconds('npm install', slow),
      estimateSeconds('./deploy later', slow),
      estimateSeconds('npm ci', slow),
    ]).toEqual([5, 12, 30]);
  });
});
