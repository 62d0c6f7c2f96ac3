import { type Desktop, type DesktopOptions, startDesktop } from './desktop.ts';
import { test as base, expect } from './test.ts';

/** A test with the desktop app: each that it starts is ended after it, and has said nothing of a fault of ours. */
export const test = base.extend<{ readonly start: (options?: Omit<DesktopOptions, 'home'>) => Promise<Desktop> }>({
  start: async ({ home }, use) => {
    const started: Desktop[] = [];
    await use(async (options = {}) => {
      const desktop = await startDesktop({ home, ...options });
      started.push(desktop);
      return desktop;
    });
    for (const desktop of started) await desktop.end();
    for (const { stderr } of started) expect(stderr()).not.toMatch(/stand-in|INTERNAL|Unhandled|Uncaught/);
  },
});
