import type { StreamName } from './outputStore.ts';

/** One copier reads this often at most and then ends; the next goes on in the next segment when there is room. */
export const readsOfSegment = 2048;
/** What one read of a copier takes at most. A terminal gives 4 KB mostly: a segment is 8 MB as a rule, 32 MB at most. */
export const readBytes = 16 * 1024;
/** Segments of one stream that may be on the disk: one that is read, one that is written. */
export const openSegments = 2;

/** The name of one stream in the names of files. */
export const shortName: Readonly<Record<StreamName, 'out' | 'err'>> = { stdout: 'out', stderr: 'err' };

export function segmentPath(copies: string, stream: StreamName, segment: number): string {
  return `${copies}.${shortName[stream]}.${segment}`;
}
