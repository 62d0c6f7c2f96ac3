import { CircleCheck, CircleX, Send } from 'lucide-react';
import { toast } from 'sonner';
import { type Build, type BuildFinding, buildMessage } from '../../../shared/model/build.ts';
import type { Task } from '../../../shared/model/task.ts';
import { useClient, valueOrToast } from '../../client/client.ts';
import { Button } from '../../parts/Button.tsx';
import { cx } from '../../parts/cx.ts';
import { VisibleText } from '../../parts/VisibleText.tsx';
import { openFile, showReview } from '../../view/show.ts';
import { useWords } from '../../words/words.tsx';

/** What the newest round of a build came to: each finding with the hunk that it comes from, and a way to the agent. */
export function BuildReport({
  build,
  task,
  session,
}: {
  readonly build: Build;
  readonly task: Task;
  readonly session: string;
}) {
  const { builds: w } = useWords();
  const client = useClient();
  const isRed = build.state === 'red';
  const Icon = isRed ? CircleX : CircleCheck;
  const send = async (): Promise<void> => {
    const { text, attachments } = buildMessage(build, task);
    const sent = await valueOrToast(client.call('session.send', { session, text, attachments: [...attachments] }));
    if (sent) toast.success(w.sent);
  };
  return (
    <section
      aria-label={w.report}
      className={cx('border-t px-3 py-1 text-xs', isRed ? 'border-bad-edge bg-bad-tint' : 'border-line')}
    >
      <div className="flex items-center gap-2">
        <Icon aria-hidden className={cx('size-3.5 shrink-0', isRed ? 'text-bad' : 'text-good')} />
        <p role="status" className={cx('min-w-0 flex-1', isRed ? 'font-medium text-bad' : 'text-soft')}>
          {isRed ? w.errors(build.errors) : w.green}
        </p>
        {isRed && (
          <Button onClick={() => void send()}>
            <Send aria-hidden className="size-3" />
            {w.send}
          </Button>
        )}
      </div>
      {build.findings.length > 0 && (
        <ul className="selectable max-h-28 overflow-y-auto pl-5.5">
          {build.findings.map((finding, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same may be found twice, and the list is drawn anew as a whole
            <li key={index} className="flex flex-wrap items-baseline gap-x-2 py-0.5">
              <Origin finding={finding} />
              <span
                className={cx(
                  'min-w-0 flex-1 basis-40 break-words',
                  finding.severity === 'error' ? 'text-ink' : 'text-soft',
                )}
              >
                <VisibleText text={finding.message} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Leads to the hunk, or to the line where no hunk is known. */
function Origin({ finding: { file, line, written, since } }: { readonly finding: BuildFinding }) {
  const { builds: w } = useWords();
  if (file === undefined) return null;
  const place = line === undefined ? file : `${file}:${line}`;
  const link = 'font-mono text-accent hover:underline';
  if (written)
    return (
      <button
        type="button"
        className={link}
        title={w.hunk(written.hunk + 1, written.path)}
        onClick={() => showReview(written.path, written.changeSet)}
      >
        <VisibleText text={place} /> · {w.inHunk(written.hunk + 1)}
      </button>
    );
  return (
    <>
      <button
        type="button"
        className={link}
        onClick={() => openFile(file, line === undefined ? undefined : { line, column: 1 })}
      >
        <VisibleText text={place} />
      </button>
      {since !== undefined && (
        <button
          type="button"
          className="text-2xs text-warn hover:underline"
          title={w.sinceMore}
          onClick={() => showReview(null, since)}
        >
          {w.since}
        </button>
      )}
    </>
  );
}
