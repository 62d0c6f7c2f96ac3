import { isAbsolute, normalize, resolve } from 'node:path';
import type { DesktopWords } from './enDesktop.ts';

export type Refusal = keyof DesktopWords['open']['refusals'];

/** What somebody wants this app to open, before it is known whether that exists. */
export type OpenRequest =
  | { readonly kind: 'none' }
  /** `asks`: it came from outside (a link), so the person is asked first. */
  | { readonly kind: 'folder'; readonly path: string; readonly asks: boolean }
  /** `what` may stand in a dialog as it is; the reason is said in words by whoever shows it. */
  | { readonly kind: 'refused'; readonly why: Refusal; readonly what: string };

const refusals: readonly string[] = [
  'unknownLink',
  'manyFolders',
  'notFull',
  'otherMachine',
  'notPlain',
] satisfies readonly Refusal[];
const isRefusal = (why: unknown): why is Refusal => refusals.includes(String(why));
const refused = (why: Refusal, what: string): OpenRequest => ({ kind: 'refused', why, what: shown(what) });

const none: OpenRequest = { kind: 'none' };
const longestPath = 4096;

/** The scheme of links into the app. They name a folder to look at and can do nothing else. */
export const linkScheme = 'vise';

/** The first word of the command line that is no flag. Unpackaged, Electron's own first word is the app's folder. */
export function requestOfArguments(argv: readonly string[], isPackaged: boolean, cwd: string): OpenRequest {
  const words = argv.slice(1).filter((word) => !word.startsWith('-'));
  const word = words[isPackaged ? 0 : 1];
  if (word === undefined || word === '') return none;
  if (word.startsWith(`${linkScheme}:`)) return requestOfLink(word);
  return { kind: 'folder', path: resolve(cwd, word), asks: false };
}

/** What a second instance hands over. It is another process: its data is checked like any other input. */
export function requestOfData(data: unknown): OpenRequest {
  if (typeof data !== 'object' || data === null || !('open' in data)) return none;
  const { open } = data;
  if (typeof open !== 'object' || open === null || !('kind' in open)) return none;
  if (open.kind === 'refused' && 'why' in open && isRefusal(open.why))
    return refused(open.why, 'what' in open ? String(open.what) : '');
  if (open.kind !== 'folder' || !('path' in open) || typeof open.path !== 'string') return none;
  const why = faultOf(open.path);
  if (why !== undefined) return refused(why, open.path);
  return { kind: 'folder', path: open.path, asks: !('asks' in open) || open.asks !== false };
}

/** `vise://open?folder=PATH`: always asked about, never executed. Everything else is refused in words. */
export function requestOfLink(link: string): OpenRequest {
  const url = link.length <= longestPath ? URL.parse(link) : null;
  const action = url === null ? '' : `${url.host}${url.pathname}`.replace(/\/+$/, '');
  if (url?.protocol !== `${linkScheme}:` || action !== 'open') return refused('unknownLink', link);
  const folders = url.searchParams.getAll('folder');
  const [folder = ''] = folders;
  const extra = [...url.searchParams.keys()].filter((name) => name !== 'folder');
  if (folders.length !== 1 || extra.length > 0 || url.username !== '' || url.password !== '' || url.hash !== '')
    return refused('manyFolders', link);
  const why = faultOf(folder);
  return why === undefined ? { kind: 'folder', path: folder, asks: true } : refused(why, folder);
}

/** Why a path from outside cannot be taken as it stands; undefined when it can. */
function faultOf(path: string): Refusal | undefined {
  if (path === '' || path.length > longestPath || hasControl(path) || !isAbsolute(path)) return 'notFull';
  if (/^[\\/]{2}/.test(path)) return 'otherMachine';
  // What is shown must be what is opened: no steps upward, no doubled separators.
  if (normalize(path).replace(/[\\/]+$/, '') !== path.replace(/[\\/]+$/, '')) return 'notPlain';
  return undefined;
}

function hasControl(text: string): boolean {
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text);
}

/** As it may stand in a dialog: nothing invisible, not without end. */
function shown(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '�').slice(0, 200);
}
