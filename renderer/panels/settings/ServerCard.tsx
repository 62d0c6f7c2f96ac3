import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { McpServerView } from '../../../shared/contract/serverApi.ts';
import { useAnswer } from '../../client/useAnswer.ts';
import { Button } from '../../parts/Button.tsx';
import { cx } from '../../parts/cx.ts';
import { useNow } from '../../parts/useNow.ts';
import { VisibleText } from '../../parts/VisibleText.tsx';
import { useWords } from '../../words/words.tsx';

const tones = {
  connecting: 'text-soft',
  ready: 'text-good',
  waiting: 'text-warn',
  failed: 'text-bad',
  signedOut: 'text-warn',
  untrusted: 'text-warn',
  off: 'text-soft',
  closed: 'text-soft',
} as const;

/** One MCP server: its state with the cause, what it offers, its log, and what the person can do about it. */
export function ServerCard({
  server,
  project,
  onSignIn,
  onSignOut,
  onRestart,
  onSwitch,
  onTrust,
  onPage,
}: {
  readonly server: McpServerView;
  readonly project: string;
  readonly onSignIn: () => void;
  readonly onSignOut: () => void;
  readonly onRestart: () => void;
  readonly onSwitch: (on: boolean) => void;
  readonly onTrust: () => void;
  readonly onPage: (page: string) => void;
}) {
  const { servers: words, said } = useWords();
  const [shown, setShown] = useState<'offer' | 'log' | null>(null);
  const { name, state, reason, signInPage } = server;
  const named = (label: string): string => `${label}: ${name}`;
  const isStarted = state !== 'off' && state !== 'untrusted';
  return (
    <li className="rounded-md border border-line bg-raised">
      <div className="flex items-start gap-2 px-3 py-2">
        <div className="min-w-0 flex-1">
          <h3 className="flex min-w-0 items-baseline gap-2">
            <span className="truncate font-medium">
              <VisibleText text={name} />
            </span>
            <span className={cx('shrink-0 text-2xs', tones[state])}>
              {signInPage === undefined ? words.states[state] : words.signingIn}
            </span>
          </h3>
          <p className="text-2xs text-soft">{words.origins[server.origin]}</p>
          <p className="selectable font-mono text-2xs break-all text-soft">
            <VisibleText text={server.place} />
          </p>
        </div>
        {state === 'untrusted' && (
          <Button look="primary" aria-label={named(words.trust)} onClick={onTrust}>
            {words.trust}
          </Button>
        )}
        {state === 'signedOut' && signInPage === undefined && (
          <Button look="primary" aria-label={named(words.signIn)} onClick={onSignIn}>
            {words.signIn}
          </Button>
        )}
        {signInPage !== undefined && (
          <Button aria-label={named(words.pageAgain)} onClick={() => onPage(signInPage)}>
            {words.pageAgain}
          </Button>
        )}
        {server.signedIn && (
          <Button look="quiet" aria-label={named(words.signOut)} onClick={onSignOut}>
            {words.signOut}
          </Button>
        )}
        {isStarted && (
          <Button look="quiet" aria-label={named(words.restart)} onClick={onRestart}>
            {words.restart}
          </Button>
        )}
        <label className="flex h-6.5 items-center gap-1.5 text-xs">
          <input
            type="checkbox"
            checked={state !== 'off'}
            aria-label={named(words.on)}
            onChange={(event) => onSwitch(event.target.checked)}
          />
          {words.on}
        </label>
      </div>
      {reason !== undefined && (
        <p className={cx('selectable border-t border-line px-3 py-1.5 text-xs break-words', tones[state])}>
          <VisibleText text={said(reason)} />
        </p>
      )}
      {isStarted && (
        <div className="flex flex-wrap gap-1 border-t border-line px-1.5 py-1">
          <Fold
            label={words.offer(server)}
            name={name}
            isOpen={shown === 'offer'}
            onOpen={(open) => setShown(open ? 'offer' : null)}
          />
          <Fold
            label={words.log}
            name={name}
            isOpen={shown === 'log'}
            onOpen={(open) => setShown(open ? 'log' : null)}
          />
        </div>
      )}
      {isStarted && shown === 'offer' && <Offer server={server} />}
      {isStarted && shown === 'log' && <Log project={project} name={name} />}
    </li>
  );
}

function Fold({
  label,
  name,
  isOpen,
  onOpen,
}: {
  readonly label: string;
  readonly name: string;
  readonly isOpen: boolean;
  readonly onOpen: (open: boolean) => void;
}) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={() => onOpen(!isOpen)}
      className="flex h-6 items-center gap-1 rounded-md px-1.5 text-xs text-soft hover:bg-hover hover:text-ink"
    >
      <ChevronRight aria-hidden className={cx('size-3 transition-transform', isOpen && 'rotate-90')} />
      {label}
      <span className="sr-only">: {name}</span>
    </button>
  );
}

/** Its words are those of others. */
function Offer({ server: { tools, prompts, resources } }: { readonly server: McpServerView }) {
  const { servers: words, specs } = useWords();
  const levels: Readonly<Record<string, string>> = specs.levels;
  const groups = [
    { title: words.tools, rows: tools },
    { title: words.prompts, rows: prompts },
    { title: words.resources, rows: resources },
  ].filter(({ rows }) => rows.length > 0);
  return (
    <div className="max-h-64 overflow-auto border-t border-line">
      {groups.map(({ title, rows }) => (
        <section key={title} className="px-3 py-1.5">
          <h4 className="text-2xs font-medium text-soft">{title}</h4>
          <ul>
            {rows.map((row) => (
              <li key={row.name} className="py-0.5 text-xs break-words text-soft">
                <code className="selectable font-mono text-xs break-all text-ink">
                  <VisibleText text={row.name} />
                </code>
                {'level' in row && <span className="pl-2 text-2xs">{levels[String(row.level)]}</span>}
                <span className="block">
                  <VisibleText text={row.about} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Log({ project, name }: { readonly project: string; readonly name: string }) {
  const { servers: words, said } = useWords();
  const lines = useAnswer('server.log', { project, name }, { again: String(useNow()) })?.lines;
  if (lines?.length === 0) return <p className="border-t border-line px-3 py-1.5 text-xs text-soft">{words.noLog}</p>;
  const states: Readonly<Record<string, string>> = words.states;
  return (
    <div
      role="log"
      aria-label={`${words.log}: ${name}`}
      className="selectable max-h-48 overflow-auto border-t border-line bg-inset px-3 py-1.5 font-mono text-2xs whitespace-pre-wrap"
    >
      {lines?.map(({ at, from, text }, index) => {
        const [state = '', ...more] = from === 'vise' ? text.split(': ') : [];
        const why = more.join(': ');
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines may be the same, and only come at the end
          <p key={`${at} ${index}`} className="break-words">
            <span className="text-soft">
              <time dateTime={at}>{new Date(at).toLocaleTimeString()}</time> {from === 'vise' ? '' : `${from} `}
            </span>
            {from === 'vise' ? (
              <span className="text-soft">
                {states[state] ?? state}
                {why !== '' && ': '}
                <VisibleText text={said(why)} />
              </span>
            ) : (
              <VisibleText text={text} />
            )}
          </p>
        );
      })}
    </div>
  );
}
