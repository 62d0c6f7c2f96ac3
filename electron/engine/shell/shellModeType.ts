/** How a command line will be run, or why nothing can be run. `why` names what in the text asks for a shell. */
export type ShellMode =
  | { readonly mode: 'shell'; readonly why: string }
  | { readonly mode: 'direct'; readonly argv: readonly string[] }
  | { readonly mode: 'error'; readonly message: string };
