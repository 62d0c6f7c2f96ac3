/** The letters of git for what becomes of a file. */
export const statusSigns = {
  added: { sign: 'A', tone: 'text-good' },
  modified: { sign: 'M', tone: 'text-accent' },
  deleted: { sign: 'D', tone: 'text-bad' },
  renamed: { sign: 'R', tone: 'text-warn' },
} as const;
