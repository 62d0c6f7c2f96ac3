import { Component, type ReactNode } from 'react';
import { WordsContext } from '../words/words.tsx';
import { Button } from './Button.tsx';

interface Props {
  readonly name: string;
  readonly children: ReactNode;
}

/** The window's edge for bugs: one broken panel leaves the others standing, and can be tried again. */
export class ErrorEdge extends Component<Props, { readonly error: Error | null }> {
  static override contextType = WordsContext;
  declare context: React.ContextType<typeof WordsContext>;
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown): { readonly error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    const { connection } = this.context;
    return (
      <div role="alert" className="flex h-full flex-col items-center justify-center gap-2 p-4 text-center">
        <p className="font-medium">{connection.broke}</p>
        <p className="selectable max-w-96 font-mono text-xs break-words text-soft">
          {this.props.name}: {error.message}
        </p>
        <Button onClick={() => this.setState({ error: null })}>{connection.reload}</Button>
      </div>
    );
  }
}
