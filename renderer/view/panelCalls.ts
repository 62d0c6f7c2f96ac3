/** A place in a file; lines and columns count from 1. */
export interface FilePlace {
  readonly line: number;
  readonly column: number;
}

/** What can be asked of a panel. */
export interface PanelCalls {
  readonly composer: { focus(): void };
  /** The screen of one task. */
  readonly screen: { focus(): void };
  /** The right side with one of its tabs. */
  readonly right: { focus(): void };
  /** The viewer of one file. */
  readonly viewer: { reveal(place: FilePlace): void };
}

type PanelName = keyof PanelCalls;
type Run<N extends PanelName> = (panel: PanelCalls[N]) => void;
type Entry<N extends PanelName> = { readonly of: string; readonly value: PanelCalls[N] };

const offered: { [N in PanelName]?: Entry<N> } = {};
const waiting: { [N in PanelName]?: { readonly of: string; readonly run: Run<N> } } = {};

/**
 * Says what can be asked of a panel while it is on show; `of` names the task or the path it shows. What was asked while it
 * was not there is done at once. Returns the way to take it back.
 */
export function offerPanel<N extends PanelName>(name: N, value: PanelCalls[N], of = ''): () => void {
  const entry = { of, value };
  Object.assign(offered, { [name]: entry });
  const asked = waiting[name];
  if (asked?.of === of) {
    delete waiting[name];
    asked.run(value);
  }
  return () => {
    if (offered[name]?.value === value) delete offered[name];
  };
}

/** Asks something of a panel: done at once, or when it comes on show. Of what waits for one panel the newest counts. */
export function callPanel<N extends PanelName>(name: N, run: Run<N>, of = ''): void {
  const panel = offered[name];
  delete waiting[name];
  if (panel?.of === of) run(panel.value);
  else Object.assign(waiting, { [name]: { of, run } });
}
