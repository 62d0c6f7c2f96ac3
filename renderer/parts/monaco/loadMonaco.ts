import { editor, Range, Uri } from 'monaco-editor/editor';
import 'monaco-editor/features/bracketMatching/register';
import 'monaco-editor/features/clipboard/register';
import 'monaco-editor/features/codicon/register';
import 'monaco-editor/features/comment/register';
import 'monaco-editor/features/cursorUndo/register';
import 'monaco-editor/features/diffEditor/register';
import 'monaco-editor/features/find/register';
import 'monaco-editor/features/folding/register';
import 'monaco-editor/features/gotoLine/register';
import 'monaco-editor/features/indentation/register';
import 'monaco-editor/features/linesOperations/register';
import 'monaco-editor/features/longLinesHelper/register';
import 'monaco-editor/features/multicursor/register';
import 'monaco-editor/features/unicodeHighlighter/register';
import 'monaco-editor/features/unusualLineTerminators/register';
import 'monaco-editor/features/wordHighlighter/register';
import 'monaco-editor/features/wordOperations/register';
import 'monaco-editor/languages/definitions/register.all';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import { themeName, themes } from './themes.ts';

declare global {
  interface Window {
    MonacoEnvironment?: { readonly getWorker: () => Worker };
  }
}

// One worker computes diffs; there are no language services to start.
window.MonacoEnvironment = { getWorker: () => new EditorWorker() };
for (const [name, theme] of Object.entries(themes)) editor.defineTheme(name, theme);
/** More lines than a window shows; the rest is coloured when the browser is idle. */
const colouredLines = 2000;
const applyTheme = (): void => {
  editor.setTheme(themeName(document.documentElement.className));
  // A theme throws all colours of words away, and the editor makes them anew only when the browser is idle: on a busy machine
  // after seconds. The method is not in the types of the package (0.57).
  for (const opened of editor.getEditors()) {
    const model: (editor.ITextModel & Partial<Tokenized>) | null = opened.getModel();
    model?.tokenization?.forceTokenization(Math.min(model.getLineCount(), colouredLines));
  }
};
interface Tokenized {
  readonly tokenization: { forceTokenization(line: number): void };
}
/** Called after each change of the theme. */
const themeListeners = new Set<() => void>();
export function onThemeChange(listener: () => void): () => void {
  themeListeners.add(listener);
  return () => themeListeners.delete(listener);
}
applyTheme();
new MutationObserver(() => {
  applyTheme();
  for (const listener of themeListeners) listener();
}).observe(document.documentElement, { attributes: true, attributeFilter: ['class'] });

export { editor, Range, Uri };
export type Monaco = typeof import('./loadMonaco.ts');

/** What every editor of the window shares. */
export function editorOptions(place: HTMLElement) {
  const rootSize = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return {
    automaticLayout: true,
    contextmenu: false,
    // Its other way to take keys leaves the field without a name for screen readers (0.57).
    editContext: false,
    guides: { indentation: false, bracketPairs: false },
    fontFamily: getComputedStyle(place).getPropertyValue('--font-mono') || 'monospace',
    fontLigatures: false,
    fontSize: 0.75 * rootSize,
    lineHeight: Math.round(1.15 * rootSize),
    folding: false,
    glyphMargin: false,
    lineNumbersMinChars: 3,
    lineDecorationsWidth: 10,
    minimap: { enabled: false },
    overviewRulerLanes: 0,
    overviewRulerBorder: false,
    hideCursorInOverviewRuler: true,
    renderLineHighlight: 'none',
    scrollBeyondLastLine: false,
    padding: { top: 8, bottom: 24 },
    scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10, useShadows: false },
    stickyScroll: { enabled: false },
    unicodeHighlight: { ambiguousCharacters: true, invisibleCharacters: true, nonBasicASCII: false },
    renderControlCharacters: true,
    // Tab leaves the editor where it only shows.
    tabFocusMode: false,
  } as const;
}
