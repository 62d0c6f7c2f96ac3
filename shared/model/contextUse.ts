/** Who counted: the provider (with its last reply), the model's own tokenizer here, or nobody. */
export type Counted = 'provider' | 'tokenizer' | 'estimate';

/** What fills the model's window with the next request, in tokens. */
export interface ContextUse {
  readonly tokens: number;
  /** The model's window. */
  readonly limit: number;
  readonly counted: Counted;
  /** Adds up to `tokens`. `vise` is what Vise said to the model, `person` holds what was attached as well. */
  readonly parts: readonly {
    readonly kind: 'instructions' | 'rules' | 'tools' | 'summary' | 'person' | 'vise' | 'replies' | 'results';
    readonly tokens: number;
  }[];
}
