import { ArrowUp } from 'lucide-react';
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { toast } from 'sonner';
import { parseSlash } from '../../../shared/text/slashCommands.ts';
import { useClient, valueOrToast } from '../../client/client.ts';
import { hostFeatures } from '../../client/hostFeatures.ts';
import { ensureSession } from '../../commands/actions.ts';
import { useCommandContext } from '../../commands/useCommands.ts';
import { runWindowSlash } from '../../commands/windowSlash.ts';
import { projectAt, usableProvider } from '../../mirror/selectors.ts';
import { cx } from '../../parts/cx.ts';
import { isComposing } from '../../parts/keys.ts';
import { mentionType } from '../../parts/mentionType.ts';
import { Tip } from '../../parts/Tip.tsx';
import { useSession, useWorkbench } from '../../view/useSession.ts';
import { setView, showDialog, useView } from '../../view/view.ts';
import { useWords } from '../../words/words.tsx';
import { AttachedList } from './AttachedList.tsx';
import { ChangesBar } from './ChangesBar.tsx';
import { type Choice, Completion } from './Completion.tsx';
import { ContextMeter } from './ContextMeter.tsx';
import { Queue } from './Queue.tsx';
import { sends } from './sendKey.ts';
import { storeAttached } from './storeAttached.ts';
import { mentionedIn, tokenAt, withDropped, withMention } from './token.ts';
import { useAttached } from './useAttached.ts';
import { useChoices } from './useChoices.ts';
import { useDraft } from './useDraft.ts';

