import { type LineSpot, spotKey, useComments, writeComment } from '../../view/comments.ts';
import { spotName } from '../../view/commentText.ts';
import { useWords } from '../../words/words.tsx';
import { CommentButton } from './CommentButton.tsx';

/** The comment on lines that are named beforehand. */
export function SpotCommentButton({ spot, className }: { readonly spot: LineSpot; readonly className?: string }) {
  const { comments: w } = useWords();
  const text = useComments().find((one) => spotKey(one) === spotKey(spot))?.text ?? '';
  return (
    <CommentButton
      label={w.on(spotName(spot))}
      path={spot.path}
      text={text}
      {...(className === undefined ? {} : { className })}
      onSave={(next) => writeComment(spot, next)}
    />
  );
}
