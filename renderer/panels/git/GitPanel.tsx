import { ArrowDownToLine, ArrowUpFromLine, GitBranch, GitPullRequest, MessagesSquare, RefreshCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { GitFile, GitState } from '../../../shared/contract/gitApi.ts';
import { writtenFilesOf } from '../../../shared/model/sinceStart.ts';
import { Button, IconButton } from '../../parts/Button.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { VisibleText } from '../../parts/VisibleText.tsx';
import { suggest } from '../../view/show.ts';
import { useSession } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';
import { CommitBox } from './CommitBox.tsx';
import { ConflictView } from './ConflictView.tsx';
import { GitFileRow } from './GitFileRow.tsx';
import { NameForm } from './NameForm.tsx';
import { type Action, type Asked, useGit } from './useGit.ts';

/** What has changed since the last commit, with what this session wrote marked; staged, committed and sent from here. */
export function GitPanel() {
  const { git: w, said } = useWords();
  const { answer, busy, asked, act, comments, drop } = useGit();
  const [onlyOwn, setOnlyOwn] = useState(false);
  const changeSets = useSession((session) => session.changeSets);
  const own = new Set(writtenFilesOf(changeSets).map(({ path }) => path));
  if (answer === null) return <div aria-hidden className="skeleton m-3 h-8" />;
  const { state, problem } = answer;
  if (!state)
    return (
      <Empty icon={GitBranch} title={w.none}>
        {said(problem ?? '')}
      </Empty>
    );
  const shown = state.files.filter(({ path }) => !onlyOwn || own.has(path));
  const staged = shown.filter((file) => file.staged);
  const row = (file: GitFile, isStaged: boolean): ReactNode => {
    const side = isStaged ? file.staged : file.unstaged;
    return (
      side && (
        <GitFileRow
          key={file.path}
          file={file}
          side={side}
          isStaged={isStaged}
          isOwn={own.has(file.path)}
          onAct={(action) => void act(action)}
        />
      )
    );
  };
  const all = (files: readonly GitFile[]): string[] => files.map(({ path }) => path).slice(0, 1000);
  const unstaged = shown.filter((file) => file.unstaged);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Head
        state={state}
        busy={busy}
        onAct={(action) => void act(action)}
        onComments={() => void comments((text) => suggest(text))}
      />
      {state.middle !== undefined && (
        <div
          role="status"
          className="flex items-start gap-2 border-b border-warn-edge bg-warn-tint px-3 py-1.5 text-xs text-warn"
        >
          <p className="min-w-0 flex-1">{state.middle}</p>
          <Button onClick={() => void act({ do: 'giveUp' })}>{w.giveUp}</Button>
        </div>
      )}
      {asked && <Question asked={asked} onNo={drop} />}
      <div className="min-h-0 flex-1 overflow-y-auto p-1.5">
        {state.files.length === 0 && <p className="p-3 text-center text-xs text-soft">{w.clean}</p>}
        {own.size > 0 && state.files.length > 0 && (
          <Button
            look="quiet"
            aria-pressed={onlyOwn}
            className="mb-1 aria-pressed:bg-chosen aria-pressed:text-ink"
            onClick={() => setOnlyOwn(!onlyOwn)}
          >
            {w.onlyOwn}
          </Button>
        )}
        <Section title={w.conflicts} files={shown.filter(({ conflict }) => conflict)}>
          {(file) => (
            <ConflictView key={`${file.path} ${file.conflict?.id}`} file={file} onAct={(action) => void act(action)} />
          )}
        </Section>
        <Section
          title={w.staged}
          files={staged}
          verb={w.unstageAll}
          onAll={() => void act({ do: 'unstage', files: all(staged) })}
        >
          {(file) => row(file, true)}
        </Section>
        <Section
          title={w.changes}
          files={unstaged}
          verb={w.stageAll}
          onAll={() => void act({ do: 'stage', files: all(unstaged) })}
        >
          {(file) => row(file, false)}
        </Section>
        {state.total > state.files.length && (
          <p className="px-2 text-2xs text-soft">{w.more(state.total - state.files.length)}</p>
        )}
      </div>
      <CommitBox staged={state.files.filter((file) => file.staged).length} isBusy={busy !== null} onAct={act} />
    </div>
  );
}

