import type { ITheme } from '@xterm/xterm';

const dark = {
  black: '#2b2f36',
  red: '#ff7b72',
  green: '#56c98a',
  yellow: '#e3b341',
  blue: '#6cb0f5',
  magenta: '#c79bf2',
  cyan: '#4fc3c9',
  white: '#c3c8cf',
  brightBlack: '#7d848e',
  brightRed: '#ff9d96',
  brightGreen: '#7ee0a8',
  brightYellow: '#f2cc60',
  brightBlue: '#9acbff',
  brightMagenta: '#dcbdff',
  brightCyan: '#7fdde1',
  brightWhite: '#f2f4f7',
};

const light = {
  black: '#24292f',
  red: '#c4262c',
  green: '#176f3d',
  yellow: '#805300',
  blue: '#0b5cad',
  magenta: '#7a3fb0',
  cyan: '#0b6f78',
  white: '#6b7280',
  brightBlack: '#57606a',
  brightRed: '#a4161c',
  brightGreen: '#0f5a30',
  brightYellow: '#633f00',
  brightBlue: '#08478a',
  brightMagenta: '#5f2c92',
  brightCyan: '#07555c',
  brightWhite: '#24292f',
};

/** Marks of what was searched on the screen. The search takes six hex digits and nothing else. */
export function searchColors(root: HTMLElement) {
  const isLight = getComputedStyle(root).colorScheme === 'light';
  const [match, active] = isLight ? ['#fbe7a1', '#f5b83d'] : ['#4d3d10', '#8f6a10'];
  return {
    matchBackground: match,
    matchOverviewRuler: match,
    activeMatchBackground: active,
    activeMatchColorOverviewRuler: active,
  };
}

/** The screen's colours: ground and text from the tokens, the sixteen named ones to go with them. */
export function terminalTheme(style: CSSStyleDeclaration): ITheme {
  const token = (name: string): string => style.getPropertyValue(name).trim();
  return {
    ...(style.colorScheme === 'light' ? light : dark),
    background: token('--panel'),
    foreground: token('--text'),
    cursor: token('--accent'),
    cursorAccent: token('--panel'),
    selectionBackground: token('--chosen'),
  };
}
