import { readFileSync } from 'node:fs';
import type * as Electron from 'electron';
import type { Browser } from './browser.ts';
import type { Cdp } from './cdp.ts';
import { ipcMain } from './ipcMain.ts';
import { preloadWorld, sendBinding, worldScripts } from './pageWorlds.ts';
import { answerRequest, toApp, toWeb } from './requests.ts';
import { StrictEmitter } from './strict.ts';

const events = [
  'did-start-navigation',
  'did-start-loading',
  'did-navigate',
  'did-finish-load',
  'dom-ready',
  'will-navigate',
  'will-frame-navigate',
  'will-redirect',
  'will-attach-webview',
  'render-process-gone',
  'context-menu',
  'zoom-changed',
  'destroyed',
  'stand-in-paint',
] as const;

type Members =
  | 'id'
  | 'isDestroyed'
  | 'send'
  | 'setWindowOpenHandler'
  | 'reload'
  | 'forcefullyCrashRenderer'
  | 'executeJavaScript'
  | 'getURL'
  | 'isCrashed'
  | 'getZoomLevel'
  | 'setZoomLevel'
  | 'replaceMisspelling'
  | 'toggleDevTools';

let made = 0;

/** One page over the DevTools protocol, with Electron's order of events. */
export class WebContents extends StrictEmitter implements Pick<Electron.WebContents, Members> {
  readonly id: number;
  mainFrame: object = {};
  target = '';
  readonly begun: Promise<void>;
  #session = '';
  #browser: Browser | undefined;
  #context = '';
  #frame = '';
  #url = '';
  #destroyed = false;
  #crashed = false;
  #zoom = 0;
  /** A navigation that the program itself began: it is not asked about. */
  #own = false;
  #openHandler: Parameters<Electron.WebContents['setWindowOpenHandler']>[0] = () => ({ action: 'allow' });

