/** Whether this browser can notify at all. */
export const canNotify = (): boolean => 'Notification' in window;

/** Asks for the permission; only ever from a click. */
export async function askToNotify(): Promise<boolean> {
  return canNotify() && (await Notification.requestPermission()) === 'granted';
}
