import type { Program } from './program.ts';
import { gathered, wholeTree } from './sweeps.ts';

/**
 * Programs that send, serve, pack or show whole folders, by their own documentation; the words that say so (any, where none
 * stand), and the options behind which the folder stands (their names, where none does).
 */
const rows: readonly (readonly [names: string, verbs?: RegExp, folders?: string])[] = [
  ['serve http-server live-server darkhttpd miniserve simple-http-server webfsd surge vercel'],
  ['httpd', undefined, '-h'],
  ['caddy', /\bfile-server\b/, '--root -r'],
  ['browser-sync', undefined, '--server -s --serveStatic --ss'],
  ['netlify firebase', /\bdeploy\b/, '--dir -d --public'],
  ['aws', /\bs3 (?:sync|mv|cp)\b/],
  ['gsutil', /\b(?:cp|mv|rsync)\b/],
  ['rclone', /\b(?:copy|sync|move|serve|cat|copyto|bisync)\b/],
  ['restic borg duplicity', /\b(?:backup|create|full|incr)\b/],
  ['unison croc wormhole magic-wormhole'],
  ['mksquashfs genisoimage mkisofs xorriso rar'],
  ['jar', /^-?-?[a-z]*[cu]/],
  ['vsce', /\bpackage\b/],
];

/** What they show is chosen while they run. */
const shown = 'ranger mc nnn ncdu';

export const gatherers: readonly Program[] = [
  ...rows.map(([names, verbs, folders]): Program => ({ names, sweeps: gathered(verbs, folders) })),
  { names: shown, sweeps: () => [wholeTree] },
];
