import { describe, expect, test } from 'vitest';
import { estimateSeconds } from './estimate.ts';
import { estimateTable } from './testing/truthTable.ts';

describe('estimateSeconds', () => {
  test.each<readonly [command: string, seconds: number | null]>([
    ...estimateTable,
    ['', null],
    ['yarn add x', null],
    ['npm run build', null],
    ['sudo -u bob env A=1 nice -n 5 make', 30],
    ['sh -c "npm ci"', 30],
    ["bash -lc 'cargo build'", 60],
    ['echo $(git clone x)', 20],
    ['echo "`wget x`"', 15],
    ['python3 -m pip install x', 20],
    ['pip3 install -r r.txt', 20],
    ['xargs -n 1 wget', 15],
    ['npx pytest', 30],
    ['if true; then make; fi', 30],
    ['npm.cmd install', 30],
    ['cat <<EOF\nmake\nEOF', null],
    ["cat <<-'end'\n\tmake\n\tend\nnpm ci", 30],
    ['cat <<< make', null],
    ['make <<EOF\ncargo build\nEOF', 30],
    ['ls # x; make', null],
    ['# make\ncurl x', 10],
    ['echo a#b; make', 30],
    ['make>log', 30],
    ['make 2>&1', 30],
    ['make &> all.log', 30],
    ['make &>> all.log', 30],
    ['make >| log', 30],
    ['make >&2', 30],
    ['npm install>/dev/null 2>&1', 30],
    ['>/dev/null npm install', 30],
    ['2>/dev/null make', 30],
    ['< in.txt make', 30],
    ['echo > make', null],
    ['echo >make; ls', null],
    ['cat < curl', null],
    ['diff <(make) <(ls)', 30],
    ['tee >(wget x)', 15],
    ['make |& tee log', 30],
    ['make & cargo build', 60],
    ['curl https://h/?a=1&b=2', 10],
    ['yarn --frozen-lockfile', 30],
    ['yarn --version', null],
    ['time -p make', 30],
    ['bash -o pipefail -ec "make"', 30],
    ['bash script.sh -c make', null],
    ['python3 -I -W ignore -m pytest', 30],
    ['python -mpip install x', 20],
    ['python manage.py -m pip install', null],
    ["python -c 'x' -m pytest", null],
    ['npm --loglevel error -C d install', 30],
    ['cargo --manifest-path a/Cargo.toml build', 60],
    ['echo "$(echo "$(make)")"', 30],
    ['echo "$(echo \')\'; make)"', 30],
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

  test.each([
    ['./deploy.sh now', './deploy.sh', 40],
    ['bin/deploy.sh', './deploy.sh', 40],
    ['Tool.exe -q Build x', 'tool build', 40],
    ['pip3 install x', 'pip3 install', 40],
    ['python3 -m pip install x', 'pip install', 40],
    ['python3 -m build -w', 'python -m build', 40],
    ['./gradlew clean bundle', 'gradle bundle', 40],
    ['mvn clean package', 'mvn package', 40],
    ['mvn clean verify', 'mvn package', null],
    ['npm x run build', 'npm run build', null],
    ['anything', '  ', null],
  ])('%j is found by the pattern %j as the table would find it', (command, pattern, seconds) => {
    expect(estimateSeconds(command, { [pattern]: 40 })).toBe(seconds);
  });
});
