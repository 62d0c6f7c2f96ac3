import { expect, test } from 'vitest';
import { summarize } from './statistics.ts';

test.each([
  [[7], { min: 7, median: 7, p95: 7 }],
  [[3, 1], { min: 1, median: 2, p95: 3 }],
  [[9, 1, 5], { min: 1, median: 5, p95: 9 }],
  [Array.from({ length: 100 }, (_, at) => 100 - at), { min: 1, median: 50.5, p95: 95 }],
])('%j is summed up', (values, summary) => expect(summarize(values)).toEqual(summary));