  constructor(
    browser: Promise<Browser>,
    size: { readonly width: number; readonly height: number },
    preload: string | undefined,
  ) {
    super('webContents', events);
    made += 1;
    this.id = made;
    this.begun = browser.then((started) => this.#begin(started, size, preload));
  }

  async #begin(browser: Browser, size: object, preload: string | undefined): Promise<void> {
    this.#browser = browser;
    const { cdp } = browser;
    const targetId = (await shownTarget(cdp)) ?? (await newTarget(cdp, size));
    this.target = targetId;
    const { sessionId } = await cdp.send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true });
    this.#session = sessionId;
    const page = cdp.events(sessionId);
    page.on('Fetch.requestPaused', (paused: Paused) => void this.#answer(paused).catch(() => undefined));
    page.on('Runtime.executionContextCreated', ({ context }: { readonly context: Context }) => {
      if (context.name === preloadWorld && context.auxData.frameId === this.#frame) this.#context = context.uniqueId;
    });
    page.on('Runtime.bindingCalled', ({ sent: [channel, ...args] }: { readonly sent: [string, ...unknown[]] }) => {
      ipcMain.emit(channel, { sender: this, senderFrame: this.mainFrame }, ...args);
    });
    page.on('Page.frameNavigated', ({ frame }: { readonly frame: { id: string; parentId?: string; url: string } }) => {
      if (frame.parentId !== undefined || frame.url === 'about:blank') return;
      this.#url = toApp(frame.url);
      this.#crashed = false;
      this.mainFrame = {};
      this.emit('did-navigate', {}, this.#url, 200, '');
    });
    page.on('Page.lifecycleEvent', ({ name, frameId }: { readonly name: string; readonly frameId: string }) => {
      if (frameId !== this.#frame || this.#url === '') return;
      if (name === 'DOMContentLoaded') this.emit('dom-ready', {});
      if (name === 'firstPaint') this.emit('stand-in-paint');
      if (name === 'load') {
        this.emit('did-finish-load', {});
        this.emit('stand-in-paint');
      }
    });
    page.on('Inspector.targetCrashed', () => {
      this.#crashed = true;
      this.#context = '';
      this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 });
    });
    // What a page opens is closed before it shows anything, unless the app allows it.
    cdp.events().on('Target.targetCreated', ({ targetInfo }: { readonly targetInfo: TargetInfo }) => {
      if (targetInfo.openerId !== targetId) return;
      const url = toApp(targetInfo.url);
      const { action } = this.#openHandler({
        url,
        frameName: '',
        features: '',
        disposition: 'new-window',
        referrer: { url: '', policy: 'default' },
      });
      if (action === 'deny')
        void cdp.send('Target.closeTarget', { targetId: targetInfo.targetId }).catch(() => undefined);
    });
    await this.cdp('Page.enable');
    const { frameTree } = await this.cdp<{ frameTree: { frame: { id: string } } }>('Page.getFrameTree');
    this.#frame = frameTree.frame.id;
    await this.cdp('Page.setLifecycleEventsEnabled', { enabled: true });
    await this.cdp('Runtime.addBinding', { name: sendBinding, executionContextName: preloadWorld });
    await this.cdp('Runtime.enable');
    await this.cdp('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
    if (preload === undefined) return;
    const scripts = worldScripts(readFileSync(preload, 'utf8'));
    await this.cdp('Page.addScriptToEvaluateOnNewDocument', { source: scripts.page });
    await this.cdp('Page.addScriptToEvaluateOnNewDocument', { source: scripts.preload, worldName: preloadWorld });
  }

  cdp<T = object>(method: string, params: object = {}): Promise<T> {
    if (this.#browser === undefined) throw new Error('the page has not begun');
    return this.#browser.cdp.send<T>(method, params, this.#session);
  }

  /** Fact: `did-start-navigation` is emitted before this returns. */
  async load(url: string): Promise<void> {
    this.#startNavigation(url);
    this.#own = true;
    await this.begun;
    const { errorText } = await this.cdp<{ errorText?: string }>('Page.navigate', { url: toWeb(url) });
    if (errorText !== undefined) throw new Error(`${errorText} loading '${url}'`);
  }

  #startNavigation(url: string, isMainFrame = true): void {
    this.emit('did-start-navigation', { url, isMainFrame, isSameDocument: false });
    if (isMainFrame) this.emit('did-start-loading', {});
  }

  async #answer(paused: Paused): Promise<void> {
    const { requestId, frameId, resourceType, request } = paused;
    const url = toApp(request.url);
    if (resourceType === 'Document') {
      const isMainFrame = frameId === this.#frame;
      const isOwn = this.#own && isMainFrame;
      if (isMainFrame) this.#own = false;
      if (!isOwn) {
        // Fact: it is said to start before it is asked about; what is prevented never commits.
        this.#startNavigation(url, isMainFrame);
        const asked = { url, isMainFrame };
        const prevented = [
          this.ask('will-frame-navigate', asked),
          isMainFrame && this.ask('will-navigate', asked, url),
        ].includes(true);
        if (prevented) return void (await this.cdp('Fetch.failRequest', { requestId, errorReason: 'Aborted' }));
      }
    }
    const answered = await answerRequest({ ...request, url });
    if (answered === undefined)
      return void (await this.cdp('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }));
    await this.cdp('Fetch.fulfillRequest', { requestId, ...answered });
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  isCrashed(): boolean {
    return this.#crashed;
  }

  getURL(): string {
    return this.#url;
  }

  send(channel: string, ...args: unknown[]): void {
    if (this.#context === '' || this.#destroyed) return void structuredClone(args); // which functions do not pass
    this.#browser?.cdp.deliver([channel, ...args], this.#context, this.#session);
  }

  /** What a person drops next has this path. */
  async knowPath(name: string, path: string): Promise<void> {
    const expression = `standInPaths.set(${JSON.stringify(name)}, ${JSON.stringify(path)}) && 0`;
    await this.cdp('Runtime.evaluate', { expression, uniqueContextId: this.#context });
  }

  setWindowOpenHandler(handler: Parameters<Electron.WebContents['setWindowOpenHandler']>[0]): void {
    this.#openHandler = handler;
  }

  reload(): void {
    this.#startNavigation(this.#url);
    this.#own = true;
    void this.cdp(this.#crashed ? 'Page.navigate' : 'Page.reload', { url: toWeb(this.#url) }).catch(() => undefined);
  }

  forcefullyCrashRenderer(): void {
    void this.cdp('Page.crash').catch(() => undefined);
  }

  async executeJavaScript(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await this.cdp<{
      result: { value?: unknown };
      exceptionDetails?: { text: string };
    }>('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return result.value;
  }

  getZoomLevel(): number {
    return this.#zoom;
  }

  setZoomLevel(level: number): void {
    this.#zoom = level;
  }

  /** Chromium's own editing command on what has the focus. */
  async edit(command: string): Promise<void> {
    await this.cdp('Input.dispatchKeyEvent', { type: 'keyDown', commands: [command] });
  }

  /** The misspelled word is the selection. */
  replaceMisspelling(text: string): void {
    void this.cdp('Input.insertText', { text });
  }

  toggleDevTools(): void {
    throw new Error('The stand-in has no developer tools.');
  }

  async destroy(): Promise<void> {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.emit('destroyed');
    await this.begun;
    await this.#browser?.cdp.send('Target.closeTarget', { targetId: this.target }).catch(() => undefined);
  }
}

interface Paused {
  readonly requestId: string;
  readonly frameId: string;
  readonly resourceType: string;
  readonly request: {
    readonly url: string;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
  };
}

interface Context {
  readonly name: string;
  readonly uniqueId: string;
  readonly auxData: { readonly frameId: string };
}

interface TargetInfo {
  readonly targetId: string;
  readonly openerId?: string;
  readonly url: string;
}

/** The window that Chromium came with, where it is shown on a display (`browserThread.ts`); for the first of ours alone. */
async function shownTarget(cdp: Cdp): Promise<string | undefined> {
  const { targetInfos } = await cdp.send<{ targetInfos: readonly TargetInfo[] }>('Target.getTargets', {});
  return targetInfos.find(({ url }) => url === 'data:text/html,')?.targetId;
}

async function newTarget(cdp: Cdp, size: object): Promise<string> {
  const blank = { url: 'about:blank', newWindow: true, ...size };
  return (await cdp.send<{ targetId: string }>('Target.createTarget', blank)).targetId;
}
