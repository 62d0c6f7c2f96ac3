import { controlName, visibleText } from './visibleText.ts';

/** Text in which control characters, direction marks and odd blanks are drawn, not obeyed. */
export function VisibleText({ text }: { readonly text: string }) {
  return visibleText(text).map(({ kind, text: part }, index) =>
    kind === 'plain' ? (
      part
    ) : (
      <span
        key={index}
        data-name={kind === 'control' ? controlName(part) : undefined}
        className={
          kind === 'bidi'
            ? 'rounded-sm bg-bad-fill px-0.5 text-on-accent'
            : kind === 'control'
              ? 'control-name rounded-sm bg-warn-tint text-warn'
              : 'text-warn opacity-80'
        }
      >
        {part}
      </span>
    ),
  );
}
