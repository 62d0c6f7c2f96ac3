/** The letters of git for what becomes of a file. */
export const statusSigns = {
  added: { sign: 'A', color: 'text-good' },
  modified: { sign: 'M', color: 'text-accent' },
  deleted: { sign: 'D', color: 'text-bad' },
  renamed: { sign: 'R', color: 'text-warn' },
} as const;
