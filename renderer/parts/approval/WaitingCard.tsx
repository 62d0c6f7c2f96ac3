import type { Call } from '../../../shared/model/call.ts';
import { ApprovalCard, type ApprovalCardProps } from './ApprovalCard.tsx';
import { ChangeSetCard } from './ChangeSetCard.tsx';

/** The card of what waits together: one question, or edits that are judged as one change set. */
export function WaitingCard({
  calls,
  ...rest
}: Omit<ApprovalCardProps, 'call'> & { readonly calls: readonly [Call, ...Call[]] }) {
  return calls.length === 1 ? <ApprovalCard call={calls[0]} {...rest} /> : <ChangeSetCard calls={calls} {...rest} />;
}
