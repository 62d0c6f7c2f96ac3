import { expect, test } from 'vitest';
import { withoutPackaging } from './packagingVariables.ts';

test.skipIf(process.platform === 'win32')('commands see nothing of the AppImage that Vise was started from', () => {
  expect(
    withoutPackaging({
      APPDIR: '/tmp/.mount_vise1',
      APPIMAGE: '/home/a/Vise.AppImage',
      ARGV0: 'Vise.AppImage',
      OWD: '/home/a',
      PATH: '/tmp/.mount_vise1/usr/sbin:/tmp/.mount_vise1:/usr/bin:/tmp/.mount_vise10/bin',
      LD_LIBRARY_PATH: '/tmp/.mount_vise1/usr/lib',
      XDG_DATA_DIRS: '/tmp/.mount_vise1/usr/share:/usr/share',
      HOME: '/home/a',
    }),
  ).toEqual({ PATH: '/usr/bin:/tmp/.mount_vise10/bin', XDG_DATA_DIRS: '/usr/share', HOME: '/home/a' });
});

test("what Electron put there goes, and the desktop's own name comes back", () => {
  expect(
    withoutPackaging({
      ELECTRON_RUN_AS_NODE: '1',
      CHROME_DESKTOP: 'vise.desktop',
      XDG_CURRENT_DESKTOP: 'Unity',
      ORIGINAL_XDG_CURRENT_DESKTOP: 'GNOME',
      LANG: 'C',
    }),
  ).toEqual({ XDG_CURRENT_DESKTOP: 'GNOME', LANG: 'C' });
});
