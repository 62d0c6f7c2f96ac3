/** `+12 −3`, with words for those who hear it. */
export function Lines({ additions, deletions }: { readonly additions: number; readonly deletions: number }) {
  return (
    <span className="tabular shrink-0 font-mono text-2xs">
      <span className="text-good">+{additions}</span> <span className="text-bad">−{deletions}</span>
    </span>
  );
}
