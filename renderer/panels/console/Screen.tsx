import { offerPanel } from '../../view/panelCalls.ts';
import { openFile } from '../../view/show.ts';
import { useShown } from '../../view/shown.ts';
import '@xterm/xterm/css/xterm.css';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Task } from '../../../shared/model/task.ts';
import { useClient } from '../../client/client.ts';
import { useConnection } from '../../client/connection.ts';
import { takesInput } from '../../mirror/selectors.ts';
import { copyText } from '../../parts/copyText.ts';
import { useWords } from '../../words/words.tsx';
import { attach } from './attach.ts';
import { FindBar } from './FindBar.tsx';
import { type OpenTerminal, openTerminal } from './openTerminal.ts';

/** The live screen of one task. Only the chosen task has one: its bytes never pass a store, and are bounded by the host. */
export function Screen({
  session,
  task,
  isFinding,
  onFind,
}: {
  readonly session: string;
  readonly task: Task;
  readonly isFinding: boolean;
  readonly onFind: (isFinding: boolean) => void;
}) {
  const words = useWords();
  const client = useClient();
  const place = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<OpenTerminal | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const generation = useConnection(({ generation }) => generation);
  const canType = takesInput(task);
  const project = useShown(({ project }) => project);

  const label = useEffectEvent(() => words.console.keys);
  const find = useEffectEvent(() => onFind(true));
  const copy = useEffectEvent((text: string) => void copyText(text, words));
  const locate = useEffectEvent(async (paths: readonly string[]) => {
    if (project === null) return [];
    const located = await client.call('file.locate', { project, from: task.cwd, paths });
    // A task may work outside the project: then nothing of its output names a file of it.
    return located.ok ? located.value.found : [];
  });

  useEffect(() => {
    if (!place.current) return;
    const made = openTerminal(place.current, {
      label: label(),
      files: { locate, open: openFile },
      onFind: find,
      onCopy: copy,
    });
    setOpened(made);
    return () => {
      setOpened(null);
      made.dispose();
    };
  }, []);

  // A new connection knows nothing of the old one's channels: attached anew with each.
  // `generation` is that connection's number
  useEffect(() => {
    if (!opened) return;
    setProblem(null);
    const attached = attach(client, opened, { session, task: task.id }, setProblem);
    return () => attached.detach();
  }, [client, generation, opened, session, task.id]);

  useEffect(() => {
    if (!opened || !place.current) return;
    const watching = new ResizeObserver(() => opened.fit());
    watching.observe(place.current);
    return () => watching.disconnect();
  }, [opened]);

  useEffect(() => {
    if (!opened) return;
    return offerPanel('screen', { focus: () => opened.terminal.focus() }, task.id);
  }, [opened, task.id]);

  useEffect(() => {
    opened?.takeInput(canType);
  }, [opened, canType]);

  useEffect(() => {
    opened?.terminal.textarea?.setAttribute('aria-label', words.console.keys);
  }, [opened, words]);

  return (
    <div className="relative min-h-0 flex-1">
      {isFinding && opened && (
        <FindBar
          search={opened.search}
          target={{ session, task: task.id }}
          onClose={() => {
            onFind(false);
            opened.terminal.focus();
          }}
        />
      )}
      {problem !== null && (
        <p role="alert" className="absolute inset-x-3 top-2 z-10 rounded-md bg-bad-tint px-3 py-1.5 text-xs text-bad">
          {words.console.attachFailed} {problem}
        </p>
      )}
      <div
        ref={place}
        role="group"
        data-own-keys={canType && task.kind === 'user' ? '' : undefined}
        aria-label={words.console.terminal(task.title || task.command)}
        className="h-full"
      />
    </div>
  );
}
