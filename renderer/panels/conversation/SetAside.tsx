import { useState } from 'react';
import { useClient, valueOrToast } from '../../client/client.ts';
import { Button } from '../../parts/Button.tsx';
import { useSession } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';

/** One click takes a file that a command left out of the way of what would obey it. */
export function SetAside({ path }: { readonly path: string }) {
  const { talk } = useWords();
  const client = useClient();
  const session = useSession(({ id }) => id);
  const [aside, setAside] = useState<string>();
  if (aside !== undefined) return <span className="shrink-0">{talk.isAside(aside)}</span>;
  const act = async (): Promise<void> => {
    const done = await valueOrToast(client.call('session.setAside', { session, path }));
    if (done) setAside(done.path);
  };
  return <Button onClick={() => void act()}>{talk.setAside(path)}</Button>;
}
