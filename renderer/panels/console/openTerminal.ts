import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { WebglAddon } from '@xterm/addon-webgl';
import { Terminal } from '@xterm/xterm';
import { isMac } from '../../parts/keys.ts';
import { terminalTheme } from '../../theme/terminalTheme.ts';
import { openOverlay } from '../../view/overlay.ts';
import { type FilePlaces, fileLinkProvider } from './fileLinkProvider.ts';
import { type ScreenAction, screenAction } from './screenKeys.ts';
import { lineSelector } from './selectLines.ts';

export interface OpenTerminal {
  readonly terminal: Terminal;
  readonly search: SearchAddon;
  /** Fits the screen to its place. False where the place has no size yet. */
  fit(): boolean;
  /** A task that takes no input shows no cursor. */
  takeInput(canType: boolean): void;
  dispose(): void;
}

export interface TerminalParts {
  /** What its hidden field for keys is called. */
  readonly label: string;
  readonly files: FilePlaces;
  readonly onFind: () => void;
  readonly onCopy: (text: string) => void;
}

/** The same number of lines as the engine keeps of a screen. */
const scrollback = 5000;
/** Places that are marked at once; beyond it the count says "more than". */
export const mostMarked = 1000;

/**
 * A screen in its place. Nothing of the output acts (C8): links ask first and lead to the web alone, there is no way to the
 * clipboard (OSC 52 has no addon, so it is off), and titles are not heard.
 */
export function openTerminal(place: HTMLElement, { label, files, onFind, onCopy }: TerminalParts): OpenTerminal {
  const style = getComputedStyle(place);
  const ask = (_event: MouseEvent, url: string): void => openOverlay({ kind: 'link', url });
  Terminal.strings.promptLabel = label;
  const terminal = new Terminal({
    allowProposedApi: true,
    cursorBlink: false,
    fontFamily: style.getPropertyValue('--font-mono') || 'monospace',
    fontSize: 0.75 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
    lineHeight: 1.2,
    scrollback,
    theme: terminalTheme(style),
    linkHandler: { activate: ask, allowNonHttpProtocols: false },
    screenReaderMode: false,
    minimumContrastRatio: leastContrast(),
  });
  const fitting = new FitAddon();
  const search = new SearchAddon({ highlightLimit: mostMarked });
  terminal.loadAddon(fitting);
  terminal.loadAddon(search);
  terminal.loadAddon(new WebLinksAddon(ask));
  terminal.loadAddon(new UnicodeGraphemesAddon());
  terminal.registerLinkProvider(fileLinkProvider(terminal, files));
  const selectLine = lineSelector(terminal);
  const act: Readonly<Record<Exclude<ScreenAction, 'paste'>, () => void>> = {
    find: onFind,
    copy() {
      onCopy(terminal.getSelection());
      terminal.clearSelection();
    },
    selectAll: () => terminal.selectAll(),
    selectUp: () => selectLine(-1),
    selectDown: () => selectLine(1),
  };
  terminal.attachCustomKeyEventHandler((event) => {
    const action = screenAction(event, terminal.hasSelection(), isMac, place.hasAttribute('data-own-keys'));
    if (action === undefined) return true;
    if (action === 'paste') return false;
    event.preventDefault();
    if (event.type === 'keydown') act[action]();
    return false;
  });
  terminal.open(place);
  drawWithGpu(terminal);
  const themed = new MutationObserver(() => {
    terminal.options.theme = terminalTheme(getComputedStyle(place));
    terminal.options.minimumContrastRatio = leastContrast();
  });
  themed.observe(document.documentElement, { attributes: true, attributeFilter: ['class'] });
  return {
    terminal,
    search,
    fit() {
      if (place.clientWidth < 40 || place.clientHeight < 20) return false;
      fitting.fit();
      return true;
    },
    takeInput(canType) {
      terminal.options.disableStdin = !canType;
      terminal.options.cursorInactiveStyle = canType ? 'outline' : 'none';
    },
    dispose() {
      themed.disconnect();
      terminal.dispose();
    },
  };
}

/** Of what programs colour; what they dim may have half of it. */
const leastContrast = (): number => (document.documentElement.classList.contains('contrast') ? 7 : 4.5);

/** WebGL where the machine has it; a lost context falls back to the DOM and stays there. */
function drawWithGpu(terminal: Terminal): void {
  if (!hasGpu()) return;
  try {
    const gpu = new WebglAddon();
    gpu.onContextLoss(() => gpu.dispose());
    terminal.loadAddon(gpu);
  } catch {
    // The terminal draws with the DOM by itself.
  }
}

/** Whether WebGL is drawn by a GPU: by the processor (SwiftShader, llvmpipe) each frame would cost more than with the DOM. */
function hasGpu(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const name: unknown = info && gl?.getParameter(info.UNMASKED_RENDERER_WEBGL);
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return gl !== null && !/swiftshader|llvmpipe|software|basic render/i.test(String(name));
}
