/** Two jaws and the piece between them. */
export function Logo({ className }: { readonly className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 32 32" className={className}>
      <path d="M5 7h7v18H5zM20 7h7v18h-7z" fill="var(--accent)" />
      <path d="M13 13h6v6h-6z" fill="var(--warn)" />
    </svg>
  );
}
