/**
 * Tokens after which an older part of the conversation is summarised where nobody knows the window: the commonest size of
 * today's models. It is a habit of ours and not shown as the model's window.
 */
export const carefulWindow = 128_000;
