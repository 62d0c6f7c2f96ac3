import type { Picture } from '../../shared/model/brought.ts';
import { useSession } from '../view/useSession.ts';
import { useWords } from '../words/words.tsx';
import { useContent } from './useContent.ts';

/** A picture of the session on show, fetched when it is shown; in its place why there is none. */
export function ContentPicture({ picture, alt }: { readonly picture: Picture; readonly alt: string }) {
  const { call } = useWords();
  const session = useSession(({ id }) => id);
  const content = useContent(session, picture.content);
  if (content.state === 'binary' && content.image)
    return (
      <img
        src={content.image}
        alt={alt}
        width={picture.width}
        height={picture.height}
        className="mx-auto h-auto max-w-full rounded-md border border-line shadow-pop"
      />
    );
  if (content.state === 'loading') return null;
  return <p className="text-xs text-soft">{content.state === 'failed' ? content.message : call.pictureTooLarge}</p>;
}
