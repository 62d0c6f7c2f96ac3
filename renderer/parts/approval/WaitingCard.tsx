import type { Call } from '../../../shared/model/call.ts';
import { waitsAsEdit } from '../../../shared/model/questions.ts';
import { AlikeCard } from './AlikeCard.tsx';
import { ApprovalCard, type ApprovalCardProps } from './ApprovalCard.tsx';
import { ChangeSetCard } from './ChangeSetCard.tsx';

/** The card of what waits together: one question, edits that are judged as one change set, or commands that are alike. */
export function WaitingCard({ calls, ...rest }: Omit<ApprovalCardProps, 'call'> & { readonly calls: readonly Call[] }) {
  const [first, ...others] = calls;
  if (!first) return null;
  if (others.length === 0) return <ApprovalCard call={first} {...rest} />;
  return waitsAsEdit(first) ? (
    <ChangeSetCard calls={calls} {...rest} />
  ) : (
    <AlikeCard calls={[first, ...others]} {...rest} />
  );
}
