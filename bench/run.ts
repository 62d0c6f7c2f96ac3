import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { resultLine } from './measure/report.ts';

// npm run bench [-- NAME …] [-- --smoke]: runs the benchmarks one after the other, each in a process of its own, and
// passes their JSON lines on. Fails if one fails or prints something else. docs/benchmarks.md says what they mean.

const ending = '.bench.ts';
const limitMs = 15 * 60_000;

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(ending))
  .map((file) => file.slice(0, -ending.length))
  .sort();

/** Whether the benchmark ended well and printed nothing but result lines, at least one. */
async function runOne(name: string, smoke: boolean): Promise<boolean> {
  const file = join(import.meta.dirname, name + ending);
  const env = { ...process.env, ...(smoke ? { VISE_BENCH_SMOKE: '1' } : {}) };
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'], timeout: limitMs });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  let good = 0;
  let bad = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    if (isResult(line)) {
      good += 1;
      console.log(line);
    } else {
      bad += 1;
      console.error(`${name} printed no result line: ${line}`);
    }
  }
  const code = await ended;
  if (code !== 0) console.error(`${name} ended with exit code ${String(code)}.`);
  if (good === 0) console.error(`${name} printed no result.`);
  return code === 0 && bad === 0 && good > 0;
}

function isResult(line: string): boolean {
  try {
    return resultLine.safeParse(JSON.parse(line)).success;
  } catch {
    return false;
  }
}

const words = process.argv.slice(2);
const smoke = words.includes('--smoke');
const wanted = words.filter((word) => word !== '--smoke');
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`No benchmark: ${unknown.join(', ')}. There are: ${names.join(', ')}.`);
  process.exitCode = 2;
} else {
  const results: boolean[] = [];
  for (const name of wanted.length > 0 ? wanted : names) results.push(await runOne(name, smoke));
  if (results.includes(false)) process.exitCode = 1;
}