export function Composer() {
  const words = useWords();
  const client = useClient();
  const context = useCommandContext();
  const listId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const project = useView((view) => view.project);
  const session = useView((view) => view.session);
  const { mentions, suggested, focusComposer } = useView((view) => view);
  const isBusy = useSession(({ turn }) => turn !== null);
  const hasModel = useWorkbench(
    (workbench) => usableProvider(workbench) || projectAt(workbench, project)?.sample === true,
  );
  const [text, setText] = useDraft(project, session);
  const [caret, setCaret] = useState(0);
  const [dismissed, setDismissed] = useState('');
  const [chosen, setChosen] = useState(0);
  const { attached, add, remove, clear } = useAttached(project, session);
  const [isOver, setIsOver] = useState(false);
  const wantedCaret = useRef<number | null>(null);
  const offered = useRef(new Set<string>());

  const token = tokenAt(text, caret);
  const tokenKey = token ? `${token.kind} ${token.from} ${token.query}` : '';
  const choices = useChoices(tokenKey === dismissed ? null : token, project, session);
  const isOpen = token !== null && tokenKey !== dismissed && choices.length > 0;

  // the first line is chosen anew with each token
  useEffect(() => setChosen(0), [tokenKey]);
  useEffect(() => {
    if (focusComposer > 0) field.current?.focus();
  }, [focusComposer]);
  useEffect(() => {
    if (mentions.length === 0) return;
    for (const path of mentions) offered.current.add(path);
    setText(withDropped(text, mentions));
    setView({ mentions: [] });
  }, [mentions, text, setText]);
  useEffect(() => {
    if (suggested === null) return;
    setText(suggested);
    setView({ suggested: null });
  }, [suggested, setText]);

  useLayoutEffect(() => {
    // Before the next key can come: what is typed fast must not land behind the end.
    if (wantedCaret.current !== null) field.current?.setSelectionRange(wantedCaret.current, wantedCaret.current);
    wantedCaret.current = null;
  }, [text]);

  const place = (next: string, at: number): void => {
    setText(next);
    setCaret(at);
    wantedCaret.current = at;
  };
  const complete = (choice: Choice): void => {
    if (!token) return;
    if (choice.kind === 'slash') {
      if (choice.takes) place(`/${choice.id} `, choice.id.length + 2);
      else void runLine(`/${choice.id}`);
      return;
    }
    const mention = choice.mention ?? choice.label;
    // The engine reads mentions of all kinds from the text; files are handed over besides, as a drop does.
    if (choice.of === 'file') offered.current.add(mention);
    const next = withMention(text, token, caret, mention);
    place(next.text, next.caret);
  };
  /** True: it was a command, done or refused with its reason. */
  const runLine = async (line: string): Promise<boolean> => {
    const slash = parseSlash(line, 'window');
    // A path at the very beginning is a text.
    if (slash.kind === 'text' || (slash.kind === 'unknown' && /^\/[^\s]*[/.]/.test(line))) return false;
    if (slash.kind !== 'command')
      toast.error(slash.kind === 'usage' ? words.composer.usage(slash.text.replace(/^usage: /, '')) : slash.text);
    else if (await runWindowSlash(slash.name, slash.args, context())) setText('');
    return true;
  };
  const canSend = project !== null && (text.trim() !== '' || attached.length > 0);

  const send = async (): Promise<void> => {
    if (!canSend) return;
    const message = text.trim();
    const along = attached;
    if (await runLine(message)) return;
    const target = await ensureSession(client);
    if (target === undefined) return;
    const stored = await storeAttached(client, target, along);
    // What could not be stored stays here with its message.
    if (!stored) return;
    const attachments = [
      ...mentionedIn(message, offered.current).map((path) => ({ kind: 'file' as const, path })),
      ...stored,
    ];
    const sent = await valueOrToast(
      client.call('session.send', {
        session: target,
        text: message,
        ...(attachments.length > 0 ? { attachments } : {}),
      }),
    );
    // A refused message stays in the field.
    if (!sent) return;
    setText('');
    if (session === null) localStorage.removeItem(`vise.draft ${project}`);
    offered.current.clear();
    clear();
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const press = event.nativeEvent;
    if (isComposing(press)) return;
    if (isOpen) {
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      const choice = choices[chosen];
      if (step !== 0) {
        event.preventDefault();
        setChosen((chosen + step + choices.length) % choices.length);
        return;
      }
      if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && choice) {
        event.preventDefault();
        complete(choice);
        return;
      }
      if (event.key === 'Escape') {
        event.preventDefault();
        setDismissed(tokenKey);
        return;
      }
    }
    if (event.key === 'Backspace' && text === '' && attached.length > 0) {
      event.preventDefault();
      const buttons = event.currentTarget.parentElement?.querySelectorAll<HTMLElement>('ul li button');
      buttons?.[buttons.length - 1]?.focus();
      return;
    }
    // An empty field has nothing to send: with ⌘ or Ctrl the key is the review's.
    if (!sends(press) || (!canSend && (press.metaKey || press.ctrlKey))) return;
    event.preventDefault();
    void send();
  };

  const onPaste = (event: ClipboardEvent): void => {
    const files = [...event.clipboardData.files];
    // Text that comes with a picture of itself (from a table, say) is text.
    if (files.length === 0 || event.clipboardData.getData('text/plain') !== '') return;
    event.preventDefault();
    void add(files);
  };
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    setIsOver(false);
    const path = event.dataTransfer.getData(mentionType);
    const files = [...event.dataTransfer.files];
    // What has a path is mentioned, so that the agent reads it as it is then; pictures and what has none go along.
    const placed = files.map((file) => ({
      file,
      path: file.type.startsWith('image/') ? undefined : hostFeatures.pathOfDropped?.(file),
    }));
    const dropped = path === '' ? placed.flatMap((each) => each.path ?? []) : [path];
    for (const each of dropped) offered.current.add(each);
    if (dropped.length > 0) setText(withDropped(text, dropped));
    void add(placed.flatMap((each) => (each.path === undefined ? [each.file] : [])));
    field.current?.focus();
  };

  return (
    <div className="shrink-0 px-4 pt-1 pb-3">
      <div className="mx-auto max-w-[50rem]">
        <ChangesBar />
        <Queue />
        <div
          className={cx(
            'relative rounded-xl border bg-raised transition-colors focus-within:border-accent',
            isOver ? 'border-accent bg-accent-tint' : 'border-edge/70',
          )}
          onDragOver={(event) => {
            event.preventDefault();
            event.stopPropagation();
            setIsOver(true);
          }}
          onDragLeave={() => setIsOver(false)}
          onDrop={onDrop}
        >
          {isOpen && <Completion id={listId} choices={choices} chosen={chosen} onChoose={complete} />}
          <AttachedList
            attached={attached}
            onRemove={(id) => {
              remove(id);
              if (attached.length === 1) field.current?.focus();
            }}
          />
          <textarea
            ref={field}
            rows={1}
            aria-label={words.composer.label}
            aria-autocomplete="list"
            aria-controls={isOpen ? listId : undefined}
            aria-activedescendant={isOpen ? `${listId}-${chosen}` : undefined}
            placeholder={isBusy ? words.composer.placeholderBusy : words.composer.placeholder}
            disabled={project === null}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setCaret(event.target.selectionStart);
            }}
            onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            className="field-sizing-content block max-h-[38vh] min-h-10 w-full resize-none bg-transparent px-3.5 pt-2.5 pb-1 text-base outline-none"
          />
          <div className="flex h-9 items-center gap-3 pr-1.5 pb-1 pl-3.5">
            <ContextMeter />
            {hasModel ? (
              <span className="min-w-0 flex-1 truncate text-2xs text-soft">{words.composer.hint}</span>
            ) : (
              <span className="flex min-w-0 flex-1 items-center gap-1.5 truncate text-2xs text-warn">
                {words.composer.noModel}
                <button
                  type="button"
                  className="underline underline-offset-2"
                  onClick={() => showDialog({ kind: 'settings', section: 'providers' })}
                >
                  {words.composer.setUp}
                </button>
              </span>
            )}
            <Tip text={isBusy ? words.composer.queue : words.composer.send} keys="⏎" side="top">
              <button
                type="button"
                aria-label={isBusy ? words.composer.queue : words.composer.send}
                disabled={!canSend}
                onClick={() => void send()}
                className="flex size-6.5 items-center justify-center rounded-lg bg-accent-fill text-on-accent transition-opacity disabled:opacity-35"
              >
                <ArrowUp aria-hidden className="size-4" />
              </button>
            </Tip>
          </div>
        </div>
      </div>
    </div>
  );
}
