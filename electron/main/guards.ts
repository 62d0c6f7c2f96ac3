import type { App, Session, WebContents } from 'electron';
import { isGranted, isOwn } from './permissions.ts';

/**
 * Shuts every door of every page that the app could ever hold (S1): no other page in it, no frame, no `<webview>`, no
 * window, no download, no device, no request but to the app itself. `follow` gets the addresses of links.
 */
export function guardPages(app: Pick<App, 'on'>, follow: (contents: WebContents, address: string) => void): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.on('will-navigate', (event) => {
      if (!isOwn(event.url)) event.preventDefault();
    });
    contents.on('will-frame-navigate', (event) => {
      if (!event.isMainFrame || !isOwn(event.url)) event.preventDefault();
    });
    contents.on('will-redirect', (event) => event.preventDefault());
    contents.setWindowOpenHandler(({ url }) => {
      follow(contents, url);
      return { action: 'deny' };
    });
  });
}

/** The same for what pages share. */
export function guardSession(defaultSession: Session): void {
  defaultSession.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) =>
    answer(isGranted(permission, requestingUrl)),
  );
  defaultSession.setPermissionCheckHandler((_contents, permission, origin) => isGranted(permission, origin));
  defaultSession.setDevicePermissionHandler(() => false);
  defaultSession.on('will-download', (event) => event.preventDefault());
  defaultSession.webRequest.onBeforeRequest(({ url }, answer) =>
    // The page's policy forbids it already; this holds whatever the page says of itself.
    answer({ cancel: !(isOwn(url) || /^(?:data|blob|devtools):/.test(url)) }),
  );
}
