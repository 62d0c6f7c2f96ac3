export const appOrigin = 'app://vise';

/** What our own page may do without being asked: tell the person that something waits, and write what they copy. */
const granted: readonly string[] = ['notifications', 'clipboard-sanitized-write'];

/** Whether an address is a page of ours, however another one's may begin. */
export function isOwn(address: string): boolean {
  return address === appOrigin || address.startsWith(`${appOrigin}/`);
}

/** Whether a page gets what it asks for (S1). No page of ours needs a camera, a position or to read the clipboard. */
export function isGranted(permission: string, from: string): boolean {
  return granted.includes(permission) && isOwn(from);
}
