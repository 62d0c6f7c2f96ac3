import type { Client } from '../../../shared/contract/client.ts';
import { rewindPartSchema } from '../../../shared/model/rewind.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import { itemsOf } from '../../../shared/model/timeline.ts';
import { localTime } from '../base/localTime.ts';
import { columns } from '../terminal/columns.ts';

/** `/rewind`: the messages to go back to; with the number of one, goes back to before it. Texts in it have yet to pass `forTerminal`. */
export async function rewindSlash(
  [number, given = 'both']: readonly string[],
  { id, items }: SessionState,
  client: Client,
  width?: number,
): Promise<string> {
  const messages = [...itemsOf(items)].flatMap((item, at) =>
    item.kind === 'user' ? [{ sentAt: item.at, text: item.text, item: at }] : [],
  );
  if (number === undefined) {
    const rows = messages.map(({ sentAt, text }, index) => [
      String(index + 1),
      localTime(sentAt),
      text.trim().split('\n')[0] ?? '',
    ]);
    return rows.length > 0
      ? columns(['n', 'sent', 'message'], rows, width).trimEnd()
      : 'there is no message to go back to';
  }
  const message = /^\d+$/.test(number) ? messages[Number(number) - 1] : undefined;
  const what = rewindPartSchema.safeParse(given);
  if (!message) return `error: there is no message ${number}; "/rewind" lists them`;
  if (!what.success) return 'error: say files, talk, or nothing for both';
  const gone = await client.call('session.rewind', { session: id, to: { item: message.item }, what: what.data });
  if (!gone.ok) return `error: ${gone.error.message}`;
  const { files, left } = gone.value;
  return [
    `back to before message ${number}`,
    ...files.map(({ path, now }) => `  ${now}: ${path}`),
    ...left.map(({ path, why }) => `  left as it is: ${path} (${why})`),
  ].join('\n');
}
