import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { WebglAddon } from '@xterm/addon-webgl';
import { Terminal } from '@xterm/xterm';
import { showDialog } from '../../app/view.ts';
import { terminalTheme } from '../../theme/terminalTheme.ts';

export interface OpenTerminal {
  readonly terminal: Terminal;
  readonly search: SearchAddon;
  /** Fits the screen to its place. False where the place has no size yet. */
  fit(): boolean;
  /** A task that is over takes no input and shows no cursor. */
  showWhetherOver(isOver: boolean): void;
  dispose(): void;
}

/** The same number of lines as the engine keeps of a screen. */
const scrollback = 5000;

/** A screen in its place, with links that ask first and no way to the clipboard (OSC 52 has no addon, so it is off). */
export function openTerminal(place: HTMLElement): OpenTerminal {
  const style = getComputedStyle(place);
  const ask = (_event: MouseEvent, url: string): void => showDialog({ kind: 'link', url });
  const terminal = new Terminal({
    allowProposedApi: true,
    cursorBlink: false,
    fontFamily: style.getPropertyValue('--font-mono') || 'monospace',
    fontSize: 0.75 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
    lineHeight: 1.2,
    scrollback,
    theme: terminalTheme(style),
    linkHandler: { activate: ask },
    screenReaderMode: false,
    minimumContrastRatio: 4.5,
  });
  const fitting = new FitAddon();
  const search = new SearchAddon();
  terminal.loadAddon(fitting);
  terminal.loadAddon(search);
  terminal.loadAddon(new WebLinksAddon(ask));
  terminal.loadAddon(new UnicodeGraphemesAddon());
  terminal.open(place);
  drawWithGpu(terminal);
  const themed = new MutationObserver(() => {
    terminal.options.theme = terminalTheme(getComputedStyle(place));
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
    showWhetherOver(isOver) {
      terminal.options.disableStdin = isOver;
      terminal.options.cursorInactiveStyle = isOver ? 'none' : 'outline';
    },
    dispose() {
      themed.disconnect();
      terminal.dispose();
    },
  };
}

/** WebGL where it is to be had; a lost context falls back to the DOM and stays there. */
function drawWithGpu(terminal: Terminal): void {
  try {
    const gpu = new WebglAddon();
    gpu.onContextLoss(() => gpu.dispose());
    terminal.loadAddon(gpu);
  } catch {
    // The terminal draws with the DOM by itself.
  }
}
