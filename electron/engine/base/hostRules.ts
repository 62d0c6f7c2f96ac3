/** What the rules say of the hosts that a page asks for by itself: redirects, frames, scripts, new tabs. */
export interface HostRules {
  /** Why this host is not asked for. `isApproved`: its address passed the gate, so that a rule that asks was answered. */
  forbidden(host: string, isApproved: boolean): string | undefined;
  /** Patterns of the hosts that are forbidden now. */
  denied(): readonly string[];
}
