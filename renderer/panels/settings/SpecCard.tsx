import { ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import type { SpecView } from '../../../shared/contract/specApi.ts';
import { levels } from '../../../shared/model/level.ts';
import { useGuard } from '../../parts/approval/useGuard.ts';
import { Button } from '../../parts/Button.tsx';
import { cx } from '../../parts/cx.ts';
import { inputLook } from '../../parts/Field.tsx';
import { VisibleText } from '../../parts/VisibleText.tsx';
import { useWords } from '../../words/words.tsx';

const trustTones = {
  own: 'text-soft',
  bundled: 'text-soft',
  trusted: 'text-good',
  asked: 'text-warn',
  refused: 'text-bad',
} as const;

/** One spec with its source, program, trust and commands. */
export function SpecCard({
  spec,
  busy,
  onTrust,
  onLevel,
}: {
  readonly spec: SpecView;
  readonly busy: boolean;
  readonly onTrust: (trusted: boolean) => void;
  readonly onLevel: (level: SpecView['level'] | null) => void;
}) {
  const words = useWords();
  const id = useId();
  const [open, setOpen] = useState(false);
  const { settled, guarded } = useGuard(`${spec.name} ${spec.hash} ${spec.trust}`);
  const isTrusted = spec.trust === 'trusted';
  const facts = [
    words.specs.source[spec.source],
    spec.installedVersion === undefined ? null : words.specs.version(spec.installedVersion),
    words.specs.commands(spec.commands.length),
  ].filter((fact) => fact !== null);
  return (
    <li className="rounded-md border border-line bg-raised">
      <div className="flex items-start gap-2 px-3 py-2">
        <div className="min-w-0 flex-1">
          <h3 className="flex min-w-0 items-baseline gap-2">
            <span className="truncate font-medium">
              <VisibleText text={spec.name} />
            </span>
            <span className={cx('shrink-0 text-2xs', trustTones[spec.trust])}>{words.specs.trust[spec.trust]}</span>
          </h3>
          <p className="text-xs break-words text-soft">
            <VisibleText text={spec.description} />
          </p>
          <p className="mt-0.5 text-2xs text-soft">{facts.join(' · ')}</p>
          <p className="selectable font-mono text-2xs break-all text-soft" title={spec.path}>
            <VisibleText text={spec.binary} />
          </p>
        </div>
        {spec.source === 'project' && (
          <Button
            look={isTrusted ? 'plain' : 'primary'}
            aria-disabled={busy || !settled}
            aria-label={`${isTrusted ? words.specs.untrustDo : words.specs.trustDo}: ${spec.name}`}
            onClick={guarded(() => !busy && onTrust(!isTrusted))}
          >
            {isTrusted ? words.specs.untrustDo : words.specs.trustDo}
          </Button>
        )}
      </div>
      {(spec.trust === 'asked' || spec.binaryInProject || spec.exactVersionMatch === false) && (
        <ul className="flex flex-col gap-0.5 border-t border-line px-3 py-1.5 text-xs text-warn">
          {spec.trust === 'asked' && <li>{words.specs.askedMore}</li>}
          {spec.binaryInProject && <li>{words.specs.binaryInside}</li>}
          {spec.exactVersionMatch === false && <li>{words.specs.otherVersion}</li>}
        </ul>
      )}
      {spec.warnings.length > 0 && (
        <ul className="border-t border-line px-3 py-1.5 text-xs text-warn">
          {spec.warnings.map(({ path, message }) => (
            <li key={`${path} ${message}`} className="break-words">
              {path && <code className="font-mono text-2xs">{path}</code>} {words.said(message)}
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-2 border-t border-line px-1.5 py-1">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex h-6 items-center gap-1 rounded-md px-1.5 text-xs text-soft hover:bg-hover hover:text-ink"
        >
          <ChevronRight aria-hidden className={cx('size-3 transition-transform', open && 'rotate-90')} />
          {words.specs.commands(spec.commands.length)}
          <span className="sr-only">: {spec.name}</span>
        </button>
        <span className="flex-1" />
        <label htmlFor={id} className="text-2xs text-soft">
          {words.specs.level}
        </label>
        <select
          id={id}
          value={spec.level ?? ''}
          disabled={busy}
          className={cx(inputLook, '!h-6 !w-36 !text-xs')}
          onChange={(event) => onLevel(levels.find((level) => level === event.target.value) ?? null)}
        >
          <option value="">{words.specs.levelUnset}</option>
          {levels.map((level) => (
            <option key={level} value={level}>
              {words.specs.levels[level]}
            </option>
          ))}
        </select>
      </div>
      {open && <Commands commands={spec.commands} />}
    </li>
  );
}

function Commands({ commands }: { readonly commands: SpecView['commands'] }) {
  const { specs: words } = useWords();
  if (commands.length === 0) return <p className="px-3 pb-2 text-xs text-soft">{words.noCommands}</p>;
  return (
    <ul className="divide-y divide-line border-t border-line">
      {commands.map((command) => (
        <li key={command.name} className="px-3 py-1.5">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <code className="selectable font-mono text-xs break-all">
              <VisibleText text={command.tool ?? command.name} />
            </code>
            <span className="text-2xs text-soft">{command.level ? words.levels[command.level] : words.notLoaded}</span>
          </p>
          <p className="text-xs break-words text-soft">
            <VisibleText text={command.description} />
          </p>
          <ul className="selectable mt-0.5 flex flex-wrap gap-1 font-mono text-2xs">
            {[...command.args, ...command.flags].map((input) => (
              <li
                key={input.name}
                title={input.description}
                className="rounded-sm border border-line bg-inset px-1 break-all"
              >
                <VisibleText text={input.name} />
                <span className="text-soft">
                  {' '}
                  {input.type}
                  {input.required && ` · ${words.required}`}
                </span>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
