const units: Readonly<Record<string, number>> = {
  ns: 1e-6,
  µs: 1e-3,
  us: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

/** Milliseconds of `1.2s`, `12 ms`, `1m 2s`, `0.12 seconds`, `00:00:01.234`; undefined where there is no time. */
export function msOf(text: string | undefined): number | undefined {
  if (text === undefined || text.length > 100) return undefined;
  const clock = /^\s*(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)/.exec(text);
  if (clock) return ((Number(clock[1] ?? 0) * 60 + Number(clock[2])) * 60 + Number(clock[3])) * 1_000;
  let total: number | undefined;
  for (const [, number, unit = ''] of text.toLowerCase().matchAll(/(\d+(?:[.,]\d+)?)\s*(ns|µs|us|ms|min|m|sec|s|h)/g)) {
    const factor = units[unit === 'min' ? 'm' : unit === 'sec' ? 's' : unit] ?? 0;
    total = (total ?? 0) + Number((number ?? '').replace(',', '.')) * factor;
  }
  return total;
}

/** The times of several runs, added; undefined where no run tells one. */
export function sumOfTimes(text: string, pattern: RegExp): number | undefined {
  const times = [...text.matchAll(pattern)].map(([, time]) => msOf(time)).filter((ms) => ms !== undefined);
  return times.length === 0 ? undefined : times.reduce((sum, ms) => sum + ms, 0);
}
