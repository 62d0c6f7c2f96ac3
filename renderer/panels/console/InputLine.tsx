import { CornerDownLeft } from 'lucide-react';
import { useState } from 'react';
import { useClient, valueOrToast } from '../../client/client.ts';
import { Button } from '../../parts/Button.tsx';
import { isComposing } from '../../parts/keys.ts';
import { useWords } from '../../words/words.tsx';

/** Prompts whose answer nobody should read over a shoulder. */
const secretPrompt = /pass(?:word|phrase|code)?\b|\bPIN\b|secret|token/i;

/** One line to a program that waits for it, for whoever does not want to type into the screen. */
export function InputLine({
  target,
  prompt = '',
}: {
  readonly target: { readonly session: string; readonly task: string };
  readonly prompt?: string;
}) {
  const words = useWords();
  const client = useClient();
  const [text, setText] = useState('');
  const send = (): void => {
    // What the Enter key of a terminal sends.
    void valueOrToast(client.call('task.input', { ...target, data: `${text}\r` }));
    setText('');
  };
  return (
    <span className="flex min-w-48 flex-1 items-center gap-1.5">
      <input
        aria-label={words.console.input}
        placeholder={words.console.input}
        type={secretPrompt.test(prompt) ? 'password' : 'text'}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !isComposing(event.nativeEvent)) send();
        }}
        className="h-6 min-w-0 flex-1 rounded-md border border-edge bg-inset px-2 font-mono text-xs text-ink outline-none focus-visible:border-accent"
      />
      <Button onClick={send}>
        <CornerDownLeft aria-hidden className="size-3" />
        {words.console.sendLine}
      </Button>
    </span>
  );
}
