import type { Words } from './en.ts';

/** A span as people say it in passing: `41 s`, `1 m 12 s`, `3 h`. Milliseconds in. */
export function spanText(ms: number, { time }: Words): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} ${time.s}`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return `${minutes} ${time.m} ${seconds % 60} ${time.s}`;
  if (minutes < 60) return `${minutes} ${time.m}`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} ${time.h} ${minutes % 60} ${time.m}`;
  return `${Math.floor(hours / 24)} ${time.d}`;
}

/** An age at a glance, in its largest unit alone: `now`, `3 m`, `2 h`. */
export function ageText(ms: number, { time }: Words): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return time.now;
  if (minutes < 60) return `${minutes} ${time.m}`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} ${time.h}` : `${Math.floor(hours / 24)} ${time.d}`;
}

/** How long a call took; below a second in tenths, where the tenth tells something. */
export function durationText(ms: number, words: Words): string {
  if (ms < 100) return '';
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} ${words.time.s}`;
  return spanText(ms, words);
}

/** A clock face for something that runs: `0:07`, `12:40`, `1:02:03`. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (n: number): string => String(n).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** A size in bytes: `812 B`, `4.2 KB`, `1.3 MB`. */
export function bytesText(sizeBytes: number): string {
  if (sizeBytes < 1000) return `${sizeBytes} B`;
  if (sizeBytes < 999_950) return `${(sizeBytes / 1000).toFixed(1)} KB`;
  return `${(sizeBytes / 1_000_000).toFixed(1)} MB`;
}
