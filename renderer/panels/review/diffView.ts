import type { editor as Editor } from 'monaco-editor/editor';
import type { Hunk } from '../../../shared/model/change.ts';
import type { Monaco } from '../../parts/monaco/loadMonaco.ts';
import { type Edited, type Region, regionOf } from './verdict.ts';

export interface DiffViewParts {
  readonly place: HTMLElement;
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly hunks: readonly Hunk[];
  /** What a screen reader calls the sides. */
  readonly names: { readonly before: string; readonly after: string };
  /** Where an earlier visit left the proposed side. */
  readonly edited: Edited | null;
  readonly onEdit: (edited: Edited) => void;
  /** The first diff is drawn; before that both sides would look the same. */
  readonly onDrawn: () => void;
}

export interface DiffView {
  /** The proposed side as it is now. */
  text(): string;
  /** Goes to the proposed side. */
  focus(): void;
  dispose(): void;
}

/** Below this width both sides would be too narrow to read; one column is shown instead. */
const sideBySideFrom = 860;

/** One file's diff with an editable proposed side. Each hunk is tracked while the person types. */
export function openDiffView(monaco: Monaco, parts: DiffViewParts): DiffView {
  const { place, path, before, after, hunks, names, edited, onEdit, onDrawn } = parts;
  const visit = crypto.randomUUID();
  const uri = (side: string) => monaco.Uri.from({ scheme: 'vise', authority: visit, path: `/${side}/${path}` });
  const original = monaco.editor.createModel(before, undefined, uri('before'));
  const modified = monaco.editor.createModel(edited?.text ?? after, undefined, uri('after'));
  const diff = monaco.editor.createDiffEditor(place, {
    ...monaco.editorOptions(place),
    diffAlgorithm: 'advanced',
    hideUnchangedRegions: { enabled: true, contextLineCount: 3, minimumLineCount: 4, revealLineCount: 20 },
    ignoreTrimWhitespace: false,
    originalEditable: false,
    // Tab goes on to the next control: whoever has no mouse must get out of the editor again (WCAG 2.1.2).
    tabFocusMode: true,
    renderGutterMenu: false,
    renderIndicators: true,
    renderMarginRevertIcon: false,
    renderOverviewRuler: false,
    renderSideBySideInlineBreakpoint: sideBySideFrom,
    useInlineViewWhenSpaceIsLimited: true,
  });
  diff.setModel({ original, modified });
  const pane = diff.getModifiedEditor();
  // The diff editor has options for these, and empties them with each later change of its options (0.57).
  const nameSides = (): void => {
    diff.getOriginalEditor().updateOptions({ ariaLabel: names.before });
    pane.updateOptions({ ariaLabel: names.after });
  };
  nameSides();

  const regions = edited?.regions ?? hunks.map(regionOf);
  // Of the model, not of the editor: they outlive that the model is set anew.
  const tracked = modified.deltaDecorations(
    [],
    regions.map((region) => trackerOf(monaco, modified, region)),
  );
  const regionsNow = (): readonly Region[] =>
    tracked.map((id, index) => {
      const was = regions[index];
      const range = modified.getDecorationRange(id);
      if (!range) return was ?? { after: 0, lines: 0 };
      if (was?.lines === 0) return { after: was.after === 0 ? 0 : range.endLineNumber, lines: 0 };
      const isGone = range.isEmpty() && modified.getLineContent(range.startLineNumber) !== '';
      return isGone
        ? { after: range.startLineNumber - 1, lines: 0 }
        : { after: range.startLineNumber - 1, lines: range.endLineNumber - range.startLineNumber + 1 };
    });
  // A theme leaves the deleted lines of the inline diff in the colours that they were made in (0.57): they are made anew.
  const redraw = (): void => {
    const state = diff.saveViewState();
    diff.setModel(null);
    diff.setModel({ original, modified });
    diff.restoreViewState(state);
    nameSides();
  };
  let isDrawn = false;
  const listeners = [
    diff.onDidUpdateDiff(() => {
      nameSides();
      // Without a result the worker is still at it.
      if (isDrawn || diff.getLineChanges() === null) return;
      isDrawn = true;
      onDrawn();
    }),
    modified.onDidChangeContent(() => onEdit({ text: modified.getValue(), regions: regionsNow() })),
    { dispose: monaco.onThemeChange(redraw) },
  ];

  return {
    text: () => modified.getValue(),
    focus: () => pane.focus(),
    dispose() {
      for (const listener of listeners) listener.dispose();
      diff.dispose();
      original.dispose();
      modified.dispose();
    },
  };
}

function trackerOf(monaco: Monaco, model: Editor.ITextModel, { after, lines }: Region): Editor.IModelDeltaDecoration {
  const last = model.getLineCount();
  const line = (n: number): number => Math.min(Math.max(1, n), last);
  const to = line(after + lines);
  const from = lines === 0 ? to : line(after + 1);
  const range =
    lines === 0
      ? new monaco.Range(from, model.getLineMaxColumn(from), from, model.getLineMaxColumn(from))
      : new monaco.Range(from, 1, to, model.getLineMaxColumn(to));
  return {
    range,
    options: {
      // What is typed at the edges of a hunk belongs to it (`AlwaysGrowsWhenTypingAtEdges` is 0, `Never…` is 1).
      stickiness: lines === 0 ? 1 : 0,
    },
  };
}
