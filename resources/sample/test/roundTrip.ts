import { format, parse } from '../src/spanwise.ts';

// Writes and reads every second of two months, forwards and backwards in time, and stops at the first that comes back
// as another. It is slow because it leaves nothing out, so it shows how far it has come.

const day = 86_400;
const days = 61;
const started = performance.now();

for (let each = 1; each <= days; each += 1) {
  for (let second = (each - 1) * day; second < each * day; second += 1) {
    for (const milliseconds of [second * 1000, -second * 1000]) {
      const text = format(milliseconds);
      const back = parse(text);
      if (back !== milliseconds) {
        console.error(`${milliseconds} ms is written "${text}", which is read as ${back} ms.`);
        process.exit(1);
      }
    }
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`day ${String(each).padStart(2)} of ${days}  ${'█'.repeat(Math.round((each / days) * 30)).padEnd(30, '░')}  ${seconds} s`);
}
console.log(`${(2 * days * day).toLocaleString('en')} durations came back as they went.`);
