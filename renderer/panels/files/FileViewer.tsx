import { AtSign, Copy, FileSearch } from 'lucide-react';
import type { editor as Editor } from 'monaco-editor/editor';
import { useEffect, useRef, useState } from 'react';
import { splitLines, withoutLineEnd } from '../../../shared/text/lines.ts';
import { useClient } from '../../client/client.ts';
import { IconButton } from '../../parts/Button.tsx';
import { SpotCommentButton } from '../../parts/comments/SpotCommentButton.tsx';
import { copyText } from '../../parts/copyText.ts';
import { Empty } from '../../parts/Empty.tsx';
import { PathText } from '../../parts/PathText.tsx';
import { useComments } from '../../view/comments.ts';
import { type FilePlace, offerPanel } from '../../view/panelCalls.ts';
import { useFilesState } from '../../view/panelState.ts';
import { mention } from '../../view/show.ts';
import { useShown } from '../../view/shown.ts';
import { useSession } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';

type Found = { readonly path: string; readonly text: string | null; readonly why: string };

/** One file of the project, to read. */
export function FileViewer() {
  const words = useWords();
  const client = useClient();
  const project = useShown(({ project }) => project);
  const path = useFilesState((state) => state.path);
  // A file that the agent wrote is read again.
  const changes = useSession(({ changeSets }) => changeSets.map(({ id, state }) => `${id}${state}`).join());
  const [found, setFound] = useState<Found | null>(null);
  const [lines, setLines] = useState<{ readonly path: string; readonly range: LineRange } | null>(null);

  // `changes` is a dependency only because it tells when to read again.
  useEffect(() => {
    if (project === null || path === null) return;
    let current = true;
    void client.call('file.read', { project, path }).then((answer) => {
      if (!current) return;
      if (answer.ok) setFound({ path, text: answer.value.text, why: answer.value.why ?? words.files.tooLarge });
      else setFound({ path, text: null, why: words.said(answer.error.message) });
    });
    return () => {
      current = false;
    };
  }, [client, project, path, words, changes]);

  const shownText = found?.path === path ? found.text : null;
  const [from, to] = lines?.path === path ? lines.range : [1, 1];
  if (path === null)
    return (
      <Empty icon={FileSearch} title={words.files.none}>
        {words.files.noneMore}
      </Empty>
    );
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex h-8.5 shrink-0 items-center gap-1 border-b border-line pr-1.5 pl-3">
        <PathText path={path} className="flex-1 font-mono text-xs" />
        <span className="shrink-0 px-1 text-2xs text-soft">{words.files.readOnly}</span>
        {shownText !== null && (
          <SpotCommentButton
            spot={{ of: 'file', path, from, to, quote: linesOf(shownText).slice(from - 1, to) }}
            className="flex size-6 items-center justify-center rounded-md [&_svg]:size-3.5"
          />
        )}
        <IconButton label={words.files.mention} onClick={() => mention([path])}>
          <AtSign />
        </IconButton>
        <IconButton label={words.files.copyPath} onClick={() => void copyText(path, words)}>
          <Copy />
        </IconButton>
      </div>
      {shownText !== null && <Reader path={path} text={shownText} onLines={(range) => setLines({ path, range })} />}
      {found?.path === path && found.text === null && (
        <p role="alert" className="p-6 text-center text-soft">
          {found.why}
        </p>
      )}
    </div>
  );
}

const linesOf = (text: string): readonly string[] => splitLines(text).map(withoutLineEnd);

/** The first and the last line. */
type LineRange = readonly [number, number];

function Reader({
  path,
  text,
  onLines,
}: {
  readonly path: string;
  readonly text: string;
  /** Told which lines are chosen; the one with the cursor, where no text is. */
  readonly onLines: (range: LineRange) => void;
}) {
  const comments = useComments();
  const place = useRef<HTMLDivElement>(null);
  const [view, setOpened] = useState<Editor.IStandaloneCodeEditor | null>(null);
  useEffect(() => {
    let gone = false;
    let close: (() => void) | undefined;
    void import('../../parts/monaco/loadMonaco.ts').then((monaco) => {
      if (gone || !place.current) return;
      const uri = monaco.Uri.from({ scheme: 'vise', authority: crypto.randomUUID(), path: `/${path}` });
      const model = monaco.editor.createModel(text, undefined, uri);
      const opened = monaco.editor.create(place.current, {
        ...monaco.editorOptions(place.current),
        ariaLabel: path,
        folding: true,
        model,
        readOnly: true,
        domReadOnly: true,
      });
      setOpened(opened);
      close = () => {
        setOpened(null);
        opened.dispose();
        model.dispose();
      };
    });
    return () => {
      gone = true;
      close?.();
    };
  }, [path, text]);
  useEffect(() => {
    const watching = view?.onDidChangeCursorSelection(({ selection }) => {
      const { startLineNumber: from, endLineNumber: to, endColumn } = selection;
      onLines([from, endColumn === 1 && to > from ? to - 1 : to]);
    });
    return () => watching?.dispose();
  });
  useEffect(() => {
    const model = view?.getModel();
    if (!view || !model) return;
    const last = model.getLineCount();
    const marks = view.createDecorationsCollection(
      comments
        .filter((one) => one.of === 'file' && one.path === path)
        .map(({ from, to }) => ({
          range: { startLineNumber: from, startColumn: 1, endLineNumber: Math.min(to, last), endColumn: 1 },
          options: { isWholeLine: true, linesDecorationsClassName: 'line-commented' },
        })),
    );
    return () => marks.clear();
  }, [view, comments, path]);
  useEffect(() => {
    if (!view) return;
    const mark = view.createDecorationsCollection();
    const reveal = ({ line, column }: FilePlace): void => {
      const lineNumber = Math.min(line, view.getModel()?.getLineCount() ?? 1);
      view.setPosition({ lineNumber, column });
      view.revealLineInCenter(lineNumber);
      mark.set([
        {
          range: { startLineNumber: lineNumber, startColumn: 1, endLineNumber: lineNumber, endColumn: 1 },
          options: { isWholeLine: true, className: 'line-sought' },
        },
      ]);
    };
    return offerPanel('viewer', { reveal }, path);
  }, [view, path]);
  return <div ref={place} className="min-h-0 flex-1" />;
}
