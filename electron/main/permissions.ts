/** What our own page may do without being asked: tell the person that something waits, and write what they copy. */
const granted: readonly string[] = ['notifications', 'clipboard-sanitized-write'];

/** Whether a page gets what it asks for (S1). No page of ours needs a camera, a position or to read the clipboard. */
export function isGranted(permission: string, from: string, appOrigin: string): boolean {
  return granted.includes(permission) && (from === appOrigin || from.startsWith(`${appOrigin}/`));
}