function Head({
  state,
  busy,
  onAct,
  onComments,
}: {
  readonly state: GitState;
  readonly busy: Action['do'] | null;
  readonly onAct: (action: Action) => void;
  readonly onComments: () => void;
}) {
  const { git: w } = useWords();
  const [form, setForm] = useState<'branch' | 'pullRequest' | null>(null);
  const { branch, detached, head, branches, upstream, ahead, behind, hasRemote, hosting } = state;
  const toggle = (name: typeof form): void => setForm(form === name ? null : name);
  return (
    <div className="shrink-0 border-b border-line">
      <div className="flex min-h-8.5 flex-wrap items-center gap-1 px-2 text-xs">
        <GitBranch aria-hidden className="size-3.5 shrink-0 text-soft" />
        <select
          aria-label={w.branch}
          value={branch ?? ''}
          disabled={busy !== null}
          onChange={(event) => event.target.value !== '' && onAct({ do: 'switch', name: event.target.value })}
          className="h-6 max-w-48 min-w-0 truncate rounded-md border border-edge/70 bg-raised px-1 text-xs"
        >
          {detached && <option value="">{w.detached(head?.slice(0, 7) ?? '')}</option>}
          {branch !== null && !branches.includes(branch) && <option value={branch}>{branch}</option>}
          {branches.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        {head === null && <span className="text-2xs text-soft">{w.unborn}</span>}
        {upstream !== null && (
          <span className="tabular text-2xs text-soft" title={upstream}>
            ↑{ahead} ↓{behind}
          </span>
        )}
        <span className="flex-1" />
        <Button
          look="quiet"
          aria-expanded={form === 'branch'}
          disabled={head === null}
          onClick={() => toggle('branch')}
        >
          {w.newBranch}
        </Button>
        {hasRemote && (
          <>
            <IconButton label={w.fetch} disabled={busy !== null} onClick={() => onAct({ do: 'fetch' })}>
              <RefreshCw className={busy === 'fetch' ? 'animate-spin' : ''} />
            </IconButton>
            <IconButton label={w.pull} disabled={busy !== null} onClick={() => onAct({ do: 'pull' })}>
              <ArrowDownToLine />
            </IconButton>
            <IconButton label={w.push} disabled={busy !== null || detached} onClick={() => onAct({ do: 'push' })}>
              <ArrowUpFromLine />
            </IconButton>
          </>
        )}
        {hosting !== undefined && hasRemote && (
          <>
            <IconButton
              label={w.pullRequest}
              aria-expanded={form === 'pullRequest'}
              onClick={() => toggle('pullRequest')}
            >
              <GitPullRequest />
            </IconButton>
            <IconButton label={w.comments} onClick={onComments}>
              <MessagesSquare />
            </IconButton>
          </>
        )}
      </div>
      {form === 'branch' && (
        <NameForm
          label={w.branchName}
          verb={w.create}
          onDone={(name) => {
            setForm(null);
            onAct({ do: 'createBranch', name });
          }}
        />
      )}
      {form === 'pullRequest' && (
        <NameForm
          label={w.pullRequestTitle}
          more={w.pullRequestBody}
          verb={w.create}
          onDone={(title, body) => {
            setForm(null);
            onAct({ do: 'pullRequest', title, body });
          }}
        />
      )}
    </div>
  );
}

/** What would happen, before it does. */
function Question({ asked: { question, yes }, onNo }: { readonly asked: Asked; readonly onNo: () => void }) {
  const { git: w, said } = useWords();
  const { summary, text, reasons } = question;
  return (
    <section aria-label={w.question} className="shrink-0 border-b border-line bg-raised px-3 py-2 text-xs">
      <p className="font-medium">{said(summary)}</p>
      {text !== '' && (
        <pre className="selectable my-1 max-h-32 overflow-auto rounded-sm bg-inset px-2 py-1 font-mono text-xs whitespace-pre-wrap">
          <VisibleText text={text} />
        </pre>
      )}
      {reasons.map((reason) => (
        <p key={reason} className="text-soft">
          {said(reason)}
        </p>
      ))}
      <div className="flex gap-1.5 pt-1.5">
        <Button onClick={yes}>{w.yes}</Button>
        <Button look="quiet" onClick={onNo}>
          {w.no}
        </Button>
      </div>
    </section>
  );
}

function Section({
  title,
  files,
  verb,
  onAll,
  children,
}: {
  readonly title: string;
  readonly files: readonly GitFile[];
  readonly verb?: string;
  readonly onAll?: () => void;
  readonly children: (file: GitFile) => ReactNode;
}) {
  if (files.length === 0) return null;
  return (
    <section aria-label={title} className="pb-2">
      <div className="flex h-6.5 items-center px-1 text-2xs font-semibold text-soft">
        <h3 className="flex-1">
          {title} · {files.length}
        </h3>
        {verb !== undefined && (
          <Button look="quiet" className="h-5 px-1.5" onClick={onAll}>
            {verb}
          </Button>
        )}
      </div>
      <ul>{files.map(children)}</ul>
    </section>
  );
}
