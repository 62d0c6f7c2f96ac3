import { Fragment, useState } from 'react';
import type { Call } from '../../../shared/model/call.ts';
import { useWords } from '../../words/words.tsx';
import { cx } from '../cx.ts';
import { Lines } from '../Lines.tsx';
import { PathText } from '../PathText.tsx';
import { VisibleText } from '../VisibleText.tsx';
import { visibleText } from '../visibleText.ts';

const shownLines = 12;

/** Raw text that is to be judged: monospace, every hidden character drawn, the rest one click away and counted. */
export function RawText({ text }: { readonly text: string }) {
  const { approval } = useWords();
  const [whole, setWhole] = useState(false);
  const lines = text.split('\n');
  const hidden = whole ? 0 : Math.max(0, lines.length - shownLines);
  const shown = hidden > 0 ? lines.slice(0, shownLines).join('\n') : text;
  const kinds = new Set(visibleText(text).map(({ kind }) => kind));
  return (
    <>
      <pre className="selectable max-h-72 overflow-y-auto rounded-md border border-line bg-inset px-2.5 py-1.5 font-mono text-xs leading-5 break-all whitespace-pre-wrap">
        <VisibleText text={shown} />
      </pre>
      {hidden > 0 && (
        <button type="button" className="mt-1 text-xs text-accent hover:underline" onClick={() => setWhole(true)}>
          {approval.moreLines(hidden)}
        </button>
      )}
      {kinds.has('bidi') && (
        <p role="alert" className="mt-1 text-xs font-medium text-bad">
          {approval.bidi}
        </p>
      )}
      {kinds.has('control') && <p className="mt-1 text-xs text-warn">{approval.hidden}</p>}
    </>
  );
}

/** What exactly is asked for. */
export function ApprovalPreview({ call }: { readonly call: Call }) {
  const { approval } = useWords();
  const preview = call.intent?.preview;
  switch (preview?.kind) {
    case 'command':
      return (
        <div>
          <RawText text={preview.command} />
          <p className="mt-1.5 text-xs text-soft">
            {preview.mode === 'shell' ? approval.throughShell : approval.exactWords}
            {' · '}
            {approval.folder}{' '}
            <code className="selectable font-mono text-2xs break-all text-ink">
              <VisibleText text={preview.cwd} />
            </code>
          </p>
          {preview.mode === 'direct' && preview.argv && (
            <p className="selectable mt-1 flex flex-wrap gap-1 font-mono text-2xs">
              {preview.argv.map((word, index) => (
                <span key={`${index}:${word}`} className="rounded-sm border border-line bg-inset px-1 break-all">
                  <VisibleText text={word} />
                </span>
              ))}
            </p>
          )}
          {preview.env && Object.keys(preview.env).length > 0 && (
            <p className="mt-1 text-xs text-soft">
              {approval.env}{' '}
              {Object.entries(preview.env).map(([name, value]) => (
                <code key={name} className="selectable mr-1.5 font-mono text-2xs break-all text-ink">
                  {name}=<VisibleText text={value} />
                </code>
              ))}
            </p>
          )}
        </div>
      );
    case 'changes':
      return (
        <ul className="rounded-md border border-line bg-inset py-0.5 font-mono text-xs">
          {preview.changes.map((change) => (
            <li key={change.path} className="flex items-center gap-2 px-2.5 py-0.5">
              <PathText path={change.path} className="flex-1" />
              {change.protectedBy && (
                <span className="shrink-0 font-sans text-2xs text-warn">{change.protectedBy}</span>
              )}
              <Lines additions={change.additions} deletions={change.deletions} />
            </li>
          ))}
        </ul>
      );
    case 'question':
      // Several stand in the form that answers them.
      return preview.more ? null : <p className="selectable whitespace-pre-wrap">{preview.question}</p>;
    case 'text':
      return (
        <div>
          <p className="mb-1 text-xs text-soft">{preview.title}</p>
          <RawText text={preview.text} />
        </div>
      );
    default:
      return <RawText text={JSON.stringify(call.input, null, 2) ?? ''} />;
  }
}

/** What it touches, beyond what the preview already says: deletions, paths with where links lead, hosts, downloads. */
export function ApprovalTargets({ call }: { readonly call: Call }) {
  const { approval } = useWords();
  const targets = call.intent?.targets ?? [];
  const isChange = call.intent?.preview.kind === 'changes';
  const paths = isChange ? [] : targets.flatMap((target) => (target.kind === 'path' ? [target] : []));
  const others = targets.flatMap((target) =>
    target.kind === 'host' ? [target.host] : target.kind === 'other' ? [target.name] : [],
  );
  const effects = call.approval?.effects;
  const rows: readonly (readonly [label: string, names: readonly string[], look?: string])[] = [
    [approval.deletes, effects?.deletes ?? [], 'text-bad'],
    [approval.writes, effects?.writes ?? [], 'text-warn'],
    [approval.writes, paths.flatMap(({ path, access }) => (access === 'write' ? [path] : [])), 'text-warn'],
    [approval.targets, paths.flatMap(({ path, access }) => (access === 'read' ? [path] : []))],
    [approval.hosts, [...others, ...(effects?.hosts ?? [])], 'text-warn'],
    [approval.downloads, effects?.downloads ?? [], 'text-warn'],
  ];
  const told = rows.filter(([, names]) => names.length > 0);
  if (told.length === 0) return null;
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-2 gap-y-0.5 text-xs">
      {told.map(([label, names, look]) => (
        <Fragment key={`${label} ${names[0]}`}>
          <dt className="text-soft">{label}</dt>
          <dd className={cx('selectable min-w-0 font-mono text-2xs leading-5', look)}>
            {names.map((name) => (
              <span key={name} className="mr-2 break-all">
                <VisibleText text={name} />
              </span>
            ))}
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}
